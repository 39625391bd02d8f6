package structure

import (
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
)

// simple is an undirected graph without self-loops, with one arc per neighbour. Rows are sorted.
type simple struct {
	offsets []int64
	targets []int32
}

// simpleBytes bounds what a simple graph takes per arc.
const simpleBytes = 4

func (s *simple) row(v int32) []int32 { return s.targets[s.offsets[v]:s.offsets[v+1]] }

// degree is the number of neighbours.
func (s *simple) degree(v int32) int32 { return int32(s.offsets[v+1] - s.offsets[v]) }

// isNew reports whether an arc in the row of v leads to another node than v and than the arc before it.
func isNew(g *export.Graph, v int32, arc int64) bool {
	w := g.Targets[arc]
	return w != v && (arc == g.Offsets[v] || g.Targets[arc-1] != w)
}

// neighbours counts the nodes that arcs of v lead to, each once, without v itself.
func (t *task) neighbours(v int32) (count int32) {
	before := int32(-1)
	for _, w := range t.graph.Row(v) {
		count += int32(differ(w, v) & differ(w, before))
		before = w
	}
	return count
}

// less is 1 where a is less than b, else 0.
func less(a, b int32) int { return int(uint64(int64(a)-int64(b)) >> 63) }

// differ is 1 where a is not b, else 0.
func differ(a, b int32) int { return less(a, b) | less(b, a) }

// isSimple reports whether the graph has neither parallel edges nor self-loops.
func (t *task) isSimple() bool {
	g := t.graph
	var other atomic.Bool
	t.over(g.N(), func(first, last int) {
		for v := int32(first); v < int32(last) && !other.Load(); v++ {
			before := int32(-1)
			for _, w := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
				if w == v || w == before {
					other.Store(true)
				}
				before = w
			}
		}
	})
	return !other.Load()
}

// simple returns the graph of the task without parallel edges and self-loops. It shares the rows where there are none.
func (t *task) simple() *simple {
	g := t.graph
	if t.isSimple() {
		return &simple{g.Offsets, g.Targets}
	}
	s := &simple{offsets: make([]int64, g.N()+1)}
	t.over(g.N(), func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			s.offsets[v+1] = int64(t.neighbours(v))
		}
	})
	for v := range g.N() {
		s.offsets[v+1] += s.offsets[v]
	}
	s.targets = make([]int32, s.offsets[g.N()])
	t.over(g.N(), func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			at := s.offsets[v]
			for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
				if isNew(g, v, arc) {
					s.targets[at] = g.Targets[arc]
					at++
				}
			}
		}
	})
	return s
}
