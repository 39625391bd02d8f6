package lanes

import "golang.org/x/sys/cpu"

// kernelOf returns the fastest kernel of this processor for 1, 2, 4 or 8 groups.
func kernelOf(groups int) kernel {
	if k, ok := vectorKernels()[groups]; ok {
		return k
	}
	return plainKernel(groups)
}

// vectorKernels returns the kernels with vectors that this processor can run.
func vectorKernels() map[int]kernel {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ || !cpu.X86.HasBMI2 {
		return nil
	}
	return map[int]kernel{
		1: {count1, share1, term1}, 2: {count2, share2, term2}, 4: {count4, share4, term4}, 8: {count8, share8, term8},
	}
}
