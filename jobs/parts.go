package jobs

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

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

// ComputePart computes a part of each computation. It returns what the part says of itself, which is about with the tasks, and a
// partial result per computation.
func ComputePart(ctx context.Context, e Parter, work []*Computation, about parts.About) (parts.About, []*kernels.Partial, error) {
	partials := make([]*kernels.Partial, len(work))
	for i, c := range work {
		t := c.Task
		t.Ranking = c.Ranking
		p, err := e.Part(ctx, t)
		if err != nil {
			return about, nil, err
		}
		partials[i] = p.Run.Empty()
		if err := p.Run.Search(ctx, kernels.Shard{Index: about.Index, Of: about.Of}, partials[i]); err != nil {
			return about, nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
		about.Tasks = append(about.Tasks, parts.TaskOf(t.Measure, p.Request))
	}
	about.Options = parts.OptionsOf(about.Tasks)
	return about, partials, nil
}

// JobComputations are the computations of a job on a snapshot, on the CPU.
func JobComputations(job config.Job, s *export.Snapshot) ([]*Computation, error) {
	if err := checkQueryWeights(job, s); err != nil {
		return nil, err
	}
	all, err := passes(job.Measures)
	if err != nil {
		return nil, err
	}
	for i, p := range all {
		if adaptiveOf(p, job.Compute) != nil {
			return nil, &connector.Error{
				Kind: connector.UnknownName, Msg: fmt.Sprintf("job %s: an adaptive sample cannot be divided: where it stops depends on all of it", job.Name),
				Hint: "run the job in one process, or remove compute.adaptive",
			}
		}
		all[i].work = &Computation{Measure: p.measure, Task: taskOf(p, job.Compute, s, engine.CPU)}
		if err := p.measure.Check(all[i].work.Task.Request); err != nil {
			return nil, err
		}
	}
	return computations(all), nil
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

// Merger is an engine that joins the parts of a run that other processes computed. It computes those that are missing.
type Merger struct {
	Parter
	Files   []*parts.File
	Missing []int
	// Note, if not nil, is called with what is computed.
	Note func(text string)

	joined int // tasks
}

// Rank implements Engine. A part is in memory next to what the computation needs.
func (m *Merger) Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error) {
	largest := slices.MaxFunc(m.Files, func(a, b *parts.File) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	return m.Parter.Rank(ctx, t, free-largest.Bytes())
}

// Compute implements Engine. Tasks come in the order of the files.
func (m *Merger) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	first := m.Files[0]
	if digest := t.Snapshot.Digest(); digest != first.Graph {
		return nil, &parts.Error{
			Msg: fmt.Sprintf("%s is of the graph %s, and this graph is %s: it changed, or is another one",
				first.Path, first.Graph, digest),
			Hint: "merge with the graph that the parts were computed of (--graph), or compute the parts again",
		}
	}
	p, err := m.Part(ctx, t)
	if err != nil {
		return nil, err
	}
	number := m.joined
	if err := m.checkTask(parts.TaskOf(t.Measure, p.Request), number); err != nil {
		return nil, err
	}
	m.joined++
	all, err := m.join(p.Run.Empty(), number)
	if err != nil {
		return nil, err
	}
	for _, i := range m.Missing {
		if m.Note != nil {
			m.Note(fmt.Sprintf("part %d of %d is missing and is computed here", i, first.Of))
		}
		if err := p.Run.Search(ctx, kernels.Shard{Index: i, Of: first.Of}, all); err != nil {
			return nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	return p.Finish(all, first.Of)
}

// checkTask reports a task that the parts are not of.
func (m *Merger) checkTask(t parts.Task, number int) error {
	first := m.Files[0]
	if number >= len(first.Tasks) {
		return &parts.Error{
			Msg:  fmt.Sprintf("%s has no part of %s", first.Path, t.Measure),
			Hint: "compute the parts again with the job as it is now",
		}
	}
	own, theirs := []parts.Task{t}, first.Tasks[number:number+1]
	if parts.OptionsOf(own) == parts.OptionsOf(theirs) {
		return nil
	}
	return &parts.Error{
		Msg: fmt.Sprintf("%s was computed with other options: %s", first.Path, parts.Difference(theirs, own)),
		Hint: "compute the parts again with these options; if reduce differs, a machine had too little memory for " +
			"reductions: give all --reduce off",
	}
}

// join adds the partial results of a task.
func (m *Merger) join(all *kernels.Partial, number int) (*kernels.Partial, error) {
	for _, f := range m.Files {
		p, err := f.Partial(number)
		if err != nil {
			return nil, err
		}
		if err := all.Join(p); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return all, nil
}
