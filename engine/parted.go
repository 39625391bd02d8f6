package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// Parted is a task of the CPU that is ready to be computed in parts, by this process or by several. Processes that prepare the
// same task search the same run, whose partial results can be joined.
type Parted struct {
	// Run is what is searched. Its errors know nodes by their indices: see export.NameNodes.
	Run *cpu.Run
	// Request is that of the task, with the reductions that were decided on.
	Request kernels.Request

	task    Task
	measure kernels.Measure
	ranking *Ranking
	begun   time.Time
	before  float64 // seconds of planning
}

// errOnlyCPU is the error of a task whose policy lets a GPU compute it.
var errOnlyCPU = errors.New("parts are computed on the CPU: the policy must be cpu")

// Part prepares a task. Its policy is CPU.
func (e *Engine) Part(ctx context.Context, t Task) (*Parted, error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	if t.Device != CPU {
		return nil, errOnlyCPU
	}
	p := newParted(m, t)
	if p.Run, err = cpu.Prepare(ctx, m, t.Snapshot.Graph, p.Request, p.ranking.made); err != nil {
		return nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	return p, nil
}

// newParted plans a task.
func newParted(m kernels.Measure, t Task) *Parted {
	p := &Parted{task: t, measure: m, ranking: t.Ranking, begun: time.Now()}
	if p.ranking == nil {
		p.ranking = hostRanking(m, t)
	}
	if made := p.ranking.made; made != nil {
		p.before = made.About.Seconds
	}
	p.Request = p.ranking.onCPU(t.Request)
	return p
}

// Finish makes scores of the partial result of all parts. They have passed kernels.Check. It is called once.
func (p *Parted) Finish(all *kernels.Partial, parts int) (*Outcome, error) {
	scores, err := p.Run.Finish(all)
	if err != nil {
		return nil, export.NameNodes(err, p.task.Snapshot.Nodes)
	}
	out := p.outcome(scores, askedForCPU(), parts)
	return out, export.NameNodes(checkOnCPU(p.measure, p.task, scores), p.task.Snapshot.Nodes)
}

// Named is an error of Run that knows nodes by their ids.
func (p *Parted) Named(err error) error { return export.NameNodes(err, p.task.Snapshot.Nodes) }

// outcome says how scores came about.
func (p *Parted) outcome(scores *kernels.Scores, why because, parts int) *Outcome {
	if scores.Reduction == nil && p.Request.Reduce != p.task.Request.Reduce {
		scores.Reduction = notPlanned(p.Request.SourceCount(p.task.Snapshot.Graph.N()))
	}
	out := onCPU(p.task, why)
	out.Ranking = p.ranking
	out.Scores, out.Compute = scores, p.before+time.Since(p.begun).Seconds()
	if parts > 1 {
		out.Shards, out.Reason = parts, fmt.Sprintf("%s; in %d shards", out.Reason, parts)
	}
	return out
}
