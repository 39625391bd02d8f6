package main

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/jobs"
)

// patience is how long an interrupted step may take to stop by itself.
const patience = 600 * time.Millisecond

// step does a step. Once interrupted, a step that has nothing to clean up is left behind when it does not stop: the
// process is about to end. Writing cleans up after itself, so it is waited for.
func (c *computation) step(ctx context.Context, name jobs.Step, do func(context.Context) (string, error)) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	type result struct {
		summary string
		err     error
	}
	done := make(chan result, 1)
	go func() {
		summary, err := do(ctx)
		done <- result{summary, err}
	}()
	var late <-chan time.Time
	interrupted := ctx.Done()
	for {
		select {
		case r := <-done:
			if r.err != nil {
				c.report.End(jobs.BadEnd(r.err))
			}
			return r.summary, r.err
		case <-interrupted:
			interrupted = nil
			if name != jobs.Write {
				late = time.After(patience)
			}
		case <-late:
			return "", ctx.Err()
		}
	}
}
