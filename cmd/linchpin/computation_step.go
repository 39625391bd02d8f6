package main

import (
	"context"
	"time"
)

// patience is how long an interrupted step may take to stop by itself.
const patience = 600 * time.Millisecond

// stepFunc does a step, and returns one line on what it did.
type stepFunc = func(context.Context) (string, error)

// hurried is a step that has nothing to clean up. Once interrupted, it is left behind if it does not stop: the process
// is about to end.
func (c *computation) hurried(do stepFunc) stepFunc {
	type result struct {
		summary string
		err     error
	}
	return func(ctx context.Context) (string, error) {
		done := make(chan result, 1)
		go func() {
			summary, err := do(ctx)
			done <- result{summary, err}
		}()
		select {
		case r := <-done:
			return r.summary, r.err
		case <-ctx.Done():
		}
		select {
		case r := <-done:
			return r.summary, r.err
		case <-time.After(patience):
		}
		// The other reporter still belongs to what was left behind.
		c.steps.Reporter = newReporter(&app{globals: globals{quiet: true}})
		return "", ctx.Err()
	}
}
