package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/engine/ranges"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Ranking is the ways to compute a task on this machine that its policy allows, the fastest that fits the memory first.
type Ranking struct {
	// Ways may be empty: where a GPU is demanded and there is none.
	Ways []plan.Candidate
	// Missing says why no GPU is among them where one is allowed; nil for a task that has none.
	Missing error
	// Instead says so if exact scores of all nodes are predicted to take less time than those from sources that were
	// drawn, which are not reduced; "" otherwise. Rank sets it.
	Instead string
	// OnePass reports whether the first way is on a GPU, and computes all ranges that the request shares a pass with. The
	// ways are then those of the greatest range.
	OnePass bool

	choice *choice.Choice
	// info is what the devices of the task have in common; its Name is "" where there is none. devices is how many share
	// the task, alike whether they are of one kind.
	info    DeviceInfo
	devices int
	alike   bool
	// made is a plan of reductions for the CPU; nil where none was made, or since it was used. planning is the seconds of
	// Compute that it took.
	made     *reductions.Plan
	planning float64
}

// Rank ranks the ways to compute a task with so many bytes of host memory. It computes nothing, but may ask a worker
// for its devices, and calibrate a device that it has not met before.
func (e *Engine) Rank(ctx context.Context, t Task, free int64) (*Ranking, error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	r := e.rank(ctx, m, t, free)
	r.planning = 0 // it is no part of Compute
	if drawn := r.First(); t.Request.Scale > 1 && t.Request.Pairs == nil && t.Sample == nil && !named(t) &&
		choice.IsLong(drawn) {
		t.Request.Sources, t.Request.Scale = nil, 1
		if all := e.rank(ctx, m, t, free).First(); choice.Halves(drawn, all) {
			r.Instead = fmt.Sprintf("%s: exact scores of all nodes would take about %s, and this sample takes about %s",
				m.Name, plan.Duration(all.Seconds), plan.Duration(drawn.Seconds))
		}
	}
	return r, nil
}

// rank is Rank of a task that was checked.
func (e *Engine) rank(ctx context.Context, m kernels.Measure, t Task, free int64) *Ranking {
	if t.Sample != nil {
		t.Request = samples.LeastRequest(t.Snapshot.Graph, t.Request, *t.Sample)
	}
	machine := plan.Machine{Rates: plan.Here(), Threads: threadsOf(t.Request), Shards: t.Shards}
	r := &Ranking{}
	if t.Device != CPU && len(m.StrategiesFor(t.Request.Weighted)) > 0 {
		if r.Missing = onlyCPU(t.Request); r.Missing == nil {
			r.Missing = e.findDevices(ctx, t.Device, r)
		}
		if r.Missing == nil {
			machine.Rates, machine.GPU, machine.Warm = e.rates(ctx, r.info), true, e.device.warm()
		}
	}
	choose := func(t Task) {
		searched, g := t.Request, t.Snapshot.Graph
		if t.Sample != nil && !searched.Weighted && !g.Directed { // a device sums edges from what it leaves for nodes
			searched.Edges = false
		}
		r.choice = choice.Choose(plan.Of(g, m, searched, kernels.IsSingle(t.Precision)), machine)
		r.order(m, t, free)
	}
	if all := ranges.Of(t.Request); machine.GPU && all != nil {
		widest := t
		widest.ranges, widest.Request = all, all.Widest(t.Request)
		choose(widest)
		r.OnePass = all.InOnePass(r.First(), m)
	}
	if !r.OnePass {
		choose(t)
	}
	if !machine.GPU { // the run needs a plan of reductions anyway, and the time depends on it
		r.settle(ctx, m, t, free)
	}
	return r
}

// hostRanking is the ranking of the ways on the CPU.
func hostRanking(m kernels.Measure, t Task) *Ranking {
	f := plan.Of(t.Snapshot.Graph, m, t.Request, false)
	machine := plan.Machine{Rates: plan.Here(), Threads: threadsOf(t.Request), Shards: t.Shards}
	r := &Ranking{choice: choice.Choose(f, machine)}
	t.Device = CPU
	r.order(m, t, freeMemory())
	return r
}

func threadsOf(r kernels.Request) int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// order fills Ways from the choice.
func (r *Ranking) order(m kernels.Measure, t Task, free int64) {
	a := choice.Asked{Strategy: choice.Strategy(t.Strategy), Reduce: t.Request.Reduce, OneByOne: t.Sample != nil}
	a.Demands = t.Device.Demands() && len(m.StrategiesFor(t.Request.Weighted)) > 0
	r.Ways = r.choice.For(a, r.need(m, t), plan.Free{Host: free, Device: r.info.Total})
	for i, c := range r.Ways {
		r.Ways[i] = c.Share(r.choice.Features, r.devices, r.alike)
	}
}

// shards is into how many the plan cuts a task; without a plan, that is the number asked for.
func (r *Ranking) shards(t Task) int {
	if r == nil || len(r.Ways) == 0 {
		return t.Shards
	}
	return r.Ways[0].Shards
}

// named reports whether the task names a strategy.
func named(t Task) bool { return choice.Strategy(t.Strategy).Named() }

// need returns what the ways of a task need of memory.
func (r *Ranking) need(m kernels.Measure, t Task) plan.Bytes {
	size := device.SizeOf(t.Snapshot.Graph)
	job := sync.OnceValue(func() device.Job { return r.job(m, t) })
	return func(c plan.Candidate) (host, onDevice int64) {
		if c.Device == plan.CPU {
			q := t.Request
			if c.Reductions == nil {
				q.Reduce = kernels.ReduceOff
			}
			host = cpu.Bytes(m, size, q)
			if t.Sample != nil {
				host += samples.Bytes(size, t.Request)
			}
			return host, 0
		}
		j := job()
		if plan.IsBatched(c.Engine) {
			j.SetDepth(r.choice.Features.Depth())
		}
		host, onDevice = engines.Bytes(c, j, r.info, r.choice.Left())
		return host * int64(max(1, r.devices)), onDevice
	}
}

// job is the task as a device gets it.
func (r *Ranking) job(m kernels.Measure, t Task) device.Job {
	g := t.Snapshot.Graph
	sources := order.OrAll(g, t.Request.Sources)
	j := device.Job{Request: t.Request, Host: g, Sources: sources, All: t.Request.Sources == nil, Progress: func(int) {}}
	j.Want = device.Want{
		Measure: m.Name, Params: t.Request.Params, Nodes: t.Request.Nodes, Edges: t.Request.Edges, Sources: len(sources),
		Size: device.SizeOf(g), Single: kernels.IsSingle(t.Precision), Ranges: t.ranges.Within(),
	}.Of(t.Request.Pairs)
	if r.choice.Features.ByHops() {
		j.Weighted, j.Request.Weighted = false, false
	}
	return j
}

// settle makes a plan of reductions where the model wants one before it says whether the CPU or a GPU is faster, and
// orders the ways again by what it finds.
func (r *Ranking) settle(ctx context.Context, m kernels.Measure, t Task, free int64) {
	if !r.choice.PlansFirst(r.Ways) {
		return
	}
	size := device.SizeOf(t.Snapshot.Graph)
	q := r.onCPU(t.Request)
	if q.Reduce == kernels.ReduceOff || cpu.Bytes(m, size, q) > free {
		return
	}
	made, err := reductions.PlanBetweenness(ctx, t.Snapshot.Graph, q)
	if err != nil || made.About == nil {
		return
	}
	r.made, r.planning = made, made.About.Seconds
	left := plan.Reductions{Union: 1, Trees: 1, Search: made.About.WorkRatio, Planned: true, By: plan.CPU}
	if made.Reduced != nil {
		left = plan.ReductionsOf(made.Reduced.Info, 0)
		left.By = plan.CPU
	}
	if r.choice.Machine.GPU { // without one there is nothing to choose
		known, err := reused(ctx, m, t, q, made)
		for _, share := range []*float64{&left.Union, &left.Trees, &left.Search, &left.Demand} {
			if err == nil && known != nil {
				*share *= 1 - known.Work
			}
		}
	}
	r.choice.Know(left)
	r.order(m, t, free)
}

// take takes the plan of reductions, which is used once.
func (r *Ranking) take() *reductions.Plan {
	made := r.made
	r.made = nil
	return made
}

// Reuse returns how much of a task that is to be computed on the CPU the store of the request knows; nil where that is
// not asked, or another way is faster. Compute takes the plan of reductions that it makes for betweenness.
func (r *Ranking) Reuse(ctx context.Context, t Task) (*kernels.Reduction, error) {
	m, _ := kernels.Lookup(t.Measure)
	first, q, out := r.First(), r.onCPU(t.Request), kernels.Reduction{}
	if q.Reuse == nil || first == nil || first.Device != plan.CPU {
		return nil, nil
	}
	if m.Kind == kernels.Dependencies {
		if r.made == nil {
			var err error
			if r.made, err = reductions.PlanBetweenness(ctx, t.Snapshot.Graph, q); err != nil {
				return nil, err
			}
		}
		if r.made.About != nil {
			out = *r.made.About
		}
	}
	var err error
	if out.Reused, err = reused(ctx, m, t, q, r.made); out.Reused == nil && out.Reason == "" {
		return nil, err
	}
	return &out, err
}

// reused returns how much of a task that the CPU computes by a plan its store knows; nil where nothing can be reused.
func reused(
	ctx context.Context, m kernels.Measure, t Task, q kernels.Request, made *reductions.Plan,
) (*reuse.Amount, error) {
	if q.Reuse == nil {
		return nil, nil
	}
	run, err := cpu.Prepare(ctx, m, t.Snapshot.Graph, q, made)
	if err != nil {
		return nil, err
	}
	return run.Reuse(ctx, q.Reuse)
}

// onCPU is the request as the CPU is to compute it.
func (r *Ranking) onCPU(q kernels.Request) kernels.Request { return r.choice.OnCPU(r.Ways, q) }

// OnCPU is a request as the CPU is to compute it: with reductions where the model says that they pay.
func OnCPU(m kernels.Measure, g *export.Graph, q kernels.Request) kernels.Request {
	t := Task{Measure: m.Name, Request: q, Snapshot: &export.Snapshot{Graph: g}}
	return hostRanking(m, t).onCPU(q)
}

// handOn tells a worker what the ways were ranked by, so that it need not find that out again. r may be nil.
func (r *Ranking) handOn(o *protocol.Order) {
	if r == nil || o.Kind != protocol.OrderCompute {
		return
	}
	measured := r.choice.Features.Measured()
	o.Measured = &measured
	if r.info.Name != "" {
		calibration := r.choice.Machine.Rates.Calibration(r.info)
		o.Calibration = &calibration
	}
}

// freeMemory is the host memory that is free; all of it where that cannot be told.
func freeMemory() int64 {
	free, err := hostmem.Available()
	if err != nil {
		return 1 << 62
	}
	return free
}
