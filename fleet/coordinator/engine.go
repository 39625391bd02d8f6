package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// Parter is an engine of this machine.
type Parter interface {
	Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error)
	Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error)
	Part(ctx context.Context, t engine.Task) (*engine.Parted, error)
	Approximate(ctx context.Context, t engine.Task, a kernels.Accuracy) (*engine.Outcome, *kernels.Estimate, error)
	Adaptive(ctx context.Context, t engine.Task, a adaptive.Sample) (*engine.Outcome, []int32, error)
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
	return ok && t.Nodes != 0 && m.Kind.Divides() && t.Request.Top == nil && (hasGPUs(m, t) || !t.Device.Demands())
}

// hasGPUs reports whether a GPU can compute a task.
func hasGPUs(m kernels.Measure, t engine.Task) bool {
	return len(m.StrategiesFor(t.Request.Weighted)) > 0
}

// place is the task of a run that is shared out, on the kind of device that computes it: on GPUs where they are asked
// for, or where the task allows them and a node has one.
func (e *Engine) place(t engine.Task) engine.Task {
	m, _ := kernels.Lookup(t.Measure)
	if !t.Device.Demands() && (t.Device == engine.CPU || !hasGPUs(m, t) || e.Fleet.gpus() == 0) {
		t.Device, t.Strategy = engine.CPU, "auto"
	} else if !t.Device.Demands() {
		t.Device = engine.GPU
	}
	return t
}

// Rank implements jobs.Engine.
func (e *Engine) Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error) {
	if shared(t) {
		t = e.place(t)
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
	t = e.place(t)
	p, err := e.part(ctx, t)
	if err != nil {
		return nil, err
	}
	if p != nil {
		defer p.Close()
	}
	r, err := e.prepare(ctx, t, p)
	if err != nil {
		return nil, err
	}
	e.Fleet.begin(r)
	if err := e.Fleet.await(ctx, r, t, p); err != nil {
		e.Fleet.end(r)
		return nil, errors.Join(err, r.close(false))
	}
	return e.finish(ctx, t, p, r)
}

// part prepares a task on this machine. nil is for a run on GPUs, without one here.
func (e *Engine) part(ctx context.Context, t engine.Task) (*engine.Parted, error) {
	t.Request.Progress = nil // of searches here: the progress is that of all nodes
	p, err := e.Local.Part(ctx, t)
	if r, _ := engine.ReasonOf(err); t.Device.Demands() && r.Missing() && (t.Nodes > 0 || e.Fleet.gpus() > 0) {
		return nil, nil
	}
	return p, err
}

// Shares says who computes a task that asks for nodes.
func (e *Engine) Shares(t engine.Task) string {
	placed := e.place(t)
	there := fmt.Sprintf("%d there now", e.Fleet.ready("", placed.Device.Demands()))
	if placed.Device.Demands() {
		there += " with a GPU"
	}
	switch {
	case !shared(t):
		return NotShared(t)
	case t.Nodes > 0:
		return fmt.Sprintf("shared out to at least %d nodes, %s", t.Nodes, there) + e.shards(placed)
	}
	return "shared out to nodes, " + there + e.shards(placed)
}

// shards says into how many shards a task is likely to be cut; nothing where that depends on GPUs that are not known.
func (e *Engine) shards(t engine.Task) string {
	if t.Device.Demands() || t.Ranking == nil || t.Ranking.First() == nil {
		return ""
	}
	sources := t.Request.SourceCount(t.Snapshot.Graph.N())
	return ", in about " + Predict(sources, t.Ranking.First().Seconds, max(1, e.Fleet.ready("", false), t.Nodes)).cuts()
}

// TopAlone is why nodes do not share out the search for the highest scores.
const TopAlone = "the highest scores alone are computed by this machine"

// NotShared says why a task that asks for nodes is computed on this machine.
func NotShared(t engine.Task) string {
	if t.Request.Top != nil {
		return TopAlone
	}
	if m, ok := kernels.Lookup(t.Measure); ok && m.Kind.Divides() {
		return "no GPU computes " + t.Measure + ", and the task asks for one"
	}
	return NoSum(t.Measure)
}

// NoSum says why one machine computes a measure.
func NoSum(measure string) string {
	return measure + " is not a sum over sources, so this machine computes it alone"
}

// finish makes scores of all parts. Who is interrupted, or has no device to make them with, may go on later; parts that
// make no right scores are removed.
func (e *Engine) finish(ctx context.Context, t engine.Task, p *engine.Parted, r *run) (*engine.Outcome, error) {
	out, err := e.scores(ctx, t, p, r)
	e.Fleet.end(r)
	if err != nil {
		reason, _ := engine.ReasonOf(err)
		return nil, errors.Join(err, r.close(ctx.Err() == nil && reason == ""))
	}
	out.Reason = fmt.Sprintf("in %d shards, on %s", r.queue.State().Counted, nodesText(r.helped))
	if err := r.close(true); err != nil {
		e.Fleet.o.Logger.Warn("what is left of a run cannot be removed", "run", r.name, "error", err)
	}
	return out, nil
}

// scores makes scores of what all shards found: on this machine, or on a node if that takes a GPU of a kind that only
// nodes have.
func (e *Engine) scores(ctx context.Context, t engine.Task, p *engine.Parted, r *run) (*engine.Outcome, error) {
	if !r.needsGPU() || p != nil && p.Kind == r.all.By.Device {
		out, err := e.scoresHere(ctx, t, p, r)
		if unlike := (*parts.Error)(nil); !errors.As(err, &unlike) {
			return out, err
		}
		e.Fleet.o.Logger.Warn("this machine leaves the scores to nodes", "error", err)
	}
	if err := e.Fleet.awaitScores(ctx, r); err != nil {
		return nil, err
	}
	return engine.Unpack(t, r.scores)
}

// needsGPU reports whether a GPU makes the scores: one has reduced the graph, or sources are left to a later step.
func (r *run) needsGPU() bool { return r.gpus && (!r.all.By.Plain || len(r.all.Left) > 0) }

// scoresHere makes scores on this machine, in the way of the parts.
func (e *Engine) scoresHere(ctx context.Context, t engine.Task, p *engine.Parted, r *run) (*engine.Outcome, error) {
	if r.gpus {
		by := r.all.By
		t.Way = &by
		var err error
		if p, err = e.Local.Part(ctx, t); err != nil {
			return nil, err
		}
		defer p.Close()
	}
	return p.Finish(ctx, r.queue.State().Counted, func(yield func(*parts.Found, error) bool) { yield(r.all, nil) })
}

// byWhom is the way of a run's parts as far as it is known before there is one: on CPUs, or on any kind of GPU.
func byWhom(t engine.Task) parts.Way {
	if !t.Device.Demands() {
		return parts.Way{Device: parts.CPU}
	}
	return parts.Way{Strategy: t.Strategy, Single: kernels.IsSingle(t.Precision)}
}

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
	request, empty := emptyPart(t, p)
	c, task := e.Fleet, parts.TaskOf(t.Measure, request, byWhom(t))
	graph := t.Snapshot.Digest()
	r := &run{
		name: fleet.RunName(c.o.Program, graph, task), session: newSession(), measure: t.Measure, started: c.o.Now(),
		logger: c.o.Logger, sources: request.SourceCount(t.Snapshot.Graph.N()), least: max(t.Nodes, 0),
		gpus: t.Device.Demands(), about: parts.About{Program: c.o.Program, Graph: graph, Tasks: []parts.Task{task},
			Options: parts.OptionsOf([]parts.Task{task})},
	}
	r.opened.Store(r.least == 0)
	if !r.gpus {
		r.all = &parts.Found{Partial: empty, By: byWhom(t)}
	}
	size, err := encodedSize(empty)
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

// emptyPart returns the request of a task, as far as it is planned before a device has searched, and a partial result
// about as large as that of any part.
func emptyPart(t engine.Task, p *engine.Parted) (kernels.Request, *kernels.Partial) {
	if !t.Device.Demands() {
		return p.Request, p.Empty()
	}
	m, _ := kernels.Lookup(t.Measure)
	g := t.Snapshot.Graph
	return t.Request, kernels.NewPartial(m, g.N(), g.M(), t.Request, kernels.BoundsOf(g, t.Request, 0))
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
	work := fleet.WorkOf(t, r.about.Tasks[0], graph)
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
		if !r.opened.Load() && c.ready(r.name, r.gpus) >= r.least {
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
			c.complain(r)
		case <-tick.C:
		}
	}
}

// complain says why no node that is there can help with a run.
func (c *Coordinator) complain(r *run) {
	if why := c.reasons(r); len(why) > 0 && c.ready(r.name, r.gpus) == 0 {
		c.o.Logger.Warn("no node that is there can help with the run", "measure", r.measure, "reasons",
			strings.Join(why, "; "))
	}
}
