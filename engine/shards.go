package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
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
	files *client.Folder
	// seats are those that no shard takes at the moment. Each keeps its worker, which prepares the run once.
	seats  chan *seat
	number int // of files

	mu       sync.Mutex
	done     []int // by shard
	outcomes []*Outcome
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
	seats, err := c.sitForShards(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		for range cap(seats) {
			(<-seats).leave()
		}
	}()
	var first error
	for auto := !named(t); ; o.Way++ {
		s := &shardedRun{task: t, order: o, files: files, seats: seats}
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

// shardResult is what a worker found in a shard.
type shardResult struct {
	partial kernels.Partial
	left    []int32
	result  protocol.Result
}

// step has workers do a step of all shards, as many at a time as there are devices.
func (s *shardedRun) step(ctx context.Context, step protocol.Step) ([]shardResult, error) {
	of := s.task.Shards
	found, errs := make([]shardResult, of), make([]error, of)
	s.done, s.outcomes = make([]int, of), make([]*Outcome, of)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for i := range of {
		at := <-s.seats
		s.number++
		o, number := s.order, s.number
		o.Shard = &protocol.Shard{
			Part: kernels.Shard{Index: i, Of: of}, Step: step, Partial: s.files.Path(fmt.Sprintf("partial-%d", number)),
		}
		workers.Go(func() {
			defer func() { s.seats <- at }()
			if found[i], errs[i] = s.shard(ctx, at, o); errs[i] != nil {
				cancel()
			}
		})
	}
	workers.Wait()
	return found, firstCause(errs)
}

// firstCause is the first error that is not that of a run that another one ended.
func firstCause(errs []error) (first error) {
	for _, err := range errs {
		if r, _ := ReasonOf(err); err != nil && (first == nil || r != protocol.Cancelled && r != "") {
			if r != protocol.Cancelled {
				return err
			}
			first = err
		}
	}
	return first
}

// shard has a worker do one shard, and reads what it found.
func (s *shardedRun) shard(ctx context.Context, at *seat, o protocol.Order) (shardResult, error) {
	var found shardResult
	out, _, err := s.give(ctx, at, o, s.progress(o.Shard.Part.Index), func(r *protocol.Result) { found.result = *r })
	if err != nil {
		return found, err
	}
	s.outcomes[o.Shard.Part.Index] = out
	data, err := os.ReadFile(o.Shard.Partial)
	if err == nil {
		err = found.partial.UnmarshalBinary(data)
	}
	if err == nil {
		found.left, err = readLeft(o.Shard.Partial+protocol.LeftSuffix, found.result.Left)
	}
	os.Remove(o.Shard.Partial)
	if err != nil {
		return found, refuse(protocol.BadScores, "the partial result of shard %d of %d: %v", o.Shard.Part.Index, o.Shard.Part.Of, err)
	}
	return found, nil
}

// readLeft reads so many sources.
func readLeft(path string, count int) ([]int32, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) != 4*count {
		return nil, fmt.Errorf("%d bytes of %d sources left", len(data), count)
	}
	left := make([]int32, count)
	_, err = binary.Decode(data, binary.LittleEndian, left)
	return left, err
}

// give gives an order to the worker of a seat.
func (s *shardedRun) give(
	ctx context.Context, at *seat, o protocol.Order, progress func(done, total int), result func(*protocol.Result),
) (*Outcome, []float64, error) {
	t := s.task
	t.Request.Progress = progress
	return at.give(ctx, t, o, nil, result)
}

// progress adds up what shards report.
func (s *shardedRun) progress(shard int) func(done, total int) {
	report := s.task.Request.Progress
	if report == nil {
		return nil
	}
	return func(done, total int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.done[shard] = done
		all := 0
		for _, n := range s.done {
			all += n
		}
		report(min(all, total), total)
	}
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
	s.number++
	return s.files.Nodes(fmt.Sprintf("sources-%d", s.number), sources)
}

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
	at := <-s.seats
	out, values, err := s.give(ctx, at, o, nil, func(*protocol.Result) {})
	s.seats <- at
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
	out.Shards = len(s.outcomes)
	out.Reason = fmt.Sprintf("%s; in %d shards", first.Reason, out.Shards)
	return out, values, nil
}
