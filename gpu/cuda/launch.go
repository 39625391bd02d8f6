//go:build cuda

package cuda

// #include <cuda.h>
// #include <stdlib.h>
//
// // launch_cooperative exists because the stub of gorgonia.org/cu does nothing, and because C may hold pointers to
// // pointers that Go may not pass.
// static CUresult launch_cooperative(CUfunction f, unsigned grid, unsigned block, unsigned shared, unsigned long long
// *slots, int count) {
//     void **params = malloc(sizeof(void *) * (count + 1));
//     if (!params) return CUDA_ERROR_OUT_OF_MEMORY;
//     for (int i = 0; i < count; i++) params[i] = &slots[i];
//     CUresult r = cuLaunchCooperativeKernel(f, grid, 1, 1, block, 1, 1, shared, 0, params);
//     free(params);
//     return r;
// }
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/linchpin-graph/linchpin/gpu"
)

// defaultShared is the dynamic shared memory, in bytes, that a kernel gets without asking.
const defaultShared = 48 << 10

// Launch starts a kernel; see Device.
func (d *GPU) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	if err := s.Check(d.info); err != nil {
		return fmt.Errorf("%s: %w", kernel, err)
	}
	values, err := gpu.Slots(args)
	if err != nil {
		return fmt.Errorf("%s: %w", kernel, err)
	}
	f, err := d.function(kernel, s.Shared)
	if err != nil {
		return err
	}
	if d.debug == nil {
		return d.start(kernel, f, s, values)
	}
	seconds, err := d.Time(func() error { return d.start(kernel, f, s, values) })
	fmt.Fprintf(d.debug, "%s grid %d block %d shared %d: %.3f ms\n", kernel, s.Grid, s.Block, s.Shared, seconds*1e3)
	return err
}

func (d *GPU) start(kernel gpu.Kernel, f cu.Function, s gpu.Shape, values []uint64) error {
	what := fmt.Sprintf("launch %s, %d blocks of %d threads", kernel, s.Grid, s.Block)
	if s.Cooperative {
		var first *C.ulonglong
		if len(values) > 0 {
			first = (*C.ulonglong)(&values[0])
		}
		return wrap(what, result(C.launch_cooperative(handle(f), C.uint(s.Grid), C.uint(s.Block), C.uint(s.Shared), first,
			C.int(len(values)))))
	}
	params := make([]unsafe.Pointer, len(values))
	for i := range values {
		params[i] = unsafe.Pointer(&values[i])
	}
	return wrap(what, f.Launch(s.Grid, 1, 1, s.Block, 1, 1, s.Shared, cu.NoStream, params))
}

// Resident returns how many blocks fit on a multiprocessor; see Device.
func (d *GPU) Resident(kernel gpu.Kernel, s gpu.Shape) (int, error) {
	f, err := d.function(kernel, s.Shared)
	if err != nil {
		return 0, err
	}
	blocks, err := f.MaxActiveBlocksPerMultiProcessor(s.Block, int64(s.Shared))
	return blocks, wrap("occupancy of "+kernel.Name, err)
}

// function finds a kernel in the compiled files, loading them one after the other until it is there.
func (d *GPU) function(kernel gpu.Kernel, shared int) (cu.Function, error) {
	f, ok := d.functions[kernel.Name]
	if !ok {
		var err error
		if f, err = d.find(kernel); err != nil {
			return f, err
		}
		d.functions[kernel.Name] = f
	}
	if shared > defaultShared {
		r := C.cuFuncSetAttribute(handle(f), C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, C.int(shared))
		if err := result(r); err != nil {
			return f, wrap(fmt.Sprintf("%d bytes of shared memory for %s", shared, kernel), err)
		}
	}
	return f, nil
}

// find returns a kernel of its compiled file.
func (d *GPU) find(kernel gpu.Kernel) (cu.Function, error) {
	module, err := d.load(kernel.File)
	if err != nil {
		return cu.Function{}, err
	}
	f, err := module.Function(kernel.Name)
	switch {
	case err == error(cu.NotFound):
		return f, fmt.Errorf("%w: %s.cu has no kernel %q", gpu.ErrLaunch, kernel.File, kernel.Name)
	case err != nil:
		return f, wrap("find "+kernel.Name, err)
	}
	return f, nil
}

// load returns the module of a compiled file, which is loaded once.
func (d *GPU) load(file string) (cu.Module, error) {
	if module, loaded := d.modules[file]; loaded {
		return module, nil
	}
	image, err := image(file)
	if err != nil {
		return cu.Module{}, err
	}
	module, err := cu.LoadFatBinary(image)
	if err != nil {
		return module, wrap(fmt.Sprintf("load %s on compute capability %d.%d", file, d.info.Major, d.info.Minor), err)
	}
	d.modules[file] = module
	return module, nil
}

// Time runs work between two events and returns the seconds that the device took for what it started.
func (d *GPU) Time(work func() error) (float64, error) {
	begin, err := cu.MakeEvent(cu.DefaultEvent)
	if err != nil {
		return 0, wrap("event", err)
	}
	defer cu.DestroyEvent(&begin)
	end, err := cu.MakeEvent(cu.DefaultEvent)
	if err != nil {
		return 0, wrap("event", err)
	}
	defer cu.DestroyEvent(&end)
	if err := errors.Join(wrap("event", begin.Record(cu.NoStream)), work(), wrap("event", end.Record(cu.NoStream)),
		d.Sync()); err != nil {
		return 0, err
	}
	ms, err := begin.Elapsed(end)
	return ms / 1e3, wrap("event", err)
}

// handle takes the driver's handle out of a Function, which is a struct of nothing else.
func handle(f cu.Function) C.CUfunction { return *(*C.CUfunction)(unsafe.Pointer(&f)) }

func result(r C.CUresult) error {
	if r == C.CUDA_SUCCESS {
		return nil
	}
	var text *C.char
	if C.cuGetErrorName(r, &text) == C.CUDA_SUCCESS {
		return errors.New(C.GoString(text))
	}
	return fmt.Errorf("error %d", int(r))
}
