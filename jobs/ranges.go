package jobs

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
)

// holdsAll is the sentence about a dropped range in plans and records.
const holdsAll = "the range holds every pair, so it is dropped"

// DropRange drops a range that holds every pair of nodes with a path. The scores are the same, and all engines and
// reductions may make them. The first call looks for such pairs, so it comes before the computation shares a pass with
// others.
func (c *Computation) DropRange(ctx context.Context) {
	q := &c.Task.Request
	if c.asked != nil || q.Within() == 0 || c.Measure.Check(*q) != nil {
		return
	}
	c.asked = q.Pairs
	q.Pairs = withoutRange(ctx, c.Task.Snapshot.Graph, *q)
}

// withoutRange returns the pairs of a request, without a range that holds every pair of nodes with a path.
func withoutRange(ctx context.Context, g *export.Graph, q kernels.Request) *kernels.Pairs {
	switch p := q.Pairs; {
	case q.Within() == 0 || !distances.AllWithin(ctx, g, q.Weighted, q.Tolerance, q.Within()):
		return p
	case p.Targets != nil || p.Demand != nil:
		return &kernels.Pairs{Targets: p.Targets, Demand: p.Demand}
	}
	return nil
}

// dropped reports whether DropRange dropped the range.
func (c *Computation) dropped() bool { return c.asked != nil && c.Task.Request.Within() == 0 }

// pairs are those that were asked for; nil for all.
func (c *Computation) pairs() *kernels.Pairs {
	if c.asked != nil {
		return c.asked
	}
	return c.Task.Request.Pairs
}

// because adds to a text that the range was dropped.
func (c *Computation) because(text string) string {
	if c.dropped() {
		text += "; " + holdsAll
	}
	return text
}
