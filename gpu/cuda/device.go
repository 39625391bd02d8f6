//go:build cuda

package cuda

// #include <cuda.h>
import "C"

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/linchpin-graph/linchpin/gpu"
)

// GPU is the device that a CUDA driver shows. It implements Device.
type GPU struct {
	context   cu.CUContext
	info      gpu.Info
	modules   map[string]cu.Module // by file
	functions map[string]cu.Function
	ledger    gpu.Ledger
	second    *cu.Stream // for Peek and Poke
	staged    bool       // whether staging was tried for
	staging   *staging   // nil where there is none
	spare     gpu.FreeList
	debug     io.Writer
}

// atRest is the memory that a device keeps while it waits for an order.
const atRest = 256 << 20

// Open makes a context on a device, by its index among those that CUDA_VISIBLE_DEVICES leaves, and locks the goroutine
// to its thread until Close. With debug set, every launch is waited for, timed and written there.
func Open(index int, debug io.Writer) (*GPU, error) {
	info, err := describe(index)
	if err != nil {
		return nil, err
	}
	device, err := cu.GetDevice(index)
	if err != nil {
		return nil, wrap("open device", err)
	}
	runtime.LockOSThread()
	context, err := device.MakeContext(cu.SchedAuto)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, wrap("make a context", err)
	}
	d := &GPU{
		context: context, info: info, debug: debug,
		modules: map[string]cu.Module{}, functions: map[string]cu.Function{},
	}
	if d.info.Free, d.info.Total, err = cu.MemInfo(); err != nil {
		return nil, errors.Join(wrap("ask for free memory", err), d.Close())
	}
	d.spare.Most = d.info.Total / 4 // others have the rest
	return d, nil
}

// Count returns the number of devices that CUDA_VISIBLE_DEVICES leaves.
func Count() (int, error) {
	count, err := cu.NumDevices()
	return count, wrap("count devices", err)
}

func describe(index int) (gpu.Info, error) {
	device, err := cu.GetDevice(index)
	if err != nil {
		return gpu.Info{}, wrap(fmt.Sprintf("device %d", index), err)
	}
	info := gpu.Info{Driver: cu.Version()}
	if info.Name, err = device.Name(); err != nil {
		return gpu.Info{}, wrap("name of the device", err)
	}
	if info.Total, err = device.TotalMem(); err != nil {
		return gpu.Info{}, wrap("memory of the device", err)
	}
	var l2, limited, kilohertz, bits int
	for _, a := range []struct {
		of   cu.DeviceAttribute
		into *int
	}{
		{cu.ComputeCapabilityMajor, &info.Major}, {cu.ComputeCapabilityMinor, &info.Minor},
		{cu.MultiprocessorCount, &info.SMs}, {C.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &info.Threads},
		{C.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &info.SharedBlock}, {cu.L2CacheSize, &l2},
		{cu.KernelExecTimeout, &limited}, {cu.MemoryClockRate, &kilohertz}, {cu.GlobalMemoryBusWidth, &bits},
	} {
		if *a.into, err = device.Attribute(a.of); err != nil {
			return gpu.Info{}, wrap("attributes of the device", err)
		}
	}
	info.L2, info.Display = int64(l2), limited != 0
	info.Bandwidth = 2 * 1000 * int64(kilohertz) * int64(bits) / 8 // two transfers a clock
	return info, nil
}

// Info describes the device.
func (d *GPU) Info() gpu.Info { return d.info }

// Peak returns the most bytes that were allocated at a time.
func (d *GPU) Peak() int64 { return d.ledger.Peak }

// Ledger counts what is allocated, for tests.
func (d *GPU) Ledger() *gpu.Ledger { return &d.ledger }

// Alloc takes device memory; see Device.
func (d *GPU) Alloc(bytes int64) (gpu.Ptr, error) {
	if bytes < 0 {
		return 0, fmt.Errorf("%w: %d bytes", gpu.ErrMemory, bytes)
	}
	bytes = max(bytes, 256)
	if p := d.spare.Take(bytes); p != 0 {
		d.ledger.Take(p, bytes)
		return p, nil
	}
	p, err := cu.MemAlloc(bytes)
	if err == error(cu.OutOfMemory) && d.spare.Bytes > 0 {
		if err := release(d.spare.Shrink(0)); err != nil {
			return 0, err
		}
		p, err = cu.MemAlloc(bytes)
	}
	if err != nil {
		return 0, wrap(fmt.Sprintf("take %d bytes with %d in use", bytes, d.ledger.Used), err)
	}
	d.ledger.Take(gpu.Ptr(p), bytes)
	return gpu.Ptr(p), nil
}

// Free gives memory back; see Device.
func (d *GPU) Free(p gpu.Ptr) error {
	if p == 0 {
		return nil
	}
	bytes := d.ledger.Bytes(p)
	if err := d.ledger.Give(p); err != nil {
		return err
	}
	return release(d.spare.Give(p, bytes))
}

// release gives blocks back to the driver.
func release(blocks []gpu.Ptr) (all error) {
	for _, p := range blocks {
		all = errors.Join(all, wrap("free", cu.MemFree(cu.DevicePtr(p))))
	}
	return all
}

// CopyIn copies to the device; see Device.
func (d *GPU) CopyIn(dst gpu.Ptr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	if s := d.stage(len(src)); s != nil {
		return wrap("copy to the device", s.in(dst, src))
	}
	return wrap("copy to the device", cu.MemcpyHtoD(cu.DevicePtr(dst), unsafe.Pointer(&src[0]), int64(len(src))))
}

// CopyOut copies from the device; see Device.
func (d *GPU) CopyOut(dst []byte, src gpu.Ptr) error {
	if len(dst) == 0 {
		return nil
	}
	if s := d.stage(len(dst)); s != nil {
		return wrap("copy from the device", s.out(dst, src))
	}
	return wrap("copy from the device", cu.MemcpyDtoH(unsafe.Pointer(&dst[0]), cu.DevicePtr(src), int64(len(dst))))
}

// stage returns the buffer for a copy of so many bytes, or nil for one without.
func (d *GPU) stage(bytes int) *staging {
	if bytes < stagedFrom {
		return nil
	}
	if !d.staged {
		d.staged, d.staging = true, newStaging()
	}
	return d.staging
}

// Memset fills device memory; see Device.
func (d *GPU) Memset(p gpu.Ptr, value byte, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return wrap("memset", cu.MemsetD8(cu.DevicePtr(p), value, bytes))
}

// Running says whether work is under way; see Device.
func (d *GPU) Running() (bool, error) {
	err := cu.NoStream.Query()
	if err == error(cu.NotReady) {
		return true, nil
	}
	return false, wrap("ask whether the device works", err)
}

// Peek copies from the device while it works; see Device.
func (d *GPU) Peek(dst []byte, src gpu.Ptr) error {
	return d.aside("look at the device", func(s cu.Stream) error {
		return cu.MemcpyDtoHAsync(unsafe.Pointer(&dst[0]), cu.DevicePtr(src), int64(len(dst)), s)
	})
}

// Poke copies to the device while it works; see Device.
func (d *GPU) Poke(dst gpu.Ptr, src []byte) error {
	return d.aside("tell the device", func(s cu.Stream) error {
		return cu.MemcpyHtoDAsync(cu.DevicePtr(dst), unsafe.Pointer(&src[0]), int64(len(src)), s)
	})
}

// aside runs a copy on a stream of its own, and waits for it.
func (d *GPU) aside(what string, copies func(cu.Stream) error) error {
	if d.second == nil {
		s, err := cu.MakeStream(cu.NonBlocking)
		if err != nil {
			return wrap(what, err)
		}
		d.second = &s
	}
	if err := copies(*d.second); err != nil {
		return wrap(what, err)
	}
	return wrap(what, d.second.Synchronize())
}

// Sync waits for all work.
func (d *GPU) Sync() error { return wrap("wait for the device", cu.Synchronize()) }

// Renew makes the device as good as new; see OpenDevice.
func (d *GPU) Renew() error {
	d.ledger.Renew()
	var err error
	d.info.Free, d.info.Total, err = cu.MemInfo()
	d.info.Free += d.spare.Bytes
	return wrap("ask for free memory", err)
}

// Rest gives back the memory that is kept for the next order; see OpenDevice.
func (d *GPU) Rest() error { return release(d.spare.Shrink(atRest)) }

// Close frees what is left and gives the context back.
func (d *GPU) Close() error {
	defer runtime.UnlockOSThread()
	var all error
	for _, p := range d.ledger.Left() {
		all = errors.Join(all, d.Free(p))
	}
	all = errors.Join(all, release(d.spare.Shrink(0)))
	all = errors.Join(all, wrap("free locked memory", d.staging.free()))
	if d.second != nil {
		all = errors.Join(all, wrap("destroy the stream", d.second.Destroy()))
	}
	return errors.Join(all, wrap("destroy the context", d.context.Destroy()))
}

// wrap says what failed and sorts the driver's errors into those of Device.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	kind := gpu.ErrLaunch
	unfit := []error{cu.NoBinaryForGpu, cu.InvalidPtx, cu.JitCompilerNotFound, cu.InvalidImage}
	switch {
	case err == error(cu.OutOfMemory):
		kind = gpu.ErrMemory
	case slices.Contains(unfit, err):
		kind = gpu.ErrArch
	}
	return fmt.Errorf("%w: %s: CUDA says %v", kind, what, err)
}

var _ gpu.Device = (*GPU)(nil)
