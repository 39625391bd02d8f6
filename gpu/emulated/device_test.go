//go:build emulate && !cuda

package emulated

import (
	"errors"
	"regexp"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
)

// faulty opens a device of its own, with 64 numbers, and launches a kernel of emulate/faults.cu with 64 threads.
func faulty(t *testing.T, kernel string, s gpu.Shape, change func(d *GPU)) (*GPU, gpu.Ptr, error) {
	t.Helper()
	d, err := Open(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.seed = 0
	change(d)
	p, err := gpu.Zeros[int32](d, 64)
	if err != nil {
		t.Fatal(err)
	}
	s.Grid, s.Block = max(s.Grid, 1), 64
	return d, p, d.Launch(gpu.Kernel{Name: kernel}, s, p)
}

// TestEmulatedFaults: the emulated device finds what a GPU leaves to luck, and says where.
func TestEmulatedFaults(t *testing.T) {
	for _, c := range []struct {
		kernel string
		s      gpu.Shape
		want   string
	}{
		{"fault_divergent", gpu.Shape{},
			`threads 0 and 32 of block 0 meet at different barriers: __syncthreads at faults.cu:5, and __syncthreads at faults.cu:6`},
		{"fault_mask", gpu.Shape{},
			`deadlock in block 0 of 64 threads: .*32 threads wait in __syncthreads at faults.cu:12 .*32 threads wait in __syncwarp at faults.cu:11 with mask 0xffffffff`},
		{"fault_stranger", gpu.Shape{},
			`thread 16 of block 0: __ballot_sync at faults.cu:17 with mask 0xffff does not name lane 16 itself`},
		{"fault_places", gpu.Shape{},
			`lanes of warp 0 of block 0 meet at different places: __any_sync at faults.cu:2[23].* and __any_sync at faults.cu:2[23]`},
		{"fault_past", gpu.Shape{Grid: 2},
			`thread \d+ of block [01]: access outside of memory: address 0x[0-9a-f]+, byte \d+ of an allocation of 256 bytes`},
		{"fault_shared", gpu.Shape{Shared: 128}, `wrote past its 128 bytes of dynamic shared memory`},
		{"fault_stack", gpu.Shape{}, `the stack of a thread is full`},
		{"fault_wait", gpu.Shape{Grid: 2, Cooperative: true}, `every block waits in a loop for another one`},
	} {
		d, p, err := faulty(t, c.kernel, c.s, func(*GPU) {})
		if !errors.Is(err, gpu.ErrLaunch) || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%s: %v; want %s", c.kernel, err, c.want)
		}
		if d.Sync() == nil || d.Launch(gpu.Kernel{Name: "probe"}, gpu.Shape{Grid: 1, Block: 1}) == nil {
			t.Errorf("%s: the device goes on after a fault", c.kernel)
		}
		if err := d.Free(p); err != nil {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
	d, p, err := faulty(t, "fault_beside", gpu.Shape{}, func(*GPU) {})
	if err != nil {
		t.Error(err)
	}
	if err := d.Free(p); err == nil ||
		!regexp.MustCompile(`something was written at byte -256 of an allocation of 256 bytes`).MatchString(err.Error()) {
		t.Errorf("a write before an allocation: %v", err)
	}
}

// TestEmulatedCollectives: votes, shuffles and barriers do what the device's do.
func TestEmulatedCollectives(t *testing.T) {
	for seed := range uint64(20) {
		d, p, err := faulty(t, "fault_none", gpu.Shape{}, func(d *GPU) { d.seed = seed })
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int32, 64)
		if err := gpu.Download(d, got, p); err != nil || slices.Max(got) != 0 {
			t.Fatalf("seed %d: threads say %v", seed, got)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEmulatedOrders: a missing barrier shows in some order of the threads, the same one whenever the seed is the same.
func TestEmulatedOrders(t *testing.T) {
	shown := 0
	for seed := range uint64(20) {
		var before []int32
		for range 2 {
			d, p, err := faulty(t, "fault_race", gpu.Shape{}, func(d *GPU) { d.seed = seed + 1 })
			if err != nil {
				t.Fatal(err)
			}
			got := make([]int32, 64)
			if err := gpu.Download(d, got, p); err != nil {
				t.Fatal(err)
			}
			if before != nil && !slices.Equal(got, before) {
				t.Errorf("seed %d: %v, then %v", seed, before, got)
			}
			if before = got; slices.Contains(got, 2) {
				shown++
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if shown == 0 || shown == 40 {
		t.Errorf("a race shows in %d of 40 runs", shown)
	}
}

// TestEmulatedArguments: the number, kind and width of a kernel's parameters, and its launch bound.
func TestEmulatedArguments(t *testing.T) {
	d, err := Open(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"few": d.Launch(gpu.Kernel{Name: "fault_none"}, gpu.Shape{Grid: 1, Block: 32}),
		"width": d.Launch(gpu.Kernel{Name: "probe"}, gpu.Shape{Grid: 1, Block: 32}, gpu.Ptr(0), gpu.Ptr(0), int64(0), 0.0,
			float32(0)),
		"kind": d.Launch(gpu.Kernel{Name: "probe"}, gpu.Shape{Grid: 1, Block: 32}, gpu.Ptr(0), gpu.Ptr(0), int32(0), 0.0,
			int32(0)),
		"threads": d.Launch(gpu.Kernel{Name: "volume_small"}, gpu.Shape{Grid: 1, Block: 256}, gpu.Ptr(0), int64(0), int64(0)),
	} {
		if !errors.Is(err, gpu.ErrLaunch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := d.Sync(); err != nil {
		t.Errorf("a refused launch broke the device: %v", err)
	}
	if err := d.CopyIn(256, []byte{1}); !errors.Is(err, gpu.ErrLaunch) {
		t.Errorf("a copy to nowhere: %v", err)
	}
}
