package gpu

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// stubRunner stands for a device in tests of the policy alone.
type stubRunner struct {
	out   *Outcome
	err   error
	calls int
}

func (s *stubRunner) compute(context.Context, kernels.Measure, Task) (*Outcome, error) {
	s.calls++
	return s.out, s.err
}

func (s *stubRunner) run(context.Context, Task, Order, []int32) (*Outcome, []float64, error) {
	s.calls++
	return s.out, nil, s.err
}

func (s *stubRunner) ready(context.Context) error {
	s.calls++
	return s.err
}

func TestPolicy(t *testing.T) {
	done := &Outcome{Device: "Fake 9000"}
	plain := errors.New("the weight of edge 7 is lost")
	for _, c := range []struct {
		name    string
		policy  Policy
		measure string
		runner  stubRunner
		device  string // "" for an error
		reason  string // how the reason, or the error, begins
		calls   int
	}{
		{"cpu never asks", CPU, "betweenness", stubRunner{out: done}, "cpu", "device: cpu", 0},
		{"auto takes the device", Auto, "betweenness", stubRunner{out: done}, "Fake 9000", "", 1},
		{"no policy is auto", "", "betweenness", stubRunner{out: done}, "Fake 9000", "", 1},
		{"gpu takes the device", GPU, "betweenness", stubRunner{out: done}, "Fake 9000", "", 1},
		{"auto falls back when there is none", Auto, "betweenness", stubRunner{err: refuse(NoDevice, "none")}, "cpu", "no-device: none; using the CPU", 1},
		{"auto falls back when it fails", Auto, "betweenness", stubRunner{err: refuse(LaunchFailed, "x")}, "cpu", "launch-failed: x; using the CPU", 1},
		{"auto falls back when it is too small", Auto, "betweenness", stubRunner{err: refuse(TooLarge, "x")}, "cpu", "too-large: x; using the CPU", 1},
		{"gpu fails when there is none", GPU, "betweenness", stubRunner{err: refuse(NoDevice, "none")}, "", "no GPU: no-device: none", 1},
		{"gpu fails when it fails", GPU, "betweenness", stubRunner{err: refuse(Crashed, "x")}, "", "GPU: crashed: x", 1},
		{"a bad task never falls back", Auto, "betweenness", stubRunner{err: plain}, "", plain.Error(), 1},
		{"auto computes what is in memory when the snapshot is broken", Auto, "betweenness", stubRunner{err: refuse(BadSnapshot, "x")}, "cpu", "bad-snapshot: x; using the CPU", 1},
		{"auto does not ask where there is no device code", Auto, "degree", stubRunner{}, "cpu", "not-on-gpu: degree has no device code", 0},
		{"gpu still demands a device", GPU, "degree", stubRunner{err: refuse(NoDriver, "none")}, "", "no GPU: no-driver: none", 1},
		{"gpu with a device and no device code", GPU, "degree", stubRunner{}, "cpu", "not-on-gpu: degree has no device code", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := testTask(c.policy)
			task.Measure, task.Request.Edges = c.measure, false
			out, err := (&Engine{device: &c.runner}).Compute(t.Context(), task)
			if c.runner.calls != c.calls {
				t.Errorf("asked the device %d times, want %d", c.runner.calls, c.calls)
			}
			switch {
			case c.device == "":
				if err == nil || !strings.HasPrefix(err.Error(), c.reason) {
					t.Errorf("error %v, want %q", err, c.reason)
				}
			case err != nil:
				t.Error(err)
			case out.Device != c.device || !strings.HasPrefix(out.Reason, c.reason):
				t.Errorf("device %q, reason %q; want %q, %q", out.Device, out.Reason, c.device, c.reason)
			}
		})
	}
}

func TestCPUSaysWhatItDoesNotDo(t *testing.T) {
	task := testTask(CPU)
	task.Precision, task.Strategy = Single, "hybrid"
	out, err := (&Engine{}).Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if want := "device: cpu; the CPU computes in double precision; strategy hybrid is for a GPU"; out.Reason != want {
		t.Errorf("reason %q, want %q", out.Reason, want)
	}
	if out.Scores.Nodes[2] != 4 || out.Compute <= 0 {
		t.Errorf("%+v", out)
	}
}

func TestBadTasks(t *testing.T) {
	for name, change := range map[string]func(*Task){
		`unknown measure "betweeness"`:              func(t *Task) { t.Measure = "betweeness" },
		`betweenness has no strategy "fast"`:        func(t *Task) { t.Strategy = "fast" },
		`betweenness has no strategy "hybrid"`:      func(t *Task) { t.Strategy, t.Request.Weighted = "hybrid", true },
		`device "tpu"`:                              func(t *Task) { t.Device = "tpu" },
		`precision "half"`:                          func(t *Task) { t.Precision = "half" },
		"betweenness: there is no graph":            func(t *Task) { t.Snapshot = nil },
		"betweenness: neither node nor edge scores": func(t *Task) { t.Request.Nodes, t.Request.Edges = false, false },
		"betweenness: tolerance":                    func(t *Task) { t.Request.Tolerance = -1 },
		"betweenness has no option variant":         func(t *Task) { t.Request.Variant = "classic" },
	} {
		for _, p := range []Policy{Auto, GPU, CPU} {
			task := testTask(p)
			change(&task)
			runner := &stubRunner{out: &Outcome{}}
			_, err := (&Engine{device: runner}).Compute(t.Context(), task)
			if err == nil || !strings.HasPrefix(err.Error(), name) || runner.calls != 0 {
				t.Errorf("%s, %s: %v after %d calls", p, name, err, runner.calls)
			}
		}
	}
}

func TestCancelledBeforeTheCPU(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	runner := &stubRunner{err: refuse(Crashed, "x")}
	if out, err := (&Engine{device: runner}).Compute(ctx, testTask(Auto)); err == nil {
		t.Errorf("a cancelled task fell back: %+v", out)
	}
}
