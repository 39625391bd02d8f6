package deep

import "github.com/linchpin-graph/linchpin/gpu"

// form tells the kernels apart.
type form struct {
	number                 string // f32, f64
	profile, masses, edges bool
}

func kernelOf(f form) gpu.Kernel {
	return map[form]gpu.Kernel{
		{number: "f32"}:                            kernelBatchedDeepF32x128,
		{number: "f32", edges: true}:               kernelBatchedDeepF32x128Edges,
		{number: "f32", masses: true}:              kernelBatchedDeepF32x128Masses,
		{number: "f32", masses: true, edges: true}: kernelBatchedDeepF32x128MassesEdges,
		{number: "f32", profile: true}:             kernelBatchedDeepF32x128Profile,
		{number: "f64"}:                            kernelBatchedDeepF64x64,
		{number: "f64", edges: true}:               kernelBatchedDeepF64x64Edges,
		{number: "f64", masses: true}:              kernelBatchedDeepF64x64Masses,
		{number: "f64", masses: true, edges: true}: kernelBatchedDeepF64x64MassesEdges,
	}[f]
}
