//go:build !amd64

package lanes

// vectorKernels returns no kernels.
func vectorKernels() []kernels { return nil }

// vectorDistanceKernels returns no kernels.
func vectorDistanceKernels() []distanceKernel { return nil }
