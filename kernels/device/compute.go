package device

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Compute runs the shards of a prepared run one after the other, and then the passes for the sources that they leave.
// It adds to the job's partial result, which has the same bits for any number of shards.
func Compute(ctx context.Context, d gpu.Device, p Prepared, j *Job, shards int) (all Result, err error) {
	if k, ok := p.(Keeper); ok && shards > 1 {
		release := k.Keep(d)
		defer func() {
			if freed := release(); err == nil {
				err = freed
			}
		}()
	}
	all, err = computePass(ctx, d, p, j, shards)
	for err == nil && len(all.Left) > 0 && all.Pass > 0 {
		next := *j
		next.Pass, next.Only = all.Pass, all.Left
		all.Left, all.Pass = nil, 0
		var more Result
		more, err = computePass(ctx, d, p, &next, shards)
		all.add(more)
	}
	if err == nil && len(all.Left) > 0 && j.Kind() == kernels.PathCounts {
		// Counts so great would not add up exactly with those of other sources.
		j.Partial.ClearPaths()
		all.Left = j.Sources
	}
	return all, err
}

// computePass runs one pass of all shards.
func computePass(ctx context.Context, d gpu.Device, p Prepared, j *Job, shards int) (Result, error) {
	if shards <= 1 {
		return p.Run(ctx, d, j)
	}
	var all Result
	for i := range shards {
		part := *j
		part.Shard = Shard{Index: i, Of: shards}
		r, err := p.Run(ctx, d, &part)
		if err != nil {
			return all, err
		}
		all.add(r)
	}
	return all, nil
}

// add adds the result of another part.
func (r *Result) add(part Result) {
	r.Left = append(r.Left, part.Left...)
	r.Pass = max(r.Pass, part.Pass) // a part that leaves nothing has no next pass
	r.Doubtful = r.Doubtful || part.Doubtful
	r.Preprocess += part.Preprocess
	if r.Ties == "" {
		r.Ties = part.Ties
	}
	if r.Convergence == nil {
		r.Convergence = part.Convergence
	}
	if r.Note == "" {
		r.Note = part.Note
	}
	if r.Profile == nil {
		r.Profile = part.Profile
	}
}
