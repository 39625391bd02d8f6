package lanes

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vectorKernels returns the kernels with vectors that this processor can run, the fastest first.
func vectorKernels() (all []kernels) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasBMI2 {
		all = append(all, kernels{
			{count1AVX512, share1AVX512, pass1AVX512, term1AVX512},
			{count2AVX512, share2AVX512, pass2AVX512, term2AVX512},
			{count4AVX512, share4AVX512, pass4AVX512, term4AVX512},
			{count8AVX512, share8AVX512, pass8AVX512, term8AVX512},
		})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI2 {
		four := kernel{count4AVX2, share4AVX2, pass4AVX2, term4AVX2}
		all = append(all, kernels{
			{count1AVX2, share1AVX2, pass1AVX2, term1AVX2}, {count2AVX2, share2AVX2, pass2AVX2, term2AVX2}, four, twice(four, 4),
		})
	}
	return all
}

// twice is the kernel for two times the groups: k handles one half after the other.
func twice(k kernel, groups int) kernel {
	lanes := groups * group
	second := func(x *float64) *float64 { return (*float64)(unsafe.Add(unsafe.Pointer(x), 8*lanes)) }
	return kernel{
		count: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, most *float64,
		) (found uint64) {
			low := uint64(1)<<(lanes+int(at)) - 1
			if wanted&low != 0 {
				found = k.count(targets, length, masks, wanted&low, rows, stride, at, own, most)
			}
			if wanted&^low != 0 {
				found |= k.count(targets, length, masks, wanted&^low, second(rows), stride, at+uint64(lanes), second(own),
					second(most))
			}
			return found
		},
		share: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, delta, masses, scale *float64, word *int64,
		) (rest uint64) {
			low := uint64(1)<<(lanes+int(at)) - 1
			if wanted&low != 0 {
				rest = k.share(targets, length, masks, wanted&low, rows, stride, at, own, delta, masses, scale, word)
			}
			if wanted&^low != 0 {
				rest |= k.share(targets, length, masks, wanted&^low, second(rows), stride, at+uint64(lanes), second(own),
					second(delta), second(masses), scale, word)
			}
			return rest
		},
		pass: func(targets *int32, length int, masks *uint64, wanted uint64, rows *float64, stride, at uint64,
			own, delta, one *float64,
		) {
			low := uint64(1)<<(lanes+int(at)) - 1
			if wanted&low != 0 {
				k.pass(targets, length, masks, wanted&low, rows, stride, at, own, delta, one)
			}
			if wanted&^low != 0 {
				k.pass(targets, length, masks, wanted&^low, second(rows), stride, at+uint64(lanes), second(own), second(delta), one)
			}
		},
		term: func(mask uint64, own, row, scale *float64, word *int64) (rest uint64) {
			low := uint64(1)<<lanes - 1
			return k.term(mask&low, own, row, scale, word) | k.term(mask>>lanes, second(own), second(row), scale, word)
		},
	}
}

// vectorDistanceKernels returns the distance kernels with vectors that this processor can run.
func vectorDistanceKernels() []distanceKernel {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return []distanceKernel{{relaxAVX2, sameAVX2, lookAVX2}}
}
