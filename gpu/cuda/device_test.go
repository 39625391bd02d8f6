//go:build cuda

package cuda

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// open opens device 0. Without one this binary does not start, so nothing is skipped.
func open(t testing.TB) *GPU {
	t.Helper()
	d, err := Open(0, nil)
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

func TestDeviceInfo(t *testing.T) {
	d := open(t)
	info := d.Info()
	t.Logf("%+v", info)
	if info.Name == "" || info.Major < 7 || info.SMs < 1 || info.Threads < 1024 || info.SharedBlock < 48<<10 || info.L2 < 1<<20 {
		t.Errorf("%+v", info)
	}
	if info.Free <= 0 || info.Free > info.Total || info.Driver < 12000 {
		t.Errorf("%+v", info)
	}
}

// TestProbe runs the smallest kernel: every type of argument, grids of any size, both kinds of launch.
func TestProbe(t *testing.T) {
	d := open(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 31, 1000, 1 << 20} {
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
		for _, s := range []Shape{{Grid: 1, Block: 32}, {Grid: 264, Block: 256}, {Grid: 7, Block: 1024, Shared: d.info.SharedBlock}, {Grid: 132, Block: 256, Cooperative: true}} {
			factor, offset := random.NormFloat64(), random.Float32()
			err := errors.Join(d.Memset(to, 0xff, int64(n)*8), d.Launch("probe", s, from, to, int32(n), factor, offset), Download(d, out, to))
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
		"unknown kernel": d.Launch("prob", Shape{Grid: 1, Block: 1}),
		"block":          d.Launch("probe", Shape{Grid: 1, Block: 2000}, Ptr(0), Ptr(0), int32(0), 0.0, float32(0)),
		"shared":         d.Launch("probe", Shape{Grid: 1, Block: 32, Shared: d.info.SharedBlock + 1}, Ptr(0), Ptr(0), int32(0), 0.0, float32(0)),
		"argument":       d.Launch("probe", Shape{Grid: 1, Block: 32}, 7),
		"too cooperative": d.Launch("probe", Shape{Grid: 1 << 20, Block: 1024, Cooperative: true},
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
	if err := errors.Join(d.Launch("probe", Shape{Grid: 1, Block: 32}, p, p, int32(10), 1.0, float32(1)), d.Sync(), d.Free(p)); err != nil {
		t.Error(err)
	}
	if _, err := Open(1000, nil); err == nil {
		t.Error("device 1000 was opened")
	}
}

func TestDeviceTime(t *testing.T) {
	var trace bytes.Buffer
	d, err := Open(0, &trace)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 24
	p, err := Zeros[float64](d, n)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	seconds, err := d.Time(func() error { return d.Launch("probe", Shape{Grid: 1, Block: 32}, p, p, int32(n), 1.0, float32(1)) })
	if wall := time.Since(start).Seconds(); err != nil || seconds <= 0 || seconds > wall {
		t.Errorf("%v s of %v s, %v", seconds, wall, err)
	}
	if !strings.HasPrefix(trace.String(), "probe grid 1 block 32 shared 0: ") {
		t.Errorf("trace %q", trace.String())
	}
	blocks, err := d.Resident("probe", Shape{Block: 1024})
	if err != nil || blocks < 1 || blocks > 2 {
		t.Errorf("%d blocks of 1024 threads fit on a multiprocessor, %v", blocks, err)
	}
	if err := errors.Join(d.Free(p), d.Close()); err != nil {
		t.Error(err)
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

func BenchmarkCopyIn(b *testing.B) {
	benchmarkCopy(b, func(d *GPU, p Ptr, s []byte) error { return d.CopyIn(p, s) })
}
func BenchmarkCopyOut(b *testing.B) {
	benchmarkCopy(b, func(d *GPU, p Ptr, s []byte) error { return d.CopyOut(s, p) })
}

func benchmarkCopy(b *testing.B, work func(*GPU, Ptr, []byte) error) {
	d := open(b)
	s := make([]byte, 256<<20)
	p, err := Upload(d, s)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if err := errors.Join(work(d, p, s), d.Sync()); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Free(p); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLaunch is one launch and its wait: what a host round trip costs.
func BenchmarkLaunch(b *testing.B) {
	d := open(b)
	p, err := Zeros[float64](d, 32)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := errors.Join(d.Launch("probe", Shape{Grid: 1, Block: 32}, p, p, int32(32), 1.0, float32(1)), d.Sync()); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Free(p); err != nil {
		b.Fatal(err)
	}
}
