package samples

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// firstBatch is the number of sources before the first check; each batch makes the sample batchGrowth times as large.
const (
	firstBatch  = 128
	batchGrowth = 1.5
)

// bySources is OfSources on the CPU.
func bySources(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy,
) (*kernels.Scores, *kernels.Estimate, error) {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	s := newSummer(g, r, search.Of(g, l))
	scores, est, err := OfSources(ctx, g, r, a, s, math.Inf(1))
	if err != nil {
		return nil, nil, err
	}
	scores.Totals, scores.Ties = s.totals, l.Ties()
	return scores, est, nil
}

// OfSources samples sources without replacement, in growing batches, until the accuracy is reached or all
// sources are searched. Scores are scaled by n/N and so unbiased for a sample of fixed size; their totals are left to the caller.
// It gives up, without scores, where the sample would take more than most sources: exact scores then take less work. The estimate then
// gives the reason.
//
// The share x = dependency / (n-1) of a source lies in [0, 1], and the mean of x over all sources is the score over
// n(n-1). Its error is bounded by the empirical Bernstein-Serfling inequality for sampling without replacement (Bardenet
// and Maillard, Bernoulli 21(3), 2015, section 4) on both sides. The probability of a wrong bound is divided evenly among the nodes and
// edges asked for, and among the checks: the i-th check gets the share 1/(i(i+1)).
func OfSources(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, by adaptive.Summer, most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	s := &sourceSample{g: g, request: r, accuracy: a, by: by, order: kernels.ShuffleSources(g.N(), g.N(), a.Seed), begun: time.Now()}
	if float64(leastSources(g, r, a)) > most {
		return nil, s.exactIsLess(), nil
	}
	for next := min(firstBatch, g.N()); ; next = min(int(batchGrowth*float64(next)), g.N()) {
		if float64(next) > most {
			return nil, s.exactIsLess(), nil
		}
		if enough, err := s.grow(ctx, next); err != nil {
			return nil, nil, err
		} else if enough {
			scores, est := s.finish()
			return scores, est, nil
		}
	}
}

// sourceSample is a sample of sources: the first count of the order.
type sourceSample struct {
	g            *export.Graph
	request      kernels.Request
	accuracy     kernels.Accuracy
	by           adaptive.Summer
	order        []int32
	count        int
	checks       int
	nodes, edges moments
	bound        float64 // of all scores
	begun        time.Time
}

// grow searches from more sources, and reports whether there are enough.
func (s *sourceSample) grow(ctx context.Context, until int) (enough bool, err error) {
	progress := func(int) {}
	if told, before := s.request.Progress, s.count; told != nil {
		progress = func(done int) { told(before+done, s.g.N()) }
	}
	if err := s.by.Search(ctx, s.order[s.count:until], progress); err != nil {
		return false, err
	}
	nodes, edges, err := s.by.Moments()
	if err != nil {
		return false, err
	}
	s.nodes, s.edges = moments{sum: nodes.Sums, squares: nodes.Squares}, moments{sum: edges.Sums, squares: edges.Squares}
	s.count, s.checks = until, s.checks+1
	reached := s.reached()
	seconds := s.accuracy.Seconds
	return reached || seconds > 0 && batchGrowth*time.Since(s.begun).Seconds() > seconds, nil
}

// reached sets the bounds, and reports whether the accuracy is reached.
func (s *sourceSample) reached() bool {
	n := s.g.N()
	if s.count == n {
		s.bound = 0
		return true
	}
	b := boundOf(s.g, s.request, s.accuracy, s.count, s.checks)
	s.nodes.bound, s.edges.bound = s.nodes.bounds(s.count, n, b), s.edges.bounds(s.count, n, b)
	s.bound = max(greatest(s.nodes.bound), greatest(s.edges.bound))
	if k := s.accuracy.Top; k > 0 {
		return s.nodes.separated(k, s.nodes.bound, s.count, n) && s.edges.separated(k, s.edges.bound, s.count, n)
	}
	return s.bound <= s.accuracy.Error
}

// checkShare is the probability to be wrong that a score has at a check.
func checkShare(g *export.Graph, r kernels.Request, a kernels.Accuracy, check int) float64 {
	return (1 - a.Confidence) / (float64(check) * float64(check+1)) / max(float64(entriesOf(g, r)), 1)
}

// finish makes scores of the sums.
func (s *sourceSample) finish() (*kernels.Scores, *kernels.Estimate) {
	est := SearchedFrom(s.g, s.request, s.accuracy, s.count)
	est.Bound, est.Checks = s.bound, s.checks
	nodes, edges := kernels.BetweennessFactors(s.g, est.Request)
	if s.accuracy.Each && !est.Exact {
		all := float64(s.count) * float64(s.g.N()-1) // with the scale, n(n-1)
		est.Nodes, est.Edges = times(s.nodes.bound, nodes*all), times(s.edges.bound, edges*all)
	}
	s.nodes.scale(nodes)
	s.edges.scale(edges)
	return &kernels.Scores{Nodes: s.nodes.sum, Edges: s.edges.sum}, est
}

func (s *sourceSample) exactIsLess() *kernels.Estimate {
	return &kernels.Estimate{
		Request: s.request, Sources: s.g.N(), Confidence: s.accuracy.Confidence, Checks: s.checks, Exact: true, Why: exactIsLess,
	}
}

// SearchedFrom returns the estimate of a sample of count sources. Its bounds and number of checks are left to the caller.
func SearchedFrom(g *export.Graph, r kernels.Request, a kernels.Accuracy, count int) *kernels.Estimate {
	est := &kernels.Estimate{Request: r, Sources: count, Confidence: a.Confidence, Exact: count == g.N()}
	est.Request.Sources = slices.Sorted(slices.Values(kernels.ShuffleSources(g.N(), count, a.Seed)))
	est.Request.Scale = kernels.Quotient(float64(g.N()), float64(count))
	return est
}

// LeastRequest is the request for exact scores from as many sources as a sample of sources takes at least: what a prediction of its
// time goes by.
func LeastRequest(g *export.Graph, r kernels.Request, a kernels.Accuracy) kernels.Request {
	r.Sources, r.Reduce = kernels.DrawSources(g.N(), leastSources(g, r, a), a.Seed), kernels.ReduceOff
	return r
}

// leastSources is the number of sources that a sample takes at least: those with which the first check would find the error, if all
// sources had the same dependencies.
func leastSources(g *export.Graph, r kernels.Request, a kernels.Accuracy) int {
	return sourcesFor(g, func(count, _ int) bool { return a.Error == 0 || boundOf(g, r, a, count, 1)(0) <= a.Error })
}

// mostSources is the number of sources that a sample takes at most: those with which a check finds the error, if the dependencies of
// sources differ as much as numbers from 0 to 1 can.
func mostSources(g *export.Graph, r kernels.Request, a kernels.Accuracy) int {
	return sourcesFor(g, func(count, check int) bool { return a.Error > 0 && boundOf(g, r, a, count, check)(0.5) <= a.Error })
}

// sourcesFor is the first number of sources at which a sample is checked that is enough, or all.
func sourcesFor(g *export.Graph, enough func(count, check int) bool) int {
	count := min(firstBatch, g.N())
	for check := 1; count < g.N() && !enough(count, check); check++ {
		count = min(int(batchGrowth*float64(count)), g.N())
	}
	return count
}

// boundOf is the bound on the error of each score at a check, by its deviation.
func boundOf(g *export.Graph, r kernels.Request, a kernels.Accuracy, count, check int) func(deviation float64) float64 {
	return bernsteinSerfling(count, g.N(), checkShare(g, r, a, check))
}
