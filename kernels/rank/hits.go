package rank

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// HITS computes hubs and authorities (Kleinberg, 1999), and returns those that the variant names. Where there are no edges all are 0.
func HITS(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	if g.M() == 0 {
		return make([]float64, g.N()), kernels.Convergence{}, nil
	}
	in := newMatrix(g.Transpose(), weightsOf(g.Transpose(), r), threads, stop)
	out := newMatrix(g, weightsOf(g, r), threads, stop)
	hubs, authorities := newPower(out), newPower(in)
	ended, err := converge(r, stop, func() float64 {
		return max(authorities.of(hubs), hubs.of(authorities))
	})
	if err != nil {
		return nil, ended, named(err, m)
	}
	if r.Variant == kernels.Hubs {
		return flat(hubs.x), ended, nil
	}
	return flat(authorities.x), ended, nil
}

// of makes the vector from another one, and returns the largest difference as step does.
func (p *power) of(other *power) float64 {
	squares, _ := p.multiply(other.x)
	length := math.Sqrt(squares)
	return p.replace(func(v int) float64 { return p.y[v][0] / length })
}
