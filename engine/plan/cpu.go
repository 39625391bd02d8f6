package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/engine/plan/looks"
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
	// cpuShared is how many of its lanes a visit of a node must serve for a batch to pay, by a spread that is not measured
	// but grown from that of fewer lanes. cpuLanesBytes is what a batch keeps of a node.
	cpuShared, cpuLanesBytes = 3.2, 96
	// fewThreads is how many threads do not slow one another down.
	fewThreads = 2
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
		Distances: of(0.6, "times", fromCPU), DistancesAlike: of(0.28, "times", fromAlike),
		Stress: of(2.4, "times", fromRecords), CountArc: ns(2.8, "arc, visit and batch", fromRecords),
		CountNode: ns(135, "node, visit and batch", fromRecords), CountSpread: of(0.73, "power of the spread", fromRecords),
		CountHub: of(0.23, "power", fromRecords), CountMiss: of(1.5, "times the logarithm of caches", fromRecords),
		CountAway:  of(0.26, "times the logarithm of near caches", fromRecords),
		CountLocal: of(0.325, "of the time", fromRecords), CountEdge: ns(20, "arc, visit and batch", fromRecords),
		CountLook: ns(45, "node or arc", fromRecords), CountStress: of(1.2, "times", fromRecords),
		CountNarrow: of(0.3, "power", fromRecords), CountPlain: of(2, "times", fromLanes),
		FarArc: ns(8.5, "arc and batch", fromRecords), FarNode: ns(470, "node and batch", fromRecords),
		FarShallow: of(2.25, "times", fromRecords), FarMiss: of(0.88, "times the logarithm of caches", fromRecords),
		LaneArc: ns(26.5, "arc, level and batch", fromLast), LaneDegree: of(0.71, "power", fromLast),
		LaneSpread: of(1.17, "power of the spread", fromLast), LaneHub: of(0.4, "power", fromLast),
		LaneLocal: of(0.42, "of the time", fromLast), Miss: of(0.5, "times the logarithm of caches", "h200.jsonl"),
		Link: ns(25, "branch node and link", fromCPU), WeightLink: ns(34, "branch node and link", fromCPU),
		Dense: of(2, "times", fromCPU), Least: of(1.4, "times", fromCPU), LeastSparse: of(1.15, "times", fromCPU),
		Plan: ns(400, "node or edge", fromCPU), BallBase: ns(3.3e6, "thread", fromCabral),
		BallArc: ns(19, "arc of a ball", fromCabral), BallNode: ns(200, "node", fromCabral), Base: ns(4e4, "run", fromCPU),
		Edge: of(1.1, "times", fromCPU), Crowd: of(0.82, "power of the threads beyond two", fromLast),
		Cut: ns(10, "node or arc of a search", fromCuts), CutShare: of(0.01, "of all searches, per cut", fromCuts),
		CutBase: ns(1e5, "cut", fromCuts),
		RankArc: ns(1, "arc and iteration", fromRank), RankNode: ns(11, "node and iteration", fromProducts),
		RankWeight: of(3, "times", fromProducts), RankStep: ns(25e3, "thread and iteration", fromProducts),
		TopBounds: ns(25, "node or arc", fromSought), TopSearches: of(10, "per level", fromTop),
		Labels: ns(25, "node or arc", fromMoves), Connected: ns(180, "node or arc", fromMoves),
		Modules: ns(60, "node or arc", fromLast), ModulesMiss: of(0.56, "times the square of what misses add", fromLast),
	}
}

// plainCost predicts searches of the graph as it is, on so many threads.
func (r *Rates) plainCost(f *Features, threads int) Cost {
	work := math.NaN() // a kind without a prediction
	if predict := kinds()[f.Kind].onCPU; predict != nil {
		work = r.CPU.Base.in(1) + predict(r, f, threads)
	}
	cost := Cost{Search: work / r.busy(f, threads)}
	if f.inLanes() != lanes.Single {
		cost.Prepare = r.CPU.CountLook.in(float64(f.Nodes + f.Arcs))
		return cost
	}
	cost.Search *= when(f.EdgeScores, r.CPU.Edge.Value)
	return cost
}

// inLanes returns how the CPU counts paths from many sources at a time, if it does.
func (f *Features) inLanes() lanes.Way {
	switch {
	case f.Kind != kernels.Dependencies && f.Kind != kernels.PathCounts || f.Pairs || f.Within > 0 ||
		!lanes.MayPay(f.Sources, f.Weighted):
		return lanes.Single
	case f.Weighted:
		return lanes.BestByWeights(f.Sources, f.Arcs, f.Weights().Ticks, f.Spread(), f.Depth())
	}
	return lanes.Best(f.Sources, f.Arcs, f.Spread(), f.Depth())
}

// batchesOnCPU is the time of a thread for counting paths from many sources at a time.
func (r *Rates) batchesOnCPU(f *Features, threads int) float64 {
	c, s, most := r.CPU, f.size(), float64(lanes.MaxLanes)
	width := float64(lanes.Width(f.Nodes, int(s.sources), threads))
	each := r.batchOnCPU(f) * when(c.NoVectors, c.CountPlain.Value) *
		when(f.Kind == kernels.PathCounts, c.CountStress.Value)
	return s.sources / most * math.Pow(most/width, c.CountNarrow.Value) * each * f.Reach()
}

// batchOnCPU is the time of a batch. Level by level, it visits a node at each level at which one of its lanes reaches
// it: at less than the spread where many paths lead through hubs, and at no more than it has lanes. Where distances
// come first, it visits a node about as often whatever the spread is: once for nearly all lanes.
func (r *Rates) batchOnCPU(f *Features) float64 {
	c, s, most := r.CPU, f.size(), float64(lanes.MaxLanes)
	bytes, edges := most*laneBytes*f.reached()+arcBytes*float64(f.Arcs), 0.0
	if f.EdgeScores {
		edges = c.CountEdge.in(s.arcs)
	}
	if f.inLanes() == lanes.Distances {
		bytes += most*distanceBytes*f.reached() + tieBytes*float64(f.Arcs)
		each := c.FarArc.in(s.arcs) + c.FarNode.in(s.nodes) + edges
		return each * when(!f.Depth().Deep, c.FarShallow.Value) * (1 + c.FarMiss.Value*math.Log1p(bytes/coreCache))
	}
	apart := math.Pow(f.Spread(), c.CountSpread.Value) * math.Pow(math.Max(1, f.Hub()), -c.CountHub.Value)
	visits := math.Max(1, -most*math.Expm1(-apart/most))
	s.nodes -= float64(f.Degrees().Leaves) // whose only arc leads to a row that is at hand
	away := c.CountAway.Value * math.Log(math.Max(1, bytes/nearCache))
	each := (c.CountArc.in(s.arcs) + c.CountNode.in(s.nodes) + edges) *
		(1 + c.CountMiss.Value*math.Log1p(bytes/coreCache) + away)
	return visits * each * when(f.All, 1-c.CountLocal.Value*f.Locality())
}

const (
	// distanceBytes are those of a lane's distance at a node, tieBytes those of the lanes in which an arc is on a shortest
	// path.
	distanceBytes, tieBytes = 2, 16
)

// foldsOnCPU is the time of a thread for searches of distances.
func (r *Rates) foldsOnCPU(f *Features, _ int) float64 {
	if f.Weighted {
		return r.searchesOnCPU(f)
	}
	return r.lanesOnCPU(f)
}

// busy is as how many threads those count that have something to do. More than a few take longer each: they share
// memory, and processors that are all busy are slower.
func (r *Rates) busy(f *Features, threads int) float64 {
	all := math.Max(1, math.Min(float64(threads), float64(f.Sources)/float64(max(1, f.shards))/chunk))
	return all * math.Pow(math.Max(1, all/fewThreads), r.CPU.Crowd.Value-1)
}

// misses is how much slower searches are that do not fit the cache of a core.
func (r *Rates) misses(f *Features) float64 {
	s := f.within(1)
	bytes := cpuBytes*s.nodes + arcBytes*s.arcs
	return 1 + r.CPU.Miss.Value*math.Log1p(bytes/coreCache)
}

// searchesOnCPU is the time of a thread for searches of one source each.
func (r *Rates) searchesOnCPU(f *Features) float64 {
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

// lanesOnCPU is the time of a thread for distances in hops from many sources at a time, or from each by itself where
// they are few or lie apart, as workers.Divide has it. Most levels look for lanes at the nodes that lack some, and end
// the look with the last: the more arcs a node has, the fewer of them count.
func (r *Rates) lanesOnCPU(f *Features) float64 {
	c, s := r.CPU, f.size()
	alike := f.All && f.ByHops() && !f.Directed && !f.Pairs && !f.EdgeScores // what foldsAlike of kernels/distances asks
	single := func() float64 { return r.searchesOnCPU(f) * when(alike, c.DistancesAlike.Value) }
	width := math.Min(cpuLanes, math.Ceil(float64(f.Sources)/cpuBatches))
	if f.Pairs || width < cpuShared {
		return single()
	}
	spread := math.Min(f.levels(), looks.SpreadOf(width, lanes.MaxLanes, f.Spread(), f.levels(), float64(f.Sources)))
	if width < cpuShared*spread {
		return single()
	}
	visits := math.Max(1, math.Pow(spread, c.LaneSpread.Value)*math.Pow(math.Max(1, f.Hub()), -c.LaneHub.Value))
	batch := c.LaneArc.in(s.nodes*math.Pow(s.arcs/math.Max(1, s.nodes), c.LaneDegree.Value)) * math.Min(visits, width)
	bytes := cpuLanesBytes*s.nodes + arcBytes*s.arcs
	misses := (1 + c.Miss.Value*math.Log1p(bytes/coreCache)) * (1 - c.LaneLocal.Value*f.Locality())
	return math.Ceil(s.sources/width) * batch * f.Reach() * misses
}

// topBounds is the time to bound the scores of all nodes.
func (r *Rates) topBounds(f *Features, threads int) float64 {
	return r.CPU.TopBounds.in(float64(f.Nodes)+float64(f.Arcs)) * r.misses(f) / r.busy(f, threads)
}

// reducedCost predicts searches of what reductions leave. Following links costs more than following arcs in
// hops, and as much by weights.
func (r *Rates) reducedCost(f *Features, left Reductions, threads int) Cost {
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
func (r *Rates) blocksCost(f *Features, left Reductions, threads int) Cost {
	search, look := left.Union*r.batchesOnCPU(f, threads)/r.busy(f, threads), r.CPU.CountLook.in(float64(f.Nodes+f.Arcs))
	return Cost{Prepare: r.Planning(f, left, CPU) + look, Search: r.CPU.Base.in(1) + search}
}
