package kernels

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Distances calls row once for every source of the request (all nodes when it names none), in their order and from one
// goroutine at a time, with the distance from the source to every node: hops, or sums of weights when the request is
// weighted, and +Inf where there is no path. The slice is used again after row returns. An error of row ends the run.
// All pairs are a matrix of n rows: the callback decides how many of them are held at a time.
func Distances(ctx context.Context, g *export.Graph, r Request, row func(source int32, distances []float64) error) error {
	if err := r.CheckSources(g.N()); err != nil {
		return err
	}
	l, err := newLengths(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return err
	}
	newSearch := makerOf(g, l)
	return overChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) worker {
		return &rowWorker{search: newSearch(false, stop), units: math.Pow10(l.Shift()), distances: make([]float64, g.N()), row: row}
	})
}

// DistanceBytes bounds the memory of Distances, besides the graph and what row keeps, and of SummarizeDistances.
func DistanceBytes(g Size, r Request) int64 {
	return tickBytes(g, r) + int64(threads(r))*(batchedSearchBytes(g, r)+8*g.Nodes)
}

type rowWorker struct {
	search    search
	units     float64 // of the search's distances
	current   int32
	distances []float64
	row       func(source int32, distances []float64) error
}

func (w *rowWorker) source(s int32) error {
	if err := w.search.from(s); err != nil {
		return err
	}
	w.current = s
	for v := range w.distances {
		w.distances[v] = math.Inf(1)
	}
	order := w.search.found().order
	for _, v := range order {
		w.distances[v] = w.search.distance(v) * w.units
	}
	return fitting(s, order[len(order)-1], w.distances[order[len(order)-1]])
}

// fitting reports a distance that no float64 holds.
func fitting(source, target int32, distance float64) error {
	if !math.IsInf(distance, 1) {
		return nil
	}
	return export.NewNodesError(nil, "the distance from node %s to node %s overflows float64; use larger units for the weights", source, target)
}

func (w *rowWorker) merge() error { return w.row(w.current, w.distances) }

// SummarizeDistances searches from every source of the request (all nodes when it names none).
func SummarizeDistances(ctx context.Context, g *export.Graph, r Request) (*DistanceSummary, error) {
	if err := r.CheckSources(g.N()); err != nil {
		return nil, err
	}
	l, err := newLengths(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, err
	}
	sum, units, newSearch := &distanceSum{}, math.Pow10(l.Shift()), makerOf(g, l)
	single := func(stop *stopper.Stopper) worker {
		return &summaryWorker{search: newSearch(false, stop), units: units, all: sum}
	}
	err = overBatches(ctx, g, r, single, func(stop *stopper.Stopper) worker {
		return &summaryBatchWorker{search: newMultiBFS(g, stop), all: sum}
	})
	if err != nil {
		return nil, err
	}
	out := &DistanceSummary{Pairs: sum.Pairs, Mean: Quotient(sum.Distance, float64(sum.Pairs)) * units, Diameter: sum.diameter * units, Ties: l.Ties()}
	if !r.Weighted {
		out.Hops = sum.hops
	}
	return out, nil
}

type distanceSum struct {
	Totals
	diameter float64
	hops     []int64
}

// level counts pairs that lie h levels apart.
func (d *distanceSum) level(h int, pairs int64) {
	for len(d.hops) <= h {
		d.hops = append(d.hops, 0)
	}
	d.hops[h] += pairs
}

type summaryWorker struct {
	search search
	units  float64 // of the search's distances
	own    distanceSum
	all    *distanceSum
}

func (w *summaryWorker) source(s int32) error {
	if err := w.search.from(s); err != nil {
		return err
	}
	p := w.search.found()
	countPairs(&w.own.Totals, p, w.search)
	last := p.order[len(p.order)-1]
	if err := fitting(s, last, w.search.distance(last)*w.units); err != nil {
		return err
	}
	w.own.diameter = max(w.own.diameter, w.search.distance(last))
	for h := 1; h+1 < len(p.levels); h++ {
		w.own.level(h, int64(p.levels[h+1]-p.levels[h]))
	}
	return nil
}

func (w *summaryWorker) merge() error {
	w.all.join(&w.own)
	return nil
}

// join adds what from has, and clears it.
func (d *distanceSum) join(from *distanceSum) {
	moveTotals(&d.Totals, &from.Totals)
	d.diameter = max(d.diameter, from.diameter)
	for h, pairs := range from.hops {
		d.level(h, pairs)
	}
	clear(from.hops)
}

// summaryBatchWorker searches from a batch of sources at a time.
type summaryBatchWorker struct {
	search *multiBFS
	own    distanceSum
	all    *distanceSum
}

func (w *summaryBatchWorker) source(s int32) error { return w.batch([]int32{s}) }

func (w *summaryBatchWorker) batch(sources []int32) error {
	return w.search.from(sources, func(depth int32) {
		pairs := int64(0)
		for _, v := range w.search.level {
			pairs += int64(w.search.fresh[v].count())
		}
		w.own.Pairs += pairs
		w.own.Distance += float64(depth) * float64(pairs)
		w.own.diameter = max(w.own.diameter, float64(depth))
		w.own.level(int(depth), pairs)
	})
}

func (w *summaryBatchWorker) merge() error {
	w.all.join(&w.own)
	return nil
}
