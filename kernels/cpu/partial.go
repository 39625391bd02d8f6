package cpu

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Partial searches from the sources of a shard of a request, in the graph as it is, and adds what they add up to to a
// partial result of the request. The result has the same bits for any number of threads and of shards.
func Partial(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, into *kernels.Partial,
) error {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return err
	}
	return plain{task: task{m, g, r}, lengths: l}.search(ctx, shard, into)
}

// plain searches the graph as it is.
type plain struct {
	task
	lengths lengths.Lengths
	about   *kernels.Reduction
	// byLength reports whether the bounds of sums are in the units of the lengths.
	byLength bool
}

func (p plain) empty() *kernels.Partial {
	shift := 0
	if p.byLength {
		shift = p.lengths.Shift()
	}
	g := p.graph
	out := kernels.NewPartial(p.measure, g.N(), g.M(), p.request, kernels.BoundsOf(g, p.request, shift))
	if out.Rounding() > mostRounding {
		out.Widen()
	}
	return out
}

// mostRounding is how far, relatively, sums of distances in fixed point may be from what they add up.
const mostRounding = 1e-13

func (p plain) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if len(p.request.Ranges()) > 1 && shard.Of <= 1 {
		return p.addRanges(ctx, into)
	}
	switch p.measure.Kind {
	case kernels.Dependencies:
		if p.request.Pairs != nil {
			return addPairs(ctx, p.graph, p.request, shard, p.lengths, into)
		}
		return addDependencies(ctx, p.graph, p.request, shard, p.lengths, into)
	case kernels.FoldedDistances:
		return distances.Fold(ctx, p.measure, p.graph, p.request, shard, p.lengths, into)
	case kernels.PathCounts:
		return addPathCounts(ctx, p.graph, p.request, shard, p.lengths, into)
	}
	return fmt.Errorf("%s is not a sum over sources", p.measure.Name)
}

func (p plain) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.scores()
	out.Totals, out.Ties, out.Reduction = all.Totals, p.lengths.Ties(), p.about
	if err := all.Finish(p.measure, p.graph, p.request, out.Nodes, out.Edges); err != nil {
		return nil, err
	}
	return out, p.inUnits(out, p.lengths)
}

func (p plain) sums(all *kernels.Partial) (kernels.Folds, kernels.Totals) {
	return all.Folds(), all.Totals
}

// scores has room for those that are wanted.
func (t task) scores() *kernels.Scores {
	out := &kernels.Scores{}
	if t.request.Nodes {
		out.Nodes = make([]float64, t.graph.N())
	}
	if t.request.Edges {
		out.Edges = make([]float64, t.graph.M())
	}
	return out
}

// inUnits multiplies scores that are made of distances by the unit of the lengths.
func (t task) inUnits(out *kernels.Scores, l lengths.Lengths) error {
	if t.measure.Kind != kernels.FoldedDistances || l.Shift() == 0 {
		return nil
	}
	factor := kernels.InUnits(t.measure.Name, math.Pow10(l.Shift()))
	scale(out.Nodes, factor)
	scale(out.Edges, factor)
	return kernels.CheckFinite(t.measure.Name, t.graph, out, false)
}
