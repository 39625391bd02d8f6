package rank

import (
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// strengths writes the number of arcs that leave each node, or the sum of their weights.
func strengths(g *export.Graph, weighted bool, out []float64) error {
	for v := range out {
		if out[v] = float64(g.Degree(int32(v))); !weighted || g.Weights == nil {
			continue
		}
		out[v] = total(g.Weights[g.Offsets[v]:g.Offsets[v+1]])
		if math.IsInf(out[v], 0) {
			return export.NewNodesError(nil, "the weights at node %s sum to more than float64 holds; use larger units", int32(v))
		}
	}
	return nil
}

func total(x []float64) (sum float64) {
	for _, y := range x {
		sum += y
	}
	return sum
}

func divide(x []float64, by float64) {
	for v := range x {
		x[v] /= by
	}
}

// named names the measure in an error.
func named(err error, m kernels.Measure) error {
	if not := (*kernels.NotConverged)(nil); errors.As(err, &not) {
		not.Measure = m.Name
	}
	return err
}
