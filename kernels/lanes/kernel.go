package lanes

//go:generate go run -C asm . -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg lanes

// group is the number of lanes that fill a cache line, and a vector of AVX-512.
const group = 8

// kernel has the inner loops over a span of groups. The row of a node is rows[node<<stride], in bytes; rows, own, most,
// delta and row begin with the first group of the span. masks has the lanes of each node, in bits; at is the first bit
// of the span. Lanes outside the span are not wanted.
type kernel struct {
	// count sets own to the sums of the rows of those targets that have a lane that is wanted, in the lanes found, and
	// raises most to them.
	count func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
		own, most *float64) (found uint64)
	// share multiplies such sums of shares by the counts in own. The products are delta; own becomes the share,
	// (mass + delta) / count. The deltas are added to the first two digits of an exact sum. scale has what these digits
	// count, and the mass of the node, which is to be multiplied by those of the lanes' sources in masses. rest is not 0
	// where a delta has a third digit.
	share func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
		own, delta, masses, scale *float64, word *int64) (rest uint64)
	// pass multiplies such sums of numbers of onward paths by the counts in own. The products are delta; own becomes the
	// sum and 1.
	pass func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
		own, delta, one *float64)
	// term adds the products of own and row to an exact sum in the same way, in the lanes of a mask of this span.
	term func(mask uint64, own, row, scale *float64, word *int64) (rest uint64)
}

// kernels are for 1, 2, 4 and 8 groups.
type kernels [4]kernel

// allKernels returns the kernels that this processor can run, the fastest first and those in plain Go last. All compute
// the same bits.
func allKernels() []kernels {
	var plain kernels
	for i := range plain {
		plain[i] = plainKernel(1 << i)
	}
	return append(vectorKernels(), plain)
}

// Vectors reports whether the processor has kernels with vectors.
func Vectors() bool { return len(vectorKernels()) > 0 }
