package coordinator

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/filehash"
	"github.com/linchpin-graph/linchpin/kernels"
)

// thisMachine is the name of the coordinator as a taker.
const thisMachine = "the coordinator"

// help computes shards on this machine while no node can, until the run is over. p is nil where this machine cannot
// either.
func (c *Coordinator) help(ctx context.Context, r *run, p *engine.Parted) error {
	for ctx.Err() == nil && p != nil {
		if done, _ := r.ended(); done {
			return nil
		}
		t, ok := queue.Ticket{}, false
		if r.least == 0 && c.ready(r.name, r.gpus) == 0 {
			t, ok = r.take(thisMachine)
		}
		if ok {
			err := c.computeHere(ctx, r, p, t)
			if unlike := (*foreign)(nil); errors.As(err, &unlike) {
				c.o.Logger.Warn("this machine leaves the run to nodes", "error", err)
				return nil
			}
			if err != nil && ctx.Err() == nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(looks):
		}
	}
	return nil
}

// computeHere computes a shard.
func (c *Coordinator) computeHere(ctx context.Context, r *run, p *engine.Parted, t queue.Ticket) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go c.extend(ctx, cancel, r, t)
	found, err := p.Shard(ctx, kernels.Shard{Index: t.Shard, Of: t.Of}, parts.Step{})
	if err == nil {
		err = c.keep(ctx, r, t, found)
	}
	if err != nil {
		r.queue.Return(t)
	}
	if ctx.Err() != nil {
		return nil // somebody else has counted it
	}
	return err
}

// extend renews the lease of this machine, and cancels what it computes when that is no longer worth it.
func (c *Coordinator) extend(ctx context.Context, cancel context.CancelFunc, r *run, t queue.Ticket) {
	for ctx.Err() == nil {
		if _, err := r.queue.Extend(t.Number); err != nil {
			cancel()
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.o.Lease / 4):
		}
	}
}

// keep puts the part of this machine among those of the run. While the disk is full it waits for room.
func (c *Coordinator) keep(ctx context.Context, r *run, t queue.Ticket, found *parts.Found) error {
	for {
		err := r.store(t, found)
		if !export.IsDiskFull(err) {
			return err
		}
		c.tellFull(err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(roomIn):
		}
	}
}

// roomIn is how long this machine waits for room on a full disk before it tries again.
const roomIn = time.Second

// store writes the part of this machine, and has it accepted.
func (r *run) store(t queue.Ticket, found *parts.Found) error {
	shard := kernels.Shard{Index: t.Shard, Of: t.Of}
	path := r.record.path(uploadName + fleet.ShardName(shard))
	if err := r.write(path, shard, found); err != nil {
		os.Remove(path)
		return err
	}
	sum, size, err := filehash.OfFile(path)
	if err != nil {
		return err
	}
	_, err = r.accept(path, sum, size, thisMachine, t)
	return err
}
