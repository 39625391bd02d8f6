package rank

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// HITS computes hubs and authorities (Kleinberg, 1999), and returns those that the variant names. Authorities are the
// vector that the product of both matrices stretches most. Where there are no edges all are 0.
func HITS(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	if g.M() == 0 {
		return make([]float64, g.N()), kernels.Convergence{}, nil
	}
	in := newMatrix(g.Transpose(), weightsOf(g.Transpose(), r.Weighted), threads, stop)
	out := newMatrix(g, weightsOf(g, r.Weighted), threads, stop)
	hubs, authorities := newPower(out), newPower(in)
	authorities.multiply(hubs.x)
	l := newLeading(in, authorities.y, func(x, y []float64) {
		hubs.apply(x, hubs.y)
		authorities.apply(hubs.y, y)
	})
	ended, err := converge(r, stop, l.step)
	if err != nil {
		return nil, ended, named(err, m)
	}
	scores := l.scores()
	if r.Variant == kernels.Hubs {
		squares, _ := hubs.multiply(scores)
		scores = hubs.y
		divide(scores, math.Sqrt(squares))
	}
	return scores, ended, nil
}
