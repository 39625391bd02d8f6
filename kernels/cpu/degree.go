package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// degrees counts arcs, or sums weights where the measure reads them.
type degrees struct{ task }

func prepareDegrees(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	return degrees{t}, nil
}

func (p degrees) empty() *kernels.Partial { return kernels.NewAlone(p.graph.N()) }

func (p degrees) search(_ context.Context, shard kernels.Shard, into *kernels.Partial) error {
	first, last := shard.Part(p.graph.N())
	for v := first; v < last; v++ {
		if p.measure.Weights == kernels.RequiredWeights {
			into.Alone[v] = p.strength(int32(v))
		} else {
			into.Alone[v] = float64(p.graph.Degree(int32(v)))
		}
	}
	return nil
}

// strength sums the weights of the arcs that leave a node.
func (p degrees) strength(v int32) (sum float64) {
	for i := p.graph.Offsets[v]; i < p.graph.Offsets[v+1]; i++ {
		sum += p.graph.Weight(i)
	}
	return sum
}

func (p degrees) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := &kernels.Scores{Nodes: all.Alone}
	return out, kernels.CheckFinite(p.measure.Name, p.graph, out, false)
}

// degreeBytes bounds the memory besides the graph.
func degreeBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 { return scoreBytes(g, r) }
