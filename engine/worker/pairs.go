package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// pairs is a sample of pairs with a bound. The device has its tally.
type pairs struct {
	values  []float64 // to fill: scores and their bounds
	sampled *protocol.Sampled
}

// samplePairs has the engine draw a sample of pairs. The tally looks at the engine's context.
func (t *task) samplePairs(o protocol.Order, progress func(done, total int)) {
	p, j := &pairs{}, &t.job
	t.pairs = p
	r := j.Request
	r.Progress = progress
	j.Progress = func(int) {} // of sources
	j.Sample = func(tally adaptive.Tally) error {
		scores, e, err := samples.OfPairs(context.Background(), j.Host, r, *o.Accuracy, tally, o.Most)
		if err != nil {
			return err
		}
		p.sampled = &protocol.Sampled{Pairs: e.Pairs, Bound: e.Bound, Checks: e.Checks, Why: e.Why}
		p.fill(scores, e)
		return nil
	}
}

// fill fills the file of scores; with zeros where exact scores are to be computed.
func (p *pairs) fill(scores *kernels.Scores, e *kernels.Estimate) {
	clear(p.values)
	if scores == nil {
		return
	}
	rest := p.values
	for _, all := range [][]float64{scores.Nodes, scores.Edges, e.Nodes, e.Edges} {
		rest = rest[copy(rest, all):]
	}
}
