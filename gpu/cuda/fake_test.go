package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// fakeDevice is a device in host memory. Its kernels are Go functions. The call number failAt (from 1; 0 for none) of
// Alloc, or failLaunch of Launch, fails.
type fakeDevice struct {
	t                  *testing.T
	info               Info
	ledger             ledger
	memory             map[Ptr][]byte
	next               Ptr
	allocs, launches   int
	failAt, failLaunch int
	kernels            map[string]func(d *fakeDevice, s Shape, args []any)
	closed             bool
	renewed            int
	// looks are how often Running says yes; each is called with the looks that are left.
	looks int
	look  func(left int)
}

func newFake(t *testing.T) *fakeDevice {
	return &fakeDevice{
		t: t, info: Info{Name: "Fake 9000", Major: 9, SMs: 4, SharedBlock: 1 << 16, Free: 1 << 30, Total: 1 << 30},
		memory: map[Ptr][]byte{}, next: 1 << 12, kernels: map[string]func(*fakeDevice, Shape, []any){"degrees": degreesKernel},
	}
}

func (d *fakeDevice) Info() Info                          { return d.info }
func (d *fakeDevice) Peak() int64                         { return d.ledger.peak }
func (d *fakeDevice) Sync() error                         { return nil }
func (d *fakeDevice) Peek(dst []byte, src Ptr) error      { return d.CopyOut(dst, src) }
func (d *fakeDevice) Poke(dst Ptr, src []byte) error      { return d.CopyIn(dst, src) }
func (d *fakeDevice) Resident(Kernel, Shape) (int, error) { return 2, nil }

func (d *fakeDevice) Running() (bool, error) {
	if d.looks == 0 {
		return false, nil
	}
	d.looks--
	if d.look != nil {
		d.look(d.looks)
	}
	return true, nil
}

func (d *fakeDevice) Renew() error {
	d.renewed++
	d.ledger.peak = d.ledger.used
	return nil
}

func (d *fakeDevice) Close() error {
	d.closed = true
	return nil
}

func (d *fakeDevice) Alloc(bytes int64) (Ptr, error) {
	if d.allocs++; d.allocs == d.failAt {
		return 0, fmt.Errorf("%w: take %d bytes", ErrMemory, bytes)
	}
	p := d.next
	d.next += Ptr(bytes+511) / 256 * 256
	d.memory[p] = make([]byte, bytes)
	for i := range d.memory[p] {
		d.memory[p][i] = 0xa5 // device memory starts as rubbish
	}
	d.ledger.take(p, bytes)
	return p, nil
}

func (d *fakeDevice) Free(p Ptr) error {
	if p == 0 {
		return nil
	}
	delete(d.memory, p)
	return d.ledger.give(p)
}

// at returns the memory from p on; p may lie inside an allocation.
func (d *fakeDevice) at(p Ptr, bytes int) []byte {
	d.t.Helper()
	for start, m := range d.memory {
		if p >= start && p+Ptr(bytes) <= start+Ptr(len(m)) {
			return m[p-start:][:bytes]
		}
	}
	d.t.Fatalf("access to %d bytes at %#x, which are not allocated", bytes, uint64(p))
	return nil
}

func (d *fakeDevice) CopyIn(dst Ptr, src []byte) error {
	copy(d.at(dst, len(src)), src)
	return nil
}

func (d *fakeDevice) CopyOut(dst []byte, src Ptr) error {
	copy(dst, d.at(src, len(dst)))
	return nil
}

func (d *fakeDevice) Memset(p Ptr, value byte, bytes int64) error {
	m := d.at(p, int(bytes))
	for i := range m {
		m[i] = value
	}
	return nil
}

func (d *fakeDevice) Launch(kernel Kernel, s Shape, args ...any) error {
	if d.launches++; d.launches == d.failLaunch {
		return fmt.Errorf("%w: %s: CUDA says IllegalAddress", ErrLaunch, kernel)
	}
	if _, err := slots(args); err != nil {
		return err
	}
	if err := s.check(d.info); err != nil {
		return err
	}
	f, ok := d.kernels[kernel.name]
	if !ok {
		return fmt.Errorf("%w: no kernel %q", ErrLaunch, kernel)
	}
	f(d, s, args)
	return nil
}

// degreesKernel(offsets, n, first, count, sources, out): out[v] = degree of v for sources first to first+count.
func degreesKernel(d *fakeDevice, _ Shape, args []any) {
	offsets, sources, out := args[0].(Ptr), args[3].(Ptr), args[4].(Ptr)
	for i := args[1].(int32); i < args[1].(int32)+args[2].(int32); i++ {
		v := Ptr(binary.LittleEndian.Uint32(d.at(sources+4*Ptr(i), 4)))
		begin := binary.LittleEndian.Uint64(d.at(offsets+8*v, 8))
		end := binary.LittleEndian.Uint64(d.at(offsets+8*v+8, 8))
		binary.LittleEndian.PutUint64(d.at(out+8*v, 8), math.Float64bits(float64(end-begin)))
	}
}

// degrees is a strategy of tests: the smallest that allocates, launches and runs in chunks.
type degrees struct {
	// chunk, when set, is called before each chunk.
	chunk func()
	// forget leaves the scores unwritten.
	forget bool
}

func (degrees) Name() string             { return "degrees" }
func (degrees) Fits(w Want, _ bool) bool { return w.Measure == "degree" }
func (degrees) Parts(Want, bool) Parts   { return Parts{Tails: true, Edges: true, Transpose: true} }

func (degrees) Plan(size kernels.Size, _ Want, _ Info, free int64) (Plan, error) {
	need := 12 * size.Nodes
	if need > free {
		return Plan{}, &TooLarge{"degrees", need, free}
	}
	return Plan{DeviceBytes: need, HostBytes: 8, Blocks: 3, Note: "three blocks"}, nil
}

func (s degrees) Run(ctx context.Context, d Device, j *Job) (Result, error) {
	out, err := Zeros[float64](d, j.Graph.N)
	if err != nil {
		return Result{}, err
	}
	sources, err := Upload(d, j.Sources)
	if err != nil {
		return Result{}, err
	}
	err = j.Chunks(ctx, d, j.Plan.Blocks, func(first, count int) error {
		if s.chunk != nil {
			s.chunk()
		}
		return d.Launch(Kernel{"degrees"}, Shape{Grid: j.Plan.Blocks, Block: 32}, j.Graph.Offsets, int32(first), int32(count), sources, out)
	})
	if err != nil || s.forget {
		return Result{}, err
	}
	return Result{Note: "counted"}, errors.Join(Download(d, j.Nodes, out), d.Free(out))
}

var (
	_ Device   = (*fakeDevice)(nil)
	_ Strategy = degrees{}
)
