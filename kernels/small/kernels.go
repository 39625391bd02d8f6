package small

import "github.com/linchpin-graph/linchpin/gpu"

// countKernel searches by weights in shared memory and counts paths.
func countKernel(metric, number string) gpu.Kernel {
	return map[[2]string]gpu.Kernel{
		{"ticks32", "f32"}: kernelSmallTicks32F32,
		{"ticks32", "f64"}: kernelSmallTicks32F64,
		{"ticks64", "f32"}: kernelSmallTicks64F32,
		{"ticks64", "f64"}: kernelSmallTicks64F64,
		{"reals", "f32"}:   kernelSmallRealsF32,
		{"reals", "f64"}:   kernelSmallRealsF64,
	}[[2]string{metric, number}]
}

// foldKernel searches by weights in shared memory and folds distances.
func foldKernel(metric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"ticks32": kernelSmallFoldsTicks32,
		"ticks64": kernelSmallFoldsTicks64,
		"reals":   kernelSmallFoldsReals,
	}[metric]
}
