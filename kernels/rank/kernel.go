package rank

import (
	"math"
	"unsafe"
)

//go:generate go run -C asm . -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg rank

// lanes is the number of vectors that are multiplied together. Their numbers of one node fill a cache line, and a
// vector of AVX-512.
const lanes = 8

// kernel has the inner loops over rows of 8 lanes. Each lane has the bits of a system alone.
type kernel struct {
	// sum sets out to the sum of the rows of targets, and weightedSum multiplies each with the factor of its arc.
	sum, weightedSum func(targets *int32, length int, factors, rows, out *float64)
	// advance is what system.step does with a node. The scores before are read in the lanes of blend.
	advance func(own, sums, scores, before, next, most *float64, share, weight, base float64, blend uint64)
}

// plainKernel is the kernel in plain Go.
func plainKernel() kernel {
	return kernel{sum: plainSum, weightedSum: plainWeightedSum, advance: plainAdvance}
}

func plainSum(targets *int32, length int, _, rows, out *float64) {
	for lane := range lanes {
		row := unsafe.Slice(targets, length)
		at := func(i int) float64 { return *number(rows, int(row[i])*lanes+lane) }
		var a, b, c, d float64
		for ; len(row) >= 4; row = row[4:] {
			a += at(0)
			b += at(1)
			c += at(2)
			d += at(3)
		}
		for i := range row {
			a += at(i)
		}
		*number(out, lane) = (a + b) + (c + d)
	}
}

func plainWeightedSum(targets *int32, length int, factors, rows, out *float64) {
	for lane := range lanes {
		row, by := unsafe.Slice(targets, length), unsafe.Slice(factors, length)
		at := func(i int) float64 { return *number(rows, int(row[i])*lanes+lane) }
		var a, b float64
		for ; len(row) >= 2; row, by = row[2:], by[2:] {
			a += by[0] * at(0)
			b += by[1] * at(1)
		}
		for i := range row {
			a += by[i] * at(i)
		}
		*number(out, lane) = a + b
	}
}

func plainAdvance(own, sums, scores, before, next, most *float64, share, weight, base float64, blend uint64) {
	for lane := range lanes {
		old, now, last := *number(scores, lane), *number(own, lane)+*number(sums, lane), 0.0
		*number(most, lane) = max(*number(most, lane), math.Abs(now-old)/max(math.Abs(old), base))
		if blend>>lane&1 == 1 {
			last = *number(before, lane)
		}
		now = weight*(now-last) + last
		*number(before, lane), *number(scores, lane), *number(next, lane) = old, now, now*share
	}
}

// number returns the place of a number after another one.
func number(first *float64, i int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(first), uintptr(i)*unsafe.Sizeof(*first)))
}
