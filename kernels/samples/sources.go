package samples

import (
	"context"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// firstBatch is the number of sources before the first check; each batch makes the sample batchGrowth times as large.
const (
	firstBatch  = 128
	batchGrowth = 1.5
)

// bySources samples sources without replacement, in growing batches, until the accuracy is reached or all
// sources are searched. Scores are scaled by n/N and so unbiased for a sample of fixed size.
//
// The share x = dependency / (n-1) of a source lies in [0, 1], and the mean of x over all sources is the score over
// n(n-1). Its error is bounded by the empirical Bernstein-Serfling inequality for sampling without replacement (Bardenet
// and Maillard, Bernoulli 21(3), 2015, section 4), both sides, by a union over nodes and edges asked for, and over the
// checks, of which the i-th takes the share 1/(i(i+1)) of the probability to be wrong.
func bySources(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy,
) (*kernels.Scores, *kernels.Estimate, error) {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	s := newSample(g, r, search.Of(g, l))
	order := kernels.ShuffleSources(g.N(), g.N(), a.Seed)
	est, begun := &kernels.Estimate{Confidence: a.Confidence}, time.Now()
	for next := min(firstBatch, g.N()); ; next = min(int(batchGrowth*float64(next)), g.N()) {
		if err := s.search(ctx, r, order[s.count:next]); err != nil {
			return nil, nil, err
		}
		est.Checks++
		var reached bool
		if est.Bound, reached = s.reached(a, est.Checks); reached || a.Seconds > 0 && batchGrowth*time.Since(begun).Seconds() > a.Seconds {
			break
		}
	}
	est.Sources, est.Exact = s.count, s.count == g.N()
	est.Request = r
	est.Request.Sources = slices.Sorted(slices.Values(order[:s.count]))
	est.Request.Scale = kernels.Quotient(float64(g.N()), float64(s.count))
	nodes, edges := kernels.BetweennessFactors(g, est.Request)
	if a.Each && !est.Exact {
		all := float64(s.count) * float64(g.N()-1) // with the scale, n(n-1)
		est.Nodes, est.Edges = times(s.nodes.bound, nodes*all), times(s.edges.bound, edges*all)
	}
	s.nodes.scale(nodes)
	s.edges.scale(edges)
	out := &kernels.Scores{Nodes: s.nodes.sum, Edges: s.edges.sum, Totals: s.totals, Ties: l.Ties()}
	return out, est, nil
}

// sample is what is known of the dependencies of the sources searched so far.
type sample struct {
	g            *export.Graph
	newSearch    search.Maker
	count        int
	nodes, edges moments
	totals       kernels.Totals
}

func newSample(g *export.Graph, r kernels.Request, newSearch search.Maker) *sample {
	return &sample{g: g, newSearch: newSearch, nodes: newMoments(g.N(), r.Nodes), edges: newMoments(g.M(), r.Edges)}
}

func (s *sample) search(ctx context.Context, r kernels.Request, sources []int32) error {
	if len(sources) == 0 {
		return ctx.Err()
	}
	if told := r.Progress; told != nil {
		before := s.count
		r.Progress = func(done, _ int) { told(before+done, s.g.N()) }
	}
	r.Sources = sources
	s.count += len(sources)
	return workers.Over(ctx, s.g.N(), r, func(stop *stopper.Stopper) workers.Worker {
		own := s.newSearch(true, stop)
		return &sampleWorker{
			g: s.g, search: own, found: dependencies.NewFinder(s.g, own, stop), endpoints: r.Endpoints, all: s,
			nodes: newMoments(s.g.N(), r.Nodes), edges: newMoments(s.g.M(), r.Edges),
			nodeOnce: newMoments(s.g.N(), r.Nodes).sum, edgeOnce: newMoments(s.g.M(), r.Edges).sum,
		}
	})
}

// reached returns the greatest bound, and whether to stop.
func (s *sample) reached(a kernels.Accuracy, checks int) (bound float64, stop bool) {
	n := s.g.N()
	if s.count == n {
		return 0, true
	}
	union := float64(len(s.nodes.sum) + len(s.edges.sum))
	delta := (1 - a.Confidence) / (float64(checks) * float64(checks+1)) / max(union, 1)
	b := bernsteinSerfling(s.count, n, delta)
	s.nodes.bound, s.edges.bound = s.nodes.bounds(s.count, n, b), s.edges.bounds(s.count, n, b)
	bound = max(greatest(s.nodes.bound), greatest(s.edges.bound))
	if a.Top > 0 {
		return bound, s.nodes.separated(a.Top, s.nodes.bound, s.count, n) && s.edges.separated(a.Top, s.edges.bound, s.count, n)
	}
	return bound, bound <= a.Error
}

// sampleWorker sums the dependencies of a chunk of sources, and their squares.
type sampleWorker struct {
	g            *export.Graph
	search       search.Search
	found        *dependencies.Finder
	endpoints    bool
	nodes, edges moments
	// nodeOnce and edgeOnce have the dependencies of one source, and are 0 between sources.
	nodeOnce, edgeOnce []float64
	totals             kernels.Totals
	all                *sample
}

func (w *sampleWorker) Source(s int32) error {
	p, err := w.found.From(s, w.nodeOnce, w.edgeOnce)
	if err != nil {
		return err
	}
	if w.edgeOnce != nil {
		p.List()
	}
	pairs.CountAll(&w.totals, p, w.search)
	for i, v := range p.Order {
		if w.nodeOnce != nil {
			w.nodes.add(v, w.nodeOnce, w.ends(i, p))
		}
		if w.edgeOnce != nil {
			for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
				w.edges.add(w.g.Edge(w.g.Offsets[v]+int64(k)), w.edgeOnce, 0)
			}
		}
	}
	return nil
}

// ends is how many paths have the i-th node reached as an end that counts.
func (w *sampleWorker) ends(i int, p *search.Paths) float64 {
	switch {
	case !w.endpoints:
		return 0
	case i == 0:
		return float64(len(p.Order) - 1)
	}
	return 1
}

func (w *sampleWorker) Merge() error {
	w.all.nodes.join(w.nodes)
	w.all.edges.join(w.edges)
	pairs.MoveTotals(&w.all.totals, &w.totals)
	return nil
}
