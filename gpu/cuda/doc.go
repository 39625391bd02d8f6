// Package cuda is the device that a CUDA driver shows. It needs the build tag cuda; the kernels are embedded as
// gpu/cuda/build/worker.mk compiled them. A program that links it ends where there is no GPU: only the worker does.
package cuda
