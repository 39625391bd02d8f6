package distances

import (
	"cmp"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Past is what a run leaves for the next one: its graph, and what was folded at its nodes.
type Past struct {
	// Graph has the lengths of arcs as weights, in whole numbers, or none by hops. Its edges have no numbers.
	Graph *export.Graph
	// Names tells nodes apart from one run to the next; nil for their numbers.
	Names []int64
	// Sums and Counts are of each node: the folded distances, and from how many nodes they come.
	Sums   []exact.Word
	Counts []int64
	// Full is what a full run costs, in searches from one node.
	Full float64
}

// ofPast begins the key of every past. Its number goes up with every change after which sums may have other bits.
const ofPast = "sums of distances 2"

// PastKey is the hash of all that sums of a measure have to share with those of a past: the scale of a partial result,
// and the unit of lengths.
func PastKey(m kernels.Measure, directed bool, l lengths.Lengths, like *kernels.Partial) reuse.Key {
	h, scale := reuse.NewHasher(ofPast), like.Scale()
	kind, _ := kernels.FoldOf(m.Name)
	h.Int(int64(kind))
	h.Float(scale.Unit)
	h.Float(scale.Fine)
	if t, ok := l.(*lengths.Ticks); ok {
		h.Floats([]float64{t.Unit.Mul, t.Unit.Div, t.Unit.Div2})
		h.Int(int64(t.Shift()))
	}
	if directed {
		h.Int(1)
	}
	return h.Key()
}

// FromTicks makes lengths of sums of distances in ticks, or of their inverses.
func FromTicks(m kernels.Measure, sums []float64, u lengths.Unit) {
	kind, _ := kernels.FoldOf(m.Name)
	for v, sum := range sums {
		if sums[v] = u.Of(sum); kind == kernels.FoldInverse {
			sums[v] = sum / u.Mul * u.Div * u.Div2
		}
	}
}

// pastHeader is how many numbers come first in Values: of nodes, arcs, weights and names, and Full.
const pastHeader = 5

// Values returns a past as numbers, whose bits matter.
func (p *Past) Values() []float64 {
	n, arcs := p.Graph.N(), p.Graph.Arcs()
	weights := p.Graph.Weights
	out := make([]float64, 0, pastHeader+6*n+arcs+len(weights)+1)
	out = append(out, float64(n), float64(arcs), float64(len(weights)), float64(len(p.Names)), p.Full)
	for _, x := range p.Graph.Offsets {
		out = append(out, float64(x))
	}
	for _, x := range p.Graph.Targets {
		out = append(out, float64(x))
	}
	out = append(out, weights...)
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
	n, arcs, weights, names := int(values[0]), int(values[1]), int(values[2]), int(values[3])
	fit := n >= 0 && arcs >= 0 && (weights == 0 || weights == arcs) && (names == 0 || names == n)
	if !fit || len(values) != pastHeader+n+1+arcs+weights+names+3*n+n {
		return nil, false
	}
	p = &Past{Full: values[4], Names: make([]int64, names), Sums: make([]exact.Word, n), Counts: make([]int64, n)}
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
	if weights > 0 {
		p.Graph.Weights, next = next[:weights:weights], next[weights:]
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

// along returns a past whose nodes are numbered as those of a graph of n nodes of such names, and those that are gone
// after them. Nodes that are new have no arcs.
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
		Directed: p.Graph.Directed, EdgeCount: p.Graph.EdgeCount, Offsets: make([]int64, all+1),
		Targets: make([]int32, 0, p.Graph.Arcs()),
	}
	var order []int
	for at, v := range old {
		if v >= 0 {
			order = p.row(v, place, order, out.Graph)
			out.Sums[at], out.Counts[at] = p.Sums[v], p.Counts[v]
		}
		out.Graph.Offsets[at+1] = int64(len(out.Graph.Targets))
	}
	return out
}

// row appends the row of a node, with places for its targets, to a graph. order is used again.
func (p *Past) row(v int32, place []int32, order []int, to *export.Graph) []int {
	row, at := p.Graph.Row(v), p.Graph.Offsets[v]
	order = order[:0]
	for i := range row {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(place[row[i]], place[row[j]]) })
	for _, i := range order {
		to.Targets = append(to.Targets, place[row[i]])
		if p.Graph.Weights != nil {
			to.Weights = append(to.Weights, p.Graph.Weights[at+int64(i)])
		}
	}
	return order
}

// places returns the number that each node has along a graph of n nodes. Any places give the right sums, as long as no
// two are the same: nodes of wrong names only make more changes.
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
