package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

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
	// (1 + delta) / count. The deltas are added to the first two digits of an exact sum. scale has what these digits
	// count, and 1. rest is not 0 where a delta has a third digit.
	share func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
		own, delta, scale *float64, word *int64) (rest uint64)
	// term adds the products of own and row to an exact sum in the same way, in the lanes of a mask of this span.
	term func(mask uint64, own, row, scale *float64, word *int64) (rest uint64)
}

// plainKernel is the kernel in plain Go. All kernels compute the same bits.
func plainKernel(groups int) kernel {
	return kernel{
		count: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, most *float64,
		) uint64 {
			sums, found := gather(groups, unsafe.Slice(targets, length), masks, wanted, rows, stride, at)
			row, greatest := unsafe.Slice(own, groups*group), unsafe.Slice(most, groups*group)
			for m := found >> at; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				row[i], greatest[i] = sums[i], max(greatest[i], sums[i])
			}
			return found
		},
		share: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, delta, scale *float64, word *int64,
		) (rest uint64) {
			sums, _ := gather(groups, unsafe.Slice(targets, length), masks, wanted, rows, stride, at)
			row, products := unsafe.Slice(own, groups*group), unsafe.Slice(delta, groups*group)
			by, digits := (*[3]float64)(unsafe.Pointer(scale)), (*[2]int64)(unsafe.Pointer(word))
			for m := wanted >> at; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				product := row[i] * sums[i]
				products[i], row[i] = product, (1+product)/row[i]
				rest |= addDigits(product, by, digits)
			}
			return rest
		},
		term: func(mask uint64, own, row, scale *float64, word *int64) (rest uint64) {
			counts, shares := unsafe.Slice(own, groups*group), unsafe.Slice(row, groups*group)
			by, digits := (*[3]float64)(unsafe.Pointer(scale)), (*[2]int64)(unsafe.Pointer(word))
			for ; mask != 0; mask &= mask - 1 {
				i := bits.TrailingZeros64(mask)
				rest |= addDigits(counts[i]*shares[i], by, digits)
			}
			return rest
		},
	}
}

// gather adds up the rows of targets in those of their lanes that are wanted.
func gather(
	groups int, targets []int32, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
) (sums [MaxLanes]float64, found uint64) {
	for _, v := range targets {
		mask := *(*uint64)(unsafe.Add(unsafe.Pointer(masks), 8*uintptr(v))) & wanted
		if mask == 0 {
			continue
		}
		found |= mask
		row := unsafe.Slice((*float64)(unsafe.Add(unsafe.Pointer(rows), uintptr(v)<<stride)), groups*group)
		for mask >>= at; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask) % MaxLanes
			sums[i] += row[i]
		}
	}
	return sums, found
}

// addDigits adds the first two digits of a term, and returns 1 where there is a third.
func addDigits(x float64, scale *[3]float64, digits *[2]int64) uint64 {
	w := exact.Scale{Unit: scale[0], Fine: scale[1]}.Of(x)
	digits[0] += w[0]
	digits[1] += w[1]
	if w[2] != 0 {
		return 1
	}
	return 0
}

// Vectors reports whether the processor has kernels with vectors.
func Vectors() bool { return len(vectorKernels()) > 0 }
