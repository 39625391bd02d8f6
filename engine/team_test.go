package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// onDevices is an engine with so many devices whose workers behave as a mode says. Workers leave nothing behind.
func onDevices(t *testing.T, mode string, count int) (*Engine, *machine) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	m := testMachine(mode)
	m.client.Env = append(m.client.Env, fmt.Sprintf("%s=%d", devicesEnv, count))
	m.client.Stay()
	forgetDevices()
	t.Cleanup(func() {
		m.client.Close()
		mustBeEmpty(t, os.Getenv("TMPDIR"))
	})
	e := &Engine{device: m, book: rateBook{rates: map[rateKey]*plan.Rates{}}}
	for i := range 2 * count { // so that no device is calibrated
		e.book.rates[rateKey{name: fmt.Sprintf("Fake %d", 9000+i)}] = plan.H200()
	}
	return e, m
}

// forgetDevices forgets those that an earlier test saw.
func forgetDevices() {
	_ = os.Remove(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "linchpin", "rates", "devices.json"))
}

// sharedTask has enough sources for many shards.
func sharedTask(t *testing.T, measure string, p Policy, shards int) Task {
	t.Helper()
	var links []graphtest.Link
	for v := range int32(300) {
		links = append(links, graphtest.Link{From: v, To: v * 7 % 300, Weight: float64(1 + v%5)},
			graphtest.Link{From: v, To: (v + 1) % 300, Weight: 2})
	}
	g := graphtest.Links(t, 300, false, true, links)
	spec, _ := kernels.Lookup(measure)
	return Task{
		Measure: measure, Device: p, Shards: shards,
		Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
		Request:  kernels.Request{Nodes: true, Edges: spec.Edge != "", Reduce: kernels.ReduceOff},
	}
}

// mustEqual compares the bits of scores.
func mustEqual(t *testing.T, what string, want, got *kernels.Scores) {
	t.Helper()
	if !slices.Equal(gpu.Bytes(want.Nodes), gpu.Bytes(got.Nodes)) ||
		!slices.Equal(gpu.Bytes(want.Edges), gpu.Bytes(got.Edges)) {
		t.Errorf("%s: other bits", what)
	}
}

// TestDevicesGiveTheBitsOfOne: every measure that is a sum over sources, by hops and by weights, on 1, 2, 4 and 8
// devices. Scores that a worker makes are those that linchpin makes itself.
func TestDevicesGiveTheBitsOfOne(t *testing.T) {
	e, _ := onDevices(t, "good", 8)
	plain, _ := onDevices(t, "plain", 8)
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			task := sharedTask(t, m.Name, "gpu:0", 9)
			task.Request.Weighted = weighted
			if !m.Kind.Divides() || !m.BySource || len(m.StrategiesFor(weighted)) == 0 || m.Check(task.Request) != nil {
				continue
			}
			one, err := e.Compute(t.Context(), task)
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			if one.Devices != 0 || one.Shards != 9 || one.Remark != "" {
				t.Errorf("%s on one: %+v", m.Name, one)
			}
			out, err := plain.Compute(t.Context(), task)
			if err != nil {
				t.Fatalf("%s without a worker: %v", m.Name, err)
			}
			mustEqual(t, m.Name+" without a worker", one.Scores, out.Scores)
			if want := one.Scores.Totals; out.Scores.Totals.Pairs != want.Pairs || out.Scores.Totals.Distance != want.Distance ||
				out.Scores.Ties != one.Scores.Ties || out.Device != one.Device || out.Strategy != one.Strategy ||
				out.Reason != one.Reason ||
				out.Shards != one.Shards || out.PeakDevice != one.PeakDevice {
				t.Errorf("%s without a worker: %+v, want %+v", m.Name, out, one)
			}
			for count, p := range map[int]Policy{2: "gpu:5,2", 4: "gpu:0,1,2,3", 8: "gpu:all"} {
				task.Device = p
				out, err := e.Compute(t.Context(), task)
				if err != nil {
					t.Fatalf("%s on %s: %v", m.Name, p, err)
				}
				mustEqual(t, fmt.Sprintf("%s, weighted %t, on %s", m.Name, weighted, p), one.Scores, out.Scores)
				if out.Devices != count || out.Remark != "" ||
					!strings.HasSuffix(out.Reason, fmt.Sprintf("; on %d devices; in 9 shards", count)) {
					t.Errorf("%s on %s: %d devices, %q, %q", m.Name, p, out.Devices, out.Reason, out.Remark)
				}
			}
		}
	}
}

// TestDevicesAreNamed: those of one name together.
func TestDevicesAreNamed(t *testing.T) {
	e, _ := onDevices(t, "good", 4)
	out, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:3,0,1", 6))
	if err != nil || out.Device != "Fake 9001 (gpu:3), Fake 9000 (gpu:0,1)" {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestFailedDeviceIsLeftOut: whenever a device fails, the others finish, the scores are the same, and the outcome says
// which one and why.
func TestFailedDeviceIsLeftOut(t *testing.T) {
	good, _ := onDevices(t, "good", 4)
	task := sharedTask(t, "betweenness", "gpu:all", 12)
	want, err := good.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"absent-0", "absent-3", "breaks-1-1", "breaks-1-2", "breaks-0-2"} {
		e, m := onDevices(t, mode, 4)
		out, err := e.Compute(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		mustEqual(t, mode, want.Scores, out.Scores)
		failed := strings.Split(mode, "-")[1]
		says := fmt.Sprintf("gpu:%s was left out, and the other devices did its shards: the GPU failed: ", failed)
		if out.Devices != 3 || !strings.HasPrefix(out.Remark, says) || strings.Contains(out.Device, failed+")") {
			t.Errorf("%s: %d devices, %s, %s", mode, out.Devices, out.Device, out.Remark)
		}
		if tasks := m.spread.Busy(); tasks != 0 {
			t.Errorf("%s: %d tasks are left at devices", mode, tasks)
		}
	}
}

// TestAllDevicesFail: then the rules of one device hold.
func TestAllDevicesFail(t *testing.T) {
	for _, mode := range []string{"absent", "breaks-all-1"} {
		e, _ := onDevices(t, mode, 2)
		_, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:all", 4))
		if r, _ := ReasonOf(err); r != protocol.LaunchFailed && r != protocol.Crashed {
			t.Errorf("%s: %v", mode, err)
		}
		_, m := onDevices(t, mode, 2)
		out, err := onSlowCPU(m).Compute(t.Context(), sharedTask(t, "betweenness", "auto:all", 4))
		if err != nil || out.Device != "cpu" || out.Fallback == "" || !strings.Contains(out.Remark, "computed on the CPU") {
			t.Errorf("%s: %+v, %v", mode, out, err)
		}
	}
}

// TestSlowDeviceHoldsNobodyUp: what a device that hangs has is started again at the other one, and its order ends.
func TestSlowDeviceHoldsNobodyUp(t *testing.T) {
	for _, mode := range []string{"hangs-1", "slow-1"} {
		e, _ := onDevices(t, mode, 2)
		begun := time.Now()
		out, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:0,1", 8))
		if err != nil || out.Remark != "" || out.Devices != 2 {
			t.Fatalf("%s: %+v, %v", mode, out, err)
		}
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%s: %v", mode, took)
		}
	}
}

// TestBadTaskFailsOnce: no other device is asked to do what none can.
func TestBadTaskFailsOnce(t *testing.T) {
	e, _ := onDevices(t, "bad-task", 2)
	_, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:0,1", 4))
	if err == nil || err.Error() != "stress overflows float64; use log" {
		t.Errorf("%v", err)
	}
}

// TestSharedRunIsCancelled: all workers end.
func TestSharedRunIsCancelled(t *testing.T) {
	e, _ := onDevices(t, "hangs-all", 3)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	_, err := e.Compute(ctx, sharedTask(t, "betweenness", "gpu:all", 9))
	if r, _ := ReasonOf(err); r != protocol.Cancelled {
		t.Errorf("%v", err)
	}
}

// TestRunsShareDevices: two that take all devices at the same time, and one that takes the one with the fewest tasks.
func TestRunsShareDevices(t *testing.T) {
	e, m := onDevices(t, "good", 2)
	task := sharedTask(t, "betweenness", "gpu:all", 8)
	want, err := e.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	var runs sync.WaitGroup
	for i := range 4 {
		one := task
		if i == 3 {
			one.Device, one.Shards = GPU, 0
		}
		runs.Go(func() {
			out, err := e.Compute(t.Context(), one)
			if err != nil {
				t.Error(err)
				return
			}
			mustEqual(t, fmt.Sprint("run ", i), want.Scores, out.Scores)
		})
	}
	runs.Wait()
	if tasks := m.spread.Busy(); tasks != 0 {
		t.Errorf("%d tasks are left", tasks)
	}
}

// TestMissingDeviceIsNamed: it is refused, also where it is remembered from an earlier day, and left out where all were
// asked for.
func TestMissingDeviceIsNamed(t *testing.T) {
	e, m := onDevices(t, "good", 2)
	for _, remembered := range []int{2, 8} {
		m.client.Env[len(m.client.Env)-1] = fmt.Sprintf("%s=%d", devicesEnv, remembered)
		forgetDevices()
		if found, err := m.client.Another().Known(t.Context()); err != nil || len(found) != remembered {
			t.Fatalf("%v, %v", found, err)
		}
		m.client.Env[len(m.client.Env)-1] = devicesEnv + "=2"
		_, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:1,7", 4))
		if r, _ := ReasonOf(err); r != protocol.NoDevice || !strings.Contains(err.Error(), "there is no gpu:7") {
			t.Errorf("%d remembered: %v", remembered, err)
		}
		out, err := e.Compute(t.Context(), sharedTask(t, "betweenness", "gpu:all", 8))
		if err != nil || out.Devices != 2 || out.Remark != "" {
			t.Errorf("%d remembered: %+v, %v", remembered, out, err)
		}
		e, m = onDevices(t, "good", 2)
	}
}
