package kernels

import (
	"errors"
	"math"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Partial is what the searches from some of the sources of a run add up to, before anything is scaled, halved, inverted or
// normalised. Partial results of one run are joined in any order and any grouping, with the same bits: sums are exact.
type Partial struct {
	// Nodes and Edges are sums: of dependencies, of distances or of their inverses, of volumes. Those of the closeness family that
	// keep the greatest distance have MostNodes and MostEdges instead. nil for what is not wanted.
	Nodes, Edges         *exact.Sums
	MostNodes, MostEdges []float64
	// NodeCounts and EdgeCounts are the numbers of sources that distances were folded from.
	NodeCounts, EdgeCounts []int64
	// WideNodes and WideEdges are sums of path counts, of any size, in place of Nodes and Edges.
	WideNodes, WideEdges []exact.Wide
	Totals               Totals

	rounding float64
}

// Bounds limit what a partial result adds up, for all of its run.
type Bounds struct {
	// Mass is the number of nodes that take part in paths, those that others stand for included.
	Mass float64
	// Sources bounds the number of terms of a sum.
	Sources int64
	// Longest bounds the length of a path, Shortest is the least length over 0 (1 by hops).
	Longest, Shortest float64
	// Volume bounds the volume of a ball: the degrees of all nodes.
	Volume float64
}

// scale is that of the sums of a measure.
func (b Bounds) scale(m Measure) exact.Scale {
	pairs, terms := 8*b.Mass*b.Mass, 4*max(b.Sources, 1)
	switch {
	case m.Kind == Balls:
		return exact.For(b.Volume, terms)
	case m.fold == nil:
		return exact.For(pairs, terms) // a dependency is at most the mass, and so is the number of sources
	}
	if m.fold.kind == FoldInverse {
		return exact.For(2*b.Mass/b.Shortest, terms)
	}
	return exact.For(2*b.Mass*b.Longest, terms)
}

// rounding bounds the relative error of sums of distances, or of their inverses, as their scale rounds terms.
func (b Bounds) rounding(m Measure, s exact.Scale) float64 {
	if m.fold == nil {
		return 0
	}
	least := b.Shortest
	if m.fold.kind == FoldInverse {
		least = 1 / b.Longest
	}
	return 1 / (s.Unit * s.Fine * s.Fine * least)
}

// NewPartial returns the partial result of no source, for a graph of n nodes and m edges.
func NewPartial(measure Measure, n, m int, r Request, b Bounds) *Partial {
	p, scale := &Partial{}, b.scale(measure)
	fold := measure.fold
	greatest := fold != nil && fold.kind == FoldGreatest
	if measure.Kind == PathCounts {
		if r.Nodes {
			p.WideNodes = make([]exact.Wide, n)
		}
		if r.Edges {
			p.WideEdges = make([]exact.Wide, m)
		}
		return p
	}
	if r.Nodes || fold != nil {
		if greatest {
			p.MostNodes = make([]float64, n)
		} else {
			p.Nodes, p.rounding = exact.NewSums(n, scale), b.rounding(measure, scale)
		}
	}
	if r.Edges {
		if greatest {
			p.MostEdges = make([]float64, m)
		} else {
			p.Edges = exact.NewSums(m, scale)
		}
	}
	if fold != nil {
		p.NodeCounts = make([]int64, n)
		if r.Edges {
			p.EdgeCounts = make([]int64, m)
		}
	}
	return p
}

// errOtherRun is the error of partial results that do not belong together.
var errOtherRun = errors.New("partial results of different runs cannot be joined")

// Join adds another partial result of the same run.
func (p *Partial) Join(q *Partial) error {
	if !joinable(p.Nodes, q.Nodes) || !joinable(p.Edges, q.Edges) {
		return errOtherRun
	}
	for _, pair := range [][2]int{
		{len(p.MostNodes), len(q.MostNodes)}, {len(p.MostEdges), len(q.MostEdges)}, {len(p.NodeCounts), len(q.NodeCounts)},
		{len(p.EdgeCounts), len(q.EdgeCounts)}, {len(p.WideNodes), len(q.WideNodes)}, {len(p.WideEdges), len(q.WideEdges)},
	} {
		if pair[0] != pair[1] {
			return errOtherRun
		}
	}
	if p.Nodes != nil {
		p.Nodes.Join(q.Nodes)
	}
	if p.Edges != nil {
		p.Edges.Join(q.Edges)
	}
	joinArrays(p.MostNodes, q.MostNodes, func(a, b float64) float64 { return max(a, b) })
	joinArrays(p.MostEdges, q.MostEdges, func(a, b float64) float64 { return max(a, b) })
	joinArrays(p.NodeCounts, q.NodeCounts, func(a, b int64) int64 { return a + b })
	joinArrays(p.EdgeCounts, q.EdgeCounts, func(a, b int64) int64 { return a + b })
	exact.JoinWides(p.WideNodes, q.WideNodes)
	exact.JoinWides(p.WideEdges, q.WideEdges)
	p.Totals.Pairs += q.Totals.Pairs
	p.Totals.Distance += q.Totals.Distance
	p.Totals.NoDistance = p.Totals.NoDistance || q.Totals.NoDistance
	return nil
}

// joinable reports whether two sums are of one run.
func joinable(a, b *exact.Sums) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Scale == b.Scale && len(a.Words) == len(b.Words)
}

func joinArrays[T any](into, from []T, join func(a, b T) T) {
	for i, x := range from {
		into[i] = join(into[i], x)
	}
}

// Folds returns the folded distances of a measure of the closeness family.
func (p *Partial) Folds() Folds {
	return Folds{
		Nodes: valuesOf(p.Nodes, p.MostNodes), NodeCounts: counted(p.NodeCounts),
		Edges: valuesOf(p.Edges, p.MostEdges), EdgeCounts: counted(p.EdgeCounts),
	}
}

func valuesOf(sums *exact.Sums, most []float64) []float64 {
	if sums == nil {
		return most
	}
	return sums.Values()
}

func counted(counts []int64) []float64 {
	if counts == nil {
		return nil
	}
	out := make([]float64, len(counts))
	for i, x := range counts {
		out[i] = float64(x)
	}
	return out
}

// Finish makes scores of the partial result of all sources, and writes those wanted to nodes and edges; nil is not wanted.
func (p *Partial) Finish(m Measure, g *export.Graph, r Request, nodes, edges []float64) error {
	switch m.Kind {
	case FoldedDistances:
		own := make([]float64, g.N())
		m.fold.scores(p.Nodes, p.MostNodes, p.NodeCounts, float64(g.N()-1), r, own)
		if edges != nil && m.fold.scores(p.Edges, p.MostEdges, p.EdgeCounts, float64(g.N()-2), r, edges) {
			loopScores(g, own, edges)
		}
		copy(nodes, own)
		return CheckFinite(m.Name, g, &Scores{Nodes: nodes, Edges: edges}, false)
	case PathCounts:
		return p.stress(g, r, nodes, edges)
	}
	byNode, byEdge := 1.0, 1.0
	if m.Kind == Dependencies {
		byNode, byEdge = BetweennessFactors(g, r)
	}
	if nodes != nil {
		p.Nodes.Read(nodes, byNode)
	}
	if edges != nil {
		p.Edges.Read(edges, byEdge)
	}
	return CheckFinite(m.Name, g, &Scores{Nodes: nodes, Edges: edges}, r.Log)
}

// scores makes scores of sums, or else of the greatest distances. It reports whether one was folded from no source, as that of an edge
// from a node to itself is.
func (f *distanceFold) scores(sums *exact.Sums, most []float64, counts []int64, others float64, r Request, out []float64) bool {
	var empty atomic.Bool
	exact.InParts(len(out), func(first, last int) {
		none := false
		for i := first; i < last; i++ {
			var x float64
			if sums != nil {
				x = sums.Scale.Value(sums.Words[i])
			} else {
				x = most[i]
			}
			none = none || counts[i] == 0
			out[i] = f.score(x, float64(counts[i]), others, r)
		}
		if none {
			empty.Store(true)
		}
	})
	return empty.Load()
}

func (p *Partial) stress(g *export.Graph, r Request, nodes, edges []float64) error {
	for _, part := range []struct {
		scores []float64
		sums   []exact.Wide
	}{{nodes, p.WideNodes}, {edges, p.WideEdges}} {
		if part.scores == nil {
			continue
		}
		counts := make([]Count, len(part.sums))
		exact.InParts(len(counts), func(first, last int) {
			for i := first; i < last; i++ {
				counts[i].Mantissa, counts[i].Exponent = part.sums[i].Value()
			}
		})
		scores, err := StressScores(g, r, counts)
		if err != nil {
			return err
		}
		copy(part.scores, scores)
	}
	return nil
}

// BoundsOf returns the bounds of a request on a graph that is searched as it is, with lengths measured in units of 10^shift.
func BoundsOf(g *export.Graph, r Request, shift int) Bounds {
	b := Bounds{
		Mass: float64(g.N()), Sources: int64(r.SourceCount(g.N())), Longest: float64(g.N()), Shortest: 1,
		Volume: float64(g.Arcs()),
	}
	if !r.Weighted || len(g.Weights) == 0 {
		return b
	}
	most := 0.0
	b.Shortest = math.Inf(1)
	for _, w := range g.Weights {
		if w > 0 {
			most, b.Shortest = max(most, w), min(b.Shortest, w)
		}
	}
	unit := math.Pow10(shift)
	b.Longest, b.Shortest = most/unit*float64(g.N()), b.Shortest/unit
	return b
}

// Rounding bounds the relative error of the sums of distances, or of their inverses; 0 for other sums.
func (p *Partial) Rounding() float64 { return p.rounding }

// ClearPaths forgets all sums of path counts.
func (p *Partial) ClearPaths() {
	clear(p.WideNodes)
	clear(p.WideEdges)
	p.Totals = Totals{}
}

// Scale is that of the sums; the zero Scale where there are none.
func (p *Partial) Scale() exact.Scale {
	switch {
	case p.Nodes != nil:
		return p.Nodes.Scale
	case p.Edges != nil:
		return p.Edges.Scale
	}
	return exact.Scale{}
}

// Empty returns the partial result of no source of the same run.
func (p *Partial) Empty() *Partial {
	sums := func(s *exact.Sums) *exact.Sums {
		if s == nil {
			return nil
		}
		return exact.NewSums(len(s.Words), s.Scale)
	}
	return &Partial{
		rounding: p.rounding, Nodes: sums(p.Nodes), Edges: sums(p.Edges),
		MostNodes: emptied(p.MostNodes), MostEdges: emptied(p.MostEdges),
		NodeCounts: emptied(p.NodeCounts), EdgeCounts: emptied(p.EdgeCounts),
		WideNodes: emptied(p.WideNodes), WideEdges: emptied(p.WideEdges),
	}
}

// emptied returns as many zeros, or nil for nil.
func emptied[T any](s []T) []T {
	if s == nil {
		return nil
	}
	return make([]T, len(s))
}
