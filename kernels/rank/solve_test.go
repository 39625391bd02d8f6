package rank_test

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/rank"
)

// TestExpected: a residual that falls by the same factor each time is foreseen; others are bounded.
func TestExpected(t *testing.T) {
	few := 20
	var usual kernels.Request
	short := kernels.Request{Params: kernels.Params{Iterations: &few}}
	exact := kernels.Request{Params: kernels.Params{Residual: new(float64)}}
	for _, c := range []struct {
		r          kernels.Request
		iterations int
		residual   float64
		want       int
	}{
		{usual, 5, 1e-2, 25},
		{usual, 24, 1.1e-10, 25},
		{usual, 7, 2, kernels.DefaultIterations},
		{usual, 7, math.NaN(), kernels.DefaultIterations},
		{usual, 7, math.Inf(1), kernels.DefaultIterations},
		{usual, 7, 0, 8},
		{short, 5, 0.1, few},
		{exact, 5, 0.1, kernels.DefaultIterations},
	} {
		if got := rank.Expected(c.r, kernels.Convergence{Iterations: c.iterations, Residual: c.residual}); got != c.want {
			t.Errorf("%+v: %d, not %d", c, got, c.want)
		}
	}
}
