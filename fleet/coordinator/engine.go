package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Parter is an engine of this machine.
type Parter interface {
	Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error)
	Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error)
	Part(ctx context.Context, t engine.Task) (*engine.Parted, error)
	Approximate(ctx context.Context, t engine.Task, a kernels.Accuracy) (*engine.Outcome, *kernels.Estimate, error)
	Adaptive(ctx context.Context, t engine.Task, a kernels.Adaptive) (*engine.Outcome, []int32, error)
	Distances(ctx context.Context, t engine.Task, row func(int32, []float64) error) (*engine.Outcome, error)
	SummarizeDistances(ctx context.Context, t engine.Task) (*kernels.DistanceSummary, *engine.Outcome, error)
}

// Engine computes tasks that ask for nodes with a fleet, and all others on this machine.
type Engine struct {
	Local Parter
	Fleet *Coordinator
}

// shared reports whether a fleet computes a task.
func shared(t engine.Task) bool {
	m, ok := kernels.Lookup(t.Measure)
	return ok && t.Nodes != 0 && m.Kind.Divides() && !t.Device.Demands()
}

// Rank implements jobs.Engine. The ways of a task that is shared out are those of the CPU.
func (e *Engine) Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error) {
	if shared(t) {
		t.Device = engine.CPU
	}
	return e.Local.Rank(ctx, t, free)
}

// Rest ends the workers that the engine of this machine keeps.
func (e *Engine) Rest() {
	if r, ok := e.Local.(interface{ Rest() }); ok {
		r.Rest()
	}
}

// Compute implements jobs.Engine.
func (e *Engine) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	if !shared(t) {
		out, err := e.Local.Compute(ctx, t)
		if err == nil && t.Nodes != 0 {
			out.Reason += "; " + NotShared(t)
		}
		return out, err
	}
	t.Device = engine.CPU
	quiet := t
	quiet.Request.Progress = nil // of searches here: the progress is that of all nodes
	p, err := e.Local.Part(ctx, quiet)
	if err != nil {
		return nil, err
	}
	r, err := e.prepare(ctx, t, p)
	if err != nil {
		return nil, err
	}
	e.Fleet.begin(r)
	err = e.Fleet.await(ctx, r, t, p)
	e.Fleet.end(r)
	if err != nil {
		return nil, errors.Join(err, r.close(false))
	}
	return e.finish(ctx, p, r)
}

// Shares says who computes a task that asks for nodes.
func (e *Engine) Shares(t engine.Task) string {
	there := fmt.Sprintf("%d there now", e.Fleet.ready(""))
	switch {
	case !shared(t):
		return NotShared(t)
	case t.Nodes > 0:
		return fmt.Sprintf("shared out to at least %d nodes, %s", t.Nodes, there)
	}
	return "shared out to nodes, " + there
}

// NotShared says why a task that asks for nodes is computed on this machine.
func NotShared(t engine.Task) string {
	if t.Device.Demands() {
		return "nodes compute on their CPUs, and the task asks for a GPU"
	}
	return t.Measure + " is not a sum over sources, so this machine computes it alone"
}

// finish makes scores of all parts.
func (e *Engine) finish(ctx context.Context, p *engine.Parted, r *run) (*engine.Outcome, error) {
	shards := r.queue.State().Counted
	all := &parts.Found{Partial: r.all, By: byCPU()}
	out, err := p.Finish(ctx, shards, func(yield func(*parts.Found, error) bool) { yield(all, nil) })
	if err != nil {
		return nil, errors.Join(err, r.close(true))
	}
	out.Reason = fmt.Sprintf("in %d shards, on %s", shards, nodesText(r.helped))
	if err := r.close(true); err != nil {
		e.Fleet.o.Logger.Warn("what is left of a run cannot be removed", "run", r.name, "error", err)
	}
	return out, nil
}

// byCPU is the way of all parts: nodes compute on their CPUs.
func byCPU() parts.Way { return parts.Way{Device: parts.CPU} }

// nodesText lists nodes in a few words.
func nodesText(names []string) string {
	const most = 4
	switch n := len(names); {
	case n == 0:
		return "nodes of an earlier run"
	case n == 1:
		return names[0]
	case n <= most:
		return fmt.Sprintf("%d nodes: %s", n, strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d nodes: %s, ...", len(names), strings.Join(names[:most], ", "))
}

// prepare makes the run of a task, with what an earlier coordinator has left of it.
func (e *Engine) prepare(ctx context.Context, t engine.Task, p *engine.Parted) (*run, error) {
	c, task := e.Fleet, parts.TaskOf(t.Measure, p.Request, byCPU())
	graph := t.Snapshot.Digest()
	r := &run{
		name: fleet.RunName(c.o.Program, graph, task), session: newSession(), measure: t.Measure, started: c.o.Now(),
		sources: p.Request.SourceCount(t.Snapshot.Graph.N()), least: max(t.Nodes, 0), all: p.Empty(),
		about: parts.About{Program: c.o.Program, Graph: graph, Tasks: []parts.Task{task}, Options: parts.OptionsOf([]parts.Task{task})},
	}
	r.opened.Store(r.least == 0)
	size, err := encodedSize(r.all)
	if err != nil {
		return nil, err
	}
	r.largest = 4*size + 1<<26
	predicted, err := e.predict(ctx, t)
	if err != nil {
		return nil, err
	}
	r.queue = queue.New(c.shape(r, predicted))
	c.expire()
	if r.record, err = openManifest(filepath.Join(c.o.Folder, r.name)); err != nil {
		return nil, fmt.Errorf("the parts of the run: %w", err)
	}
	if err = r.recover(); err == nil {
		err = r.addFiles(t, graph)
	}
	if err != nil {
		return nil, errors.Join(err, r.close(false))
	}
	return r, nil
}

// encodedSize is the size of a partial result in a file.
func encodedSize(p *kernels.Partial) (int64, error) {
	var size counter
	err := p.Encode(&size)
	return int64(size), err
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// predict is how long this machine would take, in seconds; 0 where that is not known.
func (e *Engine) predict(ctx context.Context, t engine.Task) (float64, error) {
	if t.Ranking == nil {
		free, err := hostmem.Available()
		if err != nil {
			return 0, err
		}
		if t.Ranking, err = e.Local.Rank(ctx, t, free); err != nil {
			return 0, err
		}
	}
	if first := t.Ranking.First(); first != nil {
		return first.Seconds, nil
	}
	return 0, nil
}

// addFiles adds the files that nodes read.
func (r *run) addFiles(t engine.Task, graph string) (err error) {
	if r.snapshot, err = snapshotFile(t.Path, r.record.dir, t.Snapshot); err != nil {
		return err
	}
	work := fleet.WorkOf(t.Measure, t.Request, r.about.Tasks[0], graph)
	work.Snapshot, work.Bytes = r.snapshot.hash, r.snapshot.size
	text, err := json.Marshal(work)
	r.work = inMemory(text)
	return err
}

// looks is how often a coordinator looks how far a run is.
const looks = 100 * time.Millisecond

// await waits until all parts are there. While no node can help with a run that waits for none, this machine does.
func (c *Coordinator) await(ctx context.Context, r *run, t engine.Task, p *engine.Parted) error {
	helping, stop := context.WithCancel(ctx)
	here := make(chan struct{})
	go func() {
		defer close(here)
		if err := c.help(helping, r, p); err != nil {
			r.fail(err)
		}
	}()
	defer func() { <-here }() // after stop
	defer stop()
	tick, complain := time.NewTicker(looks), time.NewTicker(time.Minute)
	defer tick.Stop()
	defer complain.Stop()
	for {
		if !r.opened.Load() && c.ready(r.name) >= r.least {
			r.opened.Store(true)
		}
		done, err := r.ended()
		if t.Request.Progress != nil {
			t.Request.Progress(int(r.queue.State().Done*float64(r.sources)), r.sources)
		}
		if done {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-complain.C:
			if why := c.reasons(r.name); len(why) > 0 && c.ready(r.name) == 0 {
				c.o.Logger.Warn("no node that is there can help with the run", "measure", r.measure, "reasons", strings.Join(why, "; "))
			}
		case <-tick.C:
		}
	}
}

// thisMachine is the name of the coordinator as a taker.
const thisMachine = "the coordinator"

// help computes shards on this machine while no node can, until the run is over.
func (c *Coordinator) help(ctx context.Context, r *run, p *engine.Parted) error {
	for ctx.Err() == nil {
		if done, _ := r.ended(); done {
			return nil
		}
		t, ok := queue.Ticket{}, false
		if r.least == 0 && c.ready(r.name) == 0 {
			t, ok = r.take(thisMachine)
		}
		if ok {
			if err := c.computeHere(ctx, r, p, t); err != nil && ctx.Err() == nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(looks):
		}
	}
	return nil
}

// computeHere computes a shard.
func (c *Coordinator) computeHere(ctx context.Context, r *run, p *engine.Parted, t queue.Ticket) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := r.queue.Extend(t.Number); err != nil {
				cancel()
			}
			select {
			case <-ctx.Done():
			case <-time.After(c.o.Lease / 4):
			}
		}
	}()
	shard := kernels.Shard{Index: t.Shard, Of: t.Of}
	found, err := p.Shard(ctx, shard, parts.Step{})
	if err != nil {
		r.queue.Return(t)
		if ctx.Err() != nil {
			return nil // somebody else has counted it
		}
		return err
	}
	about := r.about
	about.Index, about.Of, about.Told = shard.Index, shard.Of, []parts.Told{found.Told}
	path := r.record.path(uploadName + fleet.ShardName(shard))
	if err := parts.Write(path, about, []*parts.Found{found}); err != nil {
		os.Remove(path)
		return err
	}
	sum, size, err := hashOf(path)
	if err != nil {
		return err
	}
	_, err = r.accept(path, sum, size, thisMachine, t)
	return err
}
