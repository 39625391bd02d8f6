package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// mostReuse bounds, in bytes, the file of what a job's runs found. What saves the most work per byte stays.
const mostReuse = 1 << 30

// openReuse reads what the job's last run found, if the job is to reuse it. Where other
// processes compute parts, nothing is reused: they would have to know the same.
func (r *run) openReuse() {
	if r.merges() || !r.job.Compute.Reuse || r.job.Compute.LeastNodes() != 0 {
		return
	}
	r.reuse = reuse.New(r.state.blocks(), "linchpin "+r.Version+" "+runtime.GOARCH, mostReuse)
	r.reuse.Names = namesOf(r.snapshot.Nodes)
	if r.options.Recompute {
		return
	}
	if err := r.reuse.Load(); err != nil {
		r.Reporter.Note(err.Error() + "; all is computed")
	}
}

// namesOf tells nodes apart by their ids, or by a hash of these.
func namesOf(ids export.IDs) []int64 {
	if ids.Texts == nil {
		return ids.Ints
	}
	out, h := make([]int64, len(ids.Texts)), fnv.New64a()
	for i, text := range ids.Texts {
		h.Reset()
		h.Write([]byte(text)) // which has no error
		out[i] = int64(h.Sum64())
	}
	return out
}

// planReuse says how much of the computation was done before. For betweenness it needs the plan of reductions, which
// stays in memory until the computation takes it; so it is for jobs of one pass.
func (r *run) planReuse(ctx context.Context) (string, error) {
	if r.reuse == nil || len(r.passes) > 1 {
		return "", nil
	}
	c := r.passes[0].work
	if c.Adaptive != nil || c.Accuracy != nil || c.Ranking == nil {
		return "", nil
	}
	found, err := c.Ranking.Reuse(ctx, c.Task)
	switch {
	case found == nil || err != nil:
		return "", err
	case found.Reused == nil:
		return "; nothing reused: " + found.Reason, nil
	}
	return "; " + strings.TrimPrefix(found.Reason+", "+found.Reused.String(), ", "), nil
}

// noteReuse records how much of a pass was reused, or why nothing.
func (r *run) noteReuse(p pass) {
	if r.reuse == nil {
		return
	}
	x, out := connector.Reuse{Measure: p.measure.Name}, p.work.Outcome
	switch d := out.Scores.Reduction; {
	case d != nil && d.Reused != nil:
		x.Kind, x.Blocks, x.Of, x.Arcs, x.Work, x.Largest = d.Reused.Kind, d.Reused.Blocks, d.Reused.Of, d.Reused.Arcs,
			d.Reused.Work, d.Reused.Largest
		x.Reason = d.Reused.String()
	case p.measure.Kind != kernels.Dependencies && p.measure.Kind != kernels.FoldedDistances:
		x.Reason = "nothing reused: only betweenness and the closeness family are"
	case out.Device != "cpu":
		x.Reason = fmt.Sprintf("nothing reused: %s computed, and only the CPU reuses what an earlier run found", out.Device)
	case d != nil && len(d.Taken) == 0:
		x.Reason = "nothing reused: " + d.Reason
	default:
		x.Reason = "nothing reused: not all of the graph was computed by this process"
	}
	r.record.Reuses = append(r.record.Reuses, x)
}

// keepReuse keeps what this run found. Without it, the next run takes longer, and nothing else.
func (r *run) keepReuse() {
	if r.reuse == nil {
		return
	}
	if err := r.reuse.Save(); err != nil {
		r.warn(fmt.Sprintf("the next run reuses nothing: %v", err))
	}
}
