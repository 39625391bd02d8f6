package rank

import "golang.org/x/sys/cpu"

// fastKernel returns the fastest kernel of this processor.
func fastKernel() kernel {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ {
		return plainKernel()
	}
	return kernel{sum: vectorSum, weightedSum: vectorWeightedSum, advance: vectorAdvance}
}
