package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// TestChosenPairsGoToADevice: a range, targets, masses of nodes and lists of pairs do not keep a task from a GPU.
func TestChosenPairsGoToADevice(t *testing.T) {
	masses := make([]float64, testTask(GPU).Snapshot.Graph.N())
	masses[1] = 2
	trips, _ := kernels.NewTrips(len(masses), []int32{0, 2}, []int32{1, 1}, []float64{3, 4})
	for name, p := range map[string]*kernels.Pairs{
		"a range": {Within: 2}, "targets": {Targets: []int32{1}},
		"masses":            {Demand: &kernels.Demand{Sources: masses, Targets: masses}},
		"listed pairs":      {Demand: &kernels.Demand{Trips: trips}},
		"masses of sources": {Within: 2, Targets: []int32{1}, Demand: &kernels.Demand{Sources: masses}},
	} {
		for _, device := range []Policy{GPU, Auto} {
			runner := stubRunner{out: &Outcome{Device: "Fake 9000"}}
			task := testTask(device)
			task.Request.Pairs = p
			if _, err := onSlowCPU(&runner).Compute(t.Context(), task); runner.calls != 1 {
				t.Errorf("%s, %s: %d calls of the device, %v", name, device, runner.calls, err)
			}
			r, err := onSlowCPU(&runner).Rank(t.Context(), task, 1<<40)
			if err != nil || r.First() == nil {
				t.Fatalf("%s: %v, %v", name, r, err)
			}
			for _, w := range r.Ways {
				if p.Within > 0 && p.Targets == nil || w.Device == plan.CPU && device == Auto {
					continue
				}
				if w.Device == plan.CPU || !strings.HasPrefix(w.Engine, plan.OneByOne) || w.Reductions != nil {
					t.Errorf("%s, %s: %s is among the ways", name, device, w.Name())
				}
			}
		}
	}
}

// TestTopGoesToADevice: the highest scores by hops may be found by a GPU; by weights they are for the CPU, and so are
// parts.
func TestTopGoesToADevice(t *testing.T) {
	count := 2
	for _, weighted := range []bool{false, true} {
		runner := stubRunner{out: &Outcome{Device: "Fake 9000"}}
		task := testTask(GPU)
		task.Measure, task.Request = "closeness",
			kernels.Request{Nodes: true, Params: kernels.Params{Top: &count, Weighted: weighted}}
		_, err := onSlowCPU(&runner).Compute(t.Context(), task)
		switch {
		case !weighted && (err != nil || runner.calls != 1):
			t.Errorf("by hops: %d calls of the device, %v", runner.calls, err)
		case weighted && (err == nil || runner.calls != 0 ||
			!strings.Contains(err.Error(), "top by weights is computed on the CPU")):
			t.Errorf("by weights: %d calls of the device, %v", runner.calls, err)
		}
		task.Device = Auto
		if p, err := onSlowCPU(&runner).Part(t.Context(), task); err != nil || p.run == nil {
			t.Errorf("parts, weighted %t: not on the CPU, %v", weighted, err)
		}
	}
}

// TestPairsAreInTheDigest: parts of other pairs do not belong together.
func TestPairsAreInTheDigest(t *testing.T) {
	seen := map[string]string{}
	for name, p := range map[string]*kernels.Pairs{
		"all": nil, "within 2": {Within: 2}, "within 3": {Within: 3}, "targets": {Targets: []int32{1}},
		"masses":            {Demand: &kernels.Demand{Sources: []float64{1, 2}}},
		"masses of targets": {Demand: &kernels.Demand{Targets: []float64{1, 2}}},
		"trips": {Demand: &kernels.Demand{Trips: &kernels.Trips{Offsets: []int64{0, 1, 1}, Targets: []int32{1},
			Amounts: []float64{3}}}},
	} {
		digest := parts.OptionsOf([]parts.Task{parts.TaskOf("betweenness", kernels.Request{Pairs: p},
			parts.Way{Device: parts.CPU})})
		if other, ok := seen[digest]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[digest] = name
	}
}

// TestWeightedSamplesGoToADevice: a device that is predicted to be faster is asked for a sample by weights. Where its
// answer cannot be right, auto has the CPU draw the same.
func TestWeightedSamplesGoToADevice(t *testing.T) {
	a := kernels.Accuracy{Error: 0.5, Confidence: 0.8}
	for p, calls := range map[Policy]int{CPU: 0, Auto: 1, GPU: 1} {
		runner := stubRunner{out: &Outcome{Device: "Fake 9000", Sampled: &protocol.Sampled{Sources: 6}}}
		task := testTask(p)
		task.Request.Weighted = true
		out, estimate, err := onSlowCPU(&runner).Approximate(t.Context(), task, a)
		switch code, _ := ReasonOf(err); {
		case runner.calls != calls:
			t.Errorf("%s: %d calls of the device, not %d", p, runner.calls, calls)
		case p == GPU && code != protocol.Protocol:
			t.Errorf("%s: %v", p, err)
		case p != GPU && (err != nil || out.Device != "cpu" || !estimate.Exact || estimate.Sources != 5):
			t.Errorf("%s: %+v, %+v, %v", p, out, estimate, err)
		}
	}
}

// sampler is a device that always gives a sample up, and notes for how much work it was asked at most.
type sampler struct {
	stubRunner
	most      []float64
	bySources []bool
}

func (s *sampler) run(_ context.Context, _ Task, o protocol.Order, _ []int32) (*Outcome, []float64, error) {
	s.most, s.bySources = append(s.most, o.Most), append(s.bySources, o.BySources)
	return &Outcome{Sampled: &protocol.Sampled{Why: "too much"}}, nil, nil
}

// TestSamplesWaitForAPlan: a sample of pairs that takes longer than a plan of reductions is drawn, or not, by what they
// leave.
func TestSamplesWaitForAPlan(t *testing.T) {
	road, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.Road, Width: 40, Height: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	task := testTask(GPU)
	task.Snapshot, task.Request = road, kernels.Request{Nodes: true}
	device := sampler{stubRunner: stubRunner{out: &Outcome{Device: "Fake 9000"}}}
	out, estimate, err := onSlowCPU(&device).Approximate(t.Context(), task, kernels.Accuracy{Error: 0.01, Confidence: 0.8})
	if err != nil || out.Device != "Fake 9000" || !estimate.Exact || device.calls != 1 {
		t.Fatalf("%+v, %+v, %v", out, estimate, err)
	}
	m, _ := kernels.Lookup(task.Measure)
	f := plan.Of(road.Graph, m, task.Request, false)
	left := plan.H200().Planning(f, f.Guess(), plan.GPU) * PairArcs
	if len(device.most) == 0 || device.most[0] != left || len(device.most) == 2 && device.most[1] <= left ||
		len(device.most) > 2 {
		t.Errorf("asked for at most %v, a plan is worth %v", device.most, left)
	}
	device.most, task.Request.Reduce = nil, kernels.ReduceOff
	if _, _, err := onSlowCPU(&device).Approximate(t.Context(), task,
		kernels.Accuracy{Error: 0.01, Confidence: 0.8}); err != nil || len(device.most) != 1 {
		t.Errorf("asked %v without reductions, %v", device.most, err)
	}
}

// TestDeepGraphsAreSampledBySources: a device is asked for sources of a large deep graph, no more than exact scores are
// predicted to take, and for pairs where too many sources would be needed.
func TestDeepGraphsAreSampledBySources(t *testing.T) {
	whole := samples.DeepNodes
	defer func() { samples.DeepNodes = whole }()
	samples.DeepNodes = 1000
	grid, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.Grid, Width: 60, Height: 60})
	if err != nil {
		t.Fatal(err)
	}
	task := testTask(GPU)
	task.Snapshot, task.Request = grid, kernels.Request{Nodes: true, Reduce: kernels.ReduceOff}
	for greatest, want := range map[float64]bool{0.1: true, 0.001: false} {
		device := sampler{stubRunner: stubRunner{out: &Outcome{Device: "Fake 9000"}}}
		_, e, err := onSlowCPU(&device).Approximate(t.Context(), task, kernels.Accuracy{Error: greatest, Confidence: 0.8})
		if err != nil || !e.Exact || !slices.Equal(device.bySources, []bool{want}) {
			t.Fatalf("error %v: sources %v, %+v, %v", greatest, device.bySources, e, err)
		}
		if most := device.most[0]; want && !(most > 0 && most <= float64(grid.Graph.N())) {
			t.Errorf("at most %v sources", most)
		}
	}
}

// TestWaysOfWeightedSamples: the ways are those of searches one by one, and of the CPU.
func TestWaysOfWeightedSamples(t *testing.T) {
	task := testTask(Auto)
	task.Request.Weighted, task.Sample = true, &kernels.Accuracy{Error: 0.5, Confidence: 0.8}
	r, err := onSlowCPU(&stubRunner{}).Rank(t.Context(), task, 1<<40)
	if err != nil || r.First() == nil || r.First().Device != plan.GPU {
		t.Fatalf("%v, %v", r, err)
	}
	for _, w := range r.Ways {
		if w.Device == plan.GPU && !strings.HasPrefix(w.Engine, plan.OneByOne) {
			t.Errorf("%s is among the ways", w.Name())
		}
	}
}
