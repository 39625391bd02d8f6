package engine

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// Ranking is the ways to compute a task on this machine that its policy allows, the fastest that fits the memory first.
type Ranking struct {
	// Ways may be empty: where a GPU is demanded and there is none.
	Ways []plan.Candidate
	// Missing says why no GPU is among them where one is allowed; nil for a task that has none.
	Missing error

	choice *plan.Choice
	// info is the device; its Name is "" where there is none.
	info DeviceInfo
	// made is a plan of reductions for the CPU; nil where none was made.
	made *reductions.Plan
}

// Rank ranks the ways to compute a task with so many bytes of host memory. It computes nothing, but may ask a worker for
// its devices, and calibrate a device that it has not met before.
func (e *Engine) Rank(ctx context.Context, t Task, free int64) (*Ranking, error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	return e.rank(ctx, m, t, free), nil
}

// rank is Rank of a task that was checked.
func (e *Engine) rank(ctx context.Context, m kernels.Measure, t Task, free int64) *Ranking {
	f := plan.Of(t.Snapshot.Graph, m, t.Request, t.Precision == Single)
	machine := plan.Machine{Rates: plan.H200(), Threads: threadsOf(t.Request)}
	r := &Ranking{}
	if t.Device != CPU && len(m.StrategiesFor(t.Request.Weighted)) > 0 {
		if r.info, r.Missing = e.deviceFor(ctx, t.Device); r.Missing == nil {
			machine.Rates, machine.GPU, machine.Warm = e.rates(ctx, r.info), true, e.device.warm()
		}
	}
	r.choice = plan.Choose(f, machine)
	r.order(m, t, free)
	return r
}

// hostRanking is the ranking of the ways on the CPU.
func hostRanking(m kernels.Measure, t Task) *Ranking {
	f := plan.Of(t.Snapshot.Graph, m, t.Request, false)
	r := &Ranking{choice: plan.Choose(f, plan.Machine{Rates: plan.H200(), Threads: threadsOf(t.Request)})}
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
	room := plan.Free{Host: free, Device: r.info.Total}
	all := r.choice.Ranked(r.need(m, t), room)
	demands := t.Device.Demands() && len(m.StrategiesFor(t.Request.Weighted)) > 0
	r.Ways = slices.DeleteFunc(all, func(c plan.Candidate) bool {
		return demands && c.Device == plan.CPU || !allowed(c, t, all)
	})
	if named(t) && r.info.Name != "" && !slices.ContainsFunc(r.Ways, onGPU) {
		r.Ways = append([]plan.Candidate{{Device: plan.GPU, Engine: t.Strategy, Why: "asked for"}}, r.Ways...)
	}
	if named(t) { // the GPU comes first, as far as it fits
		slices.SortStableFunc(r.Ways, func(a, b plan.Candidate) int { return place(a) - place(b) })
	}
}

func onGPU(c plan.Candidate) bool { return c.Device == plan.GPU }

// place is that of a way where a strategy was asked for.
func place(c plan.Candidate) int {
	switch {
	case c.Misfit != "":
		return 2
	case c.Device == plan.CPU:
		return 1
	}
	return 0
}

// named reports whether the task names a strategy.
func named(t Task) bool { return t.Strategy != "" && t.Strategy != "auto" }

// allowed reports whether a way is one that the strategy and the reductions of a task ask for.
func allowed(c plan.Candidate, t Task, all []plan.Candidate) bool {
	if c.Device == plan.GPU && named(t) && c.Engine != t.Strategy && !(t.Strategy == engines.Batched && engines.IsBatched(c.Engine)) {
		return false
	}
	if reducing, err := kernels.ParseReduce(t.Request.Reduce); err != nil || reducing.Mode != kernels.ReduceOn || c.Reductions != nil {
		return true
	}
	return !slices.ContainsFunc(all, func(x plan.Candidate) bool { return x.Device == c.Device && x.Reductions != nil })
}

// need returns what the ways of a task need of memory.
func (r *Ranking) need(m kernels.Measure, t Task) plan.Bytes {
	size := device.SizeOf(t.Snapshot.Graph)
	job := sync.OnceValue(func() device.Job { return r.job(m, t) })
	return func(c plan.Candidate) (host, onDevice int64) {
		if c.Device == plan.CPU {
			return cpu.Bytes(m, size, reducing(t.Request, c.Reductions != nil)), 0
		}
		j := job()
		if engines.IsBatched(c.Engine) {
			j.SetDepth(r.choice.Features.Depth())
		}
		return engines.Bytes(c, j, r.info, r.choice.Left())
	}
}

// job is the task as a device gets it.
func (r *Ranking) job(m kernels.Measure, t Task) device.Job {
	g, sources := t.Snapshot.Graph, t.Request.Sources
	if sources == nil {
		sources = order.All(g)
	}
	j := device.Job{Request: t.Request, Host: g, Sources: sources, All: t.Request.Sources == nil, Progress: func(int) {}}
	j.Want = device.Want{
		Measure: m.Name, Params: t.Request.Params, Nodes: t.Request.Nodes, Edges: t.Request.Edges, Sources: len(sources),
		Size: device.SizeOf(g), Single: t.Precision == Single,
	}
	if r.choice.Features.ByHops() {
		j.Weighted, j.Request.Weighted = false, false
	}
	return j
}

// reducing is a request with reductions, or without.
func reducing(r kernels.Request, with bool) kernels.Request {
	if !with {
		r.Reduce = kernels.ReduceOff
	}
	return r
}

// settle makes a plan of reductions where the model wants one before it says whether the CPU or a GPU is faster, and
// orders the ways again by what it finds.
func (r *Ranking) settle(ctx context.Context, m kernels.Measure, t Task, free int64) {
	if m.Kind != kernels.Dependencies || !slices.ContainsFunc(r.Ways, onGPU) || !r.choice.Plans(plan.CPU, r.Ways) {
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
	r.made = made
	left := plan.Reductions{Union: 1, Trees: 1, Search: made.About.WorkRatio, Planned: true, By: plan.CPU}
	if made.Reduced != nil {
		left = plan.ReductionsOf(made.Reduced.Info, 0)
		left.By = plan.CPU
	}
	r.choice.Know(left)
	r.order(m, t, free)
}

// prefersCPU reports whether the CPU is to compute a task that a GPU could compute as well, and why.
func (r *Ranking) prefersCPU(t Task) (why string, prefers bool) {
	if len(r.Ways) == 0 || r.Ways[0].Device != plan.CPU {
		return "", false
	}
	i := slices.IndexFunc(r.Ways, onGPU)
	if i < 0 {
		return "", false
	}
	gpu, host := r.Ways[i], r.Ways[0]
	if gpu.Misfit != "" {
		return "the GPU is too small: " + gpu.Misfit, true
	}
	return fmt.Sprintf("the CPU is faster here: about %s on %d threads, a GPU about %s", plan.Duration(host.Seconds),
		r.choice.Machine.Threads, plan.Duration(gpu.Seconds)), true
}

// onCPU is the request as the CPU is to compute it: with reductions where the model says that they pay. It asks about one
// thread of the table's machine, so that scores have the same bits for any number of threads, and on any machine.
func (r *Ranking) onCPU(q kernels.Request) kernels.Request {
	q = r.fit(q)
	reduce, err := kernels.ParseReduce(q.Reduce)
	if err != nil || reduce.Mode != kernels.ReduceAuto {
		return q
	}
	c := plan.Choose(r.choice.Features, plan.Machine{Rates: plan.H200(), Threads: 1})
	ways := c.On(plan.CPU)
	if !slices.ContainsFunc(ways, func(c plan.Candidate) bool { return c.Reductions != nil }) {
		return q // what stands against reductions is said where they would be planned
	}
	if q.MostLeft = c.MostLeft(plan.CPU, nil); q.MostLeft == 0 || !c.Plans(plan.CPU, ways) {
		q.Reduce = kernels.ReduceOff
	}
	return q
}

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

// notPlanned says that the model kept reductions from being planned.
func notPlanned(sources int) *kernels.Reduction {
	out := &kernels.Reduction{Taken: []string{}, Searched: int64(sources)}
	out.NotReduced("a plan would take longer than it is likely to save")
	return out
}

// freeMemory is the host memory that is free; all of it where that cannot be told.
func freeMemory() int64 {
	free, err := hostmem.Available()
	if err != nil {
		return 1 << 62
	}
	return free
}
