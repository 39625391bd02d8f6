package samples

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Forecast is what is known of a sample with a bound before it is drawn.
type Forecast struct {
	// Of is what is drawn: "pairs" or "sources".
	Of string
	// Pilot is how many are drawn before these. Least and Most bound the sample. Most is 0 where no number is sure to be
	// enough.
	Pilot, Least, Most int64
	// Work is that of one of them, as a share of the work up to which a sample is taken. Beyond, exact scores are
	// computed.
	Work float64
}

// Exact reports whether exact scores are sure to be computed.
func (f *Forecast) Exact() bool { return float64(max(f.Pilot, f.Least))*f.Work > 1 }

// ForeseePairs foresees OfPairs: it draws the first pairs of the pilot. most is as OfPairs has it; with 0 it is that of
// Betweenness.
func ForeseePairs(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) (*Forecast, error) {
	if most == 0 {
		var err error
		if _, most, err = exactPlan(ctx, g, r); err != nil {
			return nil, err
		}
	}
	t := newTally(ctx, g, r)
	defer t.stop.Release()
	s := newPairSample(g, r, a, t)
	if s.pairs.count == 0 || entriesOf(g, r) == 0 || most == 0 {
		return &Forecast{Of: "pairs"}, nil
	}
	want := s.wanted()
	if err := s.draw(ctx, pilotStream, min(want, firstPilot)); err != nil {
		return nil, err
	}
	return &Forecast{Of: "pairs", Pilot: want, Least: s.least(), Most: s.most(), Work: s.perPair() / most}, nil
}

// ForeseeSources foresees OfSources, without a search. most is as OfSources has it.
func ForeseeSources(g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64) *Forecast {
	return &Forecast{
		Of: "sources", Least: int64(min(firstCount(g, r, a), g.N())), Most: int64(mostSources(g, r, a)), Work: 1 / most,
	}
}
