//go:build cuda

package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// probe is a kernel of probe.cu, which scales and shifts numbers.
var probe = gpu.Kernel{Name: "probe", File: "probe"}

// open opens device 0 for a test or benchmark.
func open(t testing.TB) *GPU {
	t.Helper()
	d, err := Open(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
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
	if info.Name == "" || info.Major < 7 || info.SMs < 1 || info.Threads < 1024 || info.SharedBlock < 48<<10 ||
		info.L2 < 1<<20 {
		t.Errorf("%+v", info)
	}
	if info.Free <= 0 || info.Free > info.Total || info.Driver < 12000 {
		t.Errorf("%+v", info)
	}
}

func TestDeviceTime(t *testing.T) {
	var trace bytes.Buffer
	d, err := Open(0, &trace)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 24
	p, err := gpu.Zeros[float64](d, n)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	seconds, err := d.Time(func() error {
		return d.Launch(probe, gpu.Shape{Grid: 1, Block: 32}, p, p, int32(n), 1.0, float32(1))
	})
	if wall := time.Since(start).Seconds(); err != nil || seconds <= 0 || seconds > wall {
		t.Errorf("%v s of %v s, %v", seconds, wall, err)
	}
	if !strings.HasPrefix(trace.String(), "probe grid 1 block 32 shared 0: ") {
		t.Errorf("trace %q", trace.String())
	}
	blocks, err := d.Resident(probe, gpu.Shape{Block: 1024})
	if err != nil || blocks < 1 || blocks > 2 {
		t.Errorf("%d blocks of 1024 threads fit on a multiprocessor, %v", blocks, err)
	}
	if err := errors.Join(d.Free(p), d.Close()); err != nil {
		t.Error(err)
	}
}

// TestStagedCopies: copies around the sizes of a staged one and of its slots come back whole, also where the source is
// changed right after.
func TestStagedCopies(t *testing.T) {
	d, err := Open(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{stagedFrom - 1, stagedFrom, stagedFrom + 1, 8 * stagingSlot, 8*stagingSlot + 1,
		stagingSlots*stagingSlot + 4097, 3*stagingSlots*stagingSlot - 3} {
		want, got := make([]byte, size), make([]byte, size)
		if _, err := random.Read(want); err != nil {
			t.Fatal(err)
		}
		sent := bytes.Clone(want)
		a, err := d.Alloc(int64(size))
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Alloc(int64(size))
		if err != nil {
			t.Fatal(err)
		}
		err = d.CopyIn(a, sent)
		clear(sent)
		err = errors.Join(err, d.CopyIn(b, sent), d.CopyOut(got, a), d.CopyOut(sent, b))
		if err != nil || !bytes.Equal(got, want) || bytes.ContainsFunc(sent, func(r rune) bool { return r != 0 }) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err := errors.Join(d.Free(a), d.Free(b)); err != nil {
			t.Error(err)
		}
	}
	if d.staging == nil {
		t.Error("there is no locked memory")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkAlloc takes memory of the driver and gives it back, as runs do between two orders.
func BenchmarkAlloc(b *testing.B) {
	d := open(b)
	for _, gib := range []int64{1, 8, 32} {
		b.Run(fmt.Sprint(gib, "GiB"), func(b *testing.B) {
			for b.Loop() {
				p, err := d.Alloc(gib << 30)
				if err := errors.Join(err, d.Free(p)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCopyIn(b *testing.B) {
	benchmarkCopy(b, func(d *GPU, p gpu.Ptr, s []byte) error { return d.CopyIn(p, s) })
}

func BenchmarkCopyOut(b *testing.B) {
	benchmarkCopy(b, func(d *GPU, p gpu.Ptr, s []byte) error { return d.CopyOut(s, p) })
}

func benchmarkCopy(b *testing.B, work func(*GPU, gpu.Ptr, []byte) error) {
	d := open(b)
	s := make([]byte, 256<<20)
	p, err := gpu.Upload(d, s)
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
	p, err := gpu.Zeros[float64](d, 32)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := errors.Join(d.Launch(probe, gpu.Shape{Grid: 1, Block: 32}, p, p, int32(32), 1.0,
			float32(1)), d.Sync()); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Free(p); err != nil {
		b.Fatal(err)
	}
}
