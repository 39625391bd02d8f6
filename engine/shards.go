package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// shardedRun is a run that is cut into shards, each computed by a worker. Their partial results are joined here. A worker makes
// scores of the result if there are reductions to undo.
type shardedRun struct {
	task  Task
	order protocol.Order // what all have in common
	files *client.Folder
	// seats are those that no shard takes at the moment. Each keeps its worker, which prepares the run once.
	seats  chan *seat
	number int    // of files
	worker string // a digest of the worker's program; "" unless a file is to name it

	mu   sync.Mutex
	done []int // by shard
}

// shards begins a run in shards.
func (c *machine) shards(ctx context.Context, t Task, o protocol.Order) (*shardedRun, error) {
	c.client.Tidy()
	files, err := client.NewFolder()
	if err != nil {
		return nil, fmt.Errorf("files for the worker: %w", err)
	}
	s := &shardedRun{order: o, files: files}
	if s.task, err = withSnapshot(t, files); err != nil {
		err = fmt.Errorf("files for the worker: %w", err)
	} else if s.seats, err = c.sitForShards(ctx, t); err == nil {
		return s, nil
	}
	files.Remove()
	return nil, err
}

// digest identifies the worker's program.
func (s *shardedRun) digest() (string, error) {
	at := <-s.seats
	defer func() { s.seats <- at }()
	digest, err := parts.DigestOf(at.worker.Path())
	if err != nil {
		return "", refuse(protocol.BrokenWorker, "%v", err)
	}
	return digest, nil
}

// close ends a run. No shard is being computed.
func (s *shardedRun) close() {
	for range cap(s.seats) {
		(<-s.seats).leave()
	}
	s.files.Remove()
}

// runShards is run in so many shards as the task says.
func (c *machine) runShards(ctx context.Context, t Task, o protocol.Order, _ []int32) (out *Outcome, values []float64, err error) {
	s, err := c.shards(ctx, t, o)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	err = s.inWays(func() error {
		out, values, err = s.compute(ctx)
		return err
	})
	return out, values, err
}

// inWays has do compute in one way after another, unless a strategy is named, until one fits the device.
func (s *shardedRun) inWays(do func() error) error {
	var first error
	for ; ; s.order.Way++ {
		err := do()
		switch r, _ := ReasonOf(err); {
		case r == protocol.NotOnGPU && first != nil: // there are no more ways
			return first
		case r != protocol.TooLarge || named(s.task):
			return err
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
	m, _ := kernels.Lookup(s.task.Measure)
	j, err := parts.Join(m, func() []int32 { return sourcesOf(s.task) }, func(step parts.Step) iter.Seq2[*parts.Found, error] {
		return s.each(ctx, step)
	})
	if errors.Is(err, parts.ErrJoin) {
		err = refuse(protocol.BadScores, "%v", err)
	}
	if err != nil {
		return nil, nil, err
	}
	out, values, err := s.finish(ctx, j, s.task.Shards)
	if err != nil {
		return nil, nil, err
	}
	out.Compute = time.Since(start).Seconds()
	return out, values, nil
}

// each returns what a step of all shards finds, in their order.
func (s *shardedRun) each(ctx context.Context, step parts.Step) iter.Seq2[*parts.Found, error] {
	return func(yield func(*parts.Found, error) bool) {
		found, err := s.step(ctx, step)
		if err != nil {
			yield(nil, err)
			return
		}
		for i, f := range found {
			found[i] = nil // so that it is freed once it is joined
			if !yield(f, nil) {
				return
			}
		}
	}
}

// step has workers do a step of all shards, as many at a time as there are devices.
func (s *shardedRun) step(ctx context.Context, step parts.Step) ([]*parts.Found, error) {
	of := s.task.Shards
	found, errs := make([]*parts.Found, of), make([]error, of)
	s.done = make([]int, of)
	asked, err := s.asked(step)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for i := range of {
		at := <-s.seats
		workers.Go(func() {
			defer func() { s.seats <- at }()
			shard := protocol.Shard{Part: kernels.Shard{Index: i, Of: of}, Step: asked}
			if found[i], errs[i] = s.shard(ctx, at, shard, s.progress(i)); errs[i] != nil {
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
func (s *shardedRun) shard(
	ctx context.Context, at *seat, shard protocol.Shard, progress func(done, total int),
) (*parts.Found, error) {
	o := s.order
	shard.Partial, o.Shard = s.file("partial"), &shard
	var result protocol.Result
	out, _, err := s.give(ctx, at, o, progress, func(r *protocol.Result) { result = *r })
	if err != nil {
		return nil, err
	}
	by := parts.Way{
		Device: strings.TrimSuffix(out.Device, placeOf(at.index)), Strategy: out.Strategy, Number: o.Way, Single: result.Single,
		Plain: result.Plain, Blocks: result.Blocks, Worker: s.worker,
	}
	found := &parts.Found{Partial: &kernels.Partial{}, By: by, Told: parts.Told{
		Left: result.Left, Pass: result.Pass, Doubtful: result.Doubtful, Reason: out.Reason, Ties: result.Ties,
		Reduction: result.Reduction, Start: out.Start, Preprocess: out.Preprocess, Peak: out.PeakDevice,
	}}
	data, err := os.ReadFile(shard.Partial)
	if err == nil {
		err = found.Partial.UnmarshalBinary(data)
	}
	if err == nil {
		found.Left, err = protocol.ReadNodes(shard.Partial + protocol.LeftSuffix)
	}
	if err == nil && len(found.Left) != result.Left {
		err = fmt.Errorf("%d sources left, not %d", len(found.Left), result.Left)
	}
	os.Remove(shard.Partial)
	if err != nil {
		return nil, refuse(protocol.BadScores, "the partial result of shard %d of %d: %v", shard.Part.Index, shard.Part.Of, err)
	}
	return found, nil
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

// asked is a step as workers get it, with its lists in files.
func (s *shardedRun) asked(step parts.Step) (out protocol.Step, err error) {
	out = protocol.Step{Engine: step.Engine, Pass: step.Pass}
	for _, list := range []struct {
		sources []int32
		path    *string
	}{{step.Sources, &out.Sources}, {step.Only, &out.Only}} {
		if list.sources != nil && err == nil {
			*list.path = s.file("sources")
			err = protocol.WriteNodes(*list.path, list.sources)
		}
	}
	return out, err
}

// file names another file.
func (s *shardedRun) file(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	return s.files.Path(fmt.Sprintf("%s-%d", kind, s.number))
}

// finish has a worker make scores of what all shards of a run found.
func (s *shardedRun) finish(ctx context.Context, j *parts.Joined, shards int) (*Outcome, []float64, error) {
	data, err := j.Partial.MarshalBinary()
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
	for _, part := range j.Told {
		out.Preprocess = max(out.Preprocess, part.Preprocess)
		out.PeakDevice = max(out.PeakDevice, part.Peak)
		out.Start = max(out.Start, part.Start)
	}
	if out.Scores.Ties == "" {
		out.Scores.Ties = j.Ties
	}
	out.Reason = j.Told[0].Reason
	out.inShards(shards)
	return out, values, nil
}

// inShards says into how many shards a run was cut.
func (o *Outcome) inShards(count int) {
	if count > 1 {
		o.Shards, o.Reason = count, fmt.Sprintf("%s; in %d shards", o.Reason, count)
	}
}
