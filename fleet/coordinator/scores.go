package coordinator

import (
	"context"
	"os"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
)

// awaitScores has a node make scores.
func (c *Coordinator) awaitScores(ctx context.Context, r *run) error {
	path := r.record.path(uploadName + "joined")
	if err := r.write(path, noShard, r.all); err != nil {
		return err
	}
	defer os.Remove(path)
	joined, err := onDisk(path)
	if err != nil {
		return err
	}
	closing := queue.New(queue.Config{Shards: 1, Lease: c.o.Lease, Tries: tries, Now: c.o.Now})
	c.mu.Lock()
	r.mu.Lock()
	r.joined, r.closing = joined, closing
	r.mu.Unlock()
	c.mu.Unlock()
	complain := time.NewTicker(time.Minute)
	defer complain.Stop()
	for {
		changed := closing.Changed()
		if s := closing.State(); s.Ended() {
			return s.Err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		case <-complain.C:
			c.complain(r)
		case <-time.After(looks): // a lease may have ended
		}
	}
}

// acceptScores takes over the file with the scores of the run. It is removed.
func (r *run) acceptScores(path string, t queue.Ticket) (first bool, err error) {
	defer os.Remove(path)
	f, err := parts.Open(path)
	if err != nil {
		return false, &foreign{"the scores are damaged: " + err.Error()}
	}
	if err := r.check(f); err != nil {
		return false, err
	}
	found, err := f.Found(0)
	if err != nil {
		return false, &foreign{err.Error()}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closing == nil:
		return false, &foreign{"no scores are wanted yet"}
	case f.Index != noShard.Index:
		return false, &foreign{"the file is a part of the run, not its scores"}
	}
	if err := r.all.By.Check(found.By); err != nil {
		return false, &foreign{err.Error()}
	}
	if t.Of == 0 {
		t.Of = 1 // of a lease that has ended
	}
	if !r.closing.Count(t) {
		return false, nil
	}
	r.scores = found
	return true, nil
}
