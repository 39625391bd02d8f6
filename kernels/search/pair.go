package search

import (
	"errors"
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// ErrWideCounts reports that the path counts of one level are too far apart for one float64 scale.
var ErrWideCounts = errors.New("the numbers of shortest paths are too far apart to draw one of the paths")

// Pair draws a shortest path by hops between two nodes. It searches from both ends at once, and expands the end whose
// frontier has fewer arcs (Borassi and Natale, KADABRA is an adaptive algorithm for betweenness via random
// approximation, 2019). Each shortest path is drawn with the same probability; parallel arcs are different paths.
//
// Which path a key draws does not depend on the order in which nodes are found: kernels/traversal/pairs.cu draws the
// same one.
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
	// gathered is room for the meetings that are left to choose from.
	gathered []meeting
	stop     *stopper.Stopper
	// places has the place in the graph of each node, and nodes the node at each place; nil where they are the same.
	places, nodes []int32
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

// meeting is a node of the frontier of one side with arcs to the frontier of the other, and how many paths take them.
type meeting struct {
	node  int32
	paths float64
	at    int32 // the place of the node
}

// Key draws the numbers by which one path is chosen (Steele, Lea and Flood's SplitMix64, 2014).
type Key uint64

// next returns the next number.
func (k *Key) next() uint64 {
	x := Scatter(uint64(*k))
	*k += golden
	return x
}

const golden = 0x9e3779b97f4a7c15

// Scatter makes unlike numbers of numbers that follow one another (SplitMix64).
func Scatter(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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

// NewPairInOrder makes a Pair for a graph whose nodes are elsewhere in g: places has the place of each, and nodes the
// node at each place. Rows are in the order that they have in the graph. It draws the same paths.
func NewPairInOrder(g *export.Graph, places, nodes []int32, stop *stopper.Stopper) *Pair {
	p := NewPair(g, stop)
	p.places, p.nodes = places, nodes
	return p
}

// node is the node at a place.
func (p *Pair) node(at int32) int32 {
	if p.nodes == nil {
		return at
	}
	return p.nodes[at]
}

// PairBytes bounds the memory of a Pair.
func PairBytes(nodes int64) int64 { return 48 * nodes }

// Draw draws the path of a key from s to t, which differ. Nodes and Edges are empty if there is none.
func (p *Pair) Draw(s, t int32, key Key) error {
	defer p.clear()
	p.Nodes, p.Edges, p.meets = p.Nodes[:0], p.Edges[:0], p.meets[:0]
	if p.places != nil {
		s, t = p.places[s], p.places[t]
	}
	p.sides[0].start(p, s)
	p.sides[1].start(p, t)
	for {
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
		if len(p.meets) > 0 {
			p.choose(near, far, key)
			return nil
		}
	}
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
	last := len(d.order)
	for i := d.first; i < last; i++ {
		if i%stopper.Every == 0 {
			if err := p.stop.Err(); err != nil {
				return err
			}
		}
		v := d.order[i]
		if met := d.look(p, v); met > 0 {
			p.meets = append(p.meets, meeting{p.node(v), p.sigma[v] * met, v})
		}
	}
	if len(p.meets) > 0 {
		return nil
	}
	d.first, d.depth, d.arcs = last, d.depth+1, 0
	for _, w := range d.order[last:] {
		d.arcs += d.g.Degree(w)
	}
	return p.rescale(d.order[last:])
}

// look follows the arcs of a node of the frontier, and returns the number of paths that reach the other ends of those
// that meet the other side.
func (d *side) look(p *Pair, v int32) (met float64) {
	next := d.sign * (d.depth + 1)
	for _, w := range d.g.Row(v) {
		switch l := p.level[w]; {
		case l == 0 && met == 0 && len(p.meets) == 0:
			p.level[w], p.sigma[w] = next, p.sigma[v]
			d.order = append(d.order, w)
		case l == next:
			p.sigma[w] += p.sigma[v]
		case l*d.sign < 0:
			met += p.sigma[w]
		}
	}
	return met
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

// choose draws a meeting by the number of its paths, one of its arcs, and goes from there to both ends.
func (p *Pair) choose(near, far *side, key Key) {
	from := p.meeting(&key)
	to := p.step(near, from, far.sign*far.depth, &key)
	p.walk(near, far, from, &key)
	p.walk(far, near, to, &key)
}

// meeting draws a node of those that meet, and returns its place. Numbers of paths are rounded to multiples of a power
// of two, so small that this is seen only where float64 is no longer exact: sums of integers have no order. Nodes are
// taken by their numbers.
func (p *Pair) meeting(key *Key) int32 {
	most := 0.0
	for _, m := range p.meets {
		most = max(most, m.paths)
	}
	_, exponent := math.Frexp(most)
	shift, total := 62-bits.Len(uint(len(p.meets)))-exponent, uint64(0)
	of := func(m meeting) uint64 { return uint64(math.RoundToEven(math.Ldexp(m.paths, shift))) }
	for _, m := range p.meets {
		total += of(m)
	}
	rest, _ := bits.Mul64(key.next(), total)
	left := append(p.gathered[:0], p.meets...)
	p.gathered = left
	for bit := bits.Len(uint(len(p.level))) - 1; bit >= 0; bit-- {
		left, rest = half(left, bit, rest, of)
	}
	return left[0].at
}

// half keeps those of the meetings whose nodes have a bit clear, if rest is less than the sum of their paths, or else
// the others.
func half(all []meeting, bit int, rest uint64, of func(meeting) uint64) ([]meeting, uint64) {
	clear := uint64(0)
	for _, m := range all {
		if m.node>>bit&1 == 0 {
			clear += of(m)
		}
	}
	want := int32(0)
	if rest >= clear {
		want, rest = 1, rest-clear
	}
	kept := all[:0]
	for _, m := range all {
		if m.node>>bit&1 == want {
			kept = append(kept, m)
		}
	}
	return kept, rest
}

// step draws an arc of v to a node of a level, by the number of paths of that node, and returns the node. rows are
// those to follow.
func (p *Pair) step(rows *side, v, level int32, key *Key) int32 {
	row, total := rows.g.Row(v), 0.0
	p.Work += int64(len(row))
	for _, u := range row {
		if p.level[u] == level {
			total += p.sigma[u]
		}
	}
	rest, sum, taken := float64(key.next()>>11)*0x1p-53*total, 0.0, -1
	for k, u := range row {
		if p.level[u] != level {
			continue
		}
		taken = k
		if sum += p.sigma[u]; sum > rest {
			break
		}
	}
	p.Edges = append(p.Edges, rows.g.Edge(rows.g.Offsets[v]+int64(taken)))
	return row[taken]
}

// walk goes from v to the end of the side that found it. The rows of the other side have the arcs that lead to v.
func (p *Pair) walk(d, other *side, v int32, key *Key) {
	for p.Nodes = append(p.Nodes, p.node(v)); p.level[v] != d.sign; p.Nodes = append(p.Nodes, p.node(v)) {
		v = p.step(other, v, p.level[v]-d.sign, key)
	}
}
