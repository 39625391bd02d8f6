package worker

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
)

// way is one way to compute a task: an engine, the job that it gets, and how its result becomes that of the task.
type way struct {
	engine device.Engine
	// job is on the graph, or on what reductions leave of it.
	job device.Job
	// why is one line on why this way.
	why string
	// reduction says what came of the request to reduce; nil for nothing.
	reduction *kernels.Reduction
	// rest are engines for sources that the one before them leaves.
	rest []device.Engine
	// plain reports whether that is kernels.Partial.Finish alone.
	plain bool
	// room is for the values of the sums of a run that is not cut, whose partial result is hollow; nil where it is not.
	room *device.Values
	// finish fills the task's scores from the job's partial result.
	finish func(p *kernels.Partial) (kernels.Totals, error)
	// ties, unless "", replaces what the engine says of equal path lengths.
	ties string
	// unfit marks errors that say that the way does not suit the graph, which shows at the end; nil where none does.
	unfit error

	parts    device.Parts
	ticks    []int64
	prepared device.Prepared
	planned  protocol.Planned
}

// prepare fits the way into the memory of a device.
func (w *way) prepare(t *task, info gpu.Info) error {
	j := &w.job
	if err := j.Resolves(); err != nil {
		return err
	}
	g := j.Host
	w.parts = w.engine.Parts(j.Want, g.Directed)
	if w.parts.Ticks {
		arc, mul, div, ok := t.wholeTicks(g)
		if !ok && !w.parts.Weights {
			return notOnGPU("path lengths do not fit 64-bit ticks, which strategy %s counts in", w.engine.Name())
		}
		w.ticks, j.Ticks, j.TickMul, j.TickDiv = arc, arc, mul, div
		w.parts.Weights = w.parts.Weights && !ok
	}
	bytes := device.GraphBytes(device.SizeOf(g), w.parts)
	free := info.Free - reserve
	if bytes > free {
		return &gpu.TooLarge{What: "the graph", Need: bytes + reserve, Free: info.Free}
	}
	var err error
	if w.prepared, err = w.engine.Prepare(j, info, free-bytes); err != nil {
		return err
	}
	plan := w.prepared.Plan()
	if plan.Note != "" {
		w.why += "; " + plan.Note
	}
	w.planned = protocol.Planned{
		Device: info.Name, Strategy: w.engine.Name(), Blocks: plan.Blocks, HostBytes: plan.HostBytes,
		DeviceBytes: plan.DeviceBytes + bytes, Reason: w.why,
	}
	return fitsHost(w.engine.Name(), plan.HostBytes)
}

// leastPlan is what a plan may take of host memory unasked: what is free takes 0.2 ms to find out, closeness of
// air-routes 2.4.
const leastPlan = 64 << 20

// fitsHost refuses a plan for more host memory than there is. Where that cannot be told, it lets it pass.
func fitsHost(name string, bytes int64) error {
	if bytes <= leastPlan {
		return nil
	}
	if free, err := hostmem.Available(); err == nil && bytes > free {
		return refusal{fmt.Errorf("%s needs %s of host memory, %s are free", name, hostmem.FormatBytes(bytes),
			hostmem.FormatBytes(free)), protocol.TooLarge}
	}
	return nil
}

// compute runs the way and fills the task's scores. Nothing stays allocated.
func (w *way) compute(
	ctx context.Context, d gpu.Device, shards int,
) (result device.Result, totals kernels.Totals, err error) {
	if shards <= 1 {
		w.job.Values = w.room
	}
	p, result, err := w.run(ctx, d, shards)
	if err != nil {
		return result, totals, err
	}
	start := time.Now()
	if totals, err = w.finish(p); w.ties != "" {
		result.Ties = w.ties
	}
	result.Preprocess += time.Since(start).Seconds()
	return result, totals, err
}

// run searches from all sources of the job, and returns what they add up to.
func (w *way) run(ctx context.Context, d gpu.Device, shards int) (*kernels.Partial, device.Result, error) {
	done := onwards(w.job.Progress)
	w.job.Progress = done
	result, err := w.onDevice(ctx, d, shards)
	for _, e := range w.rest {
		if err != nil || len(result.Left) == 0 || result.Doubtful {
			break
		}
		err = w.again(ctx, d, e, &result, shards)
	}
	if err == nil && len(result.Left) > 0 {
		fill(w.job.Partial, w.job.Host)
		err = w.onCPU(ctx, &result, kernels.Shard{})
	}
	return w.job.Partial, result, err
}

// fill gives a hollow partial result for a graph its words.
func fill(p *kernels.Partial, g *export.Graph) {
	p.Nodes.Fill(g.N())
	p.Edges.Fill(g.M())
}

// onDevice uploads the graph of the job and runs it.
func (w *way) onDevice(ctx context.Context, d gpu.Device, shards int) (device.Result, error) {
	return w.uploaded(ctx, d, func(memory gpu.Device) (device.Result, error) {
		return device.Compute(ctx, memory, w.prepared, &w.job, shards)
	})
}

// uploaded uploads the graph of the job for what runs it.
func (w *way) uploaded(
	_ context.Context, d gpu.Device, run func(memory gpu.Device) (device.Result, error),
) (_ device.Result, err error) {
	start, j := time.Now(), &w.job
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	if b, ok := w.prepared.(device.Beginner); ok {
		defer b.Begin(j)()
	}
	if j.Graph, err = device.UploadGraph(memory, j.Host, w.parts, w.ticks); err != nil {
		return device.Result{}, err
	}
	if err := memory.Sync(); err != nil {
		return device.Result{}, err
	}
	uploaded := time.Since(start).Seconds()
	result, err := run(memory)
	result.Preprocess += uploaded
	return result, err
}

// again has another engine do the sources that are left.
func (w *way) again(ctx context.Context, d gpu.Device, e device.Engine, result *device.Result, shards int) error {
	rest, err := w.forRest(e, result.Left, d.Info())
	if err != nil {
		return err
	}
	more, err := rest.onDevice(ctx, d, shards)
	if err != nil {
		return err
	}
	result.Note += fmt.Sprintf("; %d sources left to %s", len(result.Left), rest.engine.Name())
	result.Left, result.Doubtful = more.Left, more.Doubtful
	return nil
}

// forRest is the way of another engine for sources that are left. Few are searched from one by one, as are those of a
// sample.
func (w *way) forRest(e device.Engine, left []int32, info gpu.Info) (*way, error) {
	if choice.LeftToOneByOne(len(left), info.SMs, w.job.All) {
		e = traversal.OneByOne()
	}
	rest := &way{engine: e, job: w.job}
	rest.job.Sources, rest.job.All, rest.job.Want.Sources, rest.job.Values = left, false, len(left), nil
	before := len(w.job.Sources) - len(left)
	rest.job.Progress = func(done int) { w.job.Progress(before + done) }
	t := &task{ticks: countedTicks{graph: w.job.Host, arc: w.ticks, mul: w.job.TickMul, div: w.job.TickDiv,
		ok: w.ticks != nil}}
	return rest, rest.prepare(t, info)
}

// mostOnCPU is the share of the sources that the CPU does for a device at most.
const mostOnCPU = 0.25

// onCPU adds what the sources add up to that only the CPU can do: those whose paths 128-bit integers alone tell apart.
func (w *way) onCPU(ctx context.Context, result *device.Result, shard kernels.Shard) error {
	left, all := len(result.Left), len(w.job.Sources)
	if !result.Doubtful || w.job.Kind() != kernels.Dependencies || float64(left) > mostOnCPU*float64(all) {
		return w.notTold(left)
	}
	r := w.job.Request
	r.Sources, r.Reduce = result.Left, kernels.ReduceOff
	m, _ := kernels.Lookup(w.job.Measure)
	result.Note += fmt.Sprintf("; %d sources computed on the CPU, because only 128-bit integers tell their paths apart",
		left)
	result.Left = nil
	return cpu.Partial(ctx, m, w.job.Host, r, shard, w.job.Partial)
}

// notTold is the error of so many sources that the device leaves, and the CPU is not to do for it.
func (w *way) notTold(left int) error {
	return notOnGPU("path lengths are exact in 128-bit integers only, and %d of %d sources have paths that float64 does not tell apart", left, len(w.job.Sources))
}

// onwards passes on what goes beyond all that was reported before: sources that are done again do not count back.
func onwards(report func(int)) func(int) {
	most := 0
	return func(done int) {
		if done > most {
			most = done
			report(done)
		}
	}
}

// oneByOne are the engines that do what batches leave, in numbers of any size.
func oneByOne() []device.Engine { return []device.Engine{traversal.OneByOne()} }

// inUnits multiplies scores by a factor.
func inUnits(scores []float64, factor float64) error {
	for i := range scores {
		scores[i] *= factor
		if math.IsInf(scores[i], 0) {
			return notOnGPU("a score passes float64")
		}
	}
	return nil
}
