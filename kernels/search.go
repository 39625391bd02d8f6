package kernels

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// search finds the shortest paths from one source after another. Its findings hold until the next call of from.
type search interface {
	// from searches from s. It fails when it is stopped, or when a weight is lost beside the length of a path.
	from(s int32) error
	// found returns the nodes reached and, if the search was made to keep them, the arcs of shortest paths and how many paths there are.
	found() *paths
	// reached says whether there is a path to v, distance how long the shortest is (0 when there is none).
	reached(v int32) bool
	distance(v int32) float64
}

// paths is the graph of all shortest paths from one source.
type paths struct {
	// order has the nodes reached, none before a nearer one; the source is the first.
	order []int32
	// levels says where each level starts in order, and after the last level where it ends. A search by hops has a
	// level for each distance; a search by weights has everything in one, within which arcs lead forwards in order.
	levels []int
	// arcs has the tight arcs, those on a shortest path: arcs[start[i]:start[i+1]] are the ones that leave order[i],
	// counted from the beginning of its row. Nil when the search keeps none.
	start []int64
	arcs  []uint32
	keep  bool
	counts
}

func newPaths(g *export.Graph, keep bool) paths {
	p := paths{order: make([]int32, 0, g.N()+1), keep: keep}
	if keep {
		p.start, p.arcs, p.sigma = make([]int64, 0, g.N()+1), make([]uint32, 0, g.M()+1), make([]float64, g.N())
	}
	return p
}

// reset forgets the last search, and starts one from s.
func (p *paths) reset(s int32) {
	if p.keep {
		p.uncount(p.order)
		p.countFrom(s)
	}
	p.order, p.levels = append(p.order[:0], s), append(p.levels[:0], 0)
	p.start, p.arcs = p.start[:0], p.arcs[:0]
}

// masked says of a graph so sparse that whether an arc is tight is as good as random to the processor, and each is counted with a mask instead of a branch. Milliseconds
// of betweenness by hops from 400 nodes with and without: road-LosAngeles 673 and 902, delaunay_n16 1,348 and 1,610, but facebook_combined 170 and 88.
func masked(g *export.Graph) bool { return g.Arcs() <= maskedDegree*g.N() }

const maskedDegree = 10

// Maker makes searches of one graph that measure paths in the same way. They keep the shortest-path arcs, and count paths,
// if asked to. Made once a graph, a Maker is shared by the searches of all workers.
type Maker func(keep bool, stop *stopper.Stopper) search

// makerOf returns what makes searches of g that measure by l.
func makerOf(g *export.Graph, l Lengths) Maker {
	switch l := l.(type) {
	case *Ticks:
		return bucketMaker(g, inTicks(l))
	case *WideTicks:
		return wideMaker(g, l)
	case *Reals:
		return bucketMaker(g, inReals(l))
	}
	return func(keep bool, stop *stopper.Stopper) search { return newBFS(g, keep, stop) }
}

// searchBytes bounds the memory of one search of a graph, by weights or by hops, that keeps arcs or not.
func searchBytes(nodes, edges int64, weighted, keep bool) int64 {
	bytes := 8 * nodes
	if keep {
		bytes += 16*nodes + 4*edges
	}
	if weighted { // in 64 bits, and in 128
		bytes = 2*bytes + ringBytes + 80*nodes
	}
	return bytes
}
