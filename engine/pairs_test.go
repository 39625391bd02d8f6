package engine

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestPairsAreForTheCPU: a choice of targets goes to the CPU under auto, which says why, and is refused where a GPU is demanded. No
// device is asked.
func TestPairsAreForTheCPU(t *testing.T) {
	for _, p := range []Policy{Auto, CPU, GPU} {
		runner := stubRunner{out: &Outcome{Device: "Fake 9000"}}
		task := testTask(p)
		task.Request.Pairs = &kernels.Pairs{Within: 2, Targets: []int32{1}}
		out, err := onSlowCPU(&runner).Compute(t.Context(), task)
		switch {
		case runner.calls > 0:
			t.Errorf("%s: the device was asked", p)
		case p == GPU && (err == nil || !strings.Contains(err.Error(), whyOnlyCPU(task.Request))):
			t.Errorf("%s: %v", p, err)
		case p != GPU && (err != nil || out.Device != "cpu"):
			t.Errorf("%s: %v, %v", p, out, err)
		case p == Auto && (out.Reason != whyOnlyCPU(task.Request) || out.Fallback != protocol.NotOnGPU):
			t.Errorf("%s: because %s", p, out.Reason)
		}
		if _, err := onSlowCPU(&runner).Part(t.Context(), task); (err != nil) != (p == GPU) {
			t.Errorf("%s, in parts: %v", p, err)
		}
	}
}

// TestRangesGoToADevice: a range alone does not keep a task from a GPU.
func TestRangesGoToADevice(t *testing.T) {
	runner := stubRunner{out: &Outcome{Device: "Fake 9000"}}
	task := testTask(GPU)
	task.Request.Pairs = &kernels.Pairs{Within: 2}
	if _, err := onSlowCPU(&runner).Compute(t.Context(), task); runner.calls != 1 {
		t.Errorf("%d calls of the device, %v", runner.calls, err)
	}
}

// TestTopGoesToADevice: the highest scores by hops may be found by a GPU; by weights they are for the CPU, and so are parts.
func TestTopGoesToADevice(t *testing.T) {
	count := 2
	for _, weighted := range []bool{false, true} {
		runner := stubRunner{out: &Outcome{Device: "Fake 9000"}}
		task := testTask(GPU)
		task.Measure, task.Request = "closeness", kernels.Request{Nodes: true, Params: kernels.Params{Top: &count, Weighted: weighted}}
		_, err := onSlowCPU(&runner).Compute(t.Context(), task)
		switch {
		case !weighted && (err != nil || runner.calls != 1):
			t.Errorf("by hops: %d calls of the device, %v", runner.calls, err)
		case weighted && (err == nil || runner.calls != 0 || !strings.Contains(err.Error(), "top by weights is computed on the CPU")):
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
		"trips":             {Demand: &kernels.Demand{Trips: &kernels.Trips{Offsets: []int64{0, 1, 1}, Targets: []int32{1}, Amounts: []float64{3}}}},
	} {
		digest := parts.OptionsOf([]parts.Task{parts.TaskOf("betweenness", kernels.Request{Pairs: p}, parts.Way{Device: parts.CPU})})
		if other, ok := seen[digest]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[digest] = name
	}
}

// TestWeightedSamplesGoToADevice: a device that is predicted to be faster is asked for a sample by weights. Where its answer cannot be
// right, auto has the CPU draw the same.
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
