//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Variables of workers of tests: how many devices they see, and what is wrong with one of them.
const (
	countVariable = "LINCHPIN_TEST_DEVICES"
	faultVariable = "LINCHPIN_TEST_DEVICE_FAULT"
)

// wantedDevices are as many devices as a test wants, which share those of the build. A fault such as fails:1:5 has
// device 1 fail at its fifth launch, slow:1 has its launches take long, and smaller:1 has it say that it has fewer
// multiprocessors and less memory.
func wantedDevices() (count func() (int, error), open func(int) (gpu.OpenDevice, error)) {
	wanted, err := strconv.Atoi(os.Getenv(countVariable))
	if err != nil {
		return built.Count, func(i int) (gpu.OpenDevice, error) { return built.Open(i, nil) }
	}
	return func() (int, error) { return wanted, nil }, func(i int) (gpu.OpenDevice, error) {
		there, err := built.Count()
		if err != nil {
			return nil, err
		}
		d, err := built.Open(i%there, nil)
		if err != nil {
			return nil, err
		}
		fault := strings.Split(os.Getenv(faultVariable), ":")
		switch {
		case len(fault) < 2:
			return d, nil
		case fault[1] == strconv.Itoa(i):
			return faulty(d, fault), nil
		case fault[0] == "fails" && !devicetest.Emulated: // or the others would be done before it has begun
			return faulty(d, []string{"slow"}), nil
		}
		return d, nil
	}
}

// faultyDevice is a device with a fault.
type faultyDevice struct {
	gpu.OpenDevice
	kind string
	left int // launches
}

func faulty(d gpu.OpenDevice, fault []string) *faultyDevice {
	f := &faultyDevice{OpenDevice: d, kind: fault[0]}
	if len(fault) > 2 {
		f.left, _ = strconv.Atoi(fault[2])
	}
	return f
}

func (f *faultyDevice) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	switch f.kind {
	case "fails":
		if f.left--; f.left < 0 {
			return fmt.Errorf("%w: %s: it fell off the bus", gpu.ErrLaunch, kernel)
		}
	case "slow":
		time.Sleep(300 * time.Millisecond)
	}
	return f.OpenDevice.Launch(kernel, s, args...)
}

func (f *faultyDevice) Info() gpu.Info {
	info := f.OpenDevice.Info()
	if f.kind == "smaller" {
		info.Name, info.SMs, info.Free = "small "+info.Name, max(1, info.SMs/2), info.Free/2
	}
	return info
}

// withDevices has workers of a test see so many devices.
func withDevices(t *testing.T, count int, fault string) {
	t.Helper()
	byWorkers(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // what another test saw is not remembered
	t.Setenv(countVariable, strconv.Itoa(count))
	t.Setenv(faultVariable, fault)
	_, open := wantedDevices()
	for i := range count { // so that none is calibrated
		d, err := open(i)
		if err == nil {
			err = errors.Join(plan.KeepDefault(d.Info(), errors.New("a test")), d.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sharedTask is a run of a case on devices.
func sharedTask(c shardCase, g *export.Graph, p engine.Policy, shards int) engine.Task {
	return engine.Task{
		Measure: c.m.Name, Request: c.r, Device: p, Strategy: c.strategy, Shards: shards,
		Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
	}
}

// mustHaveBits compares scores with those of one device, bit by bit.
func mustHaveBits(t *testing.T, what string, want, got *engine.Outcome) {
	t.Helper()
	if !slices.Equal(gpu.Bytes(got.Scores.Nodes), gpu.Bytes(want.Scores.Nodes)) ||
		!slices.Equal(gpu.Bytes(got.Scores.Edges), gpu.Bytes(want.Scores.Edges)) {
		t.Errorf("%s: other bits", what)
	}
	if got.Scores.Totals != want.Scores.Totals || got.Strategy != want.Strategy {
		t.Errorf("%s: %+v by %s; want %+v by %s", what, got.Scores.Totals, got.Strategy, want.Scores.Totals, want.Strategy)
	}
}

// someCases are cases of each measure that is a sum over sources: by auto, and one of each strategy.
func someCases(g *export.Graph) (out []shardCase) {
	seen := map[string]bool{}
	for _, c := range shardCases(g) {
		key := c.strategy
		if c.strategy == auto {
			key = fmt.Sprintf("%s %t %s", c.m.Name, c.r.Weighted, c.r.Reduce)
		}
		if c.m.BySource && c.m.Kind.Divides() && !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	return out
}

// TestDevicesShareRuns: every measure that is a sum over sources has the same bits on 1, 2 and 4 devices of one kind.
func TestDevicesShareRuns(t *testing.T) {
	withDevices(t, 4, "")
	compared := 0
	for at, g := range shardGraphs(t) {
		for i, c := range someCases(g) {
			if testing.Short() && i%8 != 4*at { // four workers start for each
				continue
			}
			one := computeBy(t, sharedTask(c, g, "gpu:2", 0))
			if one == nil {
				continue
			}
			for count, p := range map[int]engine.Policy{2: "gpu:1,3", 4: "gpu:all"} {
				got := computeBy(t, sharedTask(c, g, p, 5))
				mustHaveBits(t, fmt.Sprintf("graph %d: %s on %d", at, c.name, count), one, got)
				if got.Devices != count || got.Shards != 5 || got.Remark != one.Remark {
					t.Errorf("%s on %s: %d devices, %d shards, %q", c.name, p, got.Devices, got.Shards, got.Remark)
				}
				compared++
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d runs were compared", compared)
	}
}

// TestFaultyDevicesShareRuns: one that fails in the middle is left out and named, and one that is slow holds nobody up.
func TestFaultyDevicesShareRuns(t *testing.T) {
	g := shardGraphs(t)[1]
	betweenness, _ := kernels.Lookup("betweenness")
	c := shardCase{"batched", "batched", betweenness, kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff}}
	withDevices(t, 4, "")
	one := computeBy(t, sharedTask(c, g, "gpu:0", 0))
	for fault, failed := range map[string]string{"fails:1:0": "1", "fails:0:1": "0", "slow:1": ""} {
		withDevices(t, 4, fault)
		got := computeBy(t, sharedTask(c, g, "gpu:all", 8))
		mustHaveBits(t, fault, one, got)
		says := fmt.Sprintf("gpu:%s was left out, and the other devices did its shards: the GPU failed: launch failed",
			failed)
		if failed == "" && got.Remark != "" || failed != "" && (got.Devices != 3 || !strings.HasPrefix(got.Remark, says)) {
			t.Errorf("%s: %d devices, %q", fault, got.Devices, got.Remark)
		}
	}
}

// TestDevicesOfTwoKindsShareRuns: they plan for what they have in common, also where a plan depends on the device.
func TestDevicesOfTwoKindsShareRuns(t *testing.T) {
	withDevices(t, 2, "smaller:1")
	g := shardGraphs(t)[1]
	betweenness, _ := kernels.Lookup("betweenness")
	for _, strategy := range []string{"batched", "work-efficient", "vertex-parallel"} {
		c := shardCase{strategy, strategy, betweenness, kernels.Request{Nodes: true, Reduce: kernels.ReduceOff}}
		small := computeBy(t, sharedTask(c, g, "gpu:1", 0))
		got := computeBy(t, sharedTask(c, g, "gpu:0,1", 6))
		mustHaveBits(t, strategy, small, got)
		if !strings.Contains(got.Device, "(gpu:0), small ") {
			t.Errorf("%s: %s", strategy, got.Device)
		}
	}
}

// TestSharedRunsLeaveSources: steps that follow the first one are shared, too.
func TestSharedRunsLeaveSources(t *testing.T) {
	withDevices(t, 4, "")
	betweenness, _ := kernels.Lookup("betweenness")
	r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}, Reduce: kernels.ReduceOff}
	c, g := shardCase{"doubtful", "batched", betweenness, r}, graphtest.Doubtful(t)
	one := computeBy(t, sharedTask(c, g, "gpu:0", 0))
	mustHaveBits(t, "two steps", one, computeBy(t, sharedTask(c, g, "gpu:all", 6)))
}
