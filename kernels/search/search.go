// Package search finds shortest paths on the CPU, by hops and by weights, from one source after another or from many at
// once. It knows graphs and lengths of paths, but no measure.
package search

import (
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Search finds the shortest paths from one source after another. Its findings hold until the next call of From.
type Search interface {
	// From searches from s. It fails when it is stopped, or when a weight is lost next to the length of a path.
	From(s int32) error
	// Found returns the nodes reached and, if the search was made to keep them, the arcs of shortest paths and how many
	// paths there are.
	Found() *Paths
	// Reached says whether there is a path to v, Distance how long the shortest is (0 when there is none).
	Reached(v int32) bool
	Distance(v int32) float64
}

// EachDistance visits the nodes that a search reached, without the source, in the order of their distances. A search by
// hops visits all nodes at one distance together, a search by weights one node at a time.
func EachDistance(s Search, visit func(d float64, nodes []int32)) {
	p := s.Found()
	if _, hops := s.(*BFS); hops {
		for d := 1; d+1 < len(p.Levels); d++ {
			visit(float64(d), p.Order[p.Levels[d]:p.Levels[d+1]])
		}
		return
	}
	for i := 1; i < len(p.Order); i++ {
		visit(s.Distance(p.Order[i]), p.Order[i:i+1])
	}
}

// Distances returns the distances of the nodes in Found().Order, in the memory of `into` if that is enough.
func Distances(s Search, into []float64) []float64 {
	order := s.Found().Order
	into = slices.Grow(into[:0], len(order))[:len(order)]
	if known, ok := s.(interface{ distances(into []float64) }); ok {
		known.distances(into)
		return into
	}
	for i, v := range order {
		into[i] = s.Distance(v)
	}
	return into
}

// Paths is the graph of all shortest paths from one source. A search begins with it, and so has no cache line in common
// with what lies before it in memory, which may be the search of another thread.
type Paths struct {
	_ [2]cpu.CacheLinePad // processors fetch lines in pairs
	// Order has the nodes reached, none before a nearer one, or with a Tree, before one on its path; the source is the
	// first.
	Order []int32
	// Levels says where each level starts in Order, and after the last level where it ends. A search by hops has a
	// level for each distance; a search by weights has everything in one, within which arcs lead forwards in Order.
	Levels []int
	// Arcs has the shortest-path arcs: Arcs[Start[i]:Start[i+1]] are the ones that leave Order[i], counted from the
	// beginning of its row. Nil when the search keeps none.
	Start []int64
	Arcs  []uint32
	// Tree has the last arc of the shortest path to each node reached but the source, if the search has found that there
	// is one path each. It has no Arcs and no counts then, until List makes them. Otherwise it is nil.
	Tree []Step
	keep bool
	counts
}

// Step is an arc of a tree of shortest paths: the node that it leaves, and its place in the row of that.
type Step struct {
	From int32
	Arc  uint32
}

// List lists the arcs of a tree, and counts one path to each node.
func (p *Paths) List() {
	if p.Tree == nil {
		return
	}
	children := make([]int64, len(p.Tree))
	for _, v := range p.Order[1:] {
		children[p.Tree[v].From]++
	}
	p.Start, p.Arcs = append(p.Start[:0], 0), p.Arcs[:len(p.Order)-1]
	for i, u := range p.Order {
		next := p.Start[i] + children[u]
		p.Start, children[u], p.Sigma[u] = append(p.Start, next), p.Start[i], 1
	}
	for _, v := range p.Order[1:] {
		step := p.Tree[v]
		p.Arcs[children[step.From]] = step.Arc
		children[step.From]++
	}
	for i := range p.Order {
		slices.Sort(p.Arcs[p.Start[i]:p.Start[i+1]])
	}
	p.Tree, p.Shift = nil, append(p.Shift, 0)
}

func newPaths(g *export.Graph, keep bool) Paths {
	p := Paths{Order: hugepages.Of(make([]int32, 0, g.N()+1)), keep: keep}
	if keep {
		p.Start, p.Arcs = hugepages.Of(make([]int64, 0, g.N()+1)), hugepages.Of(make([]uint32, 0, g.M()+1))
		p.Sigma = hugepages.Of(make([]float64, g.N()))
		p.arcs = float64(g.Arcs())
	}
	return p
}

// reset forgets the last search, and starts one from s.
func (p *Paths) reset(s int32) {
	if p.keep {
		p.uncount(p.Order)
		p.countFrom(s)
	}
	p.Order, p.Levels = append(p.Order[:0], s), append(p.Levels[:0], 0)
	p.Start, p.Arcs, p.Tree = p.Start[:0], p.Arcs[:0], nil
}

// masked reports whether g is so sparse that a processor cannot predict which arcs are shortest-path arcs: each is then
// counted with a mask instead of a branch. Milliseconds of betweenness by hops from 400 nodes with and without:
// road-LosAngeles 673 and 902, delaunay_n16 1,348 and 1,610, but facebook_combined 170 and 88.
func masked(g *export.Graph) bool { return g.Arcs() <= maskedDegree*g.N() }

const maskedDegree = 10

// Maker makes searches of one graph that measure paths in the same way. They keep the shortest-path arcs, and count
// paths, if asked to. Made once a graph, a Maker is shared by the searches of all workers.
type Maker func(keep bool, stop *stopper.Stopper) Search

// Of returns what makes searches of g that measure by l.
func Of(g *export.Graph, l lengths.Lengths) Maker {
	switch l := l.(type) {
	case *lengths.Ticks:
		return bucketMaker(g, inTicks(l))
	case *lengths.WideTicks:
		return wideMaker(g, l)
	case *lengths.Reals:
		return bucketMaker(g, inReals(l))
	}
	return func(keep bool, stop *stopper.Stopper) Search { return NewBFS(g, keep, stop) }
}

// Bytes bounds the memory of one search of a graph, by weights or by hops, that keeps arcs or not.
func Bytes(nodes, edges int64, weighted, keep bool) int64 {
	bytes := 8 * nodes
	if keep {
		bytes += 16*nodes + 4*edges
	}
	if weighted { // in 64 bits, and in 128
		bytes = 2*bytes + ringBytes + 80*nodes
	}
	return bytes
}
