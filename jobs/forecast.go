package jobs

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Forecast is what is known of a sample with a bound before a run.
type Forecast struct {
	Measure string `json:"measure"`
	// Of is what is drawn: "pairs" or "sources"; "" for a sample by time. Least and Most bound how many. Most is 0 where
	// no number is sure to be enough.
	Of    string `json:"of,omitempty"`
	Least int64  `json:"least,omitempty"`
	Most  int64  `json:"most,omitempty"`
	// LeastSeconds and MostSeconds are predicted for these, ExactSeconds for exact scores; 0 where that is not known.
	LeastSeconds float64 `json:"leastSeconds,omitempty"`
	MostSeconds  float64 `json:"mostSeconds,omitempty"`
	ExactSeconds float64 `json:"exactSeconds,omitempty"`
	// Exact says that exact scores are sure to be computed, because they take less work.
	Exact bool `json:"exact"`
	// Seconds is the time of a sample by time, Top how many are to be told from the others.
	Seconds float64 `json:"seconds,omitempty"`
	Top     int     `json:"top,omitempty"`

	mayBeExact bool
}

// String is one line on what a run will draw.
func (f *Forecast) String() string {
	exact := "exact scores"
	if f.ExactSeconds > 0 {
		exact += ", about " + plan.Duration(f.ExactSeconds)
	}
	switch {
	case f.Seconds > 0:
		return fmt.Sprintf("a sample for about %s, or %s, if these are expected to take less work",
			plan.Duration(f.Seconds), exact)
	case f.Least == 0:
		return exact + ": there is nothing to sample"
	case f.Exact && f.Top > 0:
		return exact + ": they take less work than the first draws of a sample"
	case f.Exact:
		return fmt.Sprintf("%s: they take less work than a sample, which needs %d %s or more", exact, f.Least, f.Of)
	case f.Most == 0:
		return fmt.Sprintf("a sample of %s until the %d best are told from the others, or %s, if a first sample shows that these take less work", f.Of, f.Top, exact)
	}
	text := fmt.Sprintf("a sample of %d to %d %s, about %s to %s", f.Least, f.Most, f.Of, plan.Duration(f.LeastSeconds),
		plan.Duration(f.MostSeconds))
	text += "; it ends as soon as the variance of the scores allows"
	if f.mayBeExact {
		return text + "; or " + exact + ", if these are expected to take less work"
	}
	return text + " (" + exact + ")"
}

// Foresee sets Forecast, if a sample with a bound is asked for. It comes after Plan, and draws the first pairs of a
// sample of pairs.
func (c *Computation) Foresee(ctx context.Context, e Engine, free int64) (err error) {
	if c.Accuracy == nil {
		return nil
	}
	c.Forecast = &Forecast{Measure: c.Measure.Name, Seconds: c.Accuracy.Seconds, Top: c.Accuracy.Top}
	g, r, most, started := c.Task.Snapshot.Graph, c.Task.Request, 0.0, 0.0
	onDevice := c.drawsOnDevice() && c.Ranking.Missing == nil
	if samples.BySources(g, r, *c.Accuracy, onDevice) {
		return c.foreseeSources(ctx, e, free)
	}
	if first := c.Ranking.First(); first != nil {
		c.Forecast.ExactSeconds, started = first.Seconds, first.Seconds-first.Cost.Start
	}
	if c.Accuracy.Seconds > 0 {
		return nil
	}
	if onDevice {
		most = started * engine.PairArcs
	} else {
		r = engine.OnCPU(c.Measure, g, r)
	}
	found, err := samples.ForeseePairs(ctx, g, r, *c.Accuracy, most)
	if err == nil {
		c.Forecast.take(found, found.Work*started)
		c.Forecast.mayBeExact = float64(found.Most)*found.Work > 1
	}
	return err
}

// take takes what was found of a sample, and the seconds of each draw.
func (f *Forecast) take(found *samples.Forecast, each float64) {
	f.Of, f.Least, f.Most, f.Exact = found.Of, found.Least, found.Most, found.Exact()
	f.LeastSeconds, f.MostSeconds = each*float64(found.Least), each*float64(found.Most)
}

// foreseeSources is Foresee of a sample of sources. It takes no more than exact scores do.
func (c *Computation) foreseeSources(ctx context.Context, e Engine, free int64) (err error) {
	f, t, exact, sampled := c.Forecast, c.Task, c.Ranking, c.Ranking
	if c.searchesOnDevice() { // the ranking is that of the sample
		exact, err = e.Rank(ctx, t, free)
	} else {
		if t.Sample = c.Accuracy; !c.drawsOnDevice() {
			t.Device = engine.CPU
		}
		sampled, err = e.Rank(ctx, t, free)
	}
	if err != nil {
		return err
	}
	if first := exact.First(); first != nil {
		f.ExactSeconds = first.Seconds
	}
	g, most, each := t.Snapshot.Graph, math.Inf(1), 0.0
	if first := sampled.First(); first != nil && c.Accuracy.Seconds == 0 {
		least := samples.ForeseeSources(g, t.Request, *c.Accuracy, most).Least
		if each = first.Cost.Search / float64(max(1, least)); each > 0 {
			most = f.ExactSeconds / each
		}
	}
	found := samples.ForeseeSources(g, t.Request, *c.Accuracy, most)
	f.take(found, each)
	f.Exact, f.mayBeExact = f.Exact || found.Least == int64(g.N()), float64(found.Most)*found.Work > 1
	return nil
}
