package lanes

import (
	"math/bits"
	"unsafe"
)

// plainKernel is the kernel in plain Go. A conversion after each product keeps compilers from fusing it with a sum,
// which would change bits.
func plainKernel(groups int) kernel {
	return kernel{
		count: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, most *float64,
		) uint64 {
			var sums [MaxLanes]float64
			found := gather(&sums, groups, unsafe.Slice(targets, length), masks, wanted, rows, stride, at)
			row, greatest := unsafe.Slice(own, groups*group), unsafe.Slice(most, groups*group)
			for m := found >> at; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				row[i], greatest[i] = sums[i], max(greatest[i], sums[i])
			}
			return found
		},
		share: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, delta, masses, scale *float64, word *int64,
		) (rest uint64) {
			var sums [MaxLanes]float64
			gather(&sums, groups, unsafe.Slice(targets, length), masks, wanted, rows, stride, at)
			row, products, ends := unsafe.Slice(own, groups*group), unsafe.Slice(delta, groups*group),
				unsafe.Slice(masses, groups*group)
			by, digits := (*[3]float64)(unsafe.Pointer(scale)), (*[2]int64)(unsafe.Pointer(word))
			for m := wanted >> at; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				product := float64(row[i] * sums[i])
				products[i], row[i] = product, (float64(ends[i]*by[2])+product)/row[i]
				rest |= addDigits(product, by, digits)
			}
			return rest
		},
		pass: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, delta, _ *float64,
		) {
			var sums [MaxLanes]float64
			gather(&sums, groups, unsafe.Slice(targets, length), masks, wanted, rows, stride, at)
			row, products := unsafe.Slice(own, groups*group), unsafe.Slice(delta, groups*group)
			for m := wanted >> at; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				products[i], row[i] = row[i]*sums[i], 1+sums[i]
			}
		},
		term: func(mask uint64, own, row, scale *float64, word *int64) (rest uint64) {
			counts, shares := unsafe.Slice(own, groups*group), unsafe.Slice(row, groups*group)
			by, digits := (*[3]float64)(unsafe.Pointer(scale)), (*[2]int64)(unsafe.Pointer(word))
			for ; mask != 0; mask &= mask - 1 {
				i := bits.TrailingZeros64(mask)
				rest |= addDigits(float64(counts[i]*shares[i]), by, digits)
			}
			return rest
		},
	}
}

// gather adds up the rows of targets in those of their lanes that are wanted.
func gather(
	sums *[MaxLanes]float64, groups int, targets []int32, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
) (found uint64) {
	for _, v := range targets {
		mask := *(*uint64)(unsafe.Add(unsafe.Pointer(masks), 8*uintptr(v))) & wanted
		if mask == 0 {
			continue
		}
		found |= mask
		row := unsafe.Add(unsafe.Pointer(rows), uintptr(v)<<(stride&63))
		mask >>= at & 63
		for j := 0; mask != 0; j, mask = j+group, mask>>group {
			addGroup((*[group]float64)(unsafe.Pointer(&sums[j])), (*[group]float64)(unsafe.Add(row, 8*j)), uint8(mask))
		}
	}
	return found
}

// addGroup adds the lanes of a group. All of them need no branch for each.
func addGroup(sums, row *[group]float64, lanes uint8) {
	if lanes == 0xff {
		for i := range sums {
			sums[i] += row[i]
		}
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros8(lanes) % group
		sums[i] += row[i]
	}
}

// addDigits adds the first two digits of a term, and returns 1 where there is a third.
func addDigits(x float64, scale *[3]float64, digits *[2]int64) uint64 {
	rest := x * scale[0]
	high := int64(rest)
	rest = (rest - float64(high)) * scale[1]
	low := int64(rest)
	digits[0] += high
	digits[1] += low
	if rest != float64(low) {
		return 1
	}
	return 0
}
