package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// wayNumber returns the way of this number, prepared where it is to be run. All shards of a run take the same one.
func (t *task) wayNumber(ctx context.Context, info gpu.Info, number int, run bool) (*way, error) {
	i := 0 // the ways before
	for w, err := range t.ways(ctx, info) {
		if err != nil {
			return nil, err
		}
		if i == number {
			if w.room != nil {
				fill(w.job.Partial, w.job.Host)
			}
			if run {
				err = w.prepare(t, info)
			}
			return w, err
		}
		i++
	}
	return nil, notOnGPU("none of %d ways fits the device", i)
}

// nextWay is the error of a way that failed: TooLarge where another way may do what this one could not.
func (t *task) nextWay(w *way, err error) error {
	if t.goesOn(w, err) {
		return refusal{w.explained(err), protocol.TooLarge}
	}
	return w.explained(err)
}

// shard does a step of a shard of the run, and leaves its partial result in a file.
func (k *keptRun) shard(
	ctx context.Context, o protocol.Order, planned func(protocol.Planned) error,
) (*protocol.Result, error) {
	start, d := time.Now(), k.memory
	w, err := k.prepared(ctx, o.Way)
	if err != nil {
		return nil, err
	}
	about := w.planned
	about.Device = d.Info().Name
	if err := planned(about); err != nil {
		return nil, err
	}
	prepared := time.Since(start).Seconds()
	w.job.Partial, w.job.Shard, w.job.Pass, w.job.Only = w.job.Partial.Empty(), kernels.Shard{}, 0, nil
	result, err := w.step(ctx, d, k.info(), *o.Shard)
	if err != nil {
		return nil, k.task.nextWay(w, err)
	}
	if err := writePartial(o.Shard.Partial, w.job.Partial, result.Left); err != nil {
		return nil, fmt.Errorf("partial result: %w", err)
	}
	out := w.told(result, w.job.Partial.Totals)
	out.Left, out.Pass, out.Doubtful, out.Plain = len(result.Left), result.Pass, result.Doubtful, w.plain
	if roundsInBlocks(w.engine.Name()) {
		out.Blocks = w.planned.Blocks
	}
	out.Preprocess += prepared
	out.Compute, out.PeakBytes = time.Since(start).Seconds(), d.Peak()
	return out, nil
}

// roundsInBlocks reports whether the number of thread blocks shows in the last bits of an engine's sums: each block
// adds in float64 until the end of an atom.
func roundsInBlocks(engine string) bool {
	return !slices.Contains([]string{plan.Levels, plan.Deep, plan.Hops, plan.Weighted}, engine)
}

// step adds what a step of a shard finds to the job's partial result. What info says is what the step is planned for.
func (w *way) step(ctx context.Context, d gpu.Device, info gpu.Info, s protocol.Shard) (device.Result, error) {
	sources, err := protocol.ReadNodes(s.Step.Sources)
	if err != nil {
		return device.Result{}, fmt.Errorf("sources left: %w", err)
	}
	only, err := protocol.ReadNodes(s.Step.Only)
	if err != nil {
		return device.Result{}, fmt.Errorf("sources left: %w", err)
	}
	at := w
	switch engine := s.Step.Engine; {
	case engine == protocol.OnCPU:
		return w.shardOnCPU(ctx, sources, s.Part)
	case engine > len(w.rest):
		return device.Result{}, w.notTold(len(sources))
	case engine > 0:
		if at, err = w.forRest(w.rest[engine-1], sources, info); err != nil {
			return device.Result{}, err
		}
	}
	at.job.Shard, at.job.Pass, at.job.Only = s.Part, s.Step.Pass, only
	return at.uploaded(ctx, d, func(memory gpu.Device) (device.Result, error) {
		return at.prepared.Run(ctx, memory, &at.job)
	})
}

// shardOnCPU is a step of the CPU.
func (w *way) shardOnCPU(ctx context.Context, sources []int32, shard kernels.Shard) (device.Result, error) {
	result := device.Result{Left: sources, Doubtful: true}
	err := w.onCPU(ctx, &result, shard)
	return result, err
}

// join makes scores of the partial result of all shards.
func (k *keptRun) join(
	ctx context.Context, o protocol.Order, planned func(protocol.Planned) error,
) (*protocol.Result, error) {
	start, w := time.Now(), k.way
	if w == nil { // this worker did no shard
		var err error
		if w, err = k.task.wayNumber(ctx, k.info(), o.Way, false); err != nil {
			return nil, err
		}
	}
	if err := planned(protocol.Planned{Device: k.memory.Info().Name,
		Strategy: w.engine.Name(), Reason: w.why}); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.Joined)
	if err != nil {
		return nil, fmt.Errorf("partial result: %w", err)
	}
	var all kernels.Partial
	if err := all.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	p := w.job.Partial.Empty()
	if err := p.Join(&all); err != nil {
		return nil, err
	}
	totals, err := w.finish(p)
	if err != nil {
		return nil, k.task.nextWay(w, err)
	}
	out := w.told(device.Result{Ties: w.ties}, totals)
	out.Compute = time.Since(start).Seconds()
	return out, nil
}

// writePartial writes a partial result, and the sources left.
func writePartial(path string, p *kernels.Partial, left []int32) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(p.Encode(file), file.Close()); err != nil {
		return err
	}
	return protocol.WriteNodes(path+protocol.LeftSuffix, left)
}
