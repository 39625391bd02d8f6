package weighted

import "github.com/linchpin-graph/linchpin/gpu"

// form tells the kernels that count paths apart.
type form struct {
	metric           string // ticks32, ticks64, reals
	bounded, profile bool
	number           string // f32, f64
}

func countKernel(f form) gpu.Kernel {
	return map[form]gpu.Kernel{
		{metric: "ticks32", number: "f32"}:                             kernelBatchedTicks32F32,
		{metric: "ticks32", number: "f32", profile: true}:              kernelBatchedTicks32F32Profile,
		{metric: "ticks32", number: "f64"}:                             kernelBatchedTicks32F64,
		{metric: "ticks64", number: "f32"}:                             kernelBatchedTicks64F32,
		{metric: "ticks64", number: "f32", profile: true}:              kernelBatchedTicks64F32Profile,
		{metric: "ticks64", number: "f64"}:                             kernelBatchedTicks64F64,
		{metric: "reals", number: "f32"}:                               kernelBatchedRealsF32,
		{metric: "reals", number: "f32", profile: true}:                kernelBatchedRealsF32Profile,
		{metric: "reals", number: "f64"}:                               kernelBatchedRealsF64,
		{metric: "reals", number: "f32", bounded: true}:                kernelBatchedBoundedRealsF32,
		{metric: "reals", number: "f32", bounded: true, profile: true}: kernelBatchedBoundedRealsF32Profile,
		{metric: "reals", number: "f64", bounded: true}:                kernelBatchedBoundedRealsF64,
	}[f]
}

// foldKernel is the kernel that folds distances.
func foldKernel(metric string, bounded bool) gpu.Kernel {
	if bounded {
		return kernelBatchedFoldsBoundedReals
	}
	return map[string]gpu.Kernel{
		"ticks32": kernelBatchedFoldsTicks32,
		"ticks64": kernelBatchedFoldsTicks64,
		"reals":   kernelBatchedFoldsReals,
	}[metric]
}
