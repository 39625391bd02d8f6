package levels

import "github.com/linchpin-graph/linchpin/gpu"

// form tells the kernels apart.
type form struct {
	number                 string // f32, f64
	lanes                  int64
	profile, masses, edges bool
}

func kernelOf(f form) gpu.Kernel {
	return map[form]gpu.Kernel{
		{number: "f32", lanes: 32}:                             kernelBatchedF32x32,
		{number: "f32", lanes: 32, edges: true}:                kernelBatchedF32x32Edges,
		{number: "f32", lanes: 32, masses: true}:               kernelBatchedF32x32Masses,
		{number: "f32", lanes: 32, masses: true, edges: true}:  kernelBatchedF32x32MassesEdges,
		{number: "f32", lanes: 32, profile: true}:              kernelBatchedF32x32Profile,
		{number: "f32", lanes: 128}:                            kernelBatchedF32x128,
		{number: "f32", lanes: 128, edges: true}:               kernelBatchedF32x128Edges,
		{number: "f32", lanes: 128, masses: true}:              kernelBatchedF32x128Masses,
		{number: "f32", lanes: 128, masses: true, edges: true}: kernelBatchedF32x128MassesEdges,
		{number: "f32", lanes: 128, profile: true}:             kernelBatchedF32x128Profile,
		{number: "f64", lanes: 32}:                             kernelBatchedF64x32,
		{number: "f64", lanes: 32, edges: true}:                kernelBatchedF64x32Edges,
		{number: "f64", lanes: 32, masses: true}:               kernelBatchedF64x32Masses,
		{number: "f64", lanes: 32, masses: true, edges: true}:  kernelBatchedF64x32MassesEdges,
		{number: "f64", lanes: 64}:                             kernelBatchedF64x64,
		{number: "f64", lanes: 64, edges: true}:                kernelBatchedF64x64Edges,
		{number: "f64", lanes: 64, masses: true}:               kernelBatchedF64x64Masses,
		{number: "f64", lanes: 64, masses: true, edges: true}:  kernelBatchedF64x64MassesEdges,
	}[f]
}
