// Package stopper tells loops that their result is no longer wanted.
package stopper

import (
	"context"
	"sync/atomic"
)

// Every is how many nodes a loop should handle between looks at its stopper: well under a millisecond's worth.
const Every = 1024

// Stopper says whether a context is done. Asking it is cheap enough for an inner loop.
type Stopper struct {
	stopped atomic.Bool
	ctx     context.Context
	release func() bool
}

// New returns a stopper of the context. Release lets go of the context.
func New(ctx context.Context) *Stopper {
	s := &Stopper{ctx: ctx}
	s.stopped.Store(ctx.Err() != nil)
	s.release = context.AfterFunc(ctx, func() { s.stopped.Store(true) })
	return s
}

// Release lets go of the context; the stopper stays as it is.
func (s *Stopper) Release() { s.release() }

// Stopped says whether the context is done.
func (s *Stopper) Stopped() bool { return s.stopped.Load() }

// Err returns the context's cause once it is done.
func (s *Stopper) Err() error {
	if s.stopped.Load() {
		return context.Cause(s.ctx)
	}
	return nil
}
