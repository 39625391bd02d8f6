//go:build emulate && !cuda

// Package emulated is a device in host memory, for tests of kernels without a GPU; it needs the build tag emulate. See
// ARCHITECTURE.md, section 7.
package emulated

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// #include <stdlib.h>
// #include "emulate/emulate.h"
//
// static const EmulateApi *api_of(const char *path) {
//     void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
//     const EmulateApi *(*get)(void) = library ? (const EmulateApi *(*)(void))dlsym(library, "emulate_api") : NULL;
//     return get ? get() : NULL;
// }
// static int api_load(const EmulateApi *a, const char *path, char *error, size_t size) { return a->load(path, error,
// size); } static int api_alloc(const EmulateApi *a, EmulateSlot bytes, EmulateSlot *out, char *error, size_t size) {
// return a->alloc(bytes, out, error, size); } static int api_give(const EmulateApi *a, EmulateSlot p, char *error,
// size_t size) { return a->give(p, error, size); } static int api_copy(const EmulateApi *a, EmulateSlot p, void *host,
// EmulateSlot bytes, int in, char *error, size_t size) { return a->copy(p, host, bytes, in, error, size); } static int
// api_fill(const EmulateApi *a, EmulateSlot p, int value, EmulateSlot bytes, char *error, size_t size) { return
// a->fill(p, value, bytes, error, size); } static int api_bound(const EmulateApi *a, const char *kernel, unsigned
// *threads, char *error, size_t size) { return a->bound(kernel, threads, error, size); } static int api_launch(const
// EmulateApi *a, const char *kernel, const EmulateShape *s, const EmulateSlot *slots, const char *kinds, char *error,
// size_t size) {
//     return a->launch(kernel, s, slots, kinds, error, size);
// }
import "C"

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Of the emulated device. It is small, so that small graphs fill it.
const (
	emulatedSMs     = 2
	emulatedDevices = 2
	emulatedThreads = 1024
	emulatedShared  = 48 << 10
	emulatedMemory  = 1 << 30
)

// GPU is, in builds with the tag emulate, a device in host memory: the kernels are the same, compiled by g++. It is for
// tests of what kernels compute and of how their threads wait for one another; its speed says nothing. It implements
// Device.
type GPU struct {
	api    *C.EmulateApi
	info   gpu.Info
	ledger gpu.Ledger
	debug  io.Writer
	// seed is not 0 where threads and blocks go on in a shuffled order; each launch takes another one.
	seed    uint64
	workers int
	broken  error
}

// Open makes an emulated device; see ARCHITECTURE.md, section 7, for the variables of the environment.
func Open(index int, debug io.Writer) (*GPU, error) {
	if index < 0 || index >= emulatedDevices {
		return nil, fmt.Errorf("%w: there is no emulated device %d", gpu.ErrLaunch, index)
	}
	api, err := emulator()
	if err != nil {
		return nil, err
	}
	d := &GPU{
		api: api, debug: debug, workers: runtime.GOMAXPROCS(0),
		info: gpu.Info{
			Name: "emulated", Major: 9, SMs: emulatedSMs, Threads: emulatedThreads, SharedBlock: emulatedShared, L2: 1 << 20,
			Free: emulatedMemory, Total: emulatedMemory,
		},
	}
	for name, into := range map[string]*int{"LINCHPIN_EMULATED_SMS": &d.info.SMs,
		"LINCHPIN_EMULATED_WORKERS": &d.workers} {
		if text := os.Getenv(name); text != "" {
			if *into, err = strconv.Atoi(text); err != nil || *into < 1 {
				return nil, fmt.Errorf("%s=%q: want a number from 1 on", name, text)
			}
		}
	}
	if text := os.Getenv("LINCHPIN_EMULATED_SEED"); text != "" {
		if d.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, fmt.Errorf("LINCHPIN_EMULATED_SEED=%q: want a whole number", text)
		}
		d.seed *= 1 << 32
	}
	return d, nil
}

// Count returns the number of emulated devices.
func Count() (int, error) { return emulatedDevices, nil }

// emulator loads the kernels once.
var emulator = sync.OnceValues(func() (*C.EmulateApi, error) {
	folder, err := emulatedKernels()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.so"))
	if err != nil {
		return nil, err
	}
	main := filepath.Join(folder, "libemulate.so")
	path := C.CString(main)
	defer C.free(unsafe.Pointer(path))
	api := C.api_of(path)
	if api == nil {
		return nil, fmt.Errorf("%w: cannot load %s", gpu.ErrArch, main)
	}
	for _, file := range files {
		if file == main {
			continue
		}
		path := C.CString(file)
		err := ask(func(text *C.char, size C.size_t) C.int { return C.api_load(api, path, text, size) })
		C.free(unsafe.Pointer(path))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", gpu.ErrArch, err)
		}
	}
	return api, nil
})

// emulatedKernels returns the folder of the compiled kernels: LINCHPIN_EMULATED_KERNELS, or that of the repository
// around the working directory, where it compiles what has changed.
func emulatedKernels() (string, error) {
	if folder := os.Getenv("LINCHPIN_EMULATED_KERNELS"); folder != "" {
		return folder, nil
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "gpu/emulated/emulate/build.mk")); err == nil {
			break
		}
		if filepath.Dir(root) == root {
			return "", fmt.Errorf("%w: the emulated device compiles its kernels in the repository; elsewhere, "+
				"LINCHPIN_EMULATED_KERNELS names their folder", gpu.ErrArch)
		}
		root = filepath.Dir(root)
	}
	// go test repeats what it remembers unless files changed that the test has looked at.
	for _, pattern := range []string{"kernels/*/*.cu*", "gpu/*.cu", "gpu/emulated/emulate/*"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if _, err := os.ReadFile(file); err != nil {
				return "", err
			}
		}
	}
	folder := filepath.Join(root, "build/emulate")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	lock, err := os.Open(folder) // two tests at a time compile one after the other
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return "", err
	}
	out, err := exec.Command("make", "-C", root, "-f", "gpu/emulated/emulate/build.mk", "-j2",
		"--no-print-directory").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: compile the kernels for the emulated device: %w\n%s", gpu.ErrArch, err, out)
	}
	return folder, os.Setenv("LINCHPIN_EMULATED_KERNELS", folder) // workers that this process starts need not look again
}

// ask calls the emulator and returns its error.
func ask(call func(text *C.char, size C.size_t) C.int) error {
	const size = 4096
	text := (*C.char)(C.calloc(1, size))
	defer C.free(unsafe.Pointer(text))
	if call(text, size) != 0 {
		return errors.New(C.GoString(text))
	}
	return nil
}

// Info describes the device.
func (d *GPU) Info() gpu.Info { return d.info }

// Peak returns the most bytes that were allocated at a time.
func (d *GPU) Peak() int64 { return d.ledger.Peak }

// Ledger counts what is allocated, for tests.
func (d *GPU) Ledger() *gpu.Ledger { return &d.ledger }

// Alloc takes memory, which holds rubbish; see Device.
func (d *GPU) Alloc(bytes int64) (gpu.Ptr, error) {
	if bytes < 0 || bytes > d.info.Total-d.ledger.Used {
		return 0, fmt.Errorf("%w: take %d bytes with %d in use", gpu.ErrMemory, bytes, d.ledger.Used)
	}
	var p C.EmulateSlot
	if err := ask(func(text *C.char, size C.size_t) C.int {
		return C.api_alloc(d.api, C.EmulateSlot(bytes), &p, text, size)
	}); err != nil {
		return 0, fmt.Errorf("%w: %w", gpu.ErrMemory, err)
	}
	d.ledger.Take(gpu.Ptr(p), max(bytes, 256))
	return gpu.Ptr(p), nil
}

// Free gives memory back, and fails where something was written beside it; see Device.
func (d *GPU) Free(p gpu.Ptr) error {
	if p == 0 {
		return nil
	}
	if err := d.ledger.Give(p); err != nil {
		return err
	}
	return launchError(ask(func(text *C.char, size C.size_t) C.int {
		return C.api_give(d.api, C.EmulateSlot(p), text,
			size)
	}))
}

// CopyIn copies to the device; see Device.
func (d *GPU) CopyIn(dst gpu.Ptr, src []byte) error { return d.copy(dst, src, 1) }

// CopyOut copies from the device; see Device.
func (d *GPU) CopyOut(dst []byte, src gpu.Ptr) error { return d.copy(src, dst, 0) }

func (d *GPU) copy(p gpu.Ptr, host []byte, in C.int) error {
	if len(host) == 0 {
		return d.broken
	}
	return errors.Join(d.broken, launchError(ask(func(text *C.char, size C.size_t) C.int {
		return C.api_copy(d.api, C.EmulateSlot(p), unsafe.Pointer(&host[0]), C.EmulateSlot(len(host)), in, text, size)
	})))
}

// Memset fills device memory; see Device.
func (d *GPU) Memset(p gpu.Ptr, value byte, bytes int64) error {
	if bytes == 0 {
		return d.broken
	}
	return errors.Join(d.broken, launchError(ask(func(text *C.char, size C.size_t) C.int {
		return C.api_fill(d.api, C.EmulateSlot(p), C.int(value), C.EmulateSlot(bytes), text, size)
	})))
}

// Launch runs a kernel to its end; see Device. A device on which one failed fails from then on.
func (d *GPU) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	if d.broken != nil {
		return d.broken
	}
	if err := s.Check(d.info); err != nil {
		return fmt.Errorf("%s: %w", kernel, err)
	}
	values, err := gpu.Slots(args)
	if err != nil {
		return fmt.Errorf("%s: %w", kernel, err)
	}
	if resident, err := d.Resident(kernel, s); err != nil {
		return err
	} else if s.Cooperative && s.Grid > resident*d.info.SMs {
		return fmt.Errorf("%w: %s: %d blocks wait for one another, %d fit on the device", gpu.ErrLaunch, kernel, s.Grid,
			resident*d.info.SMs)
	}
	shape := C.EmulateShape{
		grid: C.uint(s.Grid), block: C.uint(s.Block), shared: C.uint(s.Shared), workers: C.uint(d.workers),
		seed: C.EmulateSlot(d.seed),
	}
	if s.Cooperative {
		shape.cooperative = 1
	}
	if d.seed != 0 {
		d.seed++
	}
	name, kinds := C.CString(kernel.Name), C.CString(kindsOf(args))
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(kinds))
	start := time.Now()
	var code C.int
	err = launchError(ask(func(text *C.char, size C.size_t) C.int {
		code = C.api_launch(d.api, name, &shape, (*C.EmulateSlot)(unsafe.SliceData(values)), kinds, text, size)
		return code
	}))
	if d.debug != nil {
		fmt.Fprintf(d.debug, "%s grid %d block %d shared %d: %.3f ms\n", kernel, s.Grid, s.Block, s.Shared,
			time.Since(start).Seconds()*1e3)
	}
	if code == 2 {
		d.broken = err
	}
	return err
}

// kindsOf says what the arguments are, in the letters of emulate.h.
func kindsOf(args []any) string {
	var out strings.Builder
	for _, arg := range args {
		switch arg.(type) {
		case gpu.Ptr:
			out.WriteByte('p')
		case int32, uint32:
			out.WriteByte('i')
		case float32:
			out.WriteByte('f')
		case float64:
			out.WriteByte('d')
		default:
			out.WriteByte('l')
		}
	}
	return out.String()
}

// Resident returns how many blocks fit on a multiprocessor; see Device.
func (d *GPU) Resident(kernel gpu.Kernel, s gpu.Shape) (int, error) {
	name := C.CString(kernel.Name)
	defer C.free(unsafe.Pointer(name))
	var bound C.uint
	if err := launchError(ask(func(text *C.char, size C.size_t) C.int {
		return C.api_bound(d.api, name, &bound, text,
			size)
	})); err != nil {
		return 0, err
	}
	if s.Block > int(bound) {
		return 0, fmt.Errorf("%w: %s is bound to blocks of %d threads, not %d", gpu.ErrLaunch, kernel, bound, s.Block)
	}
	return d.info.Threads / s.Block, nil
}

// Sync waits for all work, of which there is none.
func (d *GPU) Sync() error { return d.broken }

// Running says that no work is under way: launches return when it is done.
func (d *GPU) Running() (bool, error) { return false, d.broken }

// Peek is CopyOut.
func (d *GPU) Peek(dst []byte, src gpu.Ptr) error { return d.CopyOut(dst, src) }

// Poke is CopyIn.
func (d *GPU) Poke(dst gpu.Ptr, src []byte) error { return d.CopyIn(dst, src) }

// Renew makes the device as good as new; see OpenDevice.
func (d *GPU) Renew() error {
	d.ledger.Renew()
	return d.broken
}

// Rest does nothing: what is freed is not kept. See OpenDevice.
func (d *GPU) Rest() error { return nil }

// Close frees what is left.
func (d *GPU) Close() error {
	var all error
	for _, p := range d.ledger.Left() {
		all = errors.Join(all, d.Free(p))
	}
	return all
}

func launchError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", gpu.ErrLaunch, err)
}

var _ gpu.Device = (*GPU)(nil)
