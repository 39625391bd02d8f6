package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
)

// undivided is a computation that is not divided: the first shard does it all.
type undivided struct {
	// values is how many numbers the partial result has.
	values  int
	compute func(ctx context.Context, into *kernels.Partial) error
	// scores makes scores of the numbers of the partial result.
	scores func(values []float64) (*kernels.Scores, error)
}

func (p undivided) empty() *kernels.Partial { return kernels.NewAlone(p.values) }

func (p undivided) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	return p.compute(ctx, into)
}

func (p undivided) finish(all *kernels.Partial) (*kernels.Scores, error) { return p.scores(all.Alone) }
