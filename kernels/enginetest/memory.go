//go:build cuda || emulate

package enginetest

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Booked is a device that counts what is allocated.
type Booked interface {
	gpu.Device
	Ledger() *gpu.Ledger
}

// AllocationsFail lets one allocation after the other fail: the error says so, all is freed, and the run that follows
// is right.
func AllocationsFail(t *testing.T, d Booked, at string, task Task) {
	t.Helper()
	want := onCPU(t, task)
	for n := 1; ; n++ {
		got, err := Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
		if d.Ledger().Used != 0 {
			t.Fatalf("%s, allocation %d: %d bytes left", at, n, d.Ledger().Used)
		}
		if err == nil {
			same(t, at, got, want)
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("%s, allocation %d: %v", at, n, err)
		}
	}
}

// WithinMemory runs a task in less and less memory: it takes no more than was planned, which is no more than there is,
// and scores are right until it is refused.
func WithinMemory(t *testing.T, d Booked, at string, task Task) {
	t.Helper()
	want, r := onCPU(t, task), task.Request
	w := device.Want{Measure: task.Measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges}
	graph := device.GraphBytes(device.SizeOf(task.Graph), task.Engine.Parts(w, task.Graph.Directed))
	for task.Free = d.Info().Free; task.Free > 1; {
		d.Ledger().Peak = 0
		got, err := Compute(t.Context(), d, task)
		if large := (*gpu.TooLarge)(nil); errors.As(err, &large) {
			if large.Need <= task.Free {
				t.Errorf("%s: %d bytes are too few, and %d are needed", at, task.Free, large.Need)
			}
			return
		}
		if err != nil {
			t.Fatalf("%s in %d bytes: %v", at, task.Free, err)
		}
		same(t, at, got, want)
		if got.Plan.DeviceBytes > task.Free || d.Ledger().Peak > got.Plan.DeviceBytes+graph {
			t.Errorf("%s: took %d bytes, planned %d and %d for the graph, of %d", at, d.Ledger().Peak,
				got.Plan.DeviceBytes, graph, task.Free)
		}
		task.Free = got.Plan.DeviceBytes - 1
	}
	t.Errorf("%s: nothing was refused", at)
}

func onCPU(t *testing.T, task Task) *kernels.Scores {
	t.Helper()
	m, _ := kernels.Lookup(task.Measure)
	r := task.Request
	if !r.Nodes && !r.Edges {
		return &kernels.Scores{} // of what is no measure
	}
	r.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, task.Graph, r)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

func same(t *testing.T, at string, got *Outcome, want *kernels.Scores) {
	t.Helper()
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := Worst(part[0], part[1]); difference > 1e-9 {
			t.Errorf("%s: %s", at, where)
		}
	}
}
