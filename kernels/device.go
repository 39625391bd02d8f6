package kernels

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// What device code shares with the CPU functions: how sums become scores, and how path lengths are compared.

// BetweennessFactors returns what sums over ordered pairs (source, target) are multiplied by to give the scores of nodes
// and of edges.
func BetweennessFactors(g *export.Graph, r Request) (nodes, edges float64) {
	return betweennessFactors(g, r)
}

// Count is a number of paths of any size: Mantissa * 2^Exponent, the mantissa 0 or in [1, 2). It is laid out as device
// code lays it out.
type Count struct {
	Mantissa float64
	Exponent int64
}

// Plus returns the sum.
func (c Count) Plus(d Count) Count {
	x := wide{c.Mantissa / 2, c.Exponent + 1}.plus(wide{d.Mantissa / 2, d.Exponent + 1})
	if x.mantissa == 0 {
		return Count{}
	}
	return Count{x.mantissa * 2, x.exponent - 1}
}

// StressScores makes scores of sums over ordered pairs. It returns ErrStress where one does not fit a float64.
func StressScores(g *export.Graph, r Request, sums []Count) ([]float64, error) {
	wides := make([]wide, len(sums))
	for i, c := range sums {
		if c.Mantissa != 0 {
			m, e := math.Frexp(c.Mantissa)
			wides[i] = wide{m, c.Exponent + int64(e)}
		}
	}
	factor := sampleScale(r)
	if !g.Directed {
		factor /= 2
	}
	return stressScores(wides, factor, r.Log)
}

// Fold is how a measure of the closeness family folds distances into one number.
type Fold int

// The closeness family sums distances, sums their inverses, or takes the greatest.
const (
	FoldSum Fold = iota
	FoldInverse
	FoldGreatest
)

// FoldOf returns the fold of a measure; ok is false when it is none of the closeness family.
func FoldOf(measure string) (fold Fold, ok bool) {
	m, _ := known(measure)
	if m.fold == nil {
		return 0, false
	}
	return m.fold.kind, true
}

// InUnits returns what a score is multiplied by when all lengths were measured in a unit: 1 unless it is made of distances.
func InUnits(measure string, unit float64) float64 {
	m, _ := known(measure)
	if m.fold == nil {
		return 1
	}
	return m.fold.inUnits(unit)
}

// Folds are folded distances and how many sources they came from, of nodes and, unless nil, of edges. They start at 0.
type Folds struct {
	Nodes, NodeCounts, Edges, EdgeCounts []float64
	// NoLoops says that no edge is from a node to itself.
	NoLoops bool
}

// UnfoldTrees makes of what an engine folded and counted on what trees leave (see closeness.Trees) the folds of the whole graph, of its edges too
// unless middles is nil. lengthOf converts a length of the trees to one of the graph.
func UnfoldTrees(trees *closeness.Trees, middles *closeness.Subdivided, folds, counts []float64, lengthOf func(ticks float64) float64) (Folds, Totals) {
	all, reached := trees.Unfold(folds, counts)
	sums := Folds{Nodes: all, NodeCounts: reached}
	if middles != nil {
		sums.Nodes, sums.NodeCounts, sums.Edges, sums.EdgeCounts = middles.Split(trees.Fold(), all, reached)
	}
	for _, folds := range [][]float64{sums.Nodes, sums.Edges} {
		for i, ticks := range folds {
			folds[i] = lengthOf(ticks)
		}
	}
	totals := Totals{NoDistance: trees.Fold() != closeness.Sum}
	for v, length := range sums.Nodes {
		totals.Pairs += int64(sums.NodeCounts[v])
		if !totals.NoDistance {
			totals.Distance += length
		}
	}
	return sums, totals
}

// EdgeForm is how the score of an edge is made of a folded sum and from how many sources it was folded, for devices; the order is
// that of the numbers in kernels/hops/hops.cu.
type EdgeForm int64

// The forms, with scale and others as EdgeFormOf returns them; what is divided by 0 is 0.
const (
	CountBySum        EdgeForm = iota // count / sum
	WassermanAndFaust                 // count / sum * (count * scale / others)
	OneBySum                          // 1 / (sum * scale)
	SumByOthers                       // sum * scale / others
	JustSum                           // sum * scale
)

// EdgeFormOf returns the form of a measure of the closeness family, the number by which a sample is scaled up, and how many sources there
// could be.
func EdgeFormOf(measure string, g *export.Graph, r Request) (form EdgeForm, scale, others float64) {
	m, _ := known(measure)
	scale, others = sampleScale(r), float64(g.N()-2)
	switch fold := m.fold.kind; {
	case m.fold.inverted:
		return OneBySum, 1, others
	case m.fold.isLength:
		return JustSum, 1, others
	case fold == FoldInverse && r.Normalized != nil && !*r.Normalized:
		return JustSum, scale, others
	case fold == FoldInverse:
		return SumByOthers, scale, others
	case r.Variant == WassermanFaust:
		return WassermanAndFaust, scale, others
	case r.Variant == Classic:
		return OneBySum, scale, others
	}
	return CountBySum, scale, others
}

// Scores makes the scores of a measure of the closeness family of what was folded, and writes those wanted to nodes and
// edges; nil is not wanted. Where there are no folds of edges, edges has their scores already, but for those from a node to itself.
func (f Folds) Scores(measure string, g *export.Graph, r Request, nodes, edges []float64) error {
	m, _ := known(measure)
	d := m.fold
	own := make([]float64, g.N())
	for v := range own {
		own[v] = d.score(f.Nodes[v], f.NodeCounts[v], float64(g.N()-1), r)
	}
	copy(nodes, own)
	for e := range f.Edges {
		edges[e] = d.score(f.Edges[e], f.EdgeCounts[e], float64(g.N()-2), r)
	}
	if edges != nil && !f.NoLoops {
		loopScores(g, own, edges)
	}
	return usable(measure, g, &Scores{Nodes: nodes, Edges: edges}, false)
}

// WeightTies says how lengths of paths by weights are told apart, as Scores.Ties does: "exact" or "tolerance".
func WeightTies(g *export.Graph, tolerance float64) string {
	if tellsApart(g) {
		return "exact"
	}
	return newWeights(g, tolerance).ties()
}

// tellsApart says that 126 bits hold the length of any path for sure, by the least and the greatest weight alone: a weight's
// shortest decimal has 17 digits at most, so that no digit stands for less than the least weight's place less 17.
func tellsApart(g *export.Graph) bool {
	if len(g.Weights) == 0 || g.Rests != nil {
		return false
	}
	least, most := slices.Min(g.Weights), slices.Max(g.Weights)
	if !(least > 0) || math.IsInf(most, 0) {
		return false
	}
	low, high := math.Floor(math.Log10(least))-17, max(0, math.Ceil(math.Log10(most)))
	return high-low < maxDigits && high-low+math.Log10(float64(g.N())) < 126*math.Log10(2)-1
}
