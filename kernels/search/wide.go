package search

import (
	"errors"
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// wideMaker makes searches in ticks that fit 126 bits: in float64 where that tells all lengths apart.
func wideMaker(g *export.Graph, ticks *lengths.WideTicks) Maker {
	var once sync.Once
	var quick Maker // by the weights as they are; nil where float64 will not tell most lengths apart
	return func(keep bool, stop *stopper.Stopper) Search {
		once.Do(func() { quick = quickMaker(g, ticks, stop) })
		e := &exactSearch{keep: keep, newWide: func() *wideSearch { return newWideSearch(g, ticks, keep, stop) }}
		if quick != nil {
			e.quick = quick(keep, stop)
		}
		return e
	}
}

// mostRounding is how far apart float64 may be from lengths.
const mostRounding = 1e-9

// quickMaker makes searches in float64 where one from some node tells all lengths apart; otherwise it is nil.
func quickMaker(g *export.Graph, ticks *lengths.WideTicks, stop *stopper.Stopper) Maker {
	tolerance := lengths.Rounding(g.N())
	if tolerance > mostRounding || g.N() == 0 || ticks.Shift() > 0 {
		return nil
	}
	reals := lengths.NewReals(g.Weights, tolerance, 0)
	apart, trees := bucketMaker(g, inReals(reals)), inReals(reals)
	probe := newTreeSearch(g, trees, stop)
	if probe.From(g.Widest()) != nil || probe.Tree == nil {
		return nil
	}
	return func(keep bool, stop *stopper.Stopper) Search {
		if keep {
			return newTreeSearch(g, trees, stop)
		}
		return apart(false, stop)
	}
}

// exactSearch searches in float64, and in 128 bits from a source with lengths that this does not tell apart.
type exactSearch struct {
	Search  // that of the last source
	keep    bool
	quick   Search      // nil for none
	wide    *wideSearch // nil until it is needed
	newWide func() *wideSearch
}

func (e *exactSearch) From(s int32) error {
	if e.quick != nil {
		err := e.quick.From(s)
		if err == nil && (!e.keep || e.quick.Found().Tree != nil) {
			e.Search = e.quick
			return nil
		}
		if err != nil && !errors.Is(err, lengths.ErrLength) {
			return err
		}
	}
	if e.wide == nil {
		e.wide = e.newWide()
	}
	e.Search = e.wide
	return e.wide.From(s)
}

type nodeState uint8

const (
	unseen nodeState = iota
	queued
	settled
)

// wideSearch is Dijkstra's algorithm with a binary heap that may hold a node more than once, for lengths of 128 bits.
type wideSearch struct {
	Paths
	ticks *lengths.WideTicks
	g     *export.Graph
	dist  []lengths.U128
	state []nodeState
	heap  []wideEntry
	stop  *stopper.Stopper
	limit float64 // the length of the longest path to follow
}

type wideEntry struct {
	dist lengths.U128
	node int32
}

func newWideSearch(g *export.Graph, ticks *lengths.WideTicks, keep bool, stop *stopper.Stopper) *wideSearch {
	return &wideSearch{
		Paths: newPaths(g, keep), ticks: ticks, g: g, stop: stop,
		dist: make([]lengths.U128, g.N()), state: make([]nodeState, g.N()), limit: math.Inf(1),
	}
}

func (d *wideSearch) Found() *Paths { return &d.Paths }

func (d *wideSearch) Reached(v int32) bool { return d.state[v] == settled }

func (d *wideSearch) Distance(v int32) float64 {
	if d.state[v] != settled {
		return 0
	}
	return d.ticks.Unit.Of(d.dist[v].Float())
}

func (d *wideSearch) From(s int32) error {
	for _, v := range d.Order {
		d.state[v] = unseen
	}
	for _, e := range d.heap { // left by a search that was stopped
		d.state[e.node] = unseen
	}
	d.reset(s)
	d.Order, d.heap = d.Order[:0], d.heap[:0]
	d.dist[s], d.state[s] = lengths.U128{}, queued
	d.push(wideEntry{node: s})
	for len(d.heap) > 0 {
		e := d.pop()
		if d.state[e.node] == settled {
			continue
		}
		if len(d.Order)%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		d.state[e.node] = settled
		d.Order = append(d.Order, e.node)
		d.relax(e.node)
	}
	d.Levels = append(d.Levels, len(d.Order))
	if d.keep {
		return d.keepArcs()
	}
	return nil
}

func (d *wideSearch) relax(u int32) {
	from := d.dist[u]
	for i := d.g.Offsets[u]; i < d.g.Offsets[u+1]; i++ {
		w := d.g.Targets[i]
		to := from.Plus(d.ticks.Arc[i])
		if d.ticks.Unit.Of(to.Float()) > d.limit {
			continue
		}
		if s := d.state[w]; s == unseen || s == queued && to.Less(d.dist[w]) {
			d.dist[w], d.state[w] = to, queued
			d.push(wideEntry{to, w})
		}
	}
}

// keepArcs lists the arcs of shortest paths, and counts these.
func (d *wideSearch) keepArcs() error {
	for i, u := range d.Order {
		if i%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		d.Start = append(d.Start, int64(len(d.Arcs)))
		row := d.g.Offsets[u]
		for k := row; k < d.g.Offsets[u+1]; k++ {
			if w := d.g.Targets[k]; d.state[w] == settled && d.dist[u].Plus(d.ticks.Arc[k]) == d.dist[w] {
				d.Arcs = append(d.Arcs, uint32(k-row))
				d.Sigma[w] += d.Sigma[u]
			}
		}
	}
	d.Start = append(d.Start, int64(len(d.Arcs)))
	d.countedAll(d.Order)
	return nil
}

func (d *wideSearch) push(e wideEntry) {
	h := append(d.heap, e)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.dist.Less(h[parent].dist) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
	d.heap = h
}

func (d *wideSearch) pop() wideEntry {
	h := d.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].dist.Less(h[child].dist) {
			child++
		}
		if !h[child].dist.Less(last.dist) {
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
