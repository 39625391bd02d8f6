package jobs

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Parter is an engine that computes tasks in parts.
type Parter interface {
	Engine
	Part(ctx context.Context, t engine.Task) (*engine.Parted, error)
}

// ComputePart computes a part of each computation. It returns what the part says of itself, which is about with the
// tasks, and what was found for each computation.
func ComputePart(
	ctx context.Context, e Parter, work []*Computation, about parts.About,
) (parts.About, []*parts.Found, error) {
	found := make([]*parts.Found, len(work))
	for i, c := range work {
		task, err := computePart(ctx, e, c, about, &found[i])
		if err != nil {
			return about, nil, err
		}
		about.Tasks, about.Told = append(about.Tasks, task), append(about.Told, found[i].Told)
	}
	about.Options = parts.OptionsOf(about.Tasks)
	return about, found, nil
}

// computePart computes a part of one computation.
func computePart(
	ctx context.Context, e Parter, c *Computation, about parts.About, found **parts.Found,
) (task parts.Task, err error) {
	t := c.Task
	t.Ranking = c.Ranking
	p, err := e.Part(ctx, t)
	if err != nil {
		return task, err
	}
	defer p.Close()
	if *found, err = p.Shard(ctx, kernels.Shard{Index: about.Index, Of: about.Of}, parts.Step{}); err != nil {
		return task, err
	}
	return parts.TaskOf(t.Measure, p.Request, (*found).By), nil
}

// JobComputations are the computations of a job on a snapshot. A device that is not "" replaces that of the job.
func JobComputations(job config.Job, s *export.Snapshot, device engine.Policy) ([]*Computation, error) {
	if err := checkQueryWeights(job, s); err != nil {
		return nil, err
	}
	for _, m := range job.Measures {
		if m.Sources != nil || m.Targets != nil || m.Demand != nil {
			return nil, &connector.Error{
				Kind: connector.BadQuery,
				Msg:  m.Measure + ": sources, targets and demand are read from the database, and parts of a job read a snapshot",
				Hint: "linchpin run computes the job",
			}
		}
	}
	if job.Dendrogram != nil {
		return nil, noDendrogram(job.Name)
	}
	all, err := passes(job.Measures)
	if err != nil {
		return nil, err
	}
	for i, p := range all {
		if adaptiveOf(p, job.Compute) != nil || accuracyOf(p, job.Compute) != nil {
			return nil, &connector.Error{
				Kind: connector.UnknownName,
				Msg: fmt.Sprintf("job %s: a sample that ends by itself cannot be divided: where it stops depends on all of it",
					job.Name),
				Hint: "run the job in one process, or write a number of nodes as compute.sample",
			}
		}
		all[i].work = &Computation{Measure: p.measure, Task: taskOf(p, job.Compute, s, device)}
		if err := p.measure.Check(all[i].work.Task.Request); err != nil {
			return nil, err
		}
	}
	return computations(all), nil
}

// noDendrogram refuses parts of a job with a dendrogram: a part holds scores, and not the cuts.
func noDendrogram(job string) error {
	return &connector.Error{
		Kind: connector.UnknownName, Msg: fmt.Sprintf("job %s: parts of a run have no dendrogram", job),
		Hint: "run the job in one process, or remove dendrogram",
	}
}

// SnapshotFile is where the runs of a job keep its graph.
func SnapshotFile(root, job string) string {
	return state{filepath.Join(root, "jobs", filepath.Base(job))}.graph()
}

// PlanAll plans computations, and sums up the plans in one line.
func PlanAll(ctx context.Context, e Engine, work []*Computation, free int64) (string, error) {
	for _, c := range work {
		if err := c.Plan(ctx, e, free); err != nil {
			return "", refused(c.Measure, err)
		}
	}
	return Planned(work...), nil
}
