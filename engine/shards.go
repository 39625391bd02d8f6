package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// shardedRun is a run that is cut into shards, each computed by a worker. Their partial results are joined here. Where
// the graph was reduced, a worker makes scores of the result, because it has the reductions to undo.
type shardedRun struct {
	task  Task
	order protocol.Order // what all have in common
	team  *team
	files *client.Folder
	// number is how many files have been named.
	number atomic.Int64
	worker string // a digest of the worker's program; "" unless a file is to name it
	// times are those of the shards of the last step, which ended then.
	times []ShardTime
	ended time.Time
	// opening is the seconds that the run took to begin.
	opening float64
}

// shards begins a run in shards.
func (c *machine) shards(ctx context.Context, t Task, o protocol.Order) (*shardedRun, error) {
	begun := time.Now()
	c.client.Tidy()
	files, err := client.NewFolder()
	if err != nil {
		return nil, fmt.Errorf("files for the worker: %w", err)
	}
	s := &shardedRun{order: o, files: files}
	var unseen error
	var showing sync.WaitGroup
	showing.Go(func() { s.order.Graph = protocol.Fingerprint(t.Snapshot.Graph) }) // while the devices open
	showing.Go(func() { s.task, unseen = withSnapshot(t, files) })
	s.team, err = c.gather(ctx, t)
	showing.Wait()
	switch {
	case err == nil && unseen == nil:
		s.order.Common, s.opening = s.team.common, time.Since(begun).Seconds()
		return s, nil
	case err == nil:
		s.team.part()
		err = fmt.Errorf("files for the worker: %w", unseen)
	}
	files.Remove()
	return nil, err
}

// digest identifies the worker's program.
func (s *shardedRun) digest() (string, error) {
	digest, err := parts.DigestOf(s.team.seats[0].worker.Path())
	if err != nil {
		return "", refuse(protocol.BrokenWorker, "%v", err)
	}
	return digest, nil
}

// close ends a run. No shard is being computed.
func (s *shardedRun) close() {
	s.team.part()
	s.files.Remove()
}

// runShards is run in so many shards as the task says.
func (c *machine) runShards(
	ctx context.Context, t Task, o protocol.Order, _ []int32,
) (out *Outcome, values []float64, err error) {
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
	return t, showGraph(t.Path, t.Snapshot)
}

// compute runs one step after another over all shards, joins what they find, and has scores made of it.
func (s *shardedRun) compute(ctx context.Context) (*Outcome, []float64, error) {
	start := time.Now()
	m, _ := kernels.Lookup(s.task.Measure)
	j, err := parts.Join(m, func() []int32 { return sourcesOf(s.task) },
		func(step parts.Step) iter.Seq2[*parts.Found, error] {
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
	out.Compute, out.Opening, out.Joining = time.Since(start).Seconds(), s.opening, time.Since(s.ended).Seconds()
	return out, values, nil
}

// each returns what a step of all shards finds, in their order.
func (s *shardedRun) each(ctx context.Context, step parts.Step) iter.Seq2[*parts.Found, error] {
	return func(yield func(*parts.Found, error) bool) {
		asked, err := s.asked(step)
		var found []*parts.Found
		if err == nil {
			found, err = s.step(ctx, asked)
		}
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

// give gives an order to the worker of a seat.
func (s *shardedRun) give(
	ctx context.Context, at *seat, o protocol.Order, progress func(done, total int), result func(*protocol.Result),
) (*Outcome, []float64, error) {
	t := s.task
	t.Request.Progress = progress
	return at.give(ctx, t, o, nil, result)
}

// asked is a step as workers get it, with its lists in files.
func (s *shardedRun) asked(step parts.Step) (out protocol.Step, err error) {
	out = protocol.Step{Engine: step.Engine, Pass: step.Pass}
	for _, list := range []struct {
		sources []int32
		path    *string
	}{{step.Sources, &out.Sources}, {step.Only, &out.Only}} {
		if list.sources != nil && err == nil {
			*list.path, err = s.files.Nodes(s.name("sources"), list.sources)
		}
	}
	return out, err
}

// name is a new name for a file.
func (s *shardedRun) name(what string) string { return fmt.Sprintf("%s-%d", what, s.number.Add(1)) }

// finish makes scores of what all shards of a run found.
func (s *shardedRun) finish(ctx context.Context, j *parts.Joined, shards int) (*Outcome, []float64, error) {
	var out *Outcome
	var values []float64
	var err error
	if j.By.Plain {
		at := s.team.seats[0]
		m, _ := kernels.Lookup(s.task.Measure)
		out = &Outcome{Device: at.spread.Name(j.By.Device, at.index), Strategy: j.By.Strategy}
		out.Scores, values, err = j.Scores(m, s.task.Snapshot.Graph, s.task.Request)
	} else {
		out, values, err = s.byWorker(ctx, j)
	}
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
	out.Reason, out.Times = j.Told[0].Reason, s.times
	if name, count := s.team.name(); len(s.team.seats) > 1 {
		out.Device, out.Devices, out.Remark = name, count, s.team.remark()
		out.Reason += fmt.Sprintf("; on %d devices", count)
	}
	out.inShards(shards)
	return out, values, nil
}

// byWorker has a worker make scores.
func (s *shardedRun) byWorker(ctx context.Context, j *parts.Joined) (*Outcome, []float64, error) {
	data, err := j.Partial.MarshalBinary()
	if err != nil {
		return nil, nil, err
	}
	o := s.order
	o.Joined = s.files.Path("joined")
	if err := os.WriteFile(o.Joined, data, 0o600); err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	return s.giveAny(ctx, o)
}

// inShards says into how many shards a run was cut.
func (o *Outcome) inShards(count int) {
	if count > 1 {
		o.Shards, o.Reason = count, fmt.Sprintf("%s; in %d shards", o.Reason, count)
	}
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
