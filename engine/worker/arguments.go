package worker

import (
	"unsafe"

	"github.com/linchpin-graph/linchpin/gpu"
)

//go:generate go run ../../internal/kernelgen ../../kernels worker kernels_gen.go

// words returns the memory of a struct of arguments, shared. All its fields take 8 bytes.
func words[A kernelArguments](args *A) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(args)), unsafe.Sizeof(*args)/8)
}

// putArguments writes the arguments of a kernel to device memory.
func putArguments[A kernelArguments](r *traverse, args A) gpu.Ptr { return uploaded(r, words(&args)) }
