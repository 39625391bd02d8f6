//go:build !amd64

package rank

// fastKernel returns the fastest kernel of this processor.
func fastKernel() kernel { return plainKernel() }
