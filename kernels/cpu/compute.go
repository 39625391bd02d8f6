// Package cpu computes the measures on the CPU: each from its searches to its scores, with the memory that it takes.
package cpu

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// method is how the CPU computes the measures of a kind.
type method struct {
	// bytes bounds the memory, in bytes, besides the graph and its transpose.
	bytes func(m kernels.Measure, g kernels.Size, r kernels.Request) int64
	// compute computes the scores.
	compute func(ctx context.Context, t task) (*kernels.Scores, error)
}

// task is what is to be computed.
type task struct {
	measure kernels.Measure
	graph   *export.Graph
	request kernels.Request
	plan    *reductions.Plan // nil where none was made ahead
}

// methods has a method for every kind of measure.
func methods() map[kernels.Kind]method {
	return map[kernels.Kind]method{
		kernels.Degrees:         {degreeBytes, degrees},
		kernels.Dependencies:    {betweennessBytes, betweenness},
		kernels.PathCounts:      {stressBytes, stress},
		kernels.FoldedDistances: {closenessBytes, closeness},
		kernels.Balls:           {volumeBytes, volume},
	}
}

// Compute computes the scores of a measure.
func Compute(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request) (*kernels.Scores, error) {
	return Planned(ctx, m, g, r, nil)
}

// Planned is Compute with the plan that reductions.PlanBetweenness made of the same graph and request; other kinds of
// measures than Dependencies leave it alone. A plan is used once. Without one, nil, it is made where it is needed.
func Planned(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, plan *reductions.Plan,
) (*kernels.Scores, error) {
	if err := m.Check(r); err != nil {
		return nil, err
	}
	if err := r.CheckSources(g.N()); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	method, ok := methods()[m.Kind]
	if !ok {
		return nil, fmt.Errorf("%s: the CPU computes no measures of its kind", m.Name)
	}
	return method.compute(ctx, task{m, g, r, plan})
}
