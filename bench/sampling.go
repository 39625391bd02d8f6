package bench

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/correlation"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// Sampling compares the scores of a sample of sources with exact ones. The median of the relative errors is over the
// highest TopShare of nodes, and of edges, whose exact scores are not 0.
type Sampling struct {
	// Share of the nodes that the sample may search from, and C of adaptive.Sample; 0 for a plain sample.
	Share float64 `json:"share"`
	C     float64 `json:"c,omitempty"`
	// Searched is how many sources were searched from; Taken the median number that one of the highest nodes took.
	Searched int     `json:"searched"`
	Taken    float64 `json:"taken"`
	// Exact is the seconds of exact scores in the same way.
	Exact     float64 `json:"exact_seconds"`
	Error     float64 `json:"error"`
	EdgeError float64 `json:"edge_error"`
	// Top is the share of the highest nodes that the sample has among its highest, Spearman the rank correlation of all.
	Top      float64 `json:"top"`
	Spearman float64 `json:"spearman"`
}

// Speedup is the seconds of exact scores over those of the sample.
func (s *Sampling) Speedup(sample float64) float64 { return s.Exact / sample }

// adapter is an Engine that has adaptive samples.
type adapter interface {
	Adaptive(ctx context.Context, t engine.Task, a adaptive.Sample) (*engine.Outcome, []int32, error)
}

// samplingSeed draws the sources of samples.
const samplingSeed = 1

// sample measures a sample of sources against exact scores.
func (r *Runner) sample(ctx context.Context, p *prepared, m *measurement, out *Record) error {
	exact, err := r.exact(ctx, p, m)
	if err != nil {
		return err
	}
	n := p.snapshot.Graph.N()
	s := &Sampling{Share: m.Share, C: m.Adaptive, Exact: exact.Compute}
	limit := max(1, int(math.Round(m.Share*float64(n))))
	task := r.sampleTask(p, m)
	var got *engine.Outcome
	each := make([]int32, n)
	if m.Adaptive > 0 {
		e, ok := r.Engine.(adapter)
		if !ok {
			return errors.New("this engine has no adaptive samples")
		}
		got, each, err = e.Adaptive(ctx, task, adaptive.Sample{C: m.Adaptive, Limit: limit, Seed: samplingSeed})
	} else {
		task.Request.Sources, task.Request.Scale = kernels.Sample(n, limit, samplingSeed)
		got, err = r.Engine.Compute(ctx, task)
		for v := range each {
			each[v] = int32(limit)
		}
	}
	if err != nil {
		return err
	}
	s.compare(exact.Scores, got.Scores, each)
	out.Status, out.Reason, out.Device, out.Taken, out.Sources, out.Runs = OK, got.Reason, got.Device, taken(got),
		s.Searched, 1
	out.Finite, out.Seconds, out.Sampling = allFinite(got.Scores),
		Seconds{Compute: got.Compute, Preprocess: got.Preprocess, Elapsed: got.Elapsed}, s
	return nil
}

// compare fills in how far the scores are apart.
func (s *Sampling) compare(exact, got *kernels.Scores, taken []int32) {
	n := len(exact.Nodes)
	s.Searched = int(slices.Max(taken))
	k := max(1, int(TopShare*float64(n)))
	s.Error, s.EdgeError = medianError(exact.Nodes, got.Nodes, k),
		medianError(exact.Edges, got.Edges, max(1, int(TopShare*float64(len(exact.Edges)))))
	var of []float64
	for _, v := range highestPlaces(exact.Nodes, k) {
		of = append(of, float64(taken[v]))
	}
	s.Taken = median(of)
	s.Top, s.Spearman = correlation.Overlap(exact.Nodes, got.Nodes, k), correlation.Spearman(exact.Nodes, got.Nodes)
}

// medianError is the median of the relative errors of the k highest scores.
func medianError(exact, got []float64, k int) float64 {
	var all []float64
	for _, i := range highestPlaces(exact, min(k, len(exact))) {
		if exact[i] != 0 {
			all = append(all, math.Abs(got[i]-exact[i])/exact[i])
		}
	}
	return median(all)
}

func highestPlaces(values []float64, k int) []int {
	places := make([]int, len(values))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return places[:k]
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// exact computes the scores from all nodes, once for each graph, measure and device.
func (r *Runner) exact(ctx context.Context, p *prepared, m *measurement) (*engine.Outcome, error) {
	key := m.strategy
	if m.Weighted {
		key += " weighted"
	}
	if out := p.against[key]; out != nil {
		return out, nil
	}
	out, err := r.Engine.Compute(ctx, r.sampleTask(p, m))
	if err != nil {
		return nil, err
	}
	p.remember(key, out)
	return out, nil
}

// sampleTask asks for nodes and edges, by searches of the whole graph.
func (r *Runner) sampleTask(p *prepared, m *measurement) engine.Task {
	t := engine.Task{
		Measure: m.Measure, Snapshot: p.snapshot, Path: p.path, Device: engine.GPU, Strategy: "auto", Precision: Double,
		Request: kernels.Request{Params: kernels.Params{Weighted: m.Weighted}, Nodes: true, Edges: m.EdgeScores,
			Reduce: kernels.ReduceOff},
	}
	if m.onCPU() {
		t.Device = engine.CPU
	}
	return t
}
