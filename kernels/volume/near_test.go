package volume

import (
	"errors"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// nearJob asks for the volumes of n nodes, the last first.
func nearJob(n int) *device.Job {
	m, _ := kernels.Lookup("volume")
	r := kernels.Request{Nodes: true}
	job := &device.Job{
		Graph: &device.Graph{N: int64(n)}, Partial: kernels.NewPartial(m, n, 0, r, kernels.Bounds{Volume: float64(n)}),
		Progress: func(int) {}, Sources: make([]int32, n),
	}
	for i := range job.Sources {
		job.Sources[i] = int32(n - 1 - i)
	}
	job.Measure, job.Want.Sources, job.Size = "volume", n, kernels.Size{Nodes: int64(n)}
	return job
}

// TestNearChunks: every source is in one launch of volume_small, whose list is empty when it begins, and volume_large
// follows each.
func TestNearChunks(t *testing.T) {
	d := devicetest.NewFake(t)
	var ranges [][2]int64
	pending := false
	d.Kernels["volume_small_512"] = func(d *devicetest.Fake, _ gpu.Shape, args []any) {
		fields, queue := make([]int64, 10), make([]int64, 1)
		err := errors.Join(gpu.Download(d, fields, args[0].(gpu.Ptr)), gpu.Download(d, queue, gpu.Ptr(fields[6])))
		if err != nil {
			t.Error(err)
		}
		if pending || queue[0] != 0 || fields[5] != kernels.DefaultRadius {
			t.Errorf("volume_small finds a list of %#x, radius %d; volume_large still to come: %t", queue[0], fields[5], pending)
		}
		first, last := args[1].(int64), args[2].(int64)
		ranges = append(ranges, [2]int64{first, last})
		volumes := make([]float64, last-first)
		for i := range volumes {
			volumes[i] = float64(first) + float64(i)
		}
		err = d.CopyIn(gpu.Ptr(fields[4]).At(8*first), gpu.Bytes(volumes))
		if err = errors.Join(err, d.Memset(gpu.Ptr(fields[6]), 7, 8)); err != nil {
			t.Error(err)
		}
		pending = true
	}
	d.Kernels[kernelVolumeLarge.Name] = func(*devicetest.Fake, gpu.Shape, []any) { pending = false }
	const n = 20_000
	job := nearJob(n)
	p, err := Engine{}.Prepare(job, d.About, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), d, job); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ranges, [][2]int64{{0, nearUnit}, {nearUnit, n}}) || pending {
		t.Errorf("sources were cut into %v, volume_large to come: %t", ranges, pending)
	}
	for v, x := range job.Partial.Nodes.Values() {
		if x != float64(n-1-v) {
			t.Fatalf("node %d has %g", v, x)
		}
	}
}

// TestNearPlan: bitmaps that do not fit in shared memory are planned for, as many as memory allows, and one at least.
func TestNearPlan(t *testing.T) {
	const n = 1 << 23 // a bitmap of 1 MiB
	d := gpu.Info{SMs: 4, SharedBlock: 1 << 16}
	job := nearJob(n)
	none := bitmapLayout(job.Want, d)
	none.blocks = 0
	once := none.bytes()
	p, err := Engine{}.Prepare(job, d, once+3<<20)
	if err != nil || p.(prepared).layout.sharedPerBlock != 0 || p.Plan().DeviceBytes > once+3<<20 || p.Plan().Blocks < 1 {
		t.Errorf("%+v, %v", p, err)
	}
	_, err = Engine{}.Prepare(job, d, once)
	if large := (*gpu.TooLarge)(nil); !errors.As(err, &large) || large.Need != once+bitmapBytes(n) {
		t.Errorf("memory for no bitmap: %v", err)
	}
}
