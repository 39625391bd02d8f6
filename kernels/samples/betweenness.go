// Package samples estimates betweenness on the CPU from samples: with a bound on the error, or of as many sources as
// each score needs.
package samples

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Betweenness samples until the accuracy is reached. The request must name no sources of its own. By hops it draws
// pairs of nodes and one shortest path of each; the share of paths through a node, of all pairs, is its score over
// n(n-1). By weights, and of large deep graphs, it draws sources: OfSources. Where exact scores are expected to take
// less work, it computes these. Scores depend on the seed, but not on the number of threads.
func Betweenness(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy,
) (scores *kernels.Scores, est *kernels.Estimate, err error) {
	m, _ := kernels.Lookup("betweenness")
	if err := errors.Join(m.Check(r), a.Check(r), a.CheckNodes(g.N())); err != nil {
		return nil, nil, err
	}
	plan, most, err := exactPlan(ctx, g, r)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !BySources(g, r, a, false):
		scores, est, err = Drawn(ctx, g, r, a, most)
	case r.Weighted:
		scores, est, err = DrawnSources(ctx, g, r, a, most)
	default:
		scores, est, err = drawnNear(ctx, g, r, a, most)
	}
	if err == nil && scores == nil {
		scores, err = cpu.Planned(ctx, m, g, r, plan)
	}
	if err != nil {
		return nil, nil, err
	}
	if a.Each && est.Exact {
		est.Nodes, est.Edges = make([]float64, len(scores.Nodes)), make([]float64, len(scores.Edges))
	}
	return scores, est, kernels.CheckFinite(m.Name, g, scores, false)
}

// checkGrowth is by how much a sample of pairs grows from one check to the next.
const checkGrowth = 1.15

// summerOfCPU is an adaptive.Summer that knows the totals of its searches.
type summerOfCPU interface {
	adaptive.Summer
	found() kernels.Totals
}

// DrawnSources is OfSources with the sums of the CPU. most is in arcs, as Drawn has it.
func DrawnSources(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	way, err := lanes.Choose(ctx, g, l, nil)
	if err != nil {
		return nil, nil, err
	}
	var s summerOfCPU
	strata := Strata(sync.OnceValue(func() []int32 { return order.Near(g) }))
	each := sourceArcs(g, lanes.Single)
	if way == lanes.Single || r.Edges {
		s = newSummer(g, r, search.Of(g, l))
	} else {
		s, each = newLaneSummer(g, l, r, way, strata), apartTime*sourceArcs(g, way)
	}
	scores, est, err := OfSources(ctx, g, r, a, s, strata, most/each)
	if scores != nil {
		scores.Totals, scores.Ties = s.found(), l.Ties()
	}
	return scores, est, err
}

// apartTime is the time of a source of a batch whose lanes are kept apart, over that of one whose are not (a guess).
const apartTime = 1.3

// Drawn is OfPairs with the tally of the CPU.
func Drawn(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	t := newTally(ctx, g, r)
	defer t.stop.Release()
	return OfPairs(ctx, g, r, a, t, most)
}

// exactIsLess is why no sample is taken.
const exactIsLess = "exact scores take less work than the sample"

// OfPairs samples pairs with a tally, until the accuracy is reached. There are no scores where exact ones are to be
// computed: where the sample is expected to take more than the given work, in arcs, or its paths cannot be counted. The
// estimate then says why.
func OfPairs(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, t adaptive.Tally, most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	s := newPairSample(g, r, a, t)
	ok, err := s.approximate(ctx, most)
	switch {
	case errors.Is(err, search.ErrWideCounts):
		s.why = err.Error()
	case err != nil:
		return nil, nil, err
	case ok:
		scores, err := s.finish()
		return scores, s.estimate, err
	}
	return nil, &kernels.Estimate{
		Request: r, Sources: g.N(), Confidence: a.Confidence, Checks: s.estimate.Checks, Exact: true, Why: s.why,
	}, nil
}

// exactPlan plans exact scores, and returns about their work as exactWork does.
func exactPlan(
	ctx context.Context, g *export.Graph, r kernels.Request,
) (plan *reductions.Plan, work float64, err error) {
	if plan, err = reductions.PlanBetweenness(ctx, g, r); err != nil {
		return nil, 0, err
	}
	work, err = exactWork(ctx, g, plan)
	return plan, work, err
}

// exactWork is about the work of exact scores in the unit of search.Pair: arcs looked at. An exact search shares arcs
// between sources and reads memory in order, so that an arc takes it less time.
func exactWork(ctx context.Context, g *export.Graph, plan *reductions.Plan) (work float64, err error) {
	left, way := 1.0, lanes.Single
	if plan.Reduced != nil {
		left = plan.About.WorkRatio
	}
	if plan.Reduced == nil || plan.Reduced.Whole() {
		if way, err = lanes.Choose(ctx, g, lengths.Hops{}, nil); err != nil {
			return 0, err
		}
	}
	return left * float64(g.N()) * sourceArcs(g, way), nil
}

// sourceArcs is about the work of a source in the same unit.
func sourceArcs(g *export.Graph, way lanes.Way) float64 {
	n, arcs := float64(g.N()), float64(g.Arcs())
	if way == lanes.Single {
		return exactArc * (n + arcs)
	}
	return exactNodeInLanes*n + exactArcInLanes*arcs
}

// exactArc is the time of one source and arc of an exact run over that of an arc of a drawn pair (a guess, note 030).
// Where searches start from many sources at a time, a source takes a time per node and little per arc (note 049).
const exactArc, exactNodeInLanes, exactArcInLanes = 0.5, 1.3, 0.015

// approximate draws a pilot sample that divides the probability of being wrong among the scores, and then a sample of
// its own until the accuracy is reached. It reports false when that would take more than the given work.
func (s *pairSample) approximate(ctx context.Context, most float64) (ok bool, err error) {
	if s.pairs.count == 0 || entriesOf(s.g, s.request) == 0 {
		s.estimate.Exact = true
		return true, nil
	}
	if s.accuracy.Seconds > 0 {
		return s.timed(ctx, most)
	}
	if ok, err := s.pilot(ctx, most); err != nil || !ok {
		return false, err
	}
	for need := float64(s.divide()); ; need = math.Ceil(need * checkGrowth) {
		if !s.pays(need, most) {
			return false, nil
		}
		if err := s.draw(ctx, mainStream, int64(need)); err != nil {
			return false, err
		}
		s.estimate.Checks++
		if ok, err := s.reached(); ok || err != nil {
			s.estimate.Pairs = s.drawn
			return ok, err
		}
	}
}

// pays reports whether so many pairs are expected to take no more than the given work. If not, it says why.
func (s *pairSample) pays(pairs, most float64) bool {
	work := pairs * s.perPair()
	if work <= most && pairs <= mostPairs {
		return true
	}
	s.why = fmt.Sprintf("%s, of %.2g pairs or more, which take %.2g times as much", exactIsLess, pairs, work/most)
	if s.last > 0 {
		what := "node"
		if s.ofEdge {
			what = "edge"
		}
		s.why += fmt.Sprintf("; %s number %d has about %.2g of all pairs, and the next ones hardly less", what,
			s.accuracy.Top, s.last*s.share())
	}
	return false
}

// mostPairs bounds a sample, so that its counts fit.
const mostPairs = 1 << 40

// Bytes bounds the memory of a sample with a bound beyond that of exact scores.
func Bytes(g kernels.Size, r kernels.Request) int64 {
	scores := int64(0)
	if r.Nodes {
		scores += g.Nodes
	}
	if r.Edges {
		scores += g.Edges
	}
	if r.Weighted {
		return sourcesBytes(g, r, scores)
	}
	threads := int64(workers.Threads(r))
	bytes := 28*scores + 16*g.Nodes + threads*search.PairBytes(g.Nodes)
	if mayBeNear(g.Nodes, g.Directed) {
		sources := 16*scores + threads*(32*scores+dependencies.HopsBytes(g.Nodes, g.Edges))
		bytes = max(bytes, sources) + order.NearBytes(g.Nodes, 2*g.Edges, false)
	}
	return bytes
}

// sourcesBytes is Bytes of a sample of sources.
func sourcesBytes(g kernels.Size, r kernels.Request, scores int64) int64 {
	threads := int64(workers.Threads(r))
	bytes := 16*scores + order.NearBytes(g.Nodes, 2*g.Edges, false)
	single := 32 * scores * threads
	if r.Edges {
		return bytes + single
	}
	width := lanesOfBatch(g.Nodes)
	inLanes := lanes.Bytes(g.Nodes, g.Edges, width*int(threads), int(threads), g.Directed, false) +
		threads*(lanes.ApartBytes(g.Nodes, width)+8*g.Nodes)
	return bytes + max(single, inLanes)
}
