package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/kernels"
)

// lookAgain is how long a device that finds no shard waits before it looks for a slow one to start again.
const lookAgain = time.Second

// stepping is a step of all shards on its way: devices take them from a queue.
type stepping struct {
	run   *shardedRun
	step  protocol.Step
	queue *queue.Queue
	// stop ends all orders of the step.
	stop context.CancelFunc

	mu      sync.Mutex
	found   []*parts.Found
	times   []ShardTime
	done    []int                        // sources, by shard
	taken   map[int][]context.CancelFunc // of the orders of a shard
	failure error
}

// step has workers do a step of all shards, one at a time on each device. It does not wait for a device whose shard
// another one finished first.
func (s *shardedRun) step(ctx context.Context, step protocol.Step) ([]*parts.Found, error) {
	of := s.task.Shards
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p := &stepping{
		run: s, step: step, queue: queue.New(queue.Config{Shards: of}), stop: stop,
		found: make([]*parts.Found, of), times: make([]ShardTime, of), done: make([]int, of),
		taken: map[int][]context.CancelFunc{},
	}
	var takers sync.WaitGroup
	for _, at := range s.team.able() {
		takers.Add(1)
		s.team.working.Go(func() {
			defer takers.Done()
			p.work(ctx, at)
		})
	}
	gone := make(chan struct{})
	go func() {
		takers.Wait()
		close(gone)
	}()
	p.wait(gone)
	return p.result()
}

// wait waits until all shards are counted, or nobody is left who takes one.
func (p *stepping) wait(gone <-chan struct{}) {
	for {
		changed := p.queue.Changed()
		if p.queue.State().Ended() {
			return
		}
		select {
		case <-changed:
		case <-gone:
			return
		}
	}
}

// result is what all shards found, or why some were not done.
func (p *stepping) result() ([]*parts.Found, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.failure != nil:
		return nil, p.failure
	case !p.queue.State().Ended():
		return nil, p.run.team.firstLost()
	}
	p.run.times, p.run.ended = p.times, time.Now()
	return p.found, nil
}

// work has a device take one shard after another, until none is left or it fails.
func (p *stepping) work(ctx context.Context, at *seat) {
	at.busy.Lock()
	defer at.busy.Unlock()
	for taker := fmt.Sprintf("gpu:%d", at.index); ; {
		changed := p.queue.Changed()
		t, ok := p.queue.Take(taker)
		switch {
		case ok && !p.take(ctx, at, t), !ok && p.queue.State().Ended():
			return
		case ok:
			continue
		}
		select {
		case <-changed:
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return
		}
	}
}

// take does a shard, and reports whether the device goes on.
func (p *stepping) take(ctx context.Context, at *seat, t queue.Ticket) bool {
	mine, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	p.taken[t.Shard] = append(p.taken[t.Shard], cancel)
	p.mu.Unlock()
	found, took, err := p.run.shard(mine, at, p.order(t.Shard), p.progress(t.Shard))
	switch {
	case err == nil:
		p.count(t, found, took)
		return true
	case mine.Err() != nil && ctx.Err() == nil: // another device finished it first
		return true
	case p.run.team.lose(ctx, at, err):
		p.queue.Leave(t.Taker)
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		p.failure = err
	}
	p.stop()
	return false
}

// count keeps what a shard found, unless it is there already, and ends other orders of it.
func (p *stepping) count(t queue.Ticket, found *parts.Found, took ShardTime) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.queue.Count(t) {
		return
	}
	p.found[t.Shard], p.times[t.Shard] = found, took
	for _, cancel := range p.taken[t.Shard] {
		cancel()
	}
}

// order is a shard as a worker gets it.
func (p *stepping) order(shard int) protocol.Shard {
	return protocol.Shard{Part: kernels.Shard{Index: shard, Of: p.run.task.Shards}, Step: p.step}
}

// progress adds up what shards report.
func (p *stepping) progress(shard int) func(done, total int) {
	report := p.run.task.Request.Progress
	if report == nil {
		return nil
	}
	return func(done, total int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done[shard] = max(p.done[shard], done)
		all := 0
		for _, n := range p.done {
			all += n
		}
		report(min(all, total), total)
	}
}

// shard has a worker do one shard, and reads what it found.
func (s *shardedRun) shard(
	ctx context.Context, at *seat, shard protocol.Shard, progress func(done, total int),
) (*parts.Found, ShardTime, error) {
	o := s.order
	shard.Partial, o.Shard = s.files.Path(s.name("partial")), &shard
	var r protocol.Result
	out, _, err := s.give(ctx, at, o, progress, func(result *protocol.Result) { r = *result })
	if err != nil {
		return nil, ShardTime{}, err
	}
	found := &parts.Found{Partial: &kernels.Partial{}, By: parts.Way{
		Device: strings.TrimSuffix(out.Device, policy.PlaceOf(at.index)), Strategy: out.Strategy, Number: o.Way,
		Single: r.Single, Plain: r.Plain, Blocks: r.Blocks, Worker: s.worker,
	}, Told: parts.Told{
		Left: r.Left, Pass: r.Pass, Doubtful: r.Doubtful, Reason: out.Reason, Ties: r.Ties, Reduction: r.Reduction,
		Start: out.Start, Preprocess: out.Preprocess, Peak: out.PeakDevice,
	}}
	if err := readFound(shard.Partial, found); err != nil {
		return nil, ShardTime{}, refuse(
			protocol.BadScores, "the partial result of shard %d of %d: %v", shard.Part.Index, shard.Part.Of, err,
		)
	}
	return found, ShardTime{at.index, out.Compute, out.Preprocess}, nil
}

// readFound reads the files that a worker wrote of a shard, and removes the larger one.
func readFound(path string, found *parts.Found) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := found.Partial.Decode(file, info.Size()); err != nil {
		return err
	}
	if end, err := file.Seek(0, io.SeekCurrent); err != nil || end < info.Size() {
		return errors.Join(err, fmt.Errorf("%w: %d bytes too many", kernels.ErrPartial, info.Size()-end))
	}
	if found.Left, err = protocol.ReadNodes(path + protocol.LeftSuffix); err == nil && len(found.Left) != found.Told.Left {
		err = fmt.Errorf("%d sources left, not %d", len(found.Left), found.Told.Left)
	}
	return err
}
