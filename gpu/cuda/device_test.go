//go:build cuda || emulate

package cuda

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// open opens device 0. Without one this binary does not start, so nothing is skipped; with the tag emulate it is emulated.
func open(t testing.TB) *GPU {
	t.Helper()
	var trace io.Writer
	if os.Getenv("LINCHPIN_GPU_DEBUG") != "" {
		trace = os.Stderr
	}
	d, err := Open(0, trace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := d.ledger.left(); len(left) != 0 {
			t.Errorf("%d allocations were not freed", len(left))
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestProbe runs the smallest kernel: every type of argument, grids of any size, both kinds of launch.
func TestProbe(t *testing.T) {
	d := open(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 31, 1000, sized(1<<20, 1<<12)} {
		in, out := make([]float64, n), make([]float64, n)
		for i := range in {
			in[i] = random.NormFloat64()
		}
		a := &Arena{Device: d}
		from, err := Upload(a, in)
		if err != nil {
			t.Fatal(err)
		}
		to, err := a.Alloc(int64(n) * 8)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []Shape{{Grid: 1, Block: 32}, {Grid: 264, Block: 256}, {Grid: 7, Block: 1024, Shared: d.info.SharedBlock}, {Grid: 4 * d.info.SMs, Block: 256, Cooperative: true}} {
			factor, offset := random.NormFloat64(), random.Float32()
			err := errors.Join(d.Memset(to, 0xff, int64(n)*8), d.Launch(Kernel{"probe"}, s, from, to, int32(n), factor, offset), Download(d, out, to))
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
	d := open(t)
	if _, err := d.Alloc(d.info.Total + 1); !errors.Is(err, ErrMemory) {
		t.Errorf("more than there is: %v", err)
	}
	if _, err := d.Alloc(-1); !errors.Is(err, ErrMemory) {
		t.Errorf("less than nothing: %v", err)
	}
	if d.Free(12345) == nil || d.Free(0) != nil {
		t.Error("free of what is not there")
	}
	for name, err := range map[string]error{
		"unknown kernel": d.Launch(Kernel{"prob"}, Shape{Grid: 1, Block: 1}),
		"block":          d.Launch(Kernel{"probe"}, Shape{Grid: 1, Block: 2000}, Ptr(0), Ptr(0), int32(0), 0.0, float32(0)),
		"shared":         d.Launch(Kernel{"probe"}, Shape{Grid: 1, Block: 32, Shared: d.info.SharedBlock + 1}, Ptr(0), Ptr(0), int32(0), 0.0, float32(0)),
		"argument":       d.Launch(Kernel{"probe"}, Shape{Grid: 1, Block: 32}, 7),
		"too cooperative": d.Launch(Kernel{"probe"}, Shape{Grid: 1 << 20, Block: 1024, Cooperative: true},
			Ptr(0), Ptr(0), int32(0), 0.0, float32(0)),
	} {
		if !errors.Is(err, ErrLaunch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// None of these harmed the context.
	p, err := Zeros[float64](d, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Launch(Kernel{"probe"}, Shape{Grid: 1, Block: 32}, p, p, int32(10), 1.0, float32(1)), d.Sync(), d.Free(p)); err != nil {
		t.Error(err)
	}
	if _, err := Open(1000, nil); err == nil {
		t.Error("device 1000 was opened")
	}
}

// TestDeviceAllocationFails: the real device under the fault of every allocation of an upload.
func TestDeviceAllocationFails(t *testing.T) {
	d := open(t)
	parts := Parts{Edges: true, Tails: true, Weights: true, Transpose: true}
	for n := 1; ; n++ {
		a := &Arena{Device: &failing{Device: d, at: n}}
		_, err := upload(a, directed(), parts, nil)
		if release := a.Release(); release != nil || d.ledger.used != 0 {
			t.Fatalf("allocation %d: %v, %d bytes left", n, release, d.ledger.used)
		}
		if err == nil {
			return
		}
		if !errors.Is(err, ErrMemory) {
			t.Fatal(err)
		}
	}
}
