// Package device is what engines on a device share: a job and its graph in device memory, calls that keep the first
// error, sums of thread blocks, and lengths by weights. The kernels and headers of this folder are shared, too. No
// engine is in here.
package device

import (
	"context"
	"unsafe"

	"github.com/linchpin-graph/linchpin/gpu"
)

//go:generate go run ../../internal/kernelgen -exported

// Calls makes calls of a device and keeps the first error. After an error the others do nothing, so that a sequence of
// calls needs one check at its end.
type Calls struct {
	Ctx    context.Context
	Device gpu.Device
	Err    error
}

// Do calls f, unless there was an error.
func (c *Calls) Do(f func() error) {
	if c.Err == nil {
		c.Err = f()
	}
}

// Alloc returns device memory of at least so many bytes.
func (c *Calls) Alloc(bytes int64) (p gpu.Ptr) {
	c.Do(func() (err error) { p, err = c.Device.Alloc(max(bytes, 8)); return err })
	return p
}

// Zeros returns device memory of zeros.
func (c *Calls) Zeros(bytes int64) gpu.Ptr {
	p := c.Alloc(bytes)
	c.Clear(p, max(bytes, 8))
	return p
}

// Clear sets so many bytes to zero.
func (c *Calls) Clear(p gpu.Ptr, bytes int64) {
	c.Do(func() error { return c.Device.Memset(p, 0, bytes) })
}

// Free frees device memory.
func (c *Calls) Free(p gpu.Ptr) {
	c.Do(func() error { return c.Device.Free(p) })
}

// Launch starts a kernel.
func (c *Calls) Launch(kernel gpu.Kernel, shape gpu.Shape, args ...any) {
	c.Do(func() error { return c.Device.Launch(kernel, shape, args...) })
}

// Ready has the device load a kernel that is launched later: the first time that takes long.
func (c *Calls) Ready(kernel gpu.Kernel, shape gpu.Shape) {
	c.Do(func() error { _, err := c.Device.Resident(kernel, shape); return err })
}

// Sync waits for the device.
func (c *Calls) Sync() { c.Do(c.Device.Sync) }

// Upload copies a slice to new device memory.
func Upload[T gpu.Number](c *Calls, s []T) (p gpu.Ptr) {
	c.Do(func() (err error) { p, err = gpu.Upload(c.Device, s); return err })
	return p
}

// UploadBytes copies a slice of structs to new device memory.
func UploadBytes[T any](c *Calls, s []T) gpu.Ptr {
	bytes := BytesOf(s)
	p := c.Alloc(int64(len(bytes)))
	c.Do(func() error { return c.Device.CopyIn(p, bytes) })
	return p
}

// Download fills a slice from device memory.
func Download[T gpu.Number](c *Calls, into []T, from gpu.Ptr) {
	c.Do(func() error { return gpu.Download(c.Device, into, from) })
}

// DownloadBytes fills a slice of structs from device memory.
func DownloadBytes[T any](c *Calls, into []T, from gpu.Ptr) {
	c.Do(func() error { return c.Device.CopyOut(BytesOf(into), from) })
}

// BytesOf returns the memory of a slice of structs, shared.
func BytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// Put writes the arguments of a kernel, a struct that kernelgen made, to new device memory. All its fields take 8
// bytes.
func Put[A any](c *Calls, args A) gpu.Ptr {
	return Upload(c, unsafe.Slice((*uint64)(unsafe.Pointer(&args)), unsafe.Sizeof(args)/8))
}

// One is a flag as kernels take it.
func One(flag bool) int64 {
	if flag {
		return 1
	}
	return 0
}

// Failures returns which of count flags in device memory are set.
func (c *Calls) Failures(p gpu.Ptr, count int) []int32 {
	flags := make([]int32, count)
	if Download(c, flags, p); c.Err != nil {
		return nil
	}
	var which []int32
	for i, f := range flags {
		if f != 0 {
			which = append(which, int32(i))
		}
	}
	return which
}
