package distances

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Past is what a run of a measure by hops leaves for the next one: its graph, and what was folded at its nodes.
type Past struct {
	// Graph has no weights, and its edges no numbers.
	Graph *export.Graph
	// Names tells nodes apart from one run to the next; nil for their numbers.
	Names []int64
	// Sums and Counts are of each node: the folded distances, and from how many nodes they come.
	Sums   []exact.Word
	Counts []int64
	// Full is what a full run costs, in searches from one node.
	Full float64
}

// pastHeader is how many numbers come first in Values: the nodes, the arcs, whether there are names, and Full.
const pastHeader = 4

// Values returns a past as numbers, whose bits matter.
func (p *Past) Values() []float64 {
	n, arcs := p.Graph.N(), p.Graph.Arcs()
	out := make([]float64, 0, pastHeader+6*n+arcs+1)
	out = append(out, float64(n), float64(arcs), float64(len(p.Names)), p.Full)
	for _, x := range p.Graph.Offsets {
		out = append(out, float64(x))
	}
	for _, x := range p.Graph.Targets {
		out = append(out, float64(x))
	}
	for _, x := range p.Names {
		out = append(out, math.Float64frombits(uint64(x)))
	}
	for _, w := range p.Sums {
		for _, x := range w {
			out = append(out, math.Float64frombits(uint64(x)))
		}
	}
	for _, x := range p.Counts {
		out = append(out, float64(x))
	}
	return out
}

// PastOf returns the past of such numbers; ok is false if they are of none.
func PastOf(values []float64, directed bool) (p *Past, ok bool) {
	if len(values) < pastHeader {
		return nil, false
	}
	n, arcs, names := int(values[0]), int(values[1]), int(values[2])
	if n < 0 || arcs < 0 || names != 0 && names != n || len(values) != pastHeader+n+1+arcs+names+3*n+n {
		return nil, false
	}
	p = &Past{Full: values[3], Names: make([]int64, names), Sums: make([]exact.Word, n), Counts: make([]int64, n)}
	p.Graph = &export.Graph{Directed: directed, Offsets: make([]int64, n+1), Targets: make([]int32, arcs), EdgeCount: arcs}
	if !directed {
		p.Graph.EdgeCount /= 2
	}
	next := values[pastHeader:]
	take := func() (x float64) {
		x, next = next[0], next[1:]
		return x
	}
	for i := range p.Graph.Offsets {
		p.Graph.Offsets[i] = int64(take())
	}
	for i := range p.Graph.Targets {
		p.Graph.Targets[i] = int32(take())
	}
	for i := range p.Names {
		p.Names[i] = int64(math.Float64bits(take()))
	}
	for i := range p.Sums {
		for k := range p.Sums[i] {
			p.Sums[i][k] = int64(math.Float64bits(take()))
		}
	}
	for i := range p.Counts {
		p.Counts[i] = int64(take())
	}
	return p, true
}

// along returns a past whose nodes are numbered as those of a graph of n nodes of such names, and those that are gone after them.
// Nodes that are new have no arcs.
func (p *Past) along(n int, names []int64) *Past {
	place := p.places(n, names)
	all := n
	for _, v := range place {
		all = max(all, int(v)+1)
	}
	old := slices.Repeat([]int32{-1}, all)
	for v, at := range place {
		old[at] = int32(v)
	}
	out := &Past{Sums: make([]exact.Word, all), Counts: make([]int64, all), Full: p.Full}
	out.Graph = &export.Graph{
		Directed: p.Graph.Directed, EdgeCount: p.Graph.EdgeCount, Offsets: make([]int64, all+1), Targets: make([]int32, 0, p.Graph.Arcs()),
	}
	for at, v := range old {
		if v >= 0 {
			first := len(out.Graph.Targets)
			for _, w := range p.Graph.Row(v) {
				out.Graph.Targets = append(out.Graph.Targets, place[w])
			}
			slices.Sort(out.Graph.Targets[first:])
			out.Sums[at], out.Counts[at] = p.Sums[v], p.Counts[v]
		}
		out.Graph.Offsets[at+1] = int64(len(out.Graph.Targets))
	}
	return out
}

// places returns the number that each node has along a graph of n nodes. Any places give the right sums, as long as no two are the
// same: nodes of wrong names only make more changes.
func (p *Past) places(n int, names []int64) []int32 {
	place := make([]int32, p.Graph.N())
	if len(names) != n || len(p.Names) != len(place) {
		for v := range place {
			place[v] = int32(v)
		}
		return place
	}
	number := make(map[int64]int32, n)
	for v, name := range names {
		number[name] = int32(v)
	}
	gone := int32(n)
	for v, name := range p.Names {
		at, ok := number[name]
		if !ok {
			at, gone = gone, gone+1
		}
		place[v] = at
		delete(number, name)
	}
	return place
}
