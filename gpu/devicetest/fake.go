package devicetest

import (
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Fake is a device in host memory. Its kernels are Go functions. The call number FailAt (from 1; 0 for none) of
// Alloc, or FailLaunch of Launch, fails.
type Fake struct {
	t                  *testing.T
	About              gpu.Info
	ledger             gpu.Ledger
	memory             map[gpu.Ptr][]byte
	next               gpu.Ptr
	Allocs, Launches   int
	FailAt, FailLaunch int
	Kernels            map[string]func(d *Fake, s gpu.Shape, args []any)
	Closed             bool
	Renewed, Rested    int
	// Looks are how often Running says yes; each is called with the looks that are left.
	Looks int
	Look  func(left int)
}

// NewFake is a device without kernels.
func NewFake(t *testing.T) *Fake {
	return &Fake{
		t: t, About: gpu.Info{Name: "Fake 9000", Major: 9, SMs: 4, SharedBlock: 1 << 16, Free: 1 << 30, Total: 1 << 30},
		memory: map[gpu.Ptr][]byte{}, next: 1 << 12, Kernels: map[string]func(*Fake, gpu.Shape, []any){},
	}
}

// Ledger counts what is allocated.
func (d *Fake) Ledger() *gpu.Ledger { return &d.ledger }

func (d *Fake) Info() gpu.Info                              { return d.About }
func (d *Fake) Peak() int64                                 { return d.ledger.Peak }
func (d *Fake) Sync() error                                 { return nil }
func (d *Fake) Peek(dst []byte, src gpu.Ptr) error          { return d.CopyOut(dst, src) }
func (d *Fake) Poke(dst gpu.Ptr, src []byte) error          { return d.CopyIn(dst, src) }
func (d *Fake) Resident(gpu.Kernel, gpu.Shape) (int, error) { return 2, nil }

func (d *Fake) Running() (bool, error) {
	if d.Looks == 0 {
		return false, nil
	}
	d.Looks--
	if d.Look != nil {
		d.Look(d.Looks)
	}
	return true, nil
}

func (d *Fake) Renew() error {
	d.Renewed++
	d.ledger.Renew()
	return nil
}

func (d *Fake) Rest() error {
	d.Rested++
	return nil
}

func (d *Fake) Close() error {
	d.Closed = true
	return nil
}

func (d *Fake) Alloc(bytes int64) (gpu.Ptr, error) {
	if d.Allocs++; d.Allocs == d.FailAt {
		return 0, fmt.Errorf("%w: take %d bytes", gpu.ErrMemory, bytes)
	}
	p := d.next
	d.next += gpu.Ptr(bytes+511) / 256 * 256
	d.memory[p] = make([]byte, bytes)
	for i := range d.memory[p] {
		d.memory[p][i] = 0xa5 // device memory starts as rubbish
	}
	d.ledger.Take(p, bytes)
	return p, nil
}

func (d *Fake) Free(p gpu.Ptr) error {
	if p == 0 {
		return nil
	}
	delete(d.memory, p)
	return d.ledger.Give(p)
}

// At returns the memory from p on; p may lie inside an allocation.
func (d *Fake) At(p gpu.Ptr, bytes int) []byte {
	d.t.Helper()
	for start, m := range d.memory {
		if p >= start && p+gpu.Ptr(bytes) <= start+gpu.Ptr(len(m)) {
			return m[p-start:][:bytes]
		}
	}
	d.t.Fatalf("access to %d bytes at %#x, which are not allocated", bytes, uint64(p))
	return nil
}

func (d *Fake) CopyIn(dst gpu.Ptr, src []byte) error {
	copy(d.At(dst, len(src)), src)
	return nil
}

func (d *Fake) CopyOut(dst []byte, src gpu.Ptr) error {
	copy(dst, d.At(src, len(dst)))
	return nil
}

func (d *Fake) Memset(p gpu.Ptr, value byte, bytes int64) error {
	m := d.At(p, int(bytes))
	for i := range m {
		m[i] = value
	}
	return nil
}

func (d *Fake) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	if d.Launches++; d.Launches == d.FailLaunch {
		return fmt.Errorf("%w: %s: CUDA says IllegalAddress", gpu.ErrLaunch, kernel)
	}
	if _, err := gpu.Slots(args); err != nil {
		return err
	}
	if err := s.Check(d.About); err != nil {
		return err
	}
	f, ok := d.Kernels[kernel.Name]
	if !ok {
		return fmt.Errorf("%w: no kernel %q", gpu.ErrLaunch, kernel)
	}
	f(d, s, args)
	return nil
}

var _ gpu.Device = (*Fake)(nil)

// Read returns count numbers that lie on the device.
func Read[T gpu.Number](t *testing.T, d gpu.Device, p gpu.Ptr, count int) []T {
	t.Helper()
	out := make([]T, count)
	if err := gpu.Download(d, out, p); err != nil {
		t.Fatal(err)
	}
	return out
}
