package kernels

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
)

// method is how the CPU computes the measures of a kind.
type method struct {
	// bytes bounds the memory, in bytes, besides the graph and its transpose.
	bytes func(m Measure, g Size, r Request) int64
	// compute computes the scores; plan may be nil.
	compute func(ctx context.Context, m Measure, g *export.Graph, r Request, plan *Plan) (*Scores, error)
}

// methods has a method for every kind of measure.
func methods() map[Kind]method {
	return map[Kind]method{
		Degrees:         {degreeBytes, degrees},
		Dependencies:    {betweennessBytes, betweenness},
		PathCounts:      {stressBytes, stress},
		FoldedDistances: {closenessBytes, closeness},
		Balls:           {volumeBytes, volume},
	}
}

// Compute computes the scores of a measure.
func Compute(ctx context.Context, m Measure, g *export.Graph, r Request) (*Scores, error) {
	return Planned(ctx, m, g, r, nil)
}

// Planned is Compute with the plan that reductions.PlanBetweenness made of the same graph and request; other kinds of
// measures than Dependencies leave it alone. A plan is used once. Without one, nil, it is made where it is needed.
func Planned(ctx context.Context, m Measure, g *export.Graph, r Request, plan *Plan) (*Scores, error) {
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
	return method.compute(ctx, m, g, r, plan)
}

// Bytes bounds the memory of Compute, in bytes, besides the graph and its transpose.
func Bytes(m Measure, g Size, r Request) int64 {
	return methods()[m.Kind].bytes(m, g, r)
}

// Fit returns the request as it fits into free bytes of memory, and what it needs: under ReduceAuto reductions are turned
// off where only a search of the whole graph fits.
func Fit(m Measure, g Size, r Request, free int64) (Request, int64) {
	need := Bytes(m, g, r)
	if reducing, err := ParseReduce(r.Reduce); err != nil || reducing.Mode != ReduceAuto || need <= free {
		return r, need
	}
	r.Reduce = ReduceOff
	return r, Bytes(m, g, r)
}
