//go:build cuda || emulate

package built_test

import (
	"github.com/linchpin-graph/linchpin/gpu/built"

	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
)

// probe is a kernel of probe.cu, which scales and shifts numbers.
var probe = gpu.Kernel{Name: "probe", File: "probe"}

// TestProbe runs the smallest kernel: every type of argument, grids of any size, both kinds of launch.
func TestProbe(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 31, 1000, devicetest.Sized(1<<20, 1<<12)} {
		in, out := make([]float64, n), make([]float64, n)
		for i := range in {
			in[i] = random.NormFloat64()
		}
		a := &gpu.Arena{Device: d}
		from, err := gpu.Upload(a, in)
		if err != nil {
			t.Fatal(err)
		}
		to, err := a.Alloc(int64(n) * 8)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []gpu.Shape{{Grid: 1, Block: 32}, {Grid: 264, Block: 256},
			{Grid: 7, Block: 1024, Shared: d.Info().SharedBlock}, {Grid: 4 * d.Info().SMs, Block: 256, Cooperative: true}} {
			factor, offset := random.NormFloat64(), random.Float32()
			err := errors.Join(d.Memset(to, 0xff, int64(n)*8),
				d.Launch(probe, s, from, to, int32(n), factor, offset), gpu.Download(d, out, to))
			if err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
			for i, x := range in {
				if want := factor*x + float64(offset); out[i]-want > 1e-12 || want-out[i] > 1e-12 || out[i] != out[i] {
					t.Fatalf("%+v: out[%d] = %v, want %v", s, i, out[i], want)
				}
			}
		}
		if err := a.Release(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeviceErrors(t *testing.T) {
	d := devicetest.Open(t)
	if _, err := d.Alloc(d.Info().Total + 1); !errors.Is(err, gpu.ErrMemory) {
		t.Errorf("more than there is: %v", err)
	}
	if _, err := d.Alloc(-1); !errors.Is(err, gpu.ErrMemory) {
		t.Errorf("less than nothing: %v", err)
	}
	if d.Free(12345) == nil || d.Free(0) != nil {
		t.Error("free of what is not there")
	}
	for name, err := range map[string]error{
		"unknown kernel": d.Launch(gpu.Kernel{Name: "prob", File: "probe"}, gpu.Shape{Grid: 1, Block: 1}),
		"block": d.Launch(probe, gpu.Shape{Grid: 1, Block: 2000}, gpu.Ptr(0), gpu.Ptr(0),
			int32(0), 0.0, float32(0)),
		"shared": d.Launch(probe, gpu.Shape{Grid: 1, Block: 32, Shared: d.Info().SharedBlock + 1},
			gpu.Ptr(0), gpu.Ptr(0), int32(0), 0.0, float32(0)),
		"argument": d.Launch(probe, gpu.Shape{Grid: 1, Block: 32}, 7),
		"too cooperative": d.Launch(probe, gpu.Shape{Grid: 1 << 20, Block: 1024, Cooperative: true},
			gpu.Ptr(0), gpu.Ptr(0), int32(0), 0.0, float32(0)),
	} {
		if !errors.Is(err, gpu.ErrLaunch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// None of these harmed the context.
	p, err := gpu.Zeros[float64](d, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Launch(probe, gpu.Shape{Grid: 1, Block: 32}, p, p, int32(10), 1.0,
		float32(1)), d.Sync(), d.Free(p)); err != nil {
		t.Error(err)
	}
	if _, err := built.Open(1000, nil); err == nil {
		t.Error("device 1000 was opened")
	}
}
