package reduce

import (
	"context"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// simple is the graph without self-loops, its parallel edges merged: of several between two nodes the shortest stay, as
// one edge with a multiplicity. It shares what it can with the graph.
type simple struct {
	offsets []int64
	target  []int32
	edge    []int32 // of each arc
	length  []int64 // of each arc; nil for hops
	// fine has the length of each edge where those of arcs are rounded; otherwise it is nil.
	fine  []lengths.U128
	edges int
	mult  []int32 // of each edge: how many edges of the graph it stands for; nil where all stand for themselves
	of    []int32 // edge of each edge of the graph, or dropped; nil as mult
	loops int64   // arcs of the graph from a node to itself
}

// dropped marks an edge of the graph that is on no shortest path.
const dropped = -1

// newSimple merges parallel edges, if there are any. A context that ends cuts it short: the result is then of no use.
func newSimple(ctx context.Context, g *export.Graph, o *Options) *simple {
	if o.Fine == nil && g.Edges != nil && isSimple(g, o.Threads) {
		return &simple{offsets: g.Offsets, target: g.Targets, edge: g.Edges, length: o.Ticks, edges: g.M()}
	}
	s := merged(ctx, g, o)
	s.edges = len(s.mult)
	return s
}

// isSimple reports whether a graph has neither self-loops nor parallel edges.
func isSimple(g *export.Graph, threads int) bool {
	var not atomic.Bool
	inparts.On(pieces.Threads(threads), nodesApart, g.N(), func(_, first, last int) {
		for v := int32(first); v < int32(last) && !not.Load(); v++ {
			before := int32(-1)
			for _, w := range g.Row(v) {
				if w <= before || w == v {
					not.Store(true)
					return
				}
				before = w
			}
		}
	})
	return !not.Load()
}

// merged is newSimple by a copy of the graph.
func merged(ctx context.Context, g *export.Graph, o *Options) *simple {
	s := &simple{offsets: make([]int64, g.N()+1), of: make([]int32, g.M()), mult: make([]int32, 0, g.M())}
	s.target, s.edge = make([]int32, 0, g.Arcs()), make([]int32, 0, g.Arcs())
	if o.Ticks != nil {
		s.length = make([]int64, 0, g.Arcs())
	}
	for v := range int32(g.N()) {
		if v%stopper.Every == 0 && ctx.Err() != nil {
			break
		}
		for lo, end := g.Offsets[v], g.Offsets[v+1]; lo < end; {
			w, hi := g.Targets[lo], lo+1
			for hi < end && g.Targets[hi] == w {
				hi++
			}
			if hi == lo+1 && w != v && o.Ticks == nil {
				s.addArc(g, v, w, lo)
				lo = hi
				continue
			}
			s.addRun(g, o, v, lo, hi)
			lo = hi
		}
		s.offsets[v+1] = int64(len(s.target))
	}
	return s
}

// addArc is addRun for a single arc, of one hop, to another node.
func (s *simple) addArc(g *export.Graph, v, w int32, arc int64) {
	s.target = append(s.target, w)
	if w < v { // numbered in row w
		s.edge = append(s.edge, s.of[g.Edge(arc)])
		return
	}
	e := int32(len(s.mult))
	s.mult = append(s.mult, 1)
	s.edge = append(s.edge, e)
	s.of[g.Edge(arc)] = e
}

// addRun adds the arcs lo..hi-1 of the graph, which all lead from v to one node, as one arc.
func (s *simple) addRun(g *export.Graph, o *Options, v int32, lo, hi int64) {
	w := g.Targets[lo]
	if w == v {
		s.loops += hi - lo
		for i := lo; i < hi; i++ {
			s.of[g.Edge(i)] = dropped
		}
		return
	}
	shortest := lo
	if o.Ticks != nil {
		for i := lo; i < hi; i++ {
			if o.compare(i, shortest) < 0 {
				shortest = i
			}
		}
		s.length = append(s.length, o.Ticks[shortest])
	}
	s.target = append(s.target, w)
	if w < v { // numbered in row w
		s.edge = append(s.edge, s.of[g.Edge(shortest)])
		return
	}
	e := int32(len(s.mult))
	s.mult = append(s.mult, 0)
	s.edge = append(s.edge, e)
	if o.Fine != nil {
		s.fine = append(s.fine, o.Fine[shortest])
	}
	for i := lo; i < hi; i++ {
		s.of[g.Edge(i)] = dropped
		if o.compare(i, shortest) == 0 {
			s.of[g.Edge(i)] = e
			s.mult[e]++
		}
	}
}

func (s *simple) nodes() int { return len(s.offsets) - 1 }

// times is how many edges of the graph an edge stands for.
func (s *simple) times(edge int32) int32 {
	if s.mult == nil {
		return 1
	}
	return s.mult[edge]
}

// fineOf is the length of an edge where lengths are rounded, and 0 elsewhere.
func (s *simple) fineOf(edge int32) lengths.U128 {
	if s.fine == nil {
		return lengths.U128{}
	}
	return s.fine[edge]
}

func (s *simple) lengthOf(arc int64) int64 {
	if s.length == nil {
		return 1
	}
	return s.length[arc]
}

// components returns the number of nodes in the component of each node. A context that ends cuts it short: the result
// is then of no use.
func components(ctx context.Context, g *export.Graph) []int32 {
	size := make([]int32, g.N())
	queue := make([]int32, 0, g.N())
	for root := range int32(len(size)) {
		if size[root] != 0 {
			continue
		}
		queue = append(queue[:0], root)
		size[root] = 1
		for i := 0; i < len(queue); i++ {
			if i%stopper.Every == 0 && ctx.Err() != nil {
				return size
			}
			for _, w := range g.Row(queue[i]) {
				if size[w] == 0 {
					size[w] = 1
					queue = append(queue, w)
				}
			}
		}
		for _, v := range queue {
			size[v] = int32(len(queue))
		}
	}
	return size
}
