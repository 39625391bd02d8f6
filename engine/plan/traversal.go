package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
)

// Searches from one source per thread block, by the methods of the literature. Each thread, or a virtual
// warp of some threads, takes a node. A search alone waits for memory; searches on all multiprocessors
// share its bandwidth.

const (
	// searchBytes is what a search keeps of each node.
	searchBytes = 16
	// smallGraph is up to how many nodes blocks have smallThreads threads; residentThreads fit on a
	// multiprocessor.
	smallGraph      = 40_000
	smallThreads    = 128
	largeThreads    = 256
	residentThreads = 1024
	// cellsPay is from how many nodes on rows in cells are faster: fewer are in the cache.
	cellsPay = 16_000
	// traversalBend is how sharply the two times meet.
	traversalBend = 4
)

// traversal predicts the searches of one source per block with so many threads per node.
func (r Rates) traversal(f *Features, perNode float64) Cost {
	s := f.size()
	if !f.ByHops() {
		return Cost{Prepare: r.allocated(f, s), Search: r.searchesByWeights(f, f.within(1), perNode)}
	}
	return Cost{Prepare: r.allocated(f, s), Search: r.searchesByHops(f, f.within(1), perNode, f.levels()) * f.Reach()}
}

// allocated is the time before searches: each block has arrays of its own.
func (r Rates) allocated(f *Features, s size) float64 {
	blocks, _ := r.blocksOf(f)
	return r.prepared(s) + r.Host.Alloc.in(math.Min(blocks, s.sources)*float64(f.Nodes))
}

// blocksOf is how many searches run at a time, and the threads of each.
func (r Rates) blocksOf(f *Features) (blocks, threads float64) {
	threads = largeThreads
	if f.Nodes <= smallGraph {
		threads = smallThreads
	}
	return r.Shape.room(float64(r.Shape.SMs) * residentThreads / threads), threads
}

func (r Rates) searchesByHops(f *Features, s size, perNode, levels float64) float64 {
	t := r.Traversal
	blocks, threads := r.blocksOf(f)
	bytes := math.Min(blocks, s.sources) * float64(f.Nodes) * searchBytes / r.Shape.L2
	if f.Within > 0 {
		bytes *= s.nodes / float64(max(1, f.Nodes))
	}
	nodes := s.nodes * math.Pow(perNode, t.Lanes.Value)
	local := f.Locality()
	deep := levels > order.DeepLevels*math.Log2(s.nodes+1)
	searches := traversal.Searches{
		Nodes: int64(s.nodes), Arcs: int64(s.arcs), Sources: int64(s.sources), Blocks: int64(blocks),
		Greatest: func() int64 { return f.Degrees().Greatest },
	}
	cells := t.Cells
	if deep && f.Kind == kernels.Dependencies && !f.Chosen && searches.Renumbered() {
		local, bytes, cells = 1, 0, t.CellsNear // neighbours lie together, and what a level needs is in the cache
	}
	rows := f.Degrees()
	skew := math.Max(0, math.Sqrt(rows.Squares*float64(f.Nodes))/math.Max(1, float64(f.Arcs))-1)
	arcs := s.arcs * (1 + t.Skew.Value*skew/math.Pow(perNode, t.SkewLanes.Value))
	alone := (t.AloneArc.in(arcs)*(1-t.LocalAlone.Value*local) + t.AloneNode.in(nodes) +
		t.AloneHub.in(float64(rows.Greatest))/perNode) * smallThreads / threads
	alone = alone*overflow(bytes*t.MissAlone.Value, 1, t.MissAlonePower.Value) + t.AloneLevel.in(levels)
	shared := (t.Arc.in(arcs)*(1-t.Local.Value*local) + t.Node.in(nodes)) / float64(r.Shape.SMs)
	shared *= overflow(bytes*t.Miss.Value, 1, t.MissPower.Value)
	if ofNodes := f.Kind == kernels.Dependencies && !f.Chosen && !f.EdgeScores && !f.Directed; ofNodes && perNode == 1 &&
		s.nodes >= cellsPay {
		switch bits := searches.CellBits(r.Shape.SharedBlock); {
		case bits == 0 || bits == 1 && f.Within > 0:
			cells.Value = 1
		case bits == 1:
			cells = t.CellsMany
		}
		alone, shared = alone*cells.Value, shared*cells.Value
	}
	time := wider(math.Ceil(s.sources/blocks)*alone, s.sources*shared, traversalBend) * r.memory(bytes)
	time += t.Block.in(math.Min(blocks, s.sources))
	return time * when(f.Kind == kernels.FoldedDistances, t.HopDistances.Value) * when(f.EdgeScores, t.Edge.Value)
}

func (r Rates) searchesByWeights(f *Features, s size, perNode float64) float64 {
	t, w := r.Traversal, f.Weights()
	arcs, nodes := s.arcs/math.Pow(perNode, t.WeightArcLanes.Value), s.nodes*math.Pow(perNode, t.WeightNodeLanes.Value)
	bytes := residentThreads / largeThreads / 2 * float64(r.Shape.SMs) * s.nodes * searchBytes
	each := (t.WeightArc.in(arcs) + t.WeightNode.in(nodes)) / float64(r.Shape.SMs)
	each *= when(w.Wide(), t.Wide.Value) * when(w.Class == Reals, t.Real.Value)
	each *= when(f.Kind == kernels.FoldedDistances, t.Distances.Value) * overflow(bytes, r.Shape.L2, t.WeightMiss.Value)
	each *= f.Reach()
	each += t.WeightLevel.in(f.levels())
	blocks, _ := r.blocksOf(f)
	return each * math.Max(s.sources, blocks/8) * when(f.EdgeScores, t.Edge.Value)
}
