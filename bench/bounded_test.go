package bench

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
)

// sampler is a fakeEngine whose samples are off by a share of all pairs at one node.
type sampler struct {
	*fakeEngine
	off float64
}

func (s *sampler) Approximate(
	ctx context.Context, t engine.Task, a kernels.Accuracy,
) (*engine.Outcome, *kernels.Estimate, error) {
	out, err := s.Compute(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	n := float64(len(out.Scores.Nodes))
	out.Scores.Nodes[3] += s.off * n * (n - 1) / 2
	out.Compute = 0.5
	return out, &kernels.Estimate{Pairs: 20, Bound: a.Error / 2, Confidence: a.Confidence}, nil
}

// TestBounded: the record has the seconds of both, and the greatest error; one beyond what was asked for is wrong. The
// time of exact scores that are stopped is a lower bound.
func TestBounded(t *testing.T) {
	for _, c := range []struct {
		strategy string
		off      float64
		status   Status
		reason   string
	}{
		{"hybrid", 0.004, OK, ""},
		{"hybrid", 0.02, Wrong, "0.01 was asked for"},
	} {
		r, fake := testRunner(t)
		r.Engine = &sampler{fake, c.off}
		s := testSuite(c.strategy)
		s.Cases[0].Error = 0.01
		got := runAndRead(t, r, s)[0]
		b := got.Bounded
		if got.Status != c.status || !strings.Contains(got.Reason, c.reason) || b == nil {
			t.Fatalf("%+v", got)
		}
		if b.Pairs != 20 || b.Bound != 0.005 || b.Greatest < c.off*0.999 || b.Greatest > c.off*1.001 || b.Unfinished ||
			b.Exact <= 1 || got.Seconds.Compute != 0.5 {
			t.Errorf("%+v of %+v", b, got)
		}
	}
}

// stopping is an Engine whose exact scores never finish.
type stopping struct{ *sampler }

func (stopping) Compute(ctx context.Context, _ engine.Task) (*engine.Outcome, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestBoundedWithoutExactScores(t *testing.T) {
	r, fake := testRunner(t)
	r.Engine, r.RunLimit = stopping{&sampler{fake, 0}}, time.Second
	s := testSuite("hybrid")
	s.Cases[0].Error = 0.01
	got := runAndRead(t, r, s)[0]
	if b := got.Bounded; got.Status != OK || !b.Unfinished || b.Exact != 1 || b.Greatest != 0 {
		t.Errorf("%+v of %+v", b, got)
	}
}
