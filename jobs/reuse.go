package jobs

import (
	"context"
	"fmt"
	"runtime"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// mostReuse bounds, in bytes, the file of what a job's runs found in blocks. Blocks that save the most work per byte stay.
const mostReuse = 1 << 30

// openReuse reads what the job's last run found in blocks, if the job is to reuse it. Where other
// processes compute parts, nothing is reused: they would have to know the same.
func (r *run) openReuse() {
	if _, merges := r.Engine.(*Merger); merges || !r.job.Compute.Reuse || r.job.Compute.LeastNodes() != 0 {
		return
	}
	r.reuse = reuse.New(r.state.blocks(), "linchpin "+r.Version+" "+runtime.GOARCH, mostReuse)
	if r.options.Recompute {
		return
	}
	if err := r.reuse.Load(); err != nil {
		r.Reporter.Note(err.Error() + "; all blocks are computed")
	}
}

// planReuse says how much of the computation was done before. It needs the plan of reductions, which stays in memory
// until the computation takes it; so it is for jobs of one pass.
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
	return "; " + found.Reason + ", " + found.Reused.String(), nil
}

// noteReuse records how much of a pass was reused, or why nothing.
func (r *run) noteReuse(p pass) {
	if r.reuse == nil {
		return
	}
	x, out := connector.Reuse{Measure: p.measure.Name}, p.work.Outcome
	switch d := out.Scores.Reduction; {
	case d != nil && d.Reused != nil:
		x.Blocks, x.Of, x.Arcs, x.Work, x.Largest = d.Reused.Blocks, d.Reused.Of, d.Reused.Arcs, d.Reused.Work, d.Reused.Largest
		x.Reason = d.Reused.String()
	case p.measure.Kind != kernels.Dependencies:
		x.Reason = "nothing reused: only blocks of betweenness are"
	case out.Device != "cpu":
		x.Reason = fmt.Sprintf("nothing reused: %s computed, and only the CPU reuses blocks", out.Device)
	case d != nil && len(d.Taken) == 0:
		x.Reason = "nothing reused: " + d.Reason
	default:
		x.Reason = "nothing reused: not all of the graph was computed by this process"
	}
	r.record.Reuses = append(r.record.Reuses, x)
}

// keepReuse keeps what this run found in blocks. Without it, the next run takes longer, and nothing else.
func (r *run) keepReuse() {
	if r.reuse == nil {
		return
	}
	if err := r.reuse.Save(); err != nil {
		r.warn(fmt.Sprintf("the next run reuses nothing: %v", err))
	}
}
