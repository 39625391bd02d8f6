package kernels

import (
	"math"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Partial is what the searches from some of the sources of a run add up to, before anything is scaled, halved, inverted
// or normalised. Partial results of one run are joined in any order and any grouping, with the same bits: sums are
// exact.
type Partial struct {
	// Nodes and Edges are sums: of dependencies, of distances or of their inverses, of volumes. Those of the closeness
	// family that keep the greatest distance have MostNodes and MostEdges instead. nil for what is not wanted.
	Nodes, Edges         *exact.Sums
	MostNodes, MostEdges []float64
	// NodeCounts and EdgeCounts are the numbers of sources that distances were folded from.
	NodeCounts, EdgeCounts []int64
	// WideNodes and WideEdges are sums of any size, in place of Nodes and Edges: of path counts, and after Widen.
	WideNodes, WideEdges []exact.Wide
	// NodeDemands and EdgeDemands are sums of the demand that distances were folded by, Demands those of Totals.Demand and
	// Totals.DemandDistance; nil where each pair counts once.
	NodeDemands, EdgeDemands, Demands []exact.Wide
	// Bins and Peers are sums of what reaches into the chains of a reduced graph; nil without chains.
	Bins, Peers *exact.Sums
	// Alone are numbers that are complete in one part and 0 in all others.
	Alone []float64
	// Totals has the value of Distance as well, unless that is nil: one sum.
	Totals   Totals
	Distance *exact.Sums

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
	case m.fold.kind == FoldInverse:
		return exact.For(2*b.Mass/b.Shortest, terms)
	}
	return exact.For(2*b.Mass*b.Longest, terms)
}

// distances is the scale of the sum of all distances.
func (b Bounds) distances() exact.Scale {
	return exact.For(2*b.Mass*b.Mass*b.Longest, 4*max(b.Sources, 1))
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
	p := NewHollow(measure, n, m, r, b)
	p.Nodes.Fill(n)
	p.Edges.Fill(m)
	return p
}

// NewHollow is NewPartial without the words of the sums of nodes and edges: see exact.Sums.
func NewHollow(measure Measure, n, m int, r Request, b Bounds) *Partial {
	if !measure.Kind.Divides() {
		if !r.Edges {
			m = 0
		}
		return NewAlone(n + m)
	}
	p, scale := &Partial{Distance: exact.NewSums(1, b.distances())}, b.scale(measure)
	if r.HasDemand() {
		p.Demands = make([]exact.Wide, demandTotals)
	}
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
			p.Nodes, p.rounding = &exact.Sums{Scale: scale}, b.rounding(measure, scale)
		}
	}
	if r.Edges {
		if greatest {
			p.MostEdges = make([]float64, m)
		} else {
			p.Edges = &exact.Sums{Scale: scale}
		}
	}
	if fold != nil {
		p.NodeCounts = make([]int64, n)
		if r.Edges {
			p.EdgeCounts = make([]int64, m)
		}
	}
	if r.HasDemand() {
		p.Nodes.Fill(n)
		p.Edges.Fill(m)
		p.Widen()
		p.NodeDemands, p.EdgeDemands = zeros[exact.Wide](p.NodeCounts), zeros[exact.Wide](p.EdgeCounts)
	}
	return p
}

// demandTotals is how many sums Partial.Demands has.
const demandTotals = 2

// NewAlone returns the partial result of a run that is not divided, which makes n scores itself: of nodes, and then of
// edges.
func NewAlone(n int) *Partial { return &Partial{Alone: make([]float64, n)} }

// Folds returns the folded distances of a measure of the closeness family.
func (p *Partial) Folds() Folds {
	return Folds{
		Nodes: valuesOf(p.Nodes, p.WideNodes, p.MostNodes), NodeCounts: counted(p.NodeCounts),
		Edges: valuesOf(p.Edges, p.WideEdges, p.MostEdges), EdgeCounts: counted(p.EdgeCounts),
		NoLoops: false,
	}
}

func valuesOf(sums *exact.Sums, wide []exact.Wide, most []float64) []float64 {
	if sums == nil && wide == nil {
		return most
	}
	out := make([]float64, max(len(wide), sums.Len()))
	readSums(out, sums, wide, 1)
	return out
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

// Finish makes scores of the partial result of all sources, and writes those wanted to nodes and edges; nil is not
// wanted.
func (p *Partial) Finish(m Measure, g *export.Graph, r Request, nodes, edges []float64) error {
	switch m.Kind {
	case FoldedDistances:
		own := make([]float64, g.N())
		m.fold.scores(p.folded(p.Nodes, p.WideNodes, p.MostNodes), by(p.NodeDemands, p.NodeCounts), float64(g.N()-1), r, own)
		if edges != nil && m.fold.scores(p.folded(p.Edges, p.WideEdges, p.MostEdges),
			by(p.EdgeDemands, p.EdgeCounts), float64(g.N()-2), r, edges) {
			loopScores(g, own, edges)
		}
		copy(nodes, own)
		return CheckFinite(m.Name, g, &Scores{Nodes: nodes, Edges: edges}, false)
	case PathCounts:
		return p.stress(g, r, nodes, edges)
	}
	if !m.Kind.Divides() {
		copy(nodes, p.Alone)
		copy(edges, p.Alone[g.N():])
		return CheckFinite(m.Name, g, &Scores{Nodes: nodes, Edges: edges}, r.Log)
	}
	byNode, byEdge := 1.0, 1.0
	if m.Kind == Dependencies {
		byNode, byEdge = BetweennessFactors(g, r)
	}
	readSums(nodes, p.Nodes, p.WideNodes, byNode)
	readSums(edges, p.Edges, p.WideEdges, byEdge)
	return CheckFinite(m.Name, g, &Scores{Nodes: nodes, Edges: edges}, r.Log)
}

// readSums sets out, unless it is nil, to factor times each sum.
func readSums(out []float64, sums *exact.Sums, wide []exact.Wide, factor float64) {
	switch {
	case out == nil:
	case wide != nil:
		for i := range out {
			out[i] = wide[i].Float() * factor
		}
	default:
		sums.Read(out, factor)
	}
}

// by returns what reads by how much each score was folded: demands, or else counts.
func by(demands []exact.Wide, counts []int64) func(i int) float64 {
	if demands != nil {
		return func(i int) float64 { return demands[i].Float() }
	}
	return func(i int) float64 { return float64(counts[i]) }
}

// folded returns what reads the folds: sums, or else the greatest distances.
func (p *Partial) folded(sums *exact.Sums, wide []exact.Wide, most []float64) func(i int) float64 {
	switch {
	case sums != nil:
		return sums.At
	case wide != nil:
		return func(i int) float64 { return wide[i].Float() }
	}
	return func(i int) float64 { return most[i] }
}

// scores makes scores of folds. It reports whether one was folded from no source, as that of an edge from a node to
// itself is.
func (f *distanceFold) scores(folded, counted func(i int) float64, others float64, r Request, out []float64) bool {
	var empty atomic.Bool
	inparts.Do(len(out), func(first, last int) {
		none := false
		for i := first; i < last; i++ {
			count := counted(i)
			none = none || count == 0
			out[i] = f.score(folded(i), count, others, r)
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
		inparts.Do(len(counts), func(first, last int) {
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

// BoundsOf returns the bounds of a request on a graph that is searched as it is, with lengths measured in units of
// 10^shift.
func BoundsOf(g *export.Graph, r Request, shift int) Bounds {
	b := Bounds{
		Mass: float64(g.N()), Sources: int64(r.SourceCount(g.N())), Longest: float64(g.N()), Shortest: 1,
		Volume: float64(g.Arcs()),
	}
	if !r.Weighted || len(g.Weights) == 0 {
		return b
	}
	least, most := g.WeightRange()
	if least <= 0 {
		least = math.Inf(1)
		for _, w := range g.Weights {
			if w > 0 {
				least = min(least, w)
			}
		}
	}
	b.Shortest = least
	unit := math.Pow10(shift)
	b.Longest, b.Shortest = most/unit*float64(g.N()), b.Shortest/unit
	return b
}

// Rounding bounds the relative error of the sums of distances, or of their inverses; 0 for other sums.
func (p *Partial) Rounding() float64 { return p.rounding }

// Widen has sums kept as sums of any size, where weights, or demands, differ by too many powers of ten for fixed point.
// It is for the partial result of no source.
func (p *Partial) Widen() {
	if p.Nodes != nil {
		p.WideNodes, p.Nodes = make([]exact.Wide, len(p.Nodes.Words)), nil
	}
	if p.Edges != nil {
		p.WideEdges, p.Edges = make([]exact.Wide, len(p.Edges.Words)), nil
	}
	p.rounding = 0
}

// ClearPaths forgets all sums of path counts.
func (p *Partial) ClearPaths() {
	clear(p.WideNodes)
	clear(p.WideEdges)
	p.Totals = Totals{}
	if p.Distance != nil {
		clear(p.Distance.Words)
	}
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
