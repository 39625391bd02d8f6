package rank

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// fastKernel returns the fastest kernel of this processor.
func fastKernel() kernel {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ {
		return plainKernel()
	}
	return kernel{sum: vectorSum, weightedSum: vectorWeightedSum, advance: vectorAdvance}
}

// fastDifferences returns the fastest kernel of this processor for wide rows.
func fastDifferences() differenceKernel {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ || !cpu.X86.HasAVX512BW || !cpu.X86.HasAVX512VL {
		return plainDifferences
	}
	return vectorDifferences
}

// vectorDifferences is the kernel for wide rows with AVX-512.
func vectorDifferences(d *differences, first, last int, p *peaks) {
	g := d.graph
	var sums [widest]int32
	sum := vectorWholeSum
	if d.width == widest {
		sum = vectorWholeSums
	}
	for v := first; v < last; v++ {
		if arc := g.Offsets[v]; arc < g.Offsets[v+1] {
			sum(&g.Targets[arc], int(g.Degree(int32(v))), &d.sent[0], &sums[0])
		} else {
			sums = [widest]int32{}
		}
		i, k := v*d.used, v*d.width
		vectorDifference(&sums[0], &d.sent[k], &d.next[k], &d.scores[i], &d.left[i], &d.Share[v], &d.back[v],
			(*float64)(unsafe.Pointer(&d.units)), (*float64)(unsafe.Pointer(p)), d.used/8)
	}
}
