//go:build !amd64

package rank

// fastKernel returns the fastest kernel of this processor.
func fastKernel() kernel { return plainKernel() }

// fastDifferences returns the fastest kernel of this processor for wide rows.
func fastDifferences() differenceKernel { return plainDifferences }
