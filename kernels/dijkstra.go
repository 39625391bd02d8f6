package kernels

import (
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// ErrLength marks a weight that cannot be added to the length of a path.
var ErrLength = errors.New("path length")

// LengthError names an arc that cannot lengthen a path: its weight vanishes beside the length, or the sum passes the
// range of float64. It is an ErrLength.
type LengthError struct {
	Source, Target int32   // node indices of the arc
	Weight         float64 // of the arc
	Length         float64 // of the path to Source
	// SourceID and TargetID are what the nodes are called where the graph came from; the kernels do not know.
	SourceID, TargetID string
}

// Error names the nodes by their ids, or by index when a caller that knows the ids has not set them.
func (e *LengthError) Error() string {
	source, target := e.SourceID, e.TargetID
	if source == "" && target == "" {
		source, target = fmt.Sprint(e.Source), fmt.Sprint(e.Target)
	}
	if math.IsInf(e.Length+e.Weight, 0) {
		return fmt.Sprintf("edge from node %s to node %s: a path of length %g and its weight %g overflow float64; use smaller units",
			source, target, e.Length, e.Weight)
	}
	return fmt.Sprintf("edge from node %s to node %s: weight %g is lost beside a path of length %g; weights lie too far apart for float64",
		source, target, e.Weight, e.Length)
}

// Is makes a LengthError an ErrLength.
func (e *LengthError) Is(target error) bool { return target == ErrLength }

// metric adds and compares lengths of paths, which are of type D.
type metric[D any] interface {
	// plus lengthens d by an arc; false when the result is not longer or not finite.
	plus(d D, arc int64) (D, bool)
	less(a, b D) bool
	// tight says whether an arc from a node at distance from ends a shortest path to a node at distance to.
	tight(from, to D, arc int64) bool
	float(d D) float64
	ties() string
}

// ticks64 measures in ticks that fit 62 bits.
type ticks64 struct {
	arc  []int64
	unit unit
}

func (m ticks64) plus(d int64, arc int64) (int64, bool) { return d + m.arc[arc], true }
func (m ticks64) less(a, b int64) bool                  { return a < b }
func (m ticks64) tight(from, to int64, arc int64) bool  { return from+m.arc[arc] == to }
func (m ticks64) float(d int64) float64                 { return m.unit.of(float64(d)) }
func (m ticks64) ties() string                          { return "exact" }

// ticks128 measures in ticks that fit 126 bits.
type ticks128 struct {
	arc  []u128
	unit unit
}

func (m ticks128) plus(d u128, arc int64) (u128, bool) { return d.plus(m.arc[arc]), true }
func (m ticks128) less(a, b u128) bool                 { return a.less(b) }
func (m ticks128) tight(from, to u128, arc int64) bool { return from.plus(m.arc[arc]) == to }
func (m ticks128) float(d u128) float64                { return m.unit.of(d.float()) }
func (m ticks128) ties() string                        { return "exact" }

// approximate measures in float64. Arcs lead from smaller to greater distances only, so that there are no cycles.
type approximate struct {
	weight    []float64
	tolerance float64
}

func (m approximate) plus(d float64, arc int64) (float64, bool) {
	sum := d + m.weight[arc]
	return sum, sum > d && sum <= math.MaxFloat64
}
func (m approximate) less(a, b float64) bool { return a < b }
func (m approximate) tight(from, to float64, arc int64) bool {
	return from < to && from+m.weight[arc] <= to*(1+m.tolerance)
}
func (m approximate) float(d float64) float64 { return d }
func (m approximate) ties() string            { return "tolerance" }

// weights is a metric as the measures see it.
type weights[D any] struct{ metric[D] }

func (w weights[D]) newSearch(g *export.Graph, keep bool, stop *stopper) search {
	n := g.N()
	return &dijkstra[D]{
		g: g, metric: w.metric, paths: newPaths(g, keep), stop: stop,
		dist: make([]D, n), state: make([]nodeState, n),
	}
}

type nodeState uint8

const (
	unseen nodeState = iota
	queued
	settled
)

// dijkstra is Dijkstra's algorithm with a binary heap that may hold a node more than once.
type dijkstra[D any] struct {
	paths
	metric metric[D]
	g      *export.Graph
	dist   []D
	state  []nodeState
	heap   []heapEntry[D]
	stop   *stopper
}

type heapEntry[D any] struct {
	dist D
	node int32
}

func (d *dijkstra[D]) found() *paths        { return &d.paths }
func (d *dijkstra[D]) reached(v int32) bool { return d.state[v] == settled }
func (d *dijkstra[D]) distance(v int32) float64 {
	if d.state[v] != settled {
		return 0
	}
	return d.metric.float(d.dist[v])
}

func (d *dijkstra[D]) from(s int32) error {
	var zero D
	for _, v := range d.order {
		d.state[v] = unseen
	}
	for _, e := range d.heap { // left by a search that was stopped
		d.state[e.node] = unseen
	}
	d.reset(s)
	d.order, d.heap = d.order[:0], d.heap[:0]
	d.dist[s], d.state[s] = zero, queued
	d.push(heapEntry[D]{zero, s})
	for len(d.heap) > 0 {
		e := d.pop()
		if d.state[e.node] == settled {
			continue
		}
		if len(d.order)%stopEvery == 0 {
			if err := d.stop.err(); err != nil {
				return err
			}
		}
		d.state[e.node] = settled
		d.order = append(d.order, e.node)
		if err := d.relax(e.node); err != nil {
			return err
		}
	}
	d.levels = append(d.levels, len(d.order))
	if d.keep {
		return d.keepTight()
	}
	return nil
}

func (d *dijkstra[D]) relax(u int32) error {
	from := d.dist[u]
	for i := d.g.Offsets[u]; i < d.g.Offsets[u+1]; i++ {
		w := d.g.Targets[i]
		to, ok := d.metric.plus(from, i)
		if !ok && w != u {
			return &LengthError{Source: u, Target: w, Weight: d.g.Weight(i), Length: d.metric.float(from)}
		}
		if s := d.state[w]; s == unseen || s == queued && d.metric.less(to, d.dist[w]) {
			d.dist[w], d.state[w] = to, queued
			d.push(heapEntry[D]{to, w})
		}
	}
	return nil
}

// keepTight lists the arcs of shortest paths.
func (d *dijkstra[D]) keepTight() error {
	for i, u := range d.order {
		if i%stopEvery == 0 {
			if err := d.stop.err(); err != nil {
				return err
			}
		}
		d.start = append(d.start, int64(len(d.arcs)))
		row := d.g.Offsets[u]
		for k := row; k < d.g.Offsets[u+1]; k++ {
			if d.metric.tight(d.dist[u], d.dist[d.g.Targets[k]], k) {
				d.arcs = append(d.arcs, uint32(k-row))
			}
		}
	}
	d.start = append(d.start, int64(len(d.arcs)))
	return nil
}

func (d *dijkstra[D]) push(e heapEntry[D]) {
	h := append(d.heap, e)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !d.metric.less(e.dist, h[parent].dist) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
	d.heap = h
}

func (d *dijkstra[D]) pop() heapEntry[D] {
	h := d.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && d.metric.less(h[child+1].dist, h[child].dist) {
			child++
		}
		if !d.metric.less(h[child].dist, last.dist) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	d.heap = h
	return top
}
