package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// rangesKey is what several ranges share: a partial result of each.
type rangesKey struct{}

// addRanges adds what a pass over the ranges of all requests that share one finds for this request. The first of them
// makes the pass.
func (p plain) addRanges(ctx context.Context, into *kernels.Partial) error {
	found, err := kernels.Make(p.request.Shared, rangesKey{}, func() ([]*kernels.Partial, error) {
		return p.searchRanges(ctx)
	})
	if err != nil {
		return err
	}
	return into.Join(found[p.request.Place])
}

// searchRanges searches from each source once, to the greatest range, and adds up what lies within each.
func (p plain) searchRanges(ctx context.Context) ([]*kernels.Partial, error) {
	each := p.request.Ranges()
	limits, out, newWorkers := make([]float64, len(each)), make([]*kernels.Partial, len(each)),
		make([]searchWorkers, len(each))
	for i, r := range each {
		one := plain{task: task{p.measure, p.graph, r}, lengths: p.lengths, byLength: p.byLength}
		limits[i], out[i] = r.Within(), one.empty()
		newWorkers[i] = one.workersOf(out[i])
	}
	newSearches, keep := search.WithinEach(p.graph, p.lengths, limits), p.measure.Kind != kernels.FoldedDistances
	size := workers.ChunkSize(p.request.SourceCount(p.graph.N()))
	return out, workers.OverShard(ctx, p.graph.N(), size, p.request, kernels.Shard{},
		func(stop *stopper.Stopper) workers.Worker {
			all := make(workers.Each, len(each))
			for i, s := range newSearches(keep, stop) {
				all[i] = newWorkers[i](s, stop)
			}
			return all
		})
}

// searchWorkers makes workers that search from one source after another.
type searchWorkers func(s search.Search, stop *stopper.Stopper) workers.Joiner

// workersOf returns what makes the workers of a choice of pairs.
func (p plain) workersOf(into *kernels.Partial) searchWorkers {
	g, r, newMasses := p.graph, p.request, pairs.New(p.graph.N(), p.request.Pairs)
	switch p.measure.Kind {
	case kernels.Dependencies:
		results := workers.Shared(into)
		return func(s search.Search, stop *stopper.Stopper) workers.Joiner {
			return newPairWorker(g, r, s, newMasses(), stop, results.One())
		}
	case kernels.PathCounts:
		results := workers.Shared(into)
		return func(s search.Search, stop *stopper.Stopper) workers.Joiner {
			return newStressWorker(g, r, s, newMasses(), stop, results.One())
		}
	}
	newWorker := distances.Folders(p.measure, g, r, into)
	return func(s search.Search, _ *stopper.Stopper) workers.Joiner { return newWorker(s) }
}
