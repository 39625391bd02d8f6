package node

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff waits longer each time, up to a bound. Nodes wait for times of their own, so that they do not all come at
// once.
type backoff struct{ tries int }

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 15 * time.Second
)

// next is about how long the next pause is.
func (b *backoff) next() time.Duration {
	return min(longestPause, firstPause<<min(b.tries, 10))
}

func (b *backoff) pause(ctx context.Context) {
	d := b.next()
	b.tries++
	select {
	case <-ctx.Done():
	case <-time.After(d/2 + rand.N(d)):
	}
}

func (b *backoff) reset() { b.tries = 0 }
