package worker

import (
	"github.com/linchpin-graph/linchpin/gpu"
)

// Kernels that come in several forms, by what tells the forms apart. A form that no file has is the zero Kernel, which no
// device launches.

// searchKernel searches by hops from one source per block. threads says how a block's threads share the work:
// traversal.kernel.
func searchKernel(measure, number, threads string) gpu.Kernel {
	return map[[3]string]gpu.Kernel{
		{"betweenness", "f32", "node"}: kernelBetweennessF32Node,
		{"betweenness", "f32", "warp"}: kernelBetweennessF32Warp,
		{"betweenness", "f32", "arcs"}: kernelBetweennessF32Arcs,
		{"betweenness", "f32", "pull"}: kernelBetweennessF32Pull,
		{"betweenness", "f64", "node"}: kernelBetweennessF64Node,
		{"betweenness", "f64", "warp"}: kernelBetweennessF64Warp,
		{"betweenness", "f64", "arcs"}: kernelBetweennessF64Arcs,
		{"betweenness", "f64", "pull"}: kernelBetweennessF64Pull,
		{"stress", "f64", "node"}:      kernelStressF64Node,
		{"stress", "f64", "warp"}:      kernelStressF64Warp,
		{"stress", "f64", "arcs"}:      kernelStressF64Arcs,
		{"stress", "f64", "pull"}:      kernelStressF64Pull,
	}[[3]string{measure, number, threads}]
}

// wideKernel searches by hops and counts in numbers of any size, for each way in which threads share the work.
func wideKernel(measure string) gpu.Kernel {
	return map[string]gpu.Kernel{"betweenness": kernelBetweennessWide, "stress": kernelStressWide}[measure]
}

// weightedKernel searches by weights from one source per block.
func weightedKernel(measure, metric, number string) gpu.Kernel {
	return map[[3]string]gpu.Kernel{
		{"betweenness", "ticks32", "f32"}:  kernelBetweennessTicks32F32,
		{"betweenness", "ticks32", "f64"}:  kernelBetweennessTicks32F64,
		{"betweenness", "ticks32", "wide"}: kernelBetweennessTicks32Wide,
		{"betweenness", "ticks64", "f32"}:  kernelBetweennessTicks64F32,
		{"betweenness", "ticks64", "f64"}:  kernelBetweennessTicks64F64,
		{"betweenness", "ticks64", "wide"}: kernelBetweennessTicks64Wide,
		{"betweenness", "reals", "f32"}:    kernelBetweennessRealsF32,
		{"betweenness", "reals", "f64"}:    kernelBetweennessRealsF64,
		{"betweenness", "reals", "wide"}:   kernelBetweennessRealsWide,
		{"stress", "ticks32", "f64"}:       kernelStressTicks32F64,
		{"stress", "ticks32", "wide"}:      kernelStressTicks32Wide,
		{"stress", "ticks64", "f64"}:       kernelStressTicks64F64,
		{"stress", "ticks64", "wide"}:      kernelStressTicks64Wide,
		{"stress", "reals", "f64"}:         kernelStressRealsF64,
		{"stress", "reals", "wide"}:        kernelStressRealsWide,
	}[[3]string{measure, metric, number}]
}

// distanceKernel finds distances from one source per block: by hops for a way in which threads share the work, by weights
// for a metric.
func distanceKernel(threadsOrMetric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"node":    kernelDistancesHopsNode,
		"warp":    kernelDistancesHopsWarp,
		"arcs":    kernelDistancesHopsArcs,
		"pull":    kernelDistancesHopsPull,
		"ticks32": kernelDistancesTicks32,
		"ticks64": kernelDistancesTicks64,
		"reals":   kernelDistancesReals,
	}[threadsOrMetric]
}

// foldKernel folds distances for the closeness family, in the same forms as distanceKernel.
func foldKernel(threadsOrMetric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"node":    kernelClosenessHopsNode,
		"warp":    kernelClosenessHopsWarp,
		"arcs":    kernelClosenessHopsArcs,
		"pull":    kernelClosenessHopsPull,
		"ticks32": kernelClosenessTicks32,
		"ticks64": kernelClosenessTicks64,
		"reals":   kernelClosenessReals,
	}[threadsOrMetric]
}

// lightestKernel finds the least weight of an arc of each node.
func lightestKernel(metric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"ticks32": kernelLightestTicks32,
		"ticks64": kernelLightestTicks64,
		"reals":   kernelLightestReals,
	}[metric]
}

// batchForm tells the kernels of batches for betweenness by hops apart.
type batchForm struct {
	number                 string // f32, f64
	lanes                  int64
	profile, masses, edges bool
}

func batchedKernel(f batchForm) gpu.Kernel {
	return map[batchForm]gpu.Kernel{
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

// deepKernel is batchedKernel on deep graphs.
func deepKernel(f batchForm) gpu.Kernel {
	return map[batchForm]gpu.Kernel{
		{number: "f32", lanes: 128}:                            kernelBatchedDeepF32x128,
		{number: "f32", lanes: 128, edges: true}:               kernelBatchedDeepF32x128Edges,
		{number: "f32", lanes: 128, masses: true}:              kernelBatchedDeepF32x128Masses,
		{number: "f32", lanes: 128, masses: true, edges: true}: kernelBatchedDeepF32x128MassesEdges,
		{number: "f32", lanes: 128, profile: true}:             kernelBatchedDeepF32x128Profile,
		{number: "f64", lanes: 64}:                             kernelBatchedDeepF64x64,
		{number: "f64", lanes: 64, edges: true}:                kernelBatchedDeepF64x64Edges,
		{number: "f64", lanes: 64, masses: true}:               kernelBatchedDeepF64x64Masses,
		{number: "f64", lanes: 64, masses: true, edges: true}:  kernelBatchedDeepF64x64MassesEdges,
	}[f]
}

// hopKernel searches by hops in batches without counting paths.
func hopKernel(lanes int64, fold hopFold) gpu.Kernel {
	type form struct {
		lanes int64
		fold  hopFold
	}
	return map[form]gpu.Kernel{
		{256, hopNodes}:    kernelBatchedHopsx256,
		{512, hopNodes}:    kernelBatchedHopsx512,
		{1024, hopNodes}:   kernelBatchedHopsx1024,
		{256, hopEnds}:     kernelBatchedHopsx256Ends,
		{512, hopEnds}:     kernelBatchedHopsx512Ends,
		{1024, hopEnds}:    kernelBatchedHopsx1024Ends,
		{256, hopTurns}:    kernelBatchedHopsx256Turns,
		{1024, hopTurns}:   kernelBatchedHopsx1024Turns,
		{256, hopGaps}:     kernelBatchedHopsx256Gaps,
		{512, hopGaps}:     kernelBatchedHopsx512Gaps,
		{256, hopArcs}:     kernelBatchedHopsx256Arcs,
		{1024, hopArcs}:    kernelBatchedHopsx1024Arcs,
		{256, hopWeights}:  kernelBatchedHopsx256Weights,
		{1024, hopWeights}: kernelBatchedHopsx1024Weights,
	}[form{lanes, fold}]
}

// weightedForm tells the kernels of batches by weights apart.
type weightedForm struct {
	metric  string // ticks32, ticks64, reals
	bounded bool
	number  string // f32, f64
	profile bool
}

func batchedWeightedKernel(f weightedForm) gpu.Kernel {
	return map[weightedForm]gpu.Kernel{
		{metric: "ticks32", number: "f32"}:                             kernelBatchedTicks32F32,
		{metric: "ticks32", number: "f32", profile: true}:              kernelBatchedTicks32F32Profile,
		{metric: "ticks32", number: "f64"}:                             kernelBatchedTicks32F64,
		{metric: "ticks64", number: "f32"}:                             kernelBatchedTicks64F32,
		{metric: "ticks64", number: "f32", profile: true}:              kernelBatchedTicks64F32Profile,
		{metric: "ticks64", number: "f64"}:                             kernelBatchedTicks64F64,
		{metric: "reals", number: "f32"}:                               kernelBatchedRealsF32,
		{metric: "reals", number: "f32", profile: true}:                kernelBatchedRealsF32Profile,
		{metric: "reals", number: "f64"}:                               kernelBatchedRealsF64,
		{metric: "reals", bounded: true, number: "f32"}:                kernelBatchedBoundedRealsF32,
		{metric: "reals", bounded: true, number: "f32", profile: true}: kernelBatchedBoundedRealsF32Profile,
		{metric: "reals", bounded: true, number: "f64"}:                kernelBatchedBoundedRealsF64,
	}[f]
}

// batchedFoldKernel folds distances by weights in batches.
func batchedFoldKernel(metric string, bounded bool) gpu.Kernel {
	if bounded {
		return map[string]gpu.Kernel{"reals": kernelBatchedFoldsBoundedReals}[metric]
	}
	return map[string]gpu.Kernel{
		"ticks32": kernelBatchedFoldsTicks32,
		"ticks64": kernelBatchedFoldsTicks64,
		"reals":   kernelBatchedFoldsReals,
	}[metric]
}

// smallKernel searches by weights in shared memory and counts paths.
func smallKernel(metric, number string) gpu.Kernel {
	return map[[2]string]gpu.Kernel{
		{"ticks32", "f32"}: kernelSmallTicks32F32,
		{"ticks32", "f64"}: kernelSmallTicks32F64,
		{"ticks64", "f32"}: kernelSmallTicks64F32,
		{"ticks64", "f64"}: kernelSmallTicks64F64,
		{"reals", "f32"}:   kernelSmallRealsF32,
		{"reals", "f64"}:   kernelSmallRealsF64,
	}[[2]string{metric, number}]
}

// smallFoldKernel searches by weights in shared memory and folds distances.
func smallFoldKernel(metric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"ticks32": kernelSmallFoldsTicks32,
		"ticks64": kernelSmallFoldsTicks64,
		"reals":   kernelSmallFoldsReals,
	}[metric]
}

// chainKernels are the steps of a run over chains, for counts in numbers of one kind.
type chainKernels struct{ forward, demand, backward, across gpu.Kernel }

func chainKernelsOf(number string) chainKernels {
	if number == "wide" {
		return chainKernels{kernelChainForwardWide, kernelChainDemandWide, kernelChainBackwardWide, kernelChainAcrossWide}
	}
	return chainKernels{kernelChainForwardF64, kernelChainDemandF64, kernelChainBackwardF64, kernelChainAcrossF64}
}
