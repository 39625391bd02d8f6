package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// stubRunner stands for a device in tests of the policy alone.
type stubRunner struct {
	out *Outcome
	err error
	// calls counts what was to be computed, asked the questions for devices.
	calls, asked int
	warmed       bool
}

func (s *stubRunner) compute(context.Context, kernels.Measure, Task) (*Outcome, error) {
	s.calls++
	return s.out, s.err
}

func (s *stubRunner) run(context.Context, Task, protocol.Order, []int32) (*Outcome, []float64, error) {
	s.calls++
	return s.out, nil, s.err
}

func (s *stubRunner) ready(context.Context) error {
	s.calls++
	return s.err
}

func (s *stubRunner) shards(context.Context, Task, protocol.Order) (*shardedRun, error) {
	s.calls++
	return nil, s.err
}

// devices is there unless nothing can be used at all.
func (s *stubRunner) devices(context.Context) ([]DeviceInfo, error) {
	s.asked++
	if r, _ := ReasonOf(s.err); r.Missing() && r != protocol.NotOnGPU {
		return nil, s.err
	}
	return []DeviceInfo{slowCPU}, nil
}

func (s *stubRunner) warm() bool        { return s.warmed }
func (s *stubRunner) session() *Session { return nil }

// slowCPU is the device of tests whose tasks a GPU computes first: see onSlowCPU.
var slowCPU = DeviceInfo{Name: "Fake 9000", SMs: 132, L2: 50 << 20, Total: 80 << 30, Free: 80 << 30}

// onSlowCPU is an engine with a CPU so slow that it ranks the device first.
func onSlowCPU(r deviceRunner) *Engine {
	rates := plan.H200()
	rates.Factors.CPU = 1e9
	return &Engine{device: r, book: rateBook{rates: map[rateKey]*plan.Rates{{slowCPU.Name, slowCPU.Driver}: rates}}}
}

func TestPolicy(t *testing.T) {
	done := &Outcome{Device: "Fake 9000"}
	plain := errors.New("the weight of edge 7 is lost")
	noWorker, noWorkerCode := "no GPU on this machine", protocol.Reason("")
	if DriverLoaded() {
		noWorker, noWorkerCode = "the GPU of this machine is not used: x", protocol.NoWorker
	}
	for _, c := range []struct {
		name    string
		policy  Policy
		measure string
		runner  stubRunner
		device  string // "" for an error
		reason  string // how the reason, or the error, begins
		calls   int
		code    protocol.Reason // of the fallback
		told    bool            // whether a summary names the reason
	}{
		{"cpu never asks", CPU, "betweenness", stubRunner{out: done}, "cpu", "the CPU was asked for", 0, "", false},
		{"auto takes the device", Auto, "betweenness", stubRunner{out: done}, "Fake 9000", "", 1, "", false},
		{"no policy is auto", "", "betweenness", stubRunner{out: done}, "Fake 9000", "", 1, "", false},
		{"gpu takes the device", GPU, "betweenness", stubRunner{out: done}, "Fake 9000", "", 1, "", false},
		{"auto needs no worker", Auto, "betweenness", stubRunner{err: refuse(protocol.NoWorker, "x")}, "cpu", noWorker, 1,
			noWorkerCode, false},
		{"auto falls back without a driver", Auto, "betweenness", stubRunner{err: refuse(protocol.NoDriver, "x")}, "cpu",
			"no GPU on this machine: x", 1, protocol.NoDriver, true},
		{"auto falls back without a device", Auto, "betweenness", stubRunner{err: refuse(protocol.NoDevice, "x")}, "cpu",
			"no GPU on this machine: x", 1, protocol.NoDevice, true},
		{"auto falls back when the worker is broken", Auto, "betweenness",
			stubRunner{err: refuse(protocol.BrokenWorker, "x")}, "cpu", "no GPU: x; computed on the CPU", 1,
			protocol.BrokenWorker, true},
		{"auto falls back when it fails", Auto, "betweenness", stubRunner{err: refuse(protocol.LaunchFailed, "x")}, "cpu",
			"the GPU failed: x; computed on the CPU", 1, protocol.LaunchFailed, true},
		{"auto falls back when it is too small", Auto, "betweenness", stubRunner{err: refuse(protocol.TooLarge, "x")}, "cpu",
			"too large for the GPU: x; computed on the CPU", 1, protocol.TooLarge, true},
		{"auto falls back on some graphs", Auto, "betweenness", stubRunner{err: refuse(protocol.NotOnGPU, "x")}, "cpu",
			"not possible on a GPU: x; computed on the CPU", 1, protocol.NotOnGPU, true},
		{"gpu fails when there is none", GPU, "betweenness", stubRunner{err: refuse(protocol.NoDevice, "none")}, "",
			"no GPU: none", 1, "", false},
		{"gpu fails when it fails", GPU, "betweenness", stubRunner{err: refuse(protocol.Crashed, "x")}, "",
			"the GPU failed: x", 1, "", false},
		{"a bad task never falls back", Auto, "betweenness", stubRunner{err: plain}, "", plain.Error(), 1, "", false},
		{"auto computes what is in memory when the snapshot is broken", Auto, "betweenness",
			stubRunner{err: refuse(protocol.BadSnapshot, "x")}, "cpu", "the GPU failed: x; computed on the CPU", 1,
			protocol.BadSnapshot, true},
		{"auto does not ask where there is no device code", Auto, "degree", stubRunner{}, "cpu",
			"degree is always computed on the CPU", 0, "", false},
		{"gpu still demands a device", GPU, "degree", stubRunner{err: refuse(protocol.NoDriver, "none")}, "", "no GPU: none",
			1, "", false},
		{"gpu with a device and no device code", GPU, "degree", stubRunner{}, "cpu", "degree is always computed on the CPU",
			1, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := testTask(c.policy)
			task.Measure, task.Request.Edges = c.measure, false
			out, err := onSlowCPU(&c.runner).Compute(t.Context(), task)
			if calls := max(c.runner.calls, c.runner.asked); calls != c.calls {
				t.Errorf("asked the device %d times, want %d", calls, c.calls)
			}
			switch {
			case c.device == "":
				if err == nil || !strings.HasPrefix(err.Error(), c.reason) {
					t.Errorf("error %v, want %q", err, c.reason)
				}
			case err != nil:
				t.Error(err)
			case out.Device == "cpu" && out.Strategy != "":
				t.Errorf("the CPU reports strategy %q, which nobody can ask for", out.Strategy)
			case out.Device != c.device || !strings.HasPrefix(out.Reason, c.reason):
				t.Errorf("device %q, reason %q; want %q, %q", out.Device, out.Reason, c.device, c.reason)
			case out.Fallback != c.code || (out.Remark != "") != c.told || c.told && out.Remark != out.Reason:
				t.Errorf("fallback %q, remark %q; want %q, told %t", out.Fallback, out.Remark, c.code, c.told)
			}
		})
	}
}

func TestCPUSaysWhatItDoesNotDo(t *testing.T) {
	task := testTask(CPU)
	task.Precision, task.Strategy = kernels.Single, "hybrid"
	out, err := (&Engine{}).Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	const left = "in double precision, not single; strategy hybrid is for a GPU"
	if want := "the CPU was asked for; " + left; out.Reason != want || out.Remark != left {
		t.Errorf("reason %q, remark %q; want %q, %q", out.Reason, out.Remark, want, left)
	}
	if out.Scores.Nodes[2] != 4 || out.Compute <= 0 {
		t.Errorf("%+v", out)
	}
}

func TestBadTasks(t *testing.T) {
	for name, change := range map[string]func(*Task){
		`unknown measure "betweeness"`:       func(t *Task) { t.Measure = "betweeness" },
		`betweenness has no strategy "fast"`: func(t *Task) { t.Strategy = "fast" },
		`betweenness has no strategy "hybrid"`: func(t *Task) {
			t.Strategy,
				t.Request.Weighted = "hybrid", true
		},
		`device "tpu"`:                   func(t *Task) { t.Device = "tpu" },
		`precision "half"`:               func(t *Task) { t.Precision = "half" },
		"betweenness: there is no graph": func(t *Task) { t.Snapshot = nil },
		"betweenness: neither node nor edge scores": func(t *Task) {
			t.Request.Nodes,
				t.Request.Edges = false, false
		},
		"betweenness: tolerance":                               func(t *Task) { t.Request.Tolerance = -1 },
		"betweenness: variant: betweenness has no such option": func(t *Task) { t.Request.Variant = "classic" },
	} {
		for _, p := range []Policy{Auto, GPU, CPU} {
			task := testTask(p)
			change(&task)
			runner := &stubRunner{out: &Outcome{}}
			_, err := onSlowCPU(runner).Compute(t.Context(), task)
			if err == nil || !strings.HasPrefix(err.Error(), name) || runner.calls != 0 {
				t.Errorf("%s, %s: %v after %d calls", p, name, err, runner.calls)
			}
		}
	}
}

func TestCancelledBeforeTheCPU(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	runner := &stubRunner{err: refuse(protocol.Crashed, "x")}
	if out, err := onSlowCPU(runner).Compute(ctx, testTask(Auto)); err == nil {
		t.Errorf("a cancelled task fell back: %+v", out)
	}
}
