// Package distances finds the distances from sources on the CPU, as rows or summed up.
package distances

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Rows calls row once for every source of the request (all nodes when it names none), in their order and from one
// goroutine at a time, with the distance from the source to every node: hops, or sums of weights when the request is
// weighted, and +Inf where there is no path. The slice is used again after row returns. An error of row ends the run.
// All pairs are a matrix of n rows: the callback decides how many of them are held at a time.
func Rows(
	ctx context.Context, g *export.Graph, r kernels.Request, row func(source int32, distances []float64) error,
) error {
	if err := r.CheckSources(g.N()); err != nil {
		return err
	}
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return err
	}
	newSearch := search.Of(g, l)
	return workers.OverChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) workers.Worker {
		return &rowWorker{
			search: newSearch(false, stop), units: math.Pow10(l.Shift()), distances: make([]float64, g.N()), row: row,
		}
	})
}

// Bytes bounds the memory of Rows, besides the graph and what row keeps, and of Summarize.
func Bytes(g kernels.Size, r kernels.Request) int64 {
	return lengths.Bytes(g.Edges, g.Directed, r.Weighted) + int64(workers.Threads(r))*(workers.SearchBytes(g, r)+8*g.Nodes)
}

type rowWorker struct {
	search    search.Search
	units     float64 // of the search's distances
	current   int32
	distances []float64
	row       func(source int32, distances []float64) error
}

func (w *rowWorker) Source(s int32) error {
	if err := w.search.From(s); err != nil {
		return err
	}
	w.current = s
	for v := range w.distances {
		w.distances[v] = math.Inf(1)
	}
	order := w.search.Found().Order
	for _, v := range order {
		w.distances[v] = w.search.Distance(v) * w.units
	}
	return fitting(s, order[len(order)-1], w.distances[order[len(order)-1]])
}

// fitting reports a distance that no float64 holds.
func fitting(source, target int32, distance float64) error {
	if !math.IsInf(distance, 1) {
		return nil
	}
	return export.NewNodesError(nil,
		"the distance from node %s to node %s overflows float64; use larger units for the weights", source, target)
}

func (w *rowWorker) Merge() error { return w.row(w.current, w.distances) }

// Summarize searches from every source of the request (all nodes when it names none).
func Summarize(ctx context.Context, g *export.Graph, r kernels.Request) (*kernels.DistanceSummary, error) {
	if err := r.CheckSources(g.N()); err != nil {
		return nil, err
	}
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, err
	}
	sum, units, newSearch := &summary{}, math.Pow10(l.Shift()), search.Of(g, l)
	single := func(stop *stopper.Stopper) workers.Worker {
		return &summarizer{search: newSearch(false, stop), units: units, all: sum}
	}
	err = workers.OverBatches(ctx, g, r, kernels.Shard{}, single, func(stop *stopper.Stopper) workers.Worker {
		return &batchSummarizer{search: search.NewMultiBFS(g, stop), all: sum}
	})
	if err != nil {
		return nil, err
	}
	mean := kernels.Quotient(sum.Distance, float64(sum.Pairs)) * units
	out := &kernels.DistanceSummary{Pairs: sum.Pairs, Mean: mean, Diameter: sum.diameter * units, Ties: l.Ties()}
	if !r.Weighted {
		out.Hops = sum.hops
	}
	return out, nil
}

type summary struct {
	kernels.Totals
	diameter float64
	hops     []int64
}

// level counts pairs that lie h levels apart.
func (d *summary) level(h int, pairs int64) {
	for len(d.hops) <= h {
		d.hops = append(d.hops, 0)
	}
	d.hops[h] += pairs
}

type summarizer struct {
	search search.Search
	units  float64 // of the search's distances
	own    summary
	all    *summary
}

func (w *summarizer) Source(s int32) error {
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	pairs.CountAll(&w.own.Totals, p, w.search)
	last := p.Order[len(p.Order)-1]
	if err := fitting(s, last, w.search.Distance(last)*w.units); err != nil {
		return err
	}
	w.own.diameter = max(w.own.diameter, w.search.Distance(last))
	for h := 1; h+1 < len(p.Levels); h++ {
		w.own.level(h, int64(p.Levels[h+1]-p.Levels[h]))
	}
	return nil
}

func (w *summarizer) Merge() error {
	w.all.join(&w.own)
	return nil
}

// join adds what from has, and clears it.
func (d *summary) join(from *summary) {
	pairs.MoveTotals(&d.Totals, &from.Totals)
	d.diameter = max(d.diameter, from.diameter)
	for h, pairs := range from.hops {
		d.level(h, pairs)
	}
	clear(from.hops)
}

// batchSummarizer searches from a batch of sources at a time.
type batchSummarizer struct {
	search *search.MultiBFS
	own    summary
	all    *summary
}

func (w *batchSummarizer) Source(s int32) error { return w.Batch([]int32{s}) }

func (w *batchSummarizer) Batch(sources []int32) error {
	return w.search.From(sources, func(depth int32) {
		pairs := int64(0)
		for _, v := range w.search.Level {
			pairs += int64(w.search.Fresh[v].Count())
		}
		w.own.Pairs += pairs
		w.own.Distance += float64(depth) * float64(pairs)
		w.own.diameter = max(w.own.diameter, float64(depth))
		w.own.level(int(depth), pairs)
	})
}

func (w *batchSummarizer) Merge() error {
	w.all.join(&w.own)
	return nil
}
