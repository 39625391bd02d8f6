package lanes

import "unsafe"

// unreached is the distance of a node that no path reaches. It is longer than any.
const unreached = 1<<15 - 1

// distanceKernel has the inner loops over rows of distances, one for each of MaxLanes lanes.
type distanceKernel struct {
	// relax lowers the rows of the targets of arcs to own and their lengths. least has, for each arc, the least distance
	// that was lowered, or something greater than unreached.
	relax func(targets *int32, lengths *uint16, length int, rows, own *int16, least *uint16)
	// same sets the mask of each arc to the lanes in which the row of its target is own and its length, or own less its
	// length if sign is -1 instead of 0.
	same func(targets *int32, lengths *uint16, length int, sign int, rows, own *int16, masks *uint64)
	// look returns the lanes that have reached a node, those of them that are beyond a limit, the least distance, and the
	// sum of all.
	look func(own *int16, limit int) (reached, beyond uint64, least, total int)
}

// allDistanceKernels returns the kernels that this processor can run, the fastest first and those in plain Go last. All
// compute the same.
func allDistanceKernels() []distanceKernel {
	return append(vectorDistanceKernels(), distanceKernel{plainRelax, plainSame, plainLook})
}

// distanceRow is the row of a node.
type distanceRow = [MaxLanes]int16

func rowAt(rows *int16, v int32) *distanceRow {
	return (*distanceRow)(unsafe.Add(unsafe.Pointer(rows), uintptr(v)*unsafe.Sizeof(distanceRow{})))
}

func plainRelax(targets *int32, lengths *uint16, length int, rows, own *int16, least *uint16) {
	along, lowest, from := unsafe.Slice(lengths, length), unsafe.Slice(least, length), rowAt(own, 0)
	for k, u := range unsafe.Slice(targets, length) {
		to, lowered := rowAt(rows, u), unreached+1
		for i, x := range from {
			if x := min(int(x)+int(along[k]), unreached); x < int(to[i]) {
				to[i], lowered = int16(x), min(lowered, x)
			}
		}
		lowest[k] = uint16(lowered)
	}
}

func plainSame(targets *int32, lengths *uint16, length int, sign int, rows, own *int16, masks *uint64) {
	along, found, from := unsafe.Slice(lengths, length), unsafe.Slice(masks, length), rowAt(own, 0)
	for k, u := range unsafe.Slice(targets, length) {
		to, mask, step := rowAt(rows, u), uint64(0), int16(along[k])
		if sign < 0 {
			step = -step
		}
		for i, x := range from {
			if x+step == to[i] {
				mask |= 1 << i
			}
		}
		found[k] = mask
	}
}

func plainLook(own *int16, limit int) (reached, beyond uint64, least, total int) {
	least = unreached
	for i, x := range rowAt(own, 0) {
		if x == unreached {
			continue
		}
		reached |= 1 << i
		if int(x) > limit {
			beyond |= 1 << i
		}
		least, total = min(least, int(x)), total+int(x)
	}
	return reached, beyond, least, total
}
