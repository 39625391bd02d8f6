package kernels

import (
	"github.com/linchpin-graph/linchpin/export"
)

// The closeness family: closeness, harmonic, graph, eccentricity. Each folds the distances d(t,v) of the nodes t that
// reach v. Searches run forwards from the sources t and fold at the nodes they reach, so that sources can be sampled.
// For an edge (u,v) the distance is that of its nearer end, over the t other than u and v.

// Fold is how a measure of the closeness family folds distances into one number.
type Fold int

// The closeness family sums distances, sums their inverses, or takes the greatest.
const (
	FoldSum Fold = iota
	FoldInverse
	FoldGreatest
)

// distanceFold is what a measure of the closeness family makes of folded distances.
type distanceFold struct {
	kind Fold
	// isLength says that the score is the length of a path, inverted that it is 1 / such a length.
	isLength, inverted bool
	// score makes the score of the folded sum: from how many sources it was folded, and how many there could be.
	score func(sum, count, others float64, r Request) float64
}

func closenessFold() *distanceFold {
	return &distanceFold{kind: FoldSum, score: func(sum, count, others float64, r Request) float64 {
		switch r.Variant {
		case WassermanFaust:
			return Quotient(count, sum) * Quotient(count*sampleScale(r), others)
		case Classic:
			return Quotient(1, sum*sampleScale(r))
		}
		return Quotient(count, sum)
	},
		isLength: false, inverted: false,
	}
}

func harmonicFold() *distanceFold {
	return &distanceFold{kind: FoldInverse, score: func(sum, _, others float64, r Request) float64 {
		if r.Normalized != nil && !*r.Normalized || r.HasDemand() {
			return sum * sampleScale(r)
		}
		return Quotient(sum*sampleScale(r), others)
	},
		isLength: false, inverted: false,
	}
}

func eccentricityFold() *distanceFold {
	return &distanceFold{
		kind: FoldGreatest, isLength: true,
		score:    func(sum, _, _ float64, _ Request) float64 { return sum },
		inverted: false,
	}
}

func graphFold() *distanceFold {
	return &distanceFold{
		kind: FoldGreatest, inverted: true,
		score:    func(sum, _, _ float64, _ Request) float64 { return Quotient(1, sum) },
		isLength: false,
	}
}

// FoldOf returns the fold of a measure; ok is false when it is none of the closeness family.
func FoldOf(measure string) (fold Fold, ok bool) {
	m, _ := Lookup(measure)
	if m.fold == nil {
		return 0, false
	}
	return m.fold.kind, true
}

// FoldScore returns what makes the score of a node, in a graph of n nodes, of folded distances and of how many nodes
// they come from. The measure is one of the closeness family.
func FoldScore(measure string, n int, r Request) func(sum, count float64) float64 {
	m, _ := Lookup(measure)
	return func(sum, count float64) float64 { return m.fold.score(sum, count, float64(n-1), r) }
}

// InUnits returns what a score is multiplied by when all lengths were measured in a unit: 1 unless it is made of
// distances.
func InUnits(measure string, unit float64) float64 {
	m, _ := Lookup(measure)
	if m.fold == nil {
		return 1
	}
	return m.fold.inUnits(unit)
}

// inUnits returns what a score is multiplied by when lengths were measured in a unit.
func (f *distanceFold) inUnits(unit float64) float64 {
	if f.isLength {
		return unit
	}
	return 1 / unit
}

// Folds are folded distances and how many sources they came from, of nodes and, unless nil, of edges. They start at 0.
type Folds struct {
	Nodes, NodeCounts, Edges, EdgeCounts []float64
	// NoLoops says that no edge is from a node to itself.
	NoLoops bool
}

// Scores makes the scores of a measure of the closeness family of what was folded, and writes those wanted to nodes and
// edges; nil is not wanted. Where there are no folds of edges, edges has their scores already, but for those from a
// node to itself.
func (f Folds) Scores(measure string, g *export.Graph, r Request, nodes, edges []float64) error {
	m, _ := Lookup(measure)
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
	return CheckFinite(measure, g, &Scores{Nodes: nodes, Edges: edges}, false)
}

// loopScores gives self-loops the scores of their nodes.
func loopScores(g *export.Graph, nodes, edges []float64) {
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if g.Targets[i] == v {
				edges[g.Edge(i)] = nodes[v]
			}
		}
	}
}
