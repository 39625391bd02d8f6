package plan

import "math"

// Batches by hops on deep undirected graphs, distances first. A batch is a thread block's. Where its
// sources lie close together, the block comes to most nodes once. Sources that have too few others nearby for a
// batch are searched from one by one.

const (
	// deepestLevel is the longest path, deepestRow the longest row that the engine takes.
	deepestLevel = 60_000
	deepestRow   = 512
	// nearNodes is among how many nodes the sources of a batch lie (see order.CloseSources).
	nearNodes = 5000
	// apartBatches is under how many batches of sources among nearNodes the lanes of a batch lie apart.
	apartBatches = 8
	// mostEntries is how many entries a batch may have per node: its stack has a third more.
	mostEntries = 3
	// deepBytes is how many bytes of each node a batch reads and writes, whether it reaches the node or not.
	deepBytes = 88
)

// goesDeep reports whether the engine for deep graphs takes the graph.
func (f *Features) goesDeep() bool {
	return !f.Directed && f.Depth().Deep && 2*f.Depth().Levels <= deepestLevel && f.Degrees().Greatest <= deepestRow
}

// inBatches is the share of the sources that batches take. The lanes of a batch come to the nodes among its sources one
// after the other.
func (f *Features) inBatches() float64 {
	dense := math.Max(f.Nearness(), f.share())
	entries := 1 + f.lanes()*f.lanes()/math.Max(1, dense*float64(f.Nodes))
	switch {
	case f.All:
		return 1
	case entries > mostEntries:
		return 0
	}
	return math.Min(1, nearNodes*dense/f.lanes())
}

// deepCost predicts batches that find distances first, on what is left of the graph.
func (r *Rates) deepCost(f *Features, s size) Cost {
	cost := Cost{Prepare: r.ordered(s)}
	if !f.All {
		cost.Prepare += r.Host.Places.in(s.all)
	}
	taken := s.sources * f.inBatches()
	if taken > 0 {
		d, slots, batches := r.Deep, r.Shape.room(float64(r.Shape.SMs)), math.Ceil(taken/f.lanes())
		batch := d.Arc.in(s.arcs) + d.Node.in(s.nodes)
		batch *= f.Reach() * when(f.EdgeScores, 1+d.Edge.Value) * when(!f.narrow(), d.Double.Value)
		batch *= when(!f.All && nearNodes*math.Max(f.Nearness(), f.share()) < apartBatches*f.lanes(), d.Apart.Value)
		batch *= overflow(math.Min(slots, batches)*s.nodes*rowBytes, r.Shape.L2, d.Miss.Value)
		batch += d.Level.in(f.levels())
		// Sources drawn at random lie apart. Where they have others nearby, a third less counts (note 095).
		batch *= math.Pow(s.share()*s.share()*math.Max(f.Nearness(), s.share()), -d.Drawn.Value/3)
		cost.Search = d.Base.in(1) + batch*waves(batches, slots, d.Tail.Value)
	}
	if s.sources -= taken; s.sources > 0 {
		cost.Search += r.searchesByHops(f, s, r.inBlocks(f, s.sources, 1), 1) * f.Reach()
	}
	return cost
}
