package samples

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// HasIntervals reports whether scores of a sample of sources have intervals: harmonic closeness, and closeness of
// undirected graphs, of which all pairs count.
func HasIntervals(m kernels.Measure, directed bool, r kernels.Request) bool {
	fold, folds := kernels.FoldOf(m.Name)
	return folds && m.BySource && r.Pairs == nil && (fold == kernels.FoldInverse || !directed)
}

// Intervals bounds the errors of scores that were made from r.Sources, drawn from all nodes without replacement, each
// in its own unit. With the given probability they hold for all scores at once. See HasIntervals.
//
// An interval is Chernoff's, of values between 0 and 1. It holds for draws without replacement as well (Hoeffding 1963,
// section 6). Of harmonic closeness the values are inverse distances times the length of the lightest arc into the
// node. Of closeness they are distances, in proportion to the greatest that there can be: that from the node to some
// node of its component, and from there to the farthest. Only drawn nodes of the component count, because how many
// these are says nothing about distances. The interval of the mean distance is then inverted.
func Intervals(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, scores *kernels.Scores, confidence float64,
) (*kernels.Estimate, error) {
	i := &intervals{graph: g, request: r,
		log: math.Log(2 * float64(len(scores.Nodes)+len(scores.Edges)) / (1 - confidence))}
	i.lightest = lightestInto(g, r.Weighted)
	bound := i.harmonic
	if fold, _ := kernels.FoldOf(m.Name); fold == kernels.FoldSum {
		bound = i.closeness
		if err := i.reach(ctx); err != nil {
			return nil, err
		}
	}
	out := &kernels.Estimate{
		Request: r, Sources: len(r.Sources), Confidence: confidence, OfScores: true, Checks: 1,
		Nodes: make([]float64, len(scores.Nodes)), Edges: make([]float64, len(scores.Edges)),
	}
	for v, score := range scores.Nodes {
		out.Nodes[v] = bound(score, int32(v), int32(v))
	}
	source, target := g.Ends()
	for e, score := range scores.Edges {
		out.Edges[e] = bound(score, source[e], target[e])
	}
	out.Bound = max(greatest(out.Nodes), greatest(out.Edges))
	return out, nil
}

// intervals are what bounds on errors are made of.
type intervals struct {
	graph    *export.Graph
	request  kernels.Request
	log      float64
	lightest []float64 // the length of the lightest arc into each node; +Inf for none
	// of closeness: the greatest distance from each node, as far as that is known, its component, and how many nodes, and
	// drawn ones, each component has
	farthest    []float64
	component   []int32
	size, drawn []int
	isDrawn     []bool
}

// harmonic bounds the error of a score of the edge between two nodes, or of a node with itself.
func (i *intervals) harmonic(score float64, u, v int32) float64 {
	least, n, others := min(i.lightest[u], i.lightest[v]), float64(i.graph.N()), i.others(u, v)
	if math.IsInf(least, 0) || others < 1 {
		return 0
	}
	factor := n / least // of a score and a mean
	if r := i.request; r.Normalized == nil || *r.Normalized {
		factor /= others
	}
	below, above := i.limits(score/factor, len(i.request.Sources))
	return max(below, above) * factor
}

// closeness bounds the error of a score as harmonic does.
func (i *intervals) closeness(score float64, u, v int32) float64 {
	all, drawn := i.size[i.component[v]]-1, i.drawn[i.component[v]]-count(i.isDrawn[v])
	if u != v {
		all, drawn = all-1, drawn-count(i.isDrawn[u])
	}
	if all < 1 {
		return 0
	}
	least, most := min(i.lightest[u], i.lightest[v]), min(i.farthest[u], i.farthest[v])
	near, far := least, most
	if drawn > 0 {
		mean := i.meanOf(score, float64(drawn), i.others(u, v))
		below, above := i.limits(mean/most, drawn)
		near, far = max(least, mean-below*most), min(most, mean+above*most)
	}
	best, worst := i.scoreOf(near, float64(all), i.others(u, v)), i.scoreOf(far, float64(all), i.others(u, v))
	return max(math.Abs(best-score), math.Abs(score-worst))
}

// meanOf is the mean distance that a score was made of, from so many drawn nodes.
func (i *intervals) meanOf(score, drawn, others float64) float64 {
	switch i.request.Variant {
	case kernels.WassermanFaust:
		return drawn * i.request.Scale / (others * score)
	case kernels.Classic:
		return 1 / (score * i.request.Scale * drawn)
	}
	return 1 / score
}

// scoreOf is the exact score of a mean distance from so many nodes.
func (i *intervals) scoreOf(mean, all, others float64) float64 {
	switch i.request.Variant {
	case kernels.WassermanFaust:
		return all / (others * mean)
	case kernels.Classic:
		return 1 / (all * mean)
	}
	return 1 / mean
}

// others is how many nodes there are but the ends.
func (i *intervals) others(u, v int32) float64 {
	if u == v {
		return float64(i.graph.N() - 1)
	}
	return float64(i.graph.N() - 2)
}

// limits returns how far below and above the mean of so many draws, between 0 and 1, the truth may lie.
func (i *intervals) limits(mean float64, draws int) (under, over float64) {
	limit := i.log / float64(draws)
	mean = min(mean, 1)
	return below(mean, limit), above(mean, limit)
}

// reach finds components, and bounds distances within each by one search.
func (i *intervals) reach(ctx context.Context) error {
	g := i.graph
	l, err := lengths.New(ctx, g, i.request.Weighted, i.request.Tolerance)
	if err != nil {
		return err
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	s, unit := search.Of(g, l)(false, stop), math.Pow10(l.Shift())
	i.farthest, i.component, i.isDrawn = make([]float64, g.N()), make([]int32, g.N()), make([]bool, g.N())
	for _, v := range i.request.Sources {
		i.isDrawn[v] = true
	}
	for v := range i.component {
		i.component[v] = -1
	}
	for v := range int32(g.N()) {
		if i.component[v] >= 0 {
			continue
		}
		if err := s.From(v); err != nil {
			return err
		}
		i.add(s, unit)
	}
	return nil
}

// add adds the component that a search found.
func (i *intervals) add(s search.Search, unit float64) {
	found, drawn, farthest := s.Found().Order, 0, 0.0
	for _, v := range found {
		farthest = max(farthest, s.Distance(v))
	}
	for _, v := range found {
		i.component[v], i.farthest[v] = int32(len(i.size)), (farthest+s.Distance(v))*unit*(1+1e-9)
		drawn += count(i.isDrawn[v])
	}
	i.size, i.drawn = append(i.size, len(found)), append(i.drawn, drawn)
}

// lightestInto returns the length of the lightest arc into each node; +Inf for none.
func lightestInto(g *export.Graph, weighted bool) []float64 {
	out := make([]float64, g.N())
	for v := range out {
		out[v] = math.Inf(1)
	}
	for k, v := range g.Targets {
		length := 1.0
		if weighted && g.Weights != nil {
			length = g.Weights[k]
		}
		out[v] = min(out[v], length)
	}
	return out
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
