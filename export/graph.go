// Package export holds the CSR buffers that every kernel reads: the graph, the builder that makes it from unordered
// columns, its invariants, and the snapshot file.
package export

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// MaxNodes and MaxEdges are the largest sizes that int32 indices can name.
const (
	MaxNodes = math.MaxInt32
	MaxEdges = math.MaxInt32
)

// Graph is a graph in compressed sparse rows (CSR). It is read-only once built.
//
// Row v holds the arcs that leave node v: Targets[Offsets[v]:Offsets[v+1]], sorted by target, then by edge. An
// undirected edge u-v stands as two arcs, u->v in row u and v->u in row v; an undirected self-loop as two arcs v->v. So
// the length of a row is the degree of its node.
type Graph struct {
	// Directed says whether an arc is an edge of its own.
	Directed bool
	// Offsets has n+1 entries; Offsets[n] is the number of arcs.
	Offsets []int64
	// Targets has one node index an arc.
	Targets []int32
	// Weights has one weight an arc, finite and positive, or is nil when every arc weighs 1.
	Weights []float64
	// Rests is what sums of parallel weights are beyond Weights: the exact weight of an arc is the decimal that the
	// shortest text of its weight shows plus the decimal of its rest. A rest of NaN is not known: no float64 shows it. Nil
	// when all are 0.
	Rests []float64
	// Edges gives the edge of each arc. It is nil when arc i is edge i, as in a directed graph fresh from the builder.
	Edges []int32
	// EdgeCount is the number m of edges: arcs when directed, half the arcs otherwise.
	EdgeCount int

	transposeOnce sync.Once
	transposed    *Graph

	rangeOnce       sync.Once
	least, greatest float64
}

// N returns the number of nodes.
func (g *Graph) N() int { return len(g.Offsets) - 1 }

// M returns the number of edges.
func (g *Graph) M() int { return g.EdgeCount }

// Arcs returns the number of arcs: M when directed, 2M otherwise.
func (g *Graph) Arcs() int { return len(g.Targets) }

// Degree returns the number of arcs that leave v.
func (g *Graph) Degree(v int32) int64 { return g.Offsets[v+1] - g.Offsets[v] }

// Widest returns the first node of the highest degree; 0 of no nodes.
func (g *Graph) Widest() int32 {
	widest := int32(0)
	if g.N() == 0 {
		return widest
	}
	var joining sync.Mutex
	inparts.Do(g.N(), func(first, last int) {
		v := g.widestOf(int32(first), int32(last))
		joining.Lock()
		defer joining.Unlock()
		if d, most := g.Degree(v), g.Degree(widest); d > most || d == most && v < widest {
			widest = v
		}
	})
	return widest
}

// widestOf returns the first node of the highest degree from one node to before another.
func (g *Graph) widestOf(first, last int32) int32 {
	widest, most := first, int64(-1)
	for v := first; v < last; v++ {
		if d := g.Degree(v); d > most {
			widest, most = v, d
		}
	}
	return widest
}

// CountNodes returns how many nodes have a degree that of accepts.
func (g *Graph) CountNodes(of func(degree int64) bool) (count int) {
	for v := range int32(g.N()) {
		if of(g.Degree(v)) {
			count++
		}
	}
	return count
}

// Row returns the targets of the arcs that leave v. The slice is shared: do not write to it.
func (g *Graph) Row(v int32) []int32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }

// Edge returns the edge that an arc belongs to.
func (g *Graph) Edge(arc int64) int32 {
	if g.Edges == nil {
		return int32(arc)
	}
	return g.Edges[arc]
}

// Weight returns the weight of an arc, 1 when the graph has no weights.
func (g *Graph) Weight(arc int64) float64 {
	if g.Weights == nil {
		return 1
	}
	return g.Weights[arc]
}

// WeightRange returns the least and the greatest weight; 0 and 0 without weights. They are looked for once and kept.
func (g *Graph) WeightRange() (least, greatest float64) {
	g.rangeOnce.Do(func() {
		if len(g.Weights) == 0 {
			return
		}
		g.least, g.greatest = g.Weights[0], g.Weights[0]
		var joining sync.Mutex
		inparts.Quick(len(g.Weights), func(first, last int) {
			low, high := rangeOf(g.Weights[first:last])
			joining.Lock()
			defer joining.Unlock()
			g.least, g.greatest = min(g.least, low), max(g.greatest, high)
		})
	})
	return g.least, g.greatest
}

// rangeOf returns the least and the greatest of one number or more.
func rangeOf(numbers []float64) (least, greatest float64) {
	least, greatest = numbers[0], numbers[0]
	for _, w := range numbers { // plain comparisons take a quarter of the time of min and max, which look for NaN
		if w < least {
			least = w
		}
		if w > greatest {
			greatest = w
		}
	}
	return least, greatest
}

// Ends returns the two ends of every edge, indexed by edge: source and target when directed, smaller and larger index
// otherwise. It allocates two arrays of length M.
func (g *Graph) Ends() (source, target []int32) {
	source, target = make([]int32, g.M()), make([]int32, g.M())
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if w := g.Targets[i]; g.Directed || v <= w {
				source[g.Edge(i)], target[g.Edge(i)] = v, w
			}
		}
	}
	return source, target
}

// Transpose returns the graph with every arc turned round; edges keep their numbers. An undirected graph is its own
// transpose. The result is made once and kept, and its own transpose is g.
func (g *Graph) Transpose() *Graph {
	if !g.Directed {
		return g
	}
	g.transposeOnce.Do(func() {
		t := g.transpose()
		t.transposeOnce.Do(func() { t.transposed = g })
		g.transposed = t
	})
	return g.transposed
}

func (g *Graph) transpose() *Graph {
	n, arcs := g.N(), g.Arcs()
	t := &Graph{
		Directed: true, EdgeCount: g.EdgeCount,
		Offsets: make([]int64, n+1), Targets: make([]int32, arcs), Edges: make([]int32, arcs),
	}
	if g.Weights != nil {
		t.Weights = make([]float64, arcs)
	}
	if g.Rests != nil {
		t.Rests = make([]float64, arcs)
	}
	for _, w := range g.Targets {
		t.Offsets[w+1]++
	}
	for v := range n {
		t.Offsets[v+1] += t.Offsets[v]
	}
	next := append([]int64(nil), t.Offsets[:n]...)
	for v := range int32(n) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			k := next[g.Targets[i]]
			next[g.Targets[i]]++
			t.Targets[k], t.Edges[k] = v, g.Edge(i)
			if g.Weights != nil {
				t.Weights[k] = g.Weights[i]
			}
			if g.Rests != nil {
				t.Rests[k] = g.Rests[i]
			}
		}
	}
	return t
}

// Bytes returns the memory that the CSR buffers take, without a transpose.
func (g *Graph) Bytes() int64 {
	return int64(len(g.Offsets))*8 + int64(len(g.Targets))*4 + int64(len(g.Weights)+len(g.Rests))*8 + int64(len(g.Edges))*4
}

// Validate checks every invariant that the kernels rely on, in time O(n + m), and reports the first that is broken.
func (g *Graph) Validate() error {
	if len(g.Offsets) == 0 || g.Offsets[0] != 0 {
		return fmt.Errorf("graph: offsets must start with 0")
	}
	n, arcs := g.N(), int64(g.Arcs())
	if n > MaxNodes || g.EdgeCount > MaxEdges {
		return fmt.Errorf("graph: %d nodes and %d edges do not fit 31-bit indices", n, g.EdgeCount)
	}
	if g.Offsets[n] != arcs {
		return fmt.Errorf("graph: offsets end at %d, but there are %d arcs", g.Offsets[n], arcs)
	}
	if g.Weights != nil && int64(len(g.Weights)) != arcs || g.Edges != nil && int64(len(g.Edges)) != arcs {
		return fmt.Errorf("graph: %d arcs, %d weights, %d arc edges", arcs, len(g.Weights), len(g.Edges))
	}
	if g.Rests != nil && len(g.Rests) != len(g.Weights) {
		return fmt.Errorf("graph: %d weights and %d rests of weights", len(g.Weights), len(g.Rests))
	}
	perEdge := 2
	if g.Directed {
		perEdge = 1
	}
	if arcs != int64(perEdge)*int64(g.EdgeCount) || g.Edges == nil && !g.Directed && arcs > 0 {
		return fmt.Errorf("graph: %d arcs cannot stand for %d edges", arcs, g.EdgeCount)
	}
	for v := range n {
		if g.Offsets[v] > g.Offsets[v+1] || g.Offsets[v+1] > arcs {
			return fmt.Errorf("graph: offsets fall at node %d", v)
		}
	}
	return g.validateArcs(perEdge)
}

// validateArcs checks the arcs, on all processors. Only where one is broken is it looked for, which is the first.
func (g *Graph) validateArcs(perEdge int) error {
	state := make([]int64, g.EdgeCount)
	if g.arcsHold(state, perEdge) {
		return nil
	}
	clear(state)
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if err := g.validateArc(v, i, state, perEdge); err != nil {
				return err
			}
		}
	}
	for e, s := range state {
		if !g.Directed && s>>2 != 0 {
			return fmt.Errorf("graph: the two arcs of undirected edge %d do not join the same nodes", e)
		}
	}
	return nil
}

// arcsHold reports whether no arc is broken. The state of an edge is the sum of source - target over its arcs, times 4,
// plus how many arcs it has: one number, since reading it misses the cache.
func (g *Graph) arcsHold(state []int64, perEdge int) bool {
	var broken atomic.Bool
	inparts.Do(g.N(), func(first, last int) {
		for v := int32(first); int(v) < last && !broken.Load(); v++ {
			for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
				if g.validateArc(v, i, state, perEdge) != nil {
					broken.Store(true)
				}
			}
		}
	})
	if broken.Load() || g.Directed {
		return !broken.Load()
	}
	inparts.Do(len(state), func(first, last int) {
		for _, s := range state[first:last] {
			if s>>2 != 0 {
				broken.Store(true)
			}
		}
	})
	return !broken.Load()
}

// validateArc checks arc i, which leaves v, and adds it to the state of its edge.
func (g *Graph) validateArc(v int32, i int64, state []int64, perEdge int) error {
	w, e := g.Targets[i], g.Edge(i)
	switch {
	case w < 0 || int(w) >= g.N():
		return fmt.Errorf("graph: arc %d of node %d points at node %d of %d", i, v, w, g.N())
	case i > g.Offsets[v] && g.Targets[i-1] > w:
		return fmt.Errorf("graph: row %d is not sorted", v)
	case e < 0 || int(e) >= g.EdgeCount:
		return fmt.Errorf("graph: arc %d belongs to edge %d of %d, which it cannot", i, e, g.EdgeCount)
	case g.Weights != nil && !(g.Weights[i] > 0 && g.Weights[i] <= math.MaxFloat64):
		return fmt.Errorf("graph: arc %d weighs %v; weights are finite and positive", i, g.Weights[i])
	case g.Rests != nil && math.Abs(g.Rests[i]) >= g.Weights[i]:
		return fmt.Errorf("graph: arc %d weighs %v and %v; the second is the rest of the first", i, g.Weights[i], g.Rests[i])
	case int(atomic.AddInt64(&state[e], (int64(v)-int64(w))*4+1)&3) > perEdge:
		return fmt.Errorf("graph: arc %d belongs to edge %d of %d, which it cannot", i, e, g.EdgeCount)
	}
	return nil
}
