package plan

import "math"

// Batches by hops on deep undirected graphs, distances first. A batch is a thread block's. Where its
// sources lie close together, the block comes to most nodes once; where they lie apart, to each many times,
// and waits for each level.

const (
	// deepestLevel is the longest path, deepestRow the longest row that the engine takes.
	deepestLevel = 60_000
	deepestRow   = 512
	// deepBytes is how many bytes of each node a batch reads and writes, whether it reaches the node or not.
	deepBytes = 88
	// fewNear is the nearness under which the sources of a batch lie apart.
	fewNear = 0.1
)

// goesDeep reports whether the engine for deep graphs takes the graph.
func (f *Features) goesDeep() bool {
	return !f.Directed && f.Depth().Deep && 2*f.Depth().Levels <= deepestLevel && f.Degrees().Greatest <= deepestRow
}

// deepCost predicts batches that find distances first, on what is left of the graph.
func (r Rates) deepCost(f *Features, s size) Cost {
	cost := Cost{Prepare: r.ordered(s)}
	if !f.All {
		cost.Prepare += r.Host.Places.in(s.all)
	}
	batches := math.Ceil(s.sources / f.lanes())
	if f.Nearness() < fewNear {
		cost.Search = r.scattered(f, s, batches)
		return cost
	}
	d, slots := r.Deep, r.Shape.room(float64(r.Shape.SMs))
	batch := d.Arc.in(s.arcs) + d.Node.in(s.nodes)
	batch *= f.Reach() * when(f.EdgeScores, 1+d.Edge.Value) * when(!f.narrow(), d.Double.Value)
	batch *= overflow(math.Min(slots, batches)*s.nodes*rowBytes, r.Shape.L2, d.Miss.Value)
	batch += d.Level.in(f.levels())
	cost.Search = d.Base.in(1) + batch*math.Pow(s.share(), -d.Drawn.Value)*waves(batches, slots, d.Tail.Value)
	return cost
}

// scattered predicts batches of sources that lie apart.
func (r Rates) scattered(f *Features, s size, batches float64) float64 {
	d := r.Deep
	return d.Scattered.in(1) * math.Pow(s.nodes, d.ScatteredNodes.Value) *
		math.Pow(s.arcs/math.Max(1, s.nodes), d.ScatteredDegree.Value) *
		math.Pow(f.levels(), d.ScatteredLevels.Value) * math.Pow(batches, d.ScatteredBatches.Value)
}
