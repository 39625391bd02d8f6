package jobs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Computation is a measure of a graph, which a run plans first and then computes.
type Computation struct {
	Measure kernels.Measure
	Task    engine.Task
	// Adaptive asks for an adaptive sample; nil for none. Taken is how many sources each node took, and then each edge.
	Adaptive *adaptive.Sample
	Taken    []int32
	// Accuracy asks for a sample with a bound; nil for none. Estimate is what Compute then found, or how sure scores from
	// drawn sources are; nil where that is not known.
	Accuracy *kernels.Accuracy
	Estimate *kernels.Estimate
	// Forecast is what Foresee found; nil where it was not asked.
	Forecast *Forecast
	// Ranking is what Plan found, Outcome what Compute did.
	Ranking *engine.Ranking
	Outcome *engine.Outcome

	// asked are the pairs of the request before DropRange looked at its range; nil where it has none.
	asked *kernels.Pairs
}

// NoRoom is the error of a computation if no way to compute it fits into the memory that is free.
type NoRoom struct {
	Need, Free int64
	// Ways are the ways that do not fit, each with the reason.
	Ways []string
}

func (e *NoRoom) Error() string {
	return fmt.Sprintf("needs %s of memory in addition to the graph, and %s are free",
		hostmem.FormatBytes(e.Need), hostmem.FormatBytes(max(0, e.Free)))
}

// Plan ranks the ways to compute with so many bytes of memory, after DropRange. The error is *NoRoom if none fits. That
// a GPU is missing is for Compute to report.
func (c *Computation) Plan(ctx context.Context, e Engine, free int64) (err error) {
	c.DropRange(ctx)
	t := c.Task
	switch {
	case c.searchesOnDevice():
		t.Sample = c.Accuracy
	case c.Accuracy != nil && !c.drawsOnDevice():
		t.Device = engine.CPU
		free -= samples.Bytes(kernels.Size{Nodes: int64(t.Snapshot.Graph.N()), Edges: int64(t.Snapshot.Graph.M())}, t.Request)
	}
	if c.Adaptive != nil { // no more sources than that
		t.Request.Sources, t.Request.Reduce = c.Adaptive.Sources(t.Snapshot.Graph), kernels.ReduceOff
	}
	if c.Ranking, err = e.Rank(ctx, t, free-c.TransposeBytes()); err != nil {
		return err
	}
	if c.Ranking.First() != nil || len(c.Ranking.Ways) == 0 || c.drawsOnDevice() && t.Sample == nil {
		return nil
	}
	none := &NoRoom{Need: c.Ranking.Least() + c.TransposeBytes(), Free: free}
	for _, w := range c.Ranking.Ways {
		none.Ways = append(none.Ways, w.Name()+" "+w.Misfit)
	}
	return none
}

// drawsOnDevice reports whether a device may draw a sample with a bound. By hops, it fits where exact scores do not.
func (c *Computation) drawsOnDevice() bool { return c.Accuracy != nil && engine.DrawsOnDevice(c.Task) }

// searchesOnDevice reports whether a device may draw a sample with a bound by weights, which is of sources.
func (c *Computation) searchesOnDevice() bool { return c.drawsOnDevice() && c.Task.Request.Weighted }

// TransposeBytes is the size of the transpose that a directed graph needs.
func (c *Computation) TransposeBytes() int64 {
	if g := c.Task.Snapshot.Graph; g.Directed {
		return g.Bytes()
	}
	return 0
}

// bytes is the memory in addition to the graph that the first way needs; 0 if there is none.
func (c *Computation) bytes() int64 {
	if first := c.Ranking.First(); first != nil {
		return first.HostBytes + c.TransposeBytes()
	}
	return 0
}

// Compute computes the scores in the way that was planned.
func (c *Computation) Compute(ctx context.Context, e Engine) (err error) {
	t := c.Task
	if c.Adaptive != nil {
		t.Request.Reduce = kernels.ReduceOff
		c.Outcome, c.Taken, err = e.Adaptive(ctx, t, *c.Adaptive)
		return err
	}
	if c.Accuracy != nil {
		if c.drawsOnDevice() {
			t.Ranking = c.Ranking
		}
		c.Outcome, c.Estimate, err = e.Approximate(ctx, t, *c.Accuracy)
		if err == nil {
			c.Task.Request.Sources, c.Task.Request.Scale = c.Estimate.Request.Sources, c.Estimate.Request.Scale
		}
		return err
	}
	t.Ranking = c.Ranking
	if c.Outcome, err = e.Compute(ctx, t); err != nil {
		return err
	}
	if r := c.Outcome.Ranking; r != nil && c.Ranking != nil && c.Ranking.OnePass {
		c.Ranking = r // another one, if the device did not compute all ranges in one pass
	}
	c.Outcome.Reason = c.because(c.Outcome.Reason)
	return c.bound(ctx)
}

// bound sets the intervals of scores from sources that were drawn from all nodes, where such scores have some.
func (c *Computation) bound(ctx context.Context) (err error) {
	g, r := c.Task.Snapshot.Graph, c.Task.Request
	ofAll := r.Scale > 1 && math.Round(r.Scale*float64(len(r.Sources))) == float64(g.N())
	if !ofAll || !samples.HasIntervals(c.Measure, g.Directed, r) {
		return nil
	}
	c.Estimate, err = samples.Intervals(ctx, c.Measure, g, r, c.Outcome.Scores, kernels.DefaultConfidence)
	return err
}

// Bias is one line on how the scores of a drawn sample miss the exact ones on average; "" if they do not.
func (c *Computation) Bias() string {
	if c.Adaptive != nil {
		return c.Measure.Name +
			": estimated from an adaptive sample, which favours high sums: the scores are a little too high on average"
	}
	if scale := c.Task.Request.Scale; scale == 0 || scale == 1 {
		return ""
	}
	return c.Measure.SampleBias(c.Task.Request.Params)
}

// Instead is one line on exact scores that would take less time than a drawn sample; "" if they would not.
func (c *Computation) Instead() string {
	if c.Ranking == nil {
		return ""
	}
	return c.Ranking.Instead
}

// Planned sums up plans in one line: the memory, and the ways of each, the first one in full. Ranges that share a pass
// are one.
func Planned(all ...*Computation) string {
	all = slices.DeleteFunc(slices.Clone(all), (*Computation).follows)
	if len(all) == 1 {
		if all[0].Ranking.First() == nil {
			return "on a GPU"
		}
		return fmt.Sprintf("%s of memory in addition to the graph; %s%s", hostmem.FormatBytes(all[0].bytes()), all[0].ways(),
			all[0].inOnePass())
	}
	most, ways := int64(0), ""
	for _, c := range all {
		if c.Ranking.First() != nil {
			most = max(most, c.bytes())
			ways += "; " + c.Measure.Name + ": " + c.ways() + c.inOnePass()
		}
	}
	memory := hostmem.FormatBytes(most)
	return fmt.Sprintf("%d passes, at most %s of memory in addition to the graph%s", len(all), memory, ways)
}

// ways sums up the ways that were found: of a sample with a bound, those of exact scores, unless a device may draw it
// by weights.
func (c *Computation) ways() string {
	switch {
	case c.Forecast != nil:
		return c.Forecast.String() + "; " + c.ofSample() + c.Ranking.String()
	case c.searchesOnDevice():
		return "a sample; " + c.ofSample() + c.Ranking.String()
	case c.Accuracy != nil:
		return "a sample, unless exact scores take less: " + c.Ranking.String()
	}
	return c.because(c.Ranking.String())
}

// ofSample says what the ways of a sample with a bound are to.
func (c *Computation) ofSample() string {
	if c.searchesOnDevice() {
		return "from as few sources as it may take: "
	}
	return "exact scores: "
}

// follows reports whether the pass of another range has the scores.
func (c *Computation) follows() bool {
	return c.Task.Request.Ranges() != nil && c.Task.Request.Place > 0 && !c.eachAlone()
}

// eachAlone reports whether the first of the ways, if any, is on a GPU that computes each range in a pass of its own.
func (c *Computation) eachAlone() bool {
	first := c.Ranking.First()
	return first != nil && first.Device == "gpu" && !c.Ranking.OnePass
}

// inOnePass says which ranges share a pass, or do not on a GPU; "" where there are not several.
func (c *Computation) inOnePass() string {
	each, how := c.Task.Request.Ranges(), "in one pass"
	if len(each) < 2 || c.Task.Request.Place > 0 {
		return ""
	}
	if c.eachAlone() {
		how = "one after the other"
	}
	var ranges []string
	for _, q := range each {
		ranges = append(ranges, config.Decimal(q.Within()))
	}
	return fmt.Sprintf("; the ranges %s %s", strings.Join(ranges, ", "), how)
}

// Computed sums up computations in one line: where they were done, each remark once, and how each graph was reduced.
func Computed(all ...*Computation) string {
	var parts []string
	add := func(part string) {
		if part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	reduced := 0
	for _, c := range all {
		add(c.Outcome.Where())
		if s := c.Outcome.Scores; s != nil && s.Reduction != nil {
			reduced++
		}
	}
	for _, c := range all {
		add(c.Outcome.Remark)
		if e := c.Estimate; e != nil && e.OfScores {
			add(c.Measure.Name + ": " + e.String())
		}
	}
	for _, c := range all {
		if s := c.Outcome.Scores; s != nil && s.Kept > 0 {
			add(fmt.Sprintf("%s: %d nodes in the top %d", c.Measure.Name, s.Kept, *c.Task.Request.Top))
		}
		if s := c.Outcome.Scores; s != nil && s.Grouping != nil {
			add(grouped(s.Grouping))
		}
		if s := c.Outcome.Scores; s != nil && s.Backbone != nil {
			add(kept(s.Backbone))
		}
	}
	for _, c := range all {
		if s := c.Outcome.Scores; s != nil && s.Convergence != nil {
			add(fmt.Sprintf("%s: %d iterations, residual %.2g", c.Measure.Name, s.Convergence.Iterations,
				s.Convergence.Residual))
		}
		if s := c.Outcome.Scores; s != nil && s.Solution != nil {
			add(c.Measure.Name + ": " + s.Solution.String())
		}
	}
	for _, c := range all {
		text := c.Outcome.Reduced()
		if s := c.Outcome.Scores; s != nil && s.Reduction != nil && s.Reduction.Reused != nil {
			text = strings.TrimPrefix(text+", "+s.Reduction.Reused.String(), ", ")
		}
		if text != "" && reduced > 1 {
			text = c.Measure.Name + ": " + text
		}
		add(text)
	}
	return strings.Join(parts, "; ")
}

// grouped sums up communities.
func grouped(c *kernels.Grouping) string {
	text := fmt.Sprintf("%d groups, modularity %.4f", c.Count, c.Modularity)
	switch {
	case c.Levels == 1:
		text += ", 1 level"
	case c.Levels > 1:
		text += fmt.Sprintf(", %d levels", c.Levels)
	case c.Limited:
		text += fmt.Sprintf(", %d cuts, stopped at the limit of time", c.Cuts)
	case c.Base != nil: // parts of a run do not hold their number
		text += fmt.Sprintf(", %d cuts", c.Cuts)
	}
	if c.Resumed > 0 {
		text += fmt.Sprintf(", %d of them by an interrupted run", c.Resumed)
	}
	return text
}
