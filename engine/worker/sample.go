package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// sample is a sample with a bound. The device has its tally, or its sums.
type sample struct {
	values  []float64 // to fill: scores and their bounds
	sampled *protocol.Sampled
	// strata are those of sources, if the sample begins to search from some.
	begins bool
	strata samples.Strata
}

// begin finds strata while the device gets ready. The graph must be there until the returned function is called.
func (s *sample) begin(g *export.Graph) (end func()) {
	if s == nil || !s.begins {
		return func() {}
	}
	s.strata = samples.StrataOf(g)
	return func() { s.strata() }
}

// drawSample has the engine draw a sample of pairs, or of sources. Both look at the engine's context.
func (t *task) drawSample(o protocol.Order, progress func(done, total int)) {
	s, j := &sample{}, &t.job
	t.sample = s
	r := j.Request
	r.Progress = progress
	j.Progress = func(int) {} // of sources
	s.begins = o.BySources && samples.Begins(j.Host, r, *o.Accuracy, o.Most)
	j.Sample = func(tally adaptive.Tally) error {
		return s.fill(samples.OfPairs(context.Background(), j.Host, r, *o.Accuracy, tally, o.Most))
	}
	j.SampleSources = func(sums adaptive.Summer) error {
		return s.fill(samples.OfSources(context.Background(), j.Host, r, *o.Accuracy, sums, s.strata, o.Most))
	}
}

// fill fills the file of scores; with zeros where exact scores are to be computed.
func (s *sample) fill(scores *kernels.Scores, e *kernels.Estimate, err error) error {
	if err != nil {
		return err
	}
	s.sampled = &protocol.Sampled{Pairs: e.Pairs, Bound: e.Bound, Checks: e.Checks, Why: e.Why}
	clear(s.values)
	if scores == nil {
		return nil
	}
	if e.Pairs == 0 {
		s.sampled.Sources = e.Sources
	}
	rest := s.values
	for _, all := range [][]float64{scores.Nodes, scores.Edges, e.Nodes, e.Edges} {
		rest = rest[copy(rest, all):]
	}
	return nil
}
