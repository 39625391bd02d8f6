package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
)

// The CPU: a source per thread, or distances in hops from many sources at a time. Nothing has to be
// started, ordered or uploaded.

const (
	// chunk is how many sources a thread takes at a time.
	chunk = 8
	// cpuLanes is how many sources a batch of the CPU has; it makes at least cpuBatches batches.
	cpuLanes, cpuBatches = 256, 16
	// coreCache is the cache of a core in bytes; a search keeps cpuBytes of each node, and reads arcBytes
	// of each arc.
	coreCache, cpuBytes, arcBytes = 1e6, 24, 4
	// nearCache is up to how many bytes rows of lanes are near: beyond, pages of memory must be looked up as well.
	nearCache = 12e6
	// laneBytes are those of a lane at a node.
	laneBytes = 8
	// sparseArcs is the number of arcs per node under which reduced searches cost little more than plain ones.
	sparseArcs = 4
)

// cpuThread has the rates of one thread of a server CPU.
func cpuThread() CPURates {
	return CPURates{
		HopArc: ns(2.5, "arc", fromCPU), HopNode: ns(45, "node", fromCPU),
		WeightArc: ns(3.5, "arc", fromCPU), WeightNode: ns(85, "node", fromCPU),
		Real: of(1.7, "times", fromCPU), RealTree: of(0.8, "times", fromReals), RealLink: of(1.3, "times", fromReals),
		Distances: of(0.6, "times", fromCPU), Stress: of(3, "times", fromCPU),
		CountArc: ns(5, "arc, level and batch", fromLanes), CountNode: ns(60, "node, level and batch", fromLanes),
		CountHub: of(0.15, "power", fromLanes), CountMiss: of(1, "times the logarithm of caches", fromLanes),
		CountAway: of(1, "times the logarithm of near caches", fromAway),
		CountEdge: of(1.5, "times", fromLanes), CountNarrow: of(0.5, "power", fromLanes), CountPlain: of(2, "times", fromLanes),
		FarArc: ns(24, "arc, visit and batch", fromLanes), FarNode: ns(215, "node, visit and batch", fromLanes),
		FarDeep: of(0.1, "visits per level of the spread", fromLanes), FarShallow: of(0.4, "visits per level of the spread", fromLanes),
		LaneArc: ns(3.2, "arc, level and batch", fromCPU), LaneNode: ns(70, "node, level and batch", fromCPU),
		LaneDepth: of(0.85, "power", fromCPU), LaneHub: of(0.22, "power", fromCPU),
		Miss: of(0.5, "times the logarithm of caches", "h200.jsonl"),
		Link: ns(25, "branch node and link", fromCPU), WeightLink: ns(34, "branch node and link", fromCPU),
		Dense: of(2, "times", fromCPU), Least: of(1.4, "times", fromCPU), LeastSparse: of(1.15, "times", fromCPU), Plan: ns(400, "node or edge", fromCPU),
		BallBase: ns(3e6, "thread", fromCabral), BallArc: ns(25, "arc of a ball", fromCabral),
		BallNode: ns(260, "node", fromCabral), Base: ns(4e4, "run", fromCPU),
		Edge: of(1.1, "times", fromCPU),
		Cut:  ns(10, "node or arc of a search", fromCuts), CutShare: of(0.01, "of all searches, per cut", fromCuts),
		CutBase: ns(1e5, "cut", fromCuts),
		RankArc: ns(1, "arc and iteration", fromRank), RankNode: ns(8, "node and iteration", fromProducts),
		RankWeight: of(3, "times", fromProducts), RankStep: ns(16e3, "thread and iteration", fromProducts),
		TopBounds: ns(25, "node or arc", fromSought), TopSearches: of(10, "per level", fromTop),
		Labels: ns(25, "node or arc", fromMoves), Modules: ns(40, "node or arc", fromMoves), Connected: ns(180, "node or arc", fromMoves),
	}
}

// plainCost predicts searches of the graph as it is, on so many threads.
func (r Rates) plainCost(f *Features, threads int) Cost {
	work := math.NaN() // a kind without a prediction
	if predict := kinds()[f.Kind].onCPU; predict != nil {
		work = r.CPU.Base.in(1) + predict(r, f, threads)
	}
	edge := r.CPU.Edge
	if f.inLanes() != lanes.Single {
		edge = r.CPU.CountEdge
	}
	return Cost{Search: work * when(f.EdgeScores, edge.Value) / r.busy(f, threads)}
}

// inLanes returns how the CPU counts paths from many sources at a time, if it does.
func (f *Features) inLanes() lanes.Way {
	switch {
	case f.Kind != kernels.Dependencies || f.Pairs || !lanes.MayPay(f.Sources, f.Weighted):
		return lanes.Single
	case f.Weighted:
		return lanes.BestByWeights(f.Sources, f.Arcs, f.Weights().Ticks, f.Spread(), f.Depth())
	}
	return lanes.Best(f.Sources, f.Arcs, f.Spread(), f.Depth())
}

// batchesOnCPU is the time of a thread for counting paths from many sources at a time.
func (r Rates) batchesOnCPU(f *Features, threads int) float64 {
	c, s, most := r.CPU, f.size(), float64(lanes.MaxLanes)
	width := float64(lanes.Width(f.Nodes, int(s.sources), threads))
	visits, each := r.visitsOnCPU(f)
	return s.sources / most * math.Pow(most/width, c.CountNarrow.Value) * visits * each * f.Reach() * when(c.NoVectors, c.CountPlain.Value)
}

// visitsOnCPU is how often a batch visits a node, and the time of a visit of all nodes. Level by level, a batch visits a node at each
// level at which one of its lanes reaches it: at less than the spread where many paths lead through hubs, and at no more than it has
// lanes. Where distances come first, visits are fewer.
func (r Rates) visitsOnCPU(f *Features) (visits, each float64) {
	c, s, most, away := r.CPU, f.size(), float64(lanes.MaxLanes), 0.0
	arc, node, bytes := c.CountArc, c.CountNode, most*laneBytes*f.reached()+arcBytes*float64(f.Arcs)
	if f.inLanes() == lanes.Distances {
		arc, node, bytes = c.FarArc, c.FarNode, bytes+most*distanceBytes*f.reached()+tieBytes*float64(f.Arcs)
		perLevel := c.FarShallow
		if f.Depth().Deep {
			perLevel = c.FarDeep
		}
		visits = math.Max(leastVisits, f.Spread()*perLevel.Value)
	} else {
		apart := math.Min(f.Spread(), visitedLevels*f.levels()) * math.Pow(math.Max(1, f.Hub()), -c.CountHub.Value)
		visits = most * -math.Expm1(-apart/most)
		s.nodes -= float64(f.Degrees().Leaves) // whose only arc leads to a row that is at hand
		away = c.CountAway.Value * math.Log(math.Max(1, bytes/nearCache))
	}
	return visits, (arc.in(s.arcs) + node.in(s.nodes)) * (1 + c.CountMiss.Value*math.Log1p(bytes/coreCache) + away)
}

const (
	// leastVisits is how often a batch that finds distances first visits a node at the least.
	leastVisits = 1.2
	// distanceBytes are those of a lane's distance at a node, tieBytes those of the lanes in which an arc is on a shortest path.
	distanceBytes, tieBytes = 2, 16
)

// visitedLevels is at what share of the levels of a graph the sources of a batch reach a node, where they are drawn at random.
const visitedLevels = 0.9

// foldsOnCPU is the time of a thread for searches of distances.
func (r Rates) foldsOnCPU(f *Features, _ int) float64 {
	if f.Weighted {
		return r.searchesOnCPU(f)
	}
	return r.lanesOnCPU(f)
}

// busy is how many threads have something to do.
func (r Rates) busy(f *Features, threads int) float64 {
	return math.Max(1, math.Min(float64(threads), float64(f.Sources)/float64(max(1, f.shards))/chunk))
}

// misses is how much slower searches are that do not fit the cache of a core.
func (r Rates) misses(f *Features) float64 {
	s := f.within(1)
	bytes := cpuBytes*s.nodes + arcBytes*s.arcs
	return 1 + r.CPU.Miss.Value*math.Log1p(bytes/coreCache)
}

// searchesOnCPU is the time of a thread for searches of one source each.
func (r Rates) searchesOnCPU(f *Features) float64 {
	c, s := r.CPU, f.within(1)
	each := c.HopArc.in(s.arcs) + c.HopNode.in(s.nodes)
	if f.Weighted {
		each = c.WeightArc.in(s.arcs) + c.WeightNode.in(s.nodes)
		real := c.Real.Value
		if f.Kind == kernels.Dependencies {
			real = c.RealTree.Value
		}
		each *= when(f.Weights().Class == Reals, real)
	}
	each *= when(f.Kind == kernels.FoldedDistances, c.Distances.Value) * when(f.Kind == kernels.PathCounts, c.Stress.Value)
	return s.sources * each * f.Reach() * r.misses(f)
}

// lanesOnCPU is the time of a thread for distances in hops from many sources at a time, or from each by
// itself where that is faster: of sources that lie apart, on deep graphs.
func (r Rates) lanesOnCPU(f *Features) float64 {
	if f.Pairs {
		return r.searchesOnCPU(f)
	}
	c, s := r.CPU, f.size()
	batches := math.Max(math.Ceil(s.sources/cpuLanes), math.Min(cpuBatches, s.sources))
	at := 1 + math.Pow(f.Hub(), -c.LaneHub.Value)*math.Pow(f.levels(), c.LaneDepth.Value)
	batch := (c.LaneArc.in(s.arcs) + c.LaneNode.in(s.nodes)) * math.Min(at, f.levels())
	return math.Min(batches*batch*f.Reach()*r.misses(f), r.searchesOnCPU(f))
}

// topBounds is the time to bound the scores of all nodes.
func (r Rates) topBounds(f *Features, threads int) float64 {
	return r.CPU.TopBounds.in(float64(f.Nodes)+float64(f.Arcs)) * r.misses(f) / r.busy(f, threads)
}

// reducedCost predicts searches of what reductions leave. Following links costs more than following arcs in
// hops, and as much by weights.
func (r Rates) reducedCost(f *Features, left Reductions, threads int) Cost {
	c, all := r.CPU, float64(f.Nodes)*float64(f.Edges)
	plan := r.Planning(f, left, CPU)
	if f.Kind == kernels.FoldedDistances {
		share := math.Min(left.Union, left.Search+left.Demand)
		return Cost{Prepare: plan, Search: share * r.searchesOnCPU(f) / r.busy(f, threads)}
	}
	share, plain := left.Search+left.Demand, r.searchesOnCPU(f)
	least := c.Least.Value
	if f.MeanDegree() < sparseArcs {
		least = c.LeastSparse.Value
	}
	each := math.Min(math.Max(c.Link.in(all)*r.misses(f), least*plain), c.Dense.Value*plain)
	if f.Weighted {
		each = math.Min(c.WeightLink.in(all)*r.misses(f), plain)
	}
	if f.Weighted && f.Weights().Class == Reals {
		each = c.RealLink.Value * plain
	}
	return Cost{Prepare: plan, Search: c.Base.in(1) + share*each*when(f.EdgeScores, c.Edge.Value)/r.busy(f, threads)}
}

// blocksCost predicts batches of what trees and blocks leave.
func (r Rates) blocksCost(f *Features, left Reductions, threads int) Cost {
	search := left.Union * r.batchesOnCPU(f, threads) * when(f.EdgeScores, r.CPU.CountEdge.Value) / r.busy(f, threads)
	return Cost{Prepare: r.Planning(f, left, CPU), Search: r.CPU.Base.in(1) + search}
}
