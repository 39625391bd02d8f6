package search

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// ErrWideCounts reports that the path counts of one level are too far apart for one float64 scale.
var ErrWideCounts = errors.New("the numbers of shortest paths are too far apart to draw one of the paths")

// Pair draws a shortest path by hops between two nodes. It searches from both ends at once, and expands the end whose
// frontier has fewer arcs (Borassi and Natale, KADABRA is an adaptive algorithm for betweenness via random
// approximation, 2019). Each shortest path is drawn with the same probability; parallel arcs are different paths.
type Pair struct {
	// Nodes and Edges of the path that was drawn, in no particular order. The ends are among the nodes.
	Nodes, Edges []int32
	// Work is the number of arcs looked at since the Pair was made.
	Work int64

	sides [2]side
	// level is 1 + the hops from the source, minus (1 + the hops to the target), or 0 where neither end has come.
	level []int32
	sigma []float64
	meets []meeting
	stop  *stopper.Stopper
}

// side is the search from one end of a pair.
type side struct {
	g     *export.Graph // the transpose for the target of a directed graph
	sign  int32
	order []int32
	first int   // of the frontier, in order
	arcs  int64 // that leave the frontier
	depth int32
}

// meeting is an arc of the graph from the frontier of one side to the frontier of the other, and how many paths take it.
type meeting struct {
	from, to, edge int32
	paths          float64
}

// NewPair makes a Pair for a graph.
func NewPair(g *export.Graph, stop *stopper.Stopper) *Pair {
	back := g
	if g.Directed {
		back = g.Transpose()
	}
	return &Pair{
		sides: [2]side{{g: g, sign: 1}, {g: back, sign: -1}},
		level: make([]int32, g.N()), sigma: make([]float64, g.N()), stop: stop,
	}
}

// PairBytes bounds the memory of a Pair.
func PairBytes(nodes int64) int64 { return 24 * nodes }

// Draw draws a path from s to t, which differ. Nodes and Edges are empty if there is none.
func (p *Pair) Draw(s, t int32, random *rand.Rand) error {
	defer p.clear()
	p.Nodes, p.Edges, p.meets = p.Nodes[:0], p.Edges[:0], p.meets[:0]
	p.sides[0].start(p, s)
	p.sides[1].start(p, t)
	for len(p.meets) == 0 {
		near, far := &p.sides[0], &p.sides[1]
		if far.arcs < near.arcs {
			near, far = far, near
		}
		if near.arcs == 0 { // nothing more to reach from this end
			return nil
		}
		if err := near.expand(p); err != nil {
			return err
		}
	}
	return p.choose(random)
}

func (d *side) start(p *Pair, v int32) {
	d.order, d.first, d.depth, d.arcs = append(d.order[:0], v), 0, 1, d.g.Degree(v)
	p.level[v], p.sigma[v] = d.sign, 1
}

func (p *Pair) clear() {
	for i := range p.sides {
		for _, v := range p.sides[i].order {
			p.level[v], p.sigma[v] = 0, 0
		}
	}
}

// expand goes one level further. It lists the meetings with the other side, or finds the next frontier.
func (d *side) expand(p *Pair) error {
	p.Work += d.arcs
	last, next := len(d.order), d.sign*(d.depth+1)
	for i := d.first; i < last; i++ {
		if i%stopper.Every == 0 {
			if err := p.stop.Err(); err != nil {
				return err
			}
		}
		v := d.order[i]
		for arc := d.g.Offsets[v]; arc < d.g.Offsets[v+1]; arc++ {
			w := d.g.Targets[arc]
			switch l := p.level[w]; {
			case l == 0 && len(p.meets) == 0:
				p.level[w], p.sigma[w] = next, p.sigma[v]
				d.order = append(d.order, w)
			case l == next:
				p.sigma[w] += p.sigma[v]
			case l*d.sign < 0:
				p.meets = append(p.meets, meeting{v, w, d.g.Edge(arc), p.sigma[v] * p.sigma[w]})
			}
		}
	}
	d.first, d.depth, d.arcs = last, d.depth+1, 0
	for _, w := range d.order[last:] {
		d.arcs += d.g.Degree(w)
	}
	return p.rescale(d.order[last:])
}

// pairLimit is the greatest path count of a level, so that products of two counts, and their sums, stay finite. Counts
// of one level are scaled together, because only their ratios matter.
const pairLimit = 0x1p400

func (p *Pair) rescale(level []int32) error {
	most, least := 0.0, math.Inf(1)
	for _, v := range level {
		most, least = max(most, p.sigma[v]), min(least, p.sigma[v])
	}
	if most < pairLimit {
		return nil
	}
	const down = 0x1p-400
	if least*down < 0x1p-400 {
		return ErrWideCounts
	}
	for _, v := range level {
		p.sigma[v] *= down
	}
	return nil
}

// choose draws a meeting by the number of its paths, and goes from there to both ends.
func (p *Pair) choose(random *rand.Rand) error {
	sum := 0.0
	for i := range p.meets {
		sum += p.meets[i].paths
	}
	at, rest := 0, random.Float64()*sum
	for ; at < len(p.meets)-1 && rest >= p.meets[at].paths; at++ {
		rest -= p.meets[at].paths
	}
	m := p.meets[at]
	p.Edges = append(p.Edges, m.edge)
	p.walk(m.from, random)
	p.walk(m.to, random)
	return nil
}

// walk goes from v to the end of the side that found it, and takes each arc by the number of paths behind it.
func (p *Pair) walk(v int32, random *rand.Rand) {
	d := &p.sides[0] // its transpose has the arcs that lead to v
	back := &p.sides[1]
	if p.level[v] < 0 {
		d, back = back, d
	}
	for p.Nodes = append(p.Nodes, v); p.level[v] != d.sign; p.Nodes = append(p.Nodes, v) {
		before, total := p.level[v]-d.sign, 0.0
		row := back.g.Row(v)
		p.Work += int64(len(row))
		for _, u := range row {
			if p.level[u] == before {
				total += p.sigma[u]
			}
		}
		rest, taken := random.Float64()*total, -1
		for k, u := range row {
			if p.level[u] != before {
				continue
			}
			taken = k
			if rest -= p.sigma[u]; rest < 0 {
				break
			}
		}
		p.Edges = append(p.Edges, back.g.Edge(back.g.Offsets[v]+int64(taken)))
		v = row[taken]
	}
}
