package engine

import (
	"context"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// Parted is a task that is ready to be computed in parts, by this process or by several. Processes that prepare the
// same task for the same kind of device search the same run, whose parts can be joined. Close ends it.
type Parted struct {
	// Request is that of the task, with the reductions that were decided on for the CPU.
	Request kernels.Request
	// Kind is the kind of GPU that computes here; "" for the CPU, and on a machine without one.
	Kind string

	task    Task
	measure kernels.Measure
	ranking *Ranking
	begun   time.Time
	before  float64 // seconds of planning

	device deviceRunner

	mu  sync.Mutex
	why because  // of the CPU
	run *cpu.Run // on the CPU; nil on a device
	// shards is nil until a device is needed. settled reports whether it has found the way that all shards take.
	shards  *shardedRun
	seats   chan *seat // of shards, those that no shard takes
	settled bool
}

// Part prepares a task. Who computes does not depend on how fast this machine is: under Auto, it is a GPU where the
// machine has one that can, and the CPU elsewhere. Task.Way names the way of parts that are there already. Task.Shards
// is how many shards may be computed at the same time, if the machine has as many devices.
func (e *Engine) Part(ctx context.Context, t Task) (*Parted, error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	switch {
	case t.Way == nil:
	case !t.Way.OnGPU():
		t.Device = CPU
	case !t.Device.Demands():
		t.Device = GPU
	}
	if t.Device == CPU || len(m.StrategiesFor(t.Request.Weighted)) == 0 || !m.Kind.Divides() || t.Request.Top != nil {
		return partOnCPU(ctx, m, t, askedForCPU())
	}
	var found Ranking
	err = onlyCPU(t.Request)
	if err == nil {
		err = e.findDevices(ctx, t.Device, &found)
	}
	if err != nil && t.Way == nil {
		why, back := fallback(ctx, t.Device, err)
		if !back {
			return nil, err
		}
		return partOnCPU(ctx, m, t, why)
	}
	onDevice := t
	onDevice.Ranking, onDevice.Shards = nil, max(1, t.Shards) // a ranking knows how fast this machine is
	return &Parted{
		Request: t.Request, task: onDevice, measure: m, ranking: t.Ranking, begun: time.Now(), device: e.device,
		Kind: found.info.Name,
	}, nil
}

// partOnCPU prepares a task for the CPU.
func partOnCPU(ctx context.Context, m kernels.Measure, t Task, why because) (*Parted, error) {
	p := newParted(m, t)
	p.why = why
	return p, p.prepare(ctx)
}

// newParted plans a task for the CPU.
func newParted(m kernels.Measure, t Task) *Parted {
	p := &Parted{task: t, measure: m, ranking: t.Ranking, begun: time.Now()}
	if p.ranking == nil {
		p.ranking = hostRanking(m, t)
	}
	if p.ranking.made != nil {
		p.before = p.ranking.planning
	}
	p.Request = p.ranking.onCPU(t.Request)
	return p
}

// prepare prepares the run of the CPU.
func (p *Parted) prepare(ctx context.Context) (err error) {
	p.run, err = cpu.Prepare(ctx, p.measure, p.task.Snapshot.Graph, p.Request, p.ranking.take())
	return export.NameNodes(err, p.task.Snapshot.Nodes)
}

// Empty is the partial result of no source, of a task for the CPU.
func (p *Parted) Empty() *kernels.Partial { return p.run.Empty() }

// Shard computes a step of a shard. The first step is the zero Step; later ones are for Finish. On a device, several
// goroutines may call it.
func (p *Parted) Shard(ctx context.Context, shard kernels.Shard, step parts.Step) (*parts.Found, error) {
	p.mu.Lock()
	if p.run == nil && p.settled { // shards of a device are computed at the same time
		p.mu.Unlock()
		return p.onDevice(ctx, shard, step)
	}
	defer p.mu.Unlock()
	if p.run == nil {
		found, err := p.firstOnDevice(ctx, shard, step)
		if err == nil || !p.leaves(ctx, err) {
			return found, err
		}
		if err := p.goToCPU(ctx); err != nil {
			return nil, err
		}
	}
	found := &parts.Found{Partial: p.run.Empty(), By: parts.Way{Device: parts.CPU}, Told: parts.Told{Reason: p.why.reason}}
	return found, export.NameNodes(p.run.Search(ctx, shard, found.Partial), p.task.Snapshot.Nodes)
}

// leaves reports whether the CPU is to compute what no device of this kind can.
func (p *Parted) leaves(ctx context.Context, err error) (back bool) {
	if r, _ := ReasonOf(err); r != protocol.NotOnGPU && r != protocol.TooLarge || p.task.Way != nil {
		return false
	}
	p.why, back = fallback(ctx, p.task.Device, err)
	return back
}

// goToCPU makes the task one of the CPU.
func (p *Parted) goToCPU(ctx context.Context) error {
	t := p.task
	t.Ranking = p.ranking
	host := newParted(p.measure, t)
	p.Request, p.ranking, p.before = host.Request, host.ranking, host.before
	return p.prepare(ctx)
}

// outcome says how scores of the CPU came about.
func (p *Parted) outcome(scores *kernels.Scores, why because, parts int) *Outcome {
	if scores.Reduction == nil && p.Request.Reduce != p.task.Request.Reduce {
		scores.Reduction = &kernels.Reduction{Taken: []string{},
			Searched: int64(p.Request.SourceCount(p.task.Snapshot.Graph.N()))}
		scores.Reduction.NotReduced("a plan would take longer than it is likely to save")
	}
	out := onCPU(p.task, why)
	out.Ranking = p.ranking
	out.Scores, out.Compute = scores, p.before+time.Since(p.begun).Seconds()
	out.inShards(parts)
	return out
}
