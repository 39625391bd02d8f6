package traversal

import "github.com/linchpin-graph/linchpin/gpu"

// Kernels that come in several forms, by what tells the forms apart. A form that no file has is the zero Kernel, which
// no device launches.

// anyWay is the form for numbers of any size, whatever way threads share the work.
const anyWay = "any way"

// searchKernel searches by hops and counts paths. sharing says how a block's threads share the work: Engine.sharing.
func searchKernel(measure string, w width, sharing string) gpu.Kernel {
	return map[[3]string]gpu.Kernel{
		{"betweenness", "f64", "node"}:       kernelBetweennessF64Node,
		{"betweenness", "f64", "warp"}:       kernelBetweennessF64Warp,
		{"betweenness", "f64", "arcs"}:       kernelBetweennessF64Arcs,
		{"betweenness", "f64", "pull"}:       kernelBetweennessF64Pull,
		{"betweenness", "f64", "cells"}:      kernelBetweennessF64Cells,
		{"betweenness", "f64", "many cells"}: kernelBetweennessF64ManyCells,
		{"stress", "f64", "node"}:            kernelStressF64Node,
		{"stress", "f64", "warp"}:            kernelStressF64Warp,
		{"stress", "f64", "arcs"}:            kernelStressF64Arcs,
		{"stress", "f64", "pull"}:            kernelStressF64Pull,
		{"betweenness", "wide", anyWay}:      kernelBetweennessWide,
		{"stress", "wide", anyWay}:           kernelStressWide,
	}[[3]string{measure, w.name, sharing}]
}

// rangesKernel is searchKernel in float64 for several ranges.
func rangesKernel(measure, sharing string) gpu.Kernel {
	return map[[2]string]gpu.Kernel{
		{"betweenness", "node"}:  kernelBetweennessF64NodeRanges,
		{"betweenness", "warp"}:  kernelBetweennessF64WarpRanges,
		{"betweenness", "cells"}: kernelBetweennessF64CellsRanges,
		{"stress", "node"}:       kernelStressF64NodeRanges,
		{"stress", "warp"}:       kernelStressF64WarpRanges,
	}[[2]string{measure, sharing}]
}

// weightedRangesKernel is weightedKernel for several ranges.
func weightedRangesKernel(measure, metric string, w width) gpu.Kernel {
	return map[[3]string]gpu.Kernel{
		{"betweenness", "ticks32", "f32"}: kernelBetweennessTicks32F32Ranges,
		{"betweenness", "ticks32", "f64"}: kernelBetweennessTicks32F64Ranges,
		{"betweenness", "ticks64", "f32"}: kernelBetweennessTicks64F32Ranges,
		{"betweenness", "ticks64", "f64"}: kernelBetweennessTicks64F64Ranges,
		{"betweenness", "reals", "f32"}:   kernelBetweennessRealsF32Ranges,
		{"betweenness", "reals", "f64"}:   kernelBetweennessRealsF64Ranges,
		{"stress", "ticks32", "f64"}:      kernelStressTicks32F64Ranges,
		{"stress", "ticks64", "f64"}:      kernelStressTicks64F64Ranges,
		{"stress", "reals", "f64"}:        kernelStressRealsF64Ranges,
	}[[3]string{measure, metric, w.name}]
}

// weightedKernel searches by weights and counts paths.
func weightedKernel(measure, metric string, w width) gpu.Kernel {
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
	}[[3]string{measure, metric, w.name}]
}

// distanceKernel finds distances: by hops for a way in which threads share the work, by weights for a metric.
func distanceKernel(sharingOrMetric string) gpu.Kernel {
	return map[string]gpu.Kernel{
		"node":    kernelDistancesHopsNode,
		"warp":    kernelDistancesHopsWarp,
		"arcs":    kernelDistancesHopsArcs,
		"pull":    kernelDistancesHopsPull,
		"ticks32": kernelDistancesTicks32,
		"ticks64": kernelDistancesTicks64,
		"reals":   kernelDistancesReals,
	}[sharingOrMetric]
}

// foldKernel folds distances for the closeness family, in the same forms as distanceKernel, or for several ranges.
func (r *run) foldKernel() gpu.Kernel {
	if r.layout.ranges > 1 {
		return map[string]gpu.Kernel{
			"node":    kernelClosenessHopsNodeRanges,
			"warp":    kernelClosenessHopsWarpRanges,
			"ticks32": kernelClosenessTicks32Ranges,
			"ticks64": kernelClosenessTicks64Ranges,
			"reals":   kernelClosenessRealsRanges,
		}[r.formOf()]
	}
	return map[string]gpu.Kernel{
		"node":    kernelClosenessHopsNode,
		"warp":    kernelClosenessHopsWarp,
		"arcs":    kernelClosenessHopsArcs,
		"pull":    kernelClosenessHopsPull,
		"ticks32": kernelClosenessTicks32,
		"ticks64": kernelClosenessTicks64,
		"reals":   kernelClosenessReals,
	}[r.formOf()]
}

// countKernel counts paths in numbers of the given width.
func (r *run) countKernel(w width) gpu.Kernel {
	measure := "stress"
	if r.job.CountsPaths() {
		measure = "betweenness"
	}
	switch {
	case r.job.Weighted && r.layout.ranges > 1:
		return weightedRangesKernel(measure, r.metric.Name, w)
	case r.job.Weighted:
		return weightedKernel(measure, r.metric.Name, w)
	case w == wide:
		return searchKernel(measure, w, anyWay)
	}
	sharing := r.layout.engine.sharing
	if r.layout.cells.quads > 0 {
		sharing = r.layout.cells.sharing()
	}
	if r.layout.ranges > 1 {
		return rangesKernel(measure, sharing)
	}
	return searchKernel(measure, w, sharing)
}

// formOf is how kernels that count no paths are told apart.
func (r *run) formOf() string {
	if r.job.Weighted {
		return r.metric.Name
	}
	return r.layout.engine.sharing
}
