package bench

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/engine"
)

// Timing says how long to measure: all sources where that takes at most Max seconds; otherwise whole batches spread
// evenly, the fewest that take Min seconds, or Max where that is less but not 0.
type Timing struct {
	Min, Max float64
}

// least is the shortest run of a sample of sources.
func (t Timing) least() float64 {
	if t.Max > 0 {
		return min(t.Min, t.Max)
	}
	return t.Min
}

// Runs shorter than short, in seconds, are repeated, and their median is taken: of at least repeats runs, and of so
// many that they take settled seconds together, up to mostRepeats. A device that rested, while the CPU checked scores,
// is slow at first.
const (
	short       = 0.25
	repeats     = 7
	settled     = 0.2
	mostRepeats = 1001
)

// full is the number of sources that keeps a device busy: the rate of fewer says too little of more.
const full = 1024

// busy is the number of sources that gives every team of a large device a batch of batched: fewer take about as long.
const busy = 8192

// growth bounds how many times as many sources a run may have as the one that its length was estimated from.
const growth = 16

// timer measures one strategy.
type timer struct {
	Timing
	// nodes of the graph.
	nodes int
	// pool are the sources that stand for all of them; nil for every node.
	pool []int32
	// whole says that the pool is all that is asked for: the preparation is for it alone.
	whole bool
	// order lists every node so that neighbours are near; nil for the order of their numbers. A pool has its own.
	order []int32
	// auto says that the strategy depends on the number of sources: what it takes for few says nothing of all.
	auto bool
	// batch is the number of neighbouring sources that a sample is made of.
	batch int
	// run computes on these sources; nil for all nodes.
	run func(ctx context.Context, sources []int32) (*engine.Outcome, error)
}

// timed is what a timer found.
type timed struct {
	outcome *engine.Outcome
	sources int
	runs    int
	seconds Seconds
}

// total is the number of sources that are all of them.
func (t *timer) total() int {
	if t.pool != nil {
		return len(t.pool)
	}
	return t.nodes
}

// sample returns count sources of the pool, or somewhat more, and whether they are all of it.
func (t *timer) sample(count int) (sources []int32, whole bool) {
	places := spreadSources(t.total(), count, t.batch)
	if places == nil {
		return t.pool, true
	}
	from := t.order
	if t.pool != nil {
		from = t.pool
	}
	for i, place := range places {
		if from != nil {
			places[i] = from[place]
		}
	}
	return places, false
}

// batched is the group of engines that search from neighbouring sources together; they are timed on whole batches of
// them.
const batched = "batched"

// inBatches reports whether a strategy, or the engine that was taken for it, searches in batches.
func inBatches(name string) bool {
	return slices.Contains([]string{batched, "levels", "deep", "hops", "weighted", "small"}, name)
}

// after measures after a check. The check itself is the measurement when it was on all sources; or when it was on its
// most, which are spread evenly, and took long enough.
func (t *timer) after(ctx context.Context, check *engine.Outcome, sources int) (timed, error) {
	switch {
	case sources == t.total():
		return t.repeat(ctx, t.pool, check)
	case t.pool == nil && sources >= checkMost && search(check) >= t.least() && t.next(check, sources) < t.total() &&
		!t.auto && !inBatches(check.Strategy):
		return t.result(check, sources, 1), nil
	}
	return t.grow(ctx, check, sources)
}

// grow measures on as many sources as Timing asks for. It starts from the time that an earlier run took.
func (t *timer) grow(ctx context.Context, first *engine.Outcome, sources int) (timed, error) {
	last, count := first, sources
	for {
		chosen, whole := t.sample(t.next(last, count))
		out, err := t.run(ctx, chosen)
		switch {
		case err != nil:
			return timed{}, err
		case whole:
			return t.repeat(ctx, chosen, out)
		}
		last, count = out, len(chosen)
		if search(out) >= t.least() && t.next(out, count) < t.total() {
			return t.result(out, count, 1), nil
		}
	}
}

// next returns how many sources the next run should have, more than the last one had.
func (t *timer) next(last *engine.Outcome, sources int) int {
	n := t.total()
	each := max(search(last), 1e-9) / float64(sources)
	if last.Preprocess+each*float64(n) <= t.Max {
		return n
	}
	if (t.auto || inBatches(last.Strategy)) && sources < busy {
		return min(n, busy)
	}
	most := float64(max(growth*sources, t.batch))
	spare := 1.1 // seldom a run comes out just too short
	if sources < full {
		spare = 2
	}
	wanted := math.Ceil(spare * t.least() / each)
	return min(n, max(int(min(wanted, most)), sources+1))
}

// search returns the seconds of an outcome without preprocessing.
func search(o *engine.Outcome) float64 { return o.Compute - o.Preprocess }

// repeat measures on all sources: it runs again what took too short to be sure of, and takes the median.
func (t *timer) repeat(ctx context.Context, sources []int32, first *engine.Outcome) (timed, error) {
	x := &runs{timer: t, sources: sources}
	x.add(first)
	for !x.settled() {
		if err := x.again(ctx); err != nil {
			return timed{}, err
		}
	}
	return x.median(), nil
}

// runs are those of one strategy on the same sources, all that are asked for.
type runs struct {
	timer   *timer
	sources []int32
	outs    []*engine.Outcome
	took    float64 // seconds, of all of them
}

func (x *runs) add(o *engine.Outcome) { x.outs, x.took = append(x.outs, o), x.took+o.Compute }

// again runs once more.
func (x *runs) again(ctx context.Context) error {
	out, err := x.timer.run(ctx, x.sources)
	if err == nil {
		x.add(out)
	}
	return err
}

// settled reports whether the runs are enough to be sure of their median.
func (x *runs) settled() bool {
	n := len(x.outs)
	return n > 0 && (x.outs[0].Compute >= short || n >= repeats && (x.took >= settled || n >= mostRepeats))
}

func (x *runs) median() timed {
	outs := slices.Clone(x.outs)
	slices.SortStableFunc(outs, func(a, b *engine.Outcome) int { return cmp.Compare(a.Compute, b.Compute) })
	return x.timer.result(outs[len(outs)/2], x.timer.total(), len(outs))
}

// result charges preprocessing pro rata to a sample of sources that stands for all.
func (t *timer) result(o *engine.Outcome, sources, runs int) timed {
	share := o.Preprocess
	if !t.whole {
		share *= float64(sources) / float64(t.nodes)
	}
	return timed{o, sources, runs, Seconds{Compute: search(o) + share, Preprocess: share, Elapsed: o.Elapsed}}
}
