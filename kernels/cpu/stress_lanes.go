package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// addPathsInLanes is addPathCounts from up to lanes.MaxLanes sources at a time.
func addPathsInLanes(
	ctx context.Context, g *export.Graph, way lanes.Way, l lengths.Lengths, r kernels.Request, shard kernels.Shard,
	newSingle func(stop *stopper.Stopper) *stressWorker, into *kernels.Partial,
) error {
	edges := 0
	if r.Edges {
		edges = g.M()
	}
	results := workers.Shared(into)
	return overLanes(ctx, g, way, l, r, shard,
		func(inLanes func(lanes.Sums) *lanes.Search, stop *stopper.Stopper) workers.Worker {
			return &pathsWorker{
				search: inLanes(lanes.NewPathSums(g.N(), edges)), Result: results.One(),
				newSingle: func() *stressWorker { return newSingle(stop) },
			}
		})
}

// pathsWorker sums the numbers of paths of a batch of sources at a time.
type pathsWorker struct {
	*workers.Result
	search    *lanes.Search
	newSingle func() *stressWorker
	single    *stressWorker // made when first needed
	// nodes and edges are the sums of the sources that single has searched from. Each is a term of its own, whatever batch
	// it was in.
	nodes, edges []exact.Wide
	totals       kernels.Totals
}

// Source sums those of one source.
func (w *pathsWorker) Source(s int32) error { return w.Batch([]int32{s}) }

func (w *pathsWorker) Batch(sources []int32) error { return fromBatch(w.search, sources, w.alone) }

// alone searches from a source whose path counts do not fit a lane.
func (w *pathsWorker) alone(s int32) error {
	if w.single == nil {
		w.single = w.newSingle()
		w.nodes, w.edges = make([]exact.Wide, len(w.single.own.nodes)), make([]exact.Wide, len(w.single.own.edges))
	}
	if err := w.single.Source(s); err != nil {
		return err
	}
	moveWide(w.nodes, w.single.own.nodes)
	moveWide(w.edges, w.single.own.edges)
	pairs.MoveTotals(&w.totals, &w.single.totals)
	return nil
}

func (w *pathsWorker) Merge() error {
	w.Add(func(into *kernels.Partial) {
		count, distance := w.search.MovePaths(into.WideNodes, into.WideEdges)
		w.totals.Pairs += count
		w.totals.Distance += distance
		pairs.JoinTotals(into, &w.totals)
		exact.JoinWides(into.WideNodes, w.nodes)
		exact.JoinWides(into.WideEdges, w.edges)
	})
	clear(w.nodes)
	clear(w.edges)
	return nil
}
