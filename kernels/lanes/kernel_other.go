//go:build !amd64

package lanes

// kernelOf returns the kernel for 1, 2, 4 or 8 groups.
func kernelOf(groups int) kernel { return plainKernel(groups) }

// vectorKernels returns nothing: there are no kernels with vectors for this processor.
func vectorKernels() map[int]kernel { return nil }
