package samples

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// laneSummer is the adaptive.Summer of the CPU that searches from many sources at a time. It is for scores of nodes.
type laneSummer struct {
	g           *export.Graph
	lengths     lengths.Lengths
	request     kernels.Request
	way         lanes.Way
	strata      Strata
	all         *lanes.Batches // once there are sources
	sums        *exact.Sums
	differences []float64
	totals      kernels.Totals
}

func newLaneSummer(
	g *export.Graph, l lengths.Lengths, r kernels.Request, way lanes.Way, strata Strata,
) *laneSummer {
	m, _ := kernels.Lookup("betweenness")
	into := kernels.NewPartial(m, g.N(), 0, r, kernels.BoundsOf(g, r, 0))
	return &laneSummer{
		g: g, lengths: l, request: r, way: way, strata: strata, sums: into.Nodes, differences: make([]float64, g.N()),
	}
}

// laneThreads takes part in the memory of a batch, as the number of threads does in other runs: sums of floats depend
// on how many lanes a batch has.
const laneThreads = 4

// lanesOfBatch is how many sources a batch has, an even number.
func lanesOfBatch(nodes int64) int {
	return lanes.Width(nodes, laneThreads*lanes.MaxLanes, laneThreads)
}

// Few sources make fewBatches batches, of leastLanes at least, so that many threads have some.
const fewBatches, leastLanes = 16, 8

// Search implements adaptive.Summer.
func (s *laneSummer) Search(ctx context.Context, sources []int32, progress func(done int)) error {
	switch {
	case s.all != nil:
	case s.way == lanes.Distances && !s.request.Weighted:
		s.all = lanes.OfSample(s.g, s.strata())
	default:
		s.all = lanes.In(s.way, s.g, s.lengths, sources, false)
	}
	width, r := lanesOfBatch(int64(s.g.N())), searching(s.request, sources, progress)
	width = min(width, max(leastLanes, even(float64(len(sources))/fewBatches)))
	return workers.OverChunks(ctx, s.g.N(), width, r, func(stop *stopper.Stopper) workers.Worker {
		w := &laneWorker{
			search:      lanes.NewSearch(s.all, width, lanes.NewSums(s.g.N(), 0, s.sums.Scale, s.request.Endpoints), stop),
			differences: make([]float64, s.g.N()), all: s, stop: stop,
		}
		w.search.Apart()
		return w
	})
}

// Moments implements adaptive.Summer.
func (s *laneSummer) Moments() (nodes, edges adaptive.Moments, err error) {
	return adaptive.Moments{Sums: s.sums.Values(), Differences: s.differences}, adaptive.Moments{}, nil
}

// Clear implements adaptive.Summer.
func (s *laneSummer) Clear() {
	clear(s.sums.Words)
	clear(s.differences)
	s.totals = kernels.Totals{}
}

func (s *laneSummer) found() kernels.Totals { return s.totals }

// laneWorker searches from a batch of sources at a time.
type laneWorker struct {
	search      *lanes.Search
	differences []float64
	totals      kernels.Totals
	stop        *stopper.Stopper
	all         *laneSummer
	// single searches from sources whose counts of paths do not fit a lane; made when first needed.
	single *summerWorker
}

// Source is not called: a chunk is a batch.
func (w *laneWorker) Source(s int32) error { return w.Batch([]int32{s}) }

func (w *laneWorker) Batch(sources []int32) error {
	left, err := w.search.From(sources)
	if err != nil {
		return err
	}
	for lane, s := range sources {
		if len(left) == 0 || left[0] != s {
			continue
		}
		left = left[1:]
		if err := w.alone(lane, s); err != nil {
			return err
		}
	}
	w.search.Differences(w.differences)
	return nil
}

func (w *laneWorker) alone(lane int, s int32) error {
	g, r := w.all.g, w.all.request
	if w.single == nil {
		w.single = &summerWorker{g: g, newSearch: search.Of(g, w.all.lengths), stop: w.stop, endpoints: r.Endpoints}
	}
	into := once{nodes: make([]float64, g.N())}
	if err := w.single.from(s, &into); err != nil {
		return err
	}
	w.search.AddLane(lane, into.nodes)
	pairs.MoveTotals(&w.totals, &w.single.totals)
	return nil
}

func (w *laneWorker) Merge() error {
	count, distance := w.search.Move(w.all.sums, nil)
	w.totals.Pairs += count
	w.totals.Distance += distance
	pairs.MoveTotals(&w.all.totals, &w.totals)
	for v, d := range w.differences {
		w.all.differences[v] += d
	}
	clear(w.differences)
	return nil
}
