package worker

import (
	"context"
	"strings"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// unitExponent is that of the unit of counts in float64: CountRange in kernels/weighted/weighted.cuh.
const unitExponent = -800

// orderedStress fills the scores. Where a source failed, or a sum passes float64, it returns all sources as left.
func (r *weightedRun) orderedStress(result Result, left []int32) (Result, []int32, error) {
	r.orderedSums(1, 1)
	nodes, nodesFit := counted(r.job.Nodes)
	edges, edgesFit := counted(r.job.Edges)
	switch {
	case r.err != nil:
		return result, nil, r.err
	case len(left) > 0 || !nodesFit || !edgesFit:
		return result, r.job.Sources, nil
	}
	for _, sums := range [][]kernels.Count{nodes, edges} {
		for i := range sums {
			if sums[i].Mantissa != 0 {
				sums[i].Exponent -= unitExponent
			}
		}
	}
	return result, nil, r.stressScores(nodes, edges)
}

// wideStress computes by one search a source, in numbers of any size.
func (b batched) wideStress(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	wide := *job
	result, err := b.oneByOne(ctx, d, &wide)
	result.Note = strings.TrimSuffix("searched again one by one, because some counts pass float64; "+result.Note, "; ")
	return result, err
}
