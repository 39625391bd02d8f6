package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// shardedRun is a run that is cut into shards, each computed by a worker. Their partial results are joined here; a worker makes
// scores of the result, because it has the reductions to undo.
type shardedRun struct {
	task  Task
	order protocol.Order // what all have in common
	team  *team
	files *client.Folder
	// number is how many files have been named.
	number atomic.Int64
	// outcomes are those of the shards of the last step.
	outcomes []*Outcome
	times    []ShardTime
}

// runShards is run in so many shards as the task says.
func (c *machine) runShards(ctx context.Context, t Task, o protocol.Order, _ []int32) (*Outcome, []float64, error) {
	c.client.Tidy()
	files, err := client.NewFolder()
	if err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	defer files.Remove()
	if t, err = withSnapshot(t, files); err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	all, err := c.gather(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	defer all.part()
	o.Common = all.common
	var first error
	for auto := !named(t); ; o.Way++ {
		s := &shardedRun{task: t, order: o, files: files, team: all}
		out, values, err := s.compute(ctx)
		switch r, _ := ReasonOf(err); {
		case err == nil:
			return out, values, nil
		case r == protocol.NotOnGPU && first != nil: // there are no more ways
			return nil, nil, first
		case r != protocol.TooLarge || !auto:
			return nil, nil, err
		}
		if first == nil {
			first = err
		}
	}
}

// withSnapshot is the task with a snapshot that all workers read.
func withSnapshot(t Task, f *client.Folder) (Task, error) {
	if _, err := os.Stat(t.Path); err == nil {
		return t, nil
	}
	t.Path = f.Path("shared.arrow")
	return t, export.ShowSnapshot(t.Path, t.Snapshot)
}

// compute runs one step after another over all shards, joins what they find, and has scores made of it.
func (s *shardedRun) compute(ctx context.Context) (*Outcome, []float64, error) {
	start := time.Now()
	var all *kernels.Partial
	var step protocol.Step
	for more := true; more; {
		found, err := s.step(ctx, step)
		if err != nil {
			return nil, nil, err
		}
		if all, err = joinShards(all, found); err != nil {
			return nil, nil, err
		}
		if step, more, err = s.next(step, found, all); err != nil {
			return nil, nil, err
		}
	}
	out, values, err := s.finish(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	out.Compute = time.Since(start).Seconds()
	return out, values, nil
}

// give gives an order to the worker of a seat.
func (s *shardedRun) give(
	ctx context.Context, at *seat, o protocol.Order, progress func(done, total int), result func(*protocol.Result),
) (*Outcome, []float64, error) {
	t := s.task
	t.Request.Progress = progress
	return at.give(ctx, t, o, nil, result)
}

// joinShards joins what shards found to what was found before.
func joinShards(all *kernels.Partial, found []shardResult) (*kernels.Partial, error) {
	for i := range found {
		if all == nil {
			all = found[i].partial.Empty()
		}
		if err := all.Join(&found[i].partial); err != nil {
			return nil, refuse(protocol.BadScores, "shard %d: %v", i, err)
		}
	}
	return all, nil
}

// next returns the step after one, as device.Compute goes on. all is emptied where sources are done again.
func (s *shardedRun) next(step protocol.Step, found []shardResult, all *kernels.Partial) (next protocol.Step, more bool, err error) {
	var left []int32
	pass, doubtful := 0, false
	for _, f := range found {
		left = append(left, f.left...)
		pass, doubtful = max(pass, f.result.Pass), doubtful || f.result.Doubtful
	}
	if len(left) == 0 {
		return step, false, nil
	}
	if next = step; pass > 0 {
		next.Pass = pass
		next.Only, err = s.list(left)
		return next, true, err
	}
	next = protocol.Step{Engine: step.Engine + 1}
	if doubtful {
		next.Engine = protocol.OnCPU
	}
	if m, _ := kernels.Lookup(s.task.Measure); m.Kind == kernels.PathCounts {
		all.ClearPaths() // counts so great would not add up exactly with those of other sources
		left = sourcesOf(s.task)
	}
	next.Sources, err = s.list(left)
	return next, true, err
}

// list writes sources to a file of their own.
func (s *shardedRun) list(sources []int32) (path string, err error) {
	return s.files.Nodes(s.name("sources"), sources)
}

// name is a new name for a file.
func (s *shardedRun) name(what string) string { return fmt.Sprintf("%s-%d", what, s.number.Add(1)) }

// errOtherWays is the error of shards that were computed in different ways.
var errOtherWays = errors.New("shards were computed by different strategies")

// finish has a worker make scores of the partial result of all shards.
func (s *shardedRun) finish(ctx context.Context, all *kernels.Partial) (*Outcome, []float64, error) {
	first := s.outcomes[0]
	for _, out := range s.outcomes {
		if out.Strategy != first.Strategy {
			return nil, nil, refuse(protocol.BadScores, "%v: %s and %s", errOtherWays, first.Strategy, out.Strategy)
		}
	}
	data, err := all.MarshalBinary()
	if err != nil {
		return nil, nil, err
	}
	o := s.order
	o.Joined = s.files.Path("joined")
	if err := os.WriteFile(o.Joined, data, 0o600); err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	out, values, err := s.giveAny(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range s.outcomes {
		out.Preprocess = max(out.Preprocess, part.Preprocess)
		out.PeakDevice = max(out.PeakDevice, part.PeakDevice)
		out.Start = max(out.Start, part.Start)
	}
	if out.Scores.Ties == "" {
		out.Scores.Ties = first.Scores.Ties
	}
	out.Shards, out.Times = len(s.outcomes), s.times
	out.Reason = first.Reason
	if name, count := s.team.name(); len(s.team.seats) > 1 {
		out.Device, out.Devices, out.Remark = name, count, s.team.remark()
		out.Reason += fmt.Sprintf("; on %d devices", count)
	}
	out.Reason += fmt.Sprintf("; in %d shards", out.Shards)
	return out, values, nil
}

// giveAny gives an order to a worker that has nothing to do. Where its device fails, another one gets it.
func (s *shardedRun) giveAny(ctx context.Context, o protocol.Order) (out *Outcome, values []float64, err error) {
	for at := s.team.idle(); at != nil; at = s.team.idle() {
		out, values, err = s.give(ctx, at, o, nil, func(*protocol.Result) {})
		at.busy.Unlock()
		if err == nil || !s.team.lose(ctx, at, err) {
			return out, values, err
		}
	}
	return nil, nil, s.team.firstLost()
}
