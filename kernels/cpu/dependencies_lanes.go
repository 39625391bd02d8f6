package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// overLanes has workers take up to lanes.MaxLanes sources at a time. A shard has whole batches of so many. How many a
// batch has here depends on the threads, and the result does not. Pairs may count by masses of nodes, the same for
// sources and targets.
func overLanes(
	ctx context.Context, g *export.Graph, way lanes.Way, l lengths.Lengths, r kernels.Request, shard kernels.Shard,
	newWorker func(newSearch func(lanes.Sums) *lanes.Search, stop *stopper.Stopper) workers.Worker,
) error {
	all := lanes.In(way, g, l, order.OrAll(g, r.Sources), r.Edges)
	if r.Pairs != nil {
		all.Weigh(r.Pairs.Demand.Targets)
	}
	first, last := shard.Part((len(all.Sources) + lanes.MaxLanes - 1) / lanes.MaxLanes)
	r.Sources = all.Sources[min(first*lanes.MaxLanes, len(all.Sources)):min(last*lanes.MaxLanes, len(all.Sources))]
	width := lanes.Width(int64(g.N()), len(r.Sources), workers.Threads(r))
	return workers.OverShard(ctx, g.N(), width, r, kernels.Shard{}, func(stop *stopper.Stopper) workers.Worker {
		return newWorker(func(sums lanes.Sums) *lanes.Search { return lanes.NewSearch(all, width, sums, stop) }, stop)
	})
}

// addInLanes is addDependencies from up to lanes.MaxLanes sources at a time.
func addInLanes(
	ctx context.Context, g *export.Graph, way lanes.Way, l lengths.Lengths, r kernels.Request, shard kernels.Shard,
	into *kernels.Partial,
) error {
	newSearch := search.Of(g, l)
	newMasses, results := pairs.New(g.N(), r.Pairs), workers.Shared(into)
	edges := 0
	if into.Edges != nil {
		edges = g.M()
	}
	return overLanes(ctx, g, way, l, r, shard,
		func(inLanes func(lanes.Sums) *lanes.Search, stop *stopper.Stopper) workers.Worker {
			return &lanesWorker{
				search: inLanes(lanes.NewSums(g.N(), edges, into.Scale(), r.Endpoints)), Result: results.One(),
				newSingle: func() *pairWorker { return newPairWorker(g, r, newSearch(true, stop), newMasses(), stop, nil) },
			}
		})
}

// lanesWorker sums the dependencies of a batch of sources at a time.
type lanesWorker struct {
	*workers.Result
	search    *lanes.Search
	newSingle func() *pairWorker
	single    *pairWorker // made when first needed
	totals    kernels.Totals
}

// Source sums those of one source.
func (w *lanesWorker) Source(s int32) error { return w.Batch([]int32{s}) }

func (w *lanesWorker) Batch(sources []int32) error { return fromBatch(w.search, sources, w.alone) }

// fromBatch searches from a batch of sources, and alone from each whose path counts do not fit a lane.
func fromBatch(search *lanes.Search, sources []int32, alone func(s int32) error) error {
	left, err := search.From(sources)
	if err != nil {
		return err
	}
	for _, s := range left {
		if err := alone(s); err != nil {
			return err
		}
	}
	return nil
}

// alone searches from a source whose path counts do not fit a lane.
func (w *lanesWorker) alone(s int32) error {
	if w.single == nil {
		w.single = w.newSingle()
	}
	if err := w.single.Source(s); err != nil {
		return err
	}
	w.search.Add(w.single.nodes, w.single.edges)
	w.single.reach.Forget()
	pairs.MoveTotals(&w.totals, &w.single.totals)
	return nil
}

func (w *lanesWorker) Merge() error {
	w.Add(func(into *kernels.Partial) {
		count, distance := w.search.Move(into.Nodes, into.Edges)
		w.totals.Pairs += count
		w.totals.Distance += distance
		pairs.JoinTotals(into, &w.totals)
	})
	return nil
}
