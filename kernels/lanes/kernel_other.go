//go:build !amd64

package lanes

// vectorKernels returns nothing: there are no kernels with vectors for this processor.
func vectorKernels() []kernels { return nil }
