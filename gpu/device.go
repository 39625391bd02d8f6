// Package gpu is devices and nothing else: memory, launches, and the errors of both. It knows no measure. The device of
// a CUDA driver is gpu/cuda, the one of tests without a GPU gpu/emulated; gpu/built is the one that a build has, by its
// tags.
package gpu

import (
	"errors"
	"fmt"
	"unsafe"
)

// Ptr is an address in device memory; 0 is none.
type Ptr uint64

// At returns the address that lies bytes further.
func (p Ptr) At(bytes int64) Ptr { return p + Ptr(bytes) }

// Kernel is one kernel of the compiled files; kernels_gen.go lists them.
type Kernel struct {
	// Name is that of the extern "C" function.
	Name string
	// File is the .cu that has it, without folder and ending.
	File string
}

// String returns the kernel's extern "C" name.
func (k Kernel) String() string { return k.Name }

// Info describes a device. Sizes are in bytes.
type Info struct {
	Name string `json:"name"`
	// Major and Minor are the compute capability.
	Major int `json:"major"`
	Minor int `json:"minor"`
	// SMs is the number of multiprocessors; Threads the most that one of them keeps resident.
	SMs     int `json:"sms"`
	Threads int `json:"threads"`
	// SharedBlock is the most shared memory that a block can take when it asks for it, in bytes; L2 is the cache.
	SharedBlock int   `json:"sharedBlock"`
	L2          int64 `json:"l2"`
	// Bandwidth is that of the device's memory at its highest clock, in bytes per second; 0 where that is not known.
	Bandwidth int64 `json:"bandwidth,omitempty"`
	// Free and Total memory in bytes; Free when the device was opened.
	Free  int64 `json:"free"`
	Total int64 `json:"total"`
	// Display says that the device draws a screen, whose driver ends kernels that take seconds.
	Display bool `json:"display,omitempty"`
	// Driver is the CUDA version that the driver serves, such as 13000.
	Driver int `json:"driver"`
}

// Shape is the shape of a launch, in one dimension.
type Shape struct {
	Grid, Block int
	// Shared is the dynamic shared memory of a block, in bytes. Any amount up to Info.SharedBlock may be asked for.
	Shared int
	// Cooperative says that the grid's blocks wait for one another, so that all must be resident; see Resident.
	Cooperative bool
}

// Device runs kernels on one device, in order, on one stream. Launch, CopyIn and Memset may return before the work is
// done; CopyOut and Sync wait for all of it. It belongs to the goroutine that opened it. Errors wrap one of the Err
// values.
type Device interface {
	Info() Info
	// Alloc takes bytes of uninitialised memory, aligned to 256 bytes. 0 bytes are a valid pointer too.
	Alloc(bytes int64) (Ptr, error)
	// Free gives memory of Alloc back; 0 is ignored. Close frees what is left.
	Free(p Ptr) error
	CopyIn(dst Ptr, src []byte) error
	CopyOut(dst []byte, src Ptr) error
	Memset(p Ptr, value byte, bytes int64) error
	// Launch starts a kernel. args are Ptr, int32, uint32, int64, uint64, float32 or float64, in
	// the order and of the width of the kernel's parameters.
	Launch(kernel Kernel, s Shape, args ...any) error
	// Resident returns how many blocks of a launch fit on one multiprocessor at a time.
	Resident(kernel Kernel, s Shape) (int, error)
	Sync() error
	// Running says whether work that was started before is still under way.
	Running() (bool, error)
	// Peek and Poke copy a few bytes from and to the device without waiting for what runs there.
	Peek(dst []byte, src Ptr) error
	Poke(dst Ptr, src []byte) error
	// Peak returns the most bytes that were allocated at a time.
	Peak() int64
}

// OpenDevice is a device that must be closed.
type OpenDevice interface {
	Device
	// Renew makes an open device as good as new for another order: it asks for free memory again and forgets the peak.
	Renew() error
	// Rest gives back most of the memory that is kept for the next order.
	Rest() error
	Close() error
}

// Errors of a device. What they wrap says more.
var (
	ErrMemory = errors.New("out of device memory")
	ErrLaunch = errors.New("launch failed")
	ErrArch   = errors.New("no kernel for this device")
)

// Number is an element of a device array.
type Number interface {
	~uint8 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// SizeOf returns the bytes of one element.
func SizeOf[T Number]() int64 { var x T; return int64(unsafe.Sizeof(x)) }

// Bytes returns the memory of a slice, shared.
func Bytes[T Number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), int64(len(s))*SizeOf[T]())
}

// Upload allocates a copy of s on the device. The caller frees it.
func Upload[T Number](d Device, s []T) (Ptr, error) {
	p, err := d.Alloc(int64(len(s)) * SizeOf[T]())
	if err != nil {
		return 0, err
	}
	if err := d.CopyIn(p, Bytes(s)); err != nil {
		return 0, errors.Join(err, d.Free(p))
	}
	return p, nil
}

// Download fills dst from the device, after all work that was started before.
func Download[T Number](d Device, dst []T, src Ptr) error {
	return d.CopyOut(Bytes(dst), src)
}

// Zeros allocates count zeros. The caller frees them.
func Zeros[T Number](d Device, count int64) (Ptr, error) {
	bytes := count * SizeOf[T]()
	p, err := d.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	if err := d.Memset(p, 0, bytes); err != nil {
		return 0, errors.Join(err, d.Free(p))
	}
	return p, nil
}

// Arena frees together what was allocated through it.
type Arena struct {
	Device
	held []Ptr
}

// Alloc is Device.Alloc; Release frees it.
func (a *Arena) Alloc(bytes int64) (Ptr, error) {
	p, err := a.Device.Alloc(bytes)
	if err == nil {
		a.held = append(a.held, p)
	}
	return p, err
}

// Free frees one allocation of the arena early.
func (a *Arena) Free(p Ptr) error {
	for i, q := range a.held {
		if q == p {
			a.held = append(a.held[:i], a.held[i+1:]...)
			return a.Device.Free(p)
		}
	}
	if p == 0 {
		return nil
	}
	return fmt.Errorf("free of %#x, which the arena does not hold", uint64(p))
}

// ReleaseAfter frees everything at the end of a run, whose error stands before that of freeing.
func (a *Arena) ReleaseAfter(err *error) {
	if freed := a.Release(); *err == nil {
		*err = freed
	}
}

// Release frees everything, the last first.
func (a *Arena) Release() error {
	var all error
	for i := len(a.held) - 1; i >= 0; i-- {
		all = errors.Join(all, a.Device.Free(a.held[i]))
	}
	a.held = nil
	return all
}
