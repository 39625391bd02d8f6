package hops

import "github.com/linchpin-graph/linchpin/gpu"

func kernelOf(width int64, fold kind) gpu.Kernel {
	type form struct {
		lanes int64
		fold  kind
	}
	return map[form]gpu.Kernel{
		{256, nodes}:    kernelBatchedHopsx256,
		{512, nodes}:    kernelBatchedHopsx512,
		{1024, nodes}:   kernelBatchedHopsx1024,
		{256, ends}:     kernelBatchedHopsx256Ends,
		{512, ends}:     kernelBatchedHopsx512Ends,
		{1024, ends}:    kernelBatchedHopsx1024Ends,
		{256, turns}:    kernelBatchedHopsx256Turns,
		{1024, turns}:   kernelBatchedHopsx1024Turns,
		{256, gaps}:     kernelBatchedHopsx256Gaps,
		{512, gaps}:     kernelBatchedHopsx512Gaps,
		{256, arcs}:     kernelBatchedHopsx256Arcs,
		{1024, arcs}:    kernelBatchedHopsx1024Arcs,
		{256, weights}:  kernelBatchedHopsx256Weights,
		{1024, weights}: kernelBatchedHopsx1024Weights,
		{256, lanes}:    kernelBatchedHopsx256Lanes,
		{512, lanes}:    kernelBatchedHopsx512Lanes,
		{1024, lanes}:   kernelBatchedHopsx1024Lanes,
	}[form{width, fold}]
}
