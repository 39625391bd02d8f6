package lanes

import (
	"context"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// Way is how to search from many sources.
type Way int

// Searches start from one source at a time, or from a batch: then they go level by level, or find distances first.
const (
	Single Way = iota
	Levels
	Distances
)

const (
	// leastSources is from how many sources on batches may pay, leastByWeights the same by weights.
	leastSources, leastByWeights = 16, 64
	// leastShared is how many lanes one visit of a node must serve for batches to pay level by level. Where distances come
	// first, visits are fewer than levels, and so many lanes need only be as many as levels. See notes 027 and 039.
	leastShared = 3
	// leastOverlap is as leastShared, by a look at some batches of a directed graph, of which the sources of a batch may
	// reach few nodes together. leastLooked sources are worth the look. See note 080.
	leastOverlap, leastLooked, looks = 2.1, 1024, 5
	// mostArcs bounds the arcs of graphs whose distances are found first: each takes 16 bytes of a thread, and a node 168.
	mostArcs = 1 << 21
	// longestTicks is the most ticks of an arc of these.
	longestTicks = 1 << 12
)

// MayPay reports whether batches may pay for a request with so many sources.
func MayPay(sources int64, weighted bool) bool {
	if weighted {
		return sources >= leastByWeights
	}
	return sources >= leastSources
}

// Best returns the fastest way by hops on a graph of so many arcs. spread is that of Spread.
func Best(sources, arcs int64, spread float64, depth order.Depth) Way {
	count := float64(min(MaxLanes, sources))
	far := count >= spread && arcs <= mostArcs && sources >= leastSources && 2*depth.Levels < unreached
	switch {
	case far && depth.Deep:
		return Distances
	case count >= leastShared*spread && sources >= leastSources:
		return Levels
	case far:
		return Distances
	}
	return Single
}

// NotWhole is more ticks than an arc may have.
const NotWhole = longestTicks + 1

// BestByWeights is Best by weights, of which the greatest is so many ticks. As many hops of it as the graph has levels
// must fit 16 bits: that is about the longest path. Sources with longer ones are searched from by themselves.
func BestByWeights(sources, arcs, greatest int64, spread float64, depth order.Depth) Way {
	if sources < leastByWeights || MaxLanes < spread || arcs > mostArcs || greatest > longestTicks ||
		greatest*int64(depth.Levels) >= unreached {
		return Single
	}
	return Distances
}

// Choose returns the fastest way to search from the sources of a graph; nil stands for all nodes. It depends on the
// graph and its sources alone.
func Choose(ctx context.Context, g *export.Graph, l lengths.Lengths, sources []int32) (Way, error) {
	count := int64(len(sources))
	if sources == nil {
		count = int64(g.N())
	}
	_, hops := l.(lengths.Hops)
	if !MayPay(count, !hops) {
		return Single, nil
	}
	most := ticksOf(l)
	if most > longestTicks {
		return Single, nil
	}
	together := min(MaxLanes, int(count))
	spread, err := search.Spread(ctx, g, order.OrAll(g, sources), together, together)
	if err != nil || spread > together {
		return Single, err
	}
	if g.Directed && count >= leastLooked && int64(g.Arcs()) <= mostArcs {
		if shared, err := overlap(ctx, g, sources); err != nil || shared < leastOverlap {
			return Single, err
		}
	}
	if hops {
		return Best(count, int64(g.Arcs()), float64(spread), order.DepthOf(g)), nil
	}
	return BestByWeights(count, int64(g.Arcs()), most, float64(spread), order.DepthOf(g)), nil
}

// overlap returns how many lanes a visit of a node serves, about, of a search by hops from some batches of the sources.
func overlap(ctx context.Context, g *export.Graph, sources []int32) (float64, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	near, from := search.Nearby(g, sources), search.NewMultiBFS(g, stop)
	lanes, visits, batch := 0, 0, min(MaxLanes, len(near)) // a source may be listed twice
	for part := range looks {
		first := (2*part + 1) * (len(near) - batch) / (2 * looks)
		if err := from.From(near[first:first+batch], func(int32) {
			visits += len(from.Level)
			for _, v := range from.Level {
				lanes += from.Fresh[v].Count()
			}
		}); err != nil {
			return 0, err
		}
	}
	return float64(lanes) / float64(max(visits, 1)), nil
}

// ticksOf returns the greatest ticks of an arc: 1 by hops, and NotWhole where weights are not whole numbers.
func ticksOf(l lengths.Lengths) int64 {
	if _, hops := l.(lengths.Hops); hops {
		return 1
	}
	ticks, ok := l.(*lengths.Ticks)
	if !ok || ticks.Unit.Div != 1 || len(ticks.Arc) == 0 || slices.Min(ticks.Arc) < 1 {
		return NotWhole
	}
	return slices.Max(ticks.Arc)
}

// Spread returns at how many levels, about, a batch reaches a node; nil stands for all nodes.
func Spread(ctx context.Context, g *export.Graph, sources []int32) (int, error) {
	if sources = order.OrAll(g, sources); len(sources) == 0 {
		return 1, nil
	}
	return search.Spread(ctx, g, sources, min(MaxLanes, len(sources)), math.MaxInt)
}
