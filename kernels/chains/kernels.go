package chains

import "github.com/linchpin-graph/linchpin/gpu"

// number is what paths are counted in, with the kernels for it.
type number struct {
	bytes                             int64
	forward, demand, backward, across gpu.Kernel
}

// numberOf is that of a pass.
func numberOf(pass int) number {
	if pass == widePass {
		return number{16, kernelChainForwardWide, kernelChainDemandWide, kernelChainBackwardWide, kernelChainAcrossWide}
	}
	return number{8, kernelChainForwardF64, kernelChainDemandF64, kernelChainBackwardF64, kernelChainAcrossF64}
}
