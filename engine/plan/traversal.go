package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
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
	// smallGraph is up to how many nodes blocks have smallThreads threads where there are many of them; residentThreads
	// fit on a multiprocessor.
	smallGraph      = 40_000
	smallThreads    = 128
	largeThreads    = 256
	residentThreads = 1024
	// arcsAhead is how many arcs of a row a thread loads at a time.
	arcsAhead = 4
	// traversalBend is how sharply the two times meet.
	traversalBend = 4
)

// traversal predicts the searches of one source per block with so many threads per node.
func (r *Rates) traversal(f *Features, perNode float64) Cost {
	s, t := f.size(), r.Traversal
	cost := Cost{Prepare: r.prepared(s)}
	if !f.ByHops() {
		cost.Prepare += r.Host.Alloc.in(math.Min(r.blocksOf(f), s.sources) * float64(f.Nodes))
		cost.Search = r.searchesByWeights(f, f.within(1), perNode)
		return cost
	}
	// Each block has arrays of its own, rows may go into cells, and nodes may get other numbers.
	how := r.inBlocks(f, s.sources, perNode)
	cost.Prepare += r.Host.Alloc.in(how.blocks * float64(f.Nodes))
	if how.bits > 0 {
		cost.Prepare += t.IntoCells.in(1)
	}
	if how.renumbered {
		cost.Prepare += t.Number.in(float64(f.Nodes))
	}
	cost.Search = r.searchesByHops(f, f.within(1), how, perNode) * f.Reach()
	return cost
}

// blocksOf is how many searches by weights, or balls, run at a time, about.
func (r *Rates) blocksOf(f *Features) float64 {
	threads := largeThreads
	if f.Nodes <= smallGraph {
		threads = smallThreads
	}
	return r.Shape.room(float64(r.Shape.SMs * residentThreads / threads))
}

// inBlocks is how searches by hops of one source per block run.
type inBlocks struct {
	blocks, threads float64
	// bits are those of each node in shared memory where rows are in cells, renumbered whether nodes get other numbers.
	bits       int
	renumbered bool
}

// inBlocks is how searches by hops run from so many sources. The engine decides by the whole graph, also in a range.
func (r *Rates) inBlocks(f *Features, sources, perNode float64) inBlocks {
	all := traversal.Searches{
		Nodes: f.Nodes, Arcs: f.Arcs, Sources: int64(sources), Greatest: func() int64 { return f.Degrees().Greatest },
	}
	dependencies := f.Kind == kernels.Dependencies && !f.Chosen
	bits := 0
	if dependencies && !f.EdgeScores && !f.Directed && perNode == 1 {
		bits = all.CellBits(r.Shape.SharedBlock)
	}
	if bits == 1 && f.Within > 0 {
		bits = 0
	}
	blocks, threads := all.Shape(gpu.Info{SMs: r.Shape.SMs, SharedBlock: int(r.Shape.SharedBlock)}, bits)
	out := inBlocks{blocks: r.Shape.room(float64(blocks)), threads: float64(threads), bits: bits}
	all.Blocks = int64(out.blocks)
	out.renumbered = dependencies && all.Renumbered()
	return out
}

func (r *Rates) searchesByHops(f *Features, s size, how inBlocks, perNode float64) float64 {
	t, sms, levels := r.Traversal, float64(r.Shape.SMs), f.levels()
	bytes := how.blocks * float64(f.Nodes) * searchBytes / r.Shape.L2
	if f.Within > 0 {
		bytes *= s.nodes / float64(max(1, f.Nodes))
	}
	local, cells := f.Locality(), 1.0
	if deep := levels > order.DeepLevels*math.Log2(s.nodes+1); deep && how.renumbered {
		local, bytes = 1, 0 // neighbours lie together, and what a level needs is in the cache
		cells = when(how.bits == 2, t.CellsNear.Value)
	}
	cells *= when(how.bits == 1, t.CellsMany.Value)
	rows := f.Degrees()
	skew := math.Max(0, math.Sqrt(rows.Squares*float64(f.Nodes))/math.Max(1, float64(f.Arcs))-1)
	arcs := s.arcs * (1 + t.Skew.Value*skew)
	nodes := s.nodes * math.Pow(perNode, t.Lanes.Value)
	// A search alone waits for what its threads do in turn, for its longest row, and in each level for a row.
	alone := t.AloneArc.in(arcs)*(1-t.LocalAlone.Value*local) + t.AloneNode.in(nodes)
	alone *= math.Pow(smallThreads/how.threads, t.AloneThreads.Value)
	alone += t.AloneHub.in(float64(rows.Greatest)) / perNode
	alone *= overflow(bytes*t.MissAlone.Value, 1, t.MissAlonePower.Value)
	alone += t.AloneLevel.in(levels) + t.AloneRow.in(levels*math.Ceil(f.MeanDegree()/perNode/arcsAhead))
	// A multiprocessor has whole searches, so that fewer than there are multiprocessors take no less.
	shared := (t.Arc.in(arcs)*(1-t.Local.Value*local) + t.Node.in(nodes)) * math.Max(1, s.sources/sms)
	shared *= overflow(bytes*t.Miss.Value, 1, t.MissPower.Value)
	time := wider(math.Ceil(s.sources/how.blocks)*alone, shared, traversalBend) * cells * r.memory(bytes)
	time += t.Block.in(how.blocks)
	return time * when(f.Kind == kernels.FoldedDistances, t.HopDistances.Value) * when(f.EdgeScores, t.Edge.Value)
}

func (r *Rates) searchesByWeights(f *Features, s size, perNode float64) float64 {
	t, w := r.Traversal, f.Weights()
	arcs, nodes := s.arcs/math.Pow(perNode, t.WeightArcLanes.Value), s.nodes*math.Pow(perNode, t.WeightNodeLanes.Value)
	bytes := residentThreads / largeThreads / 2 * float64(r.Shape.SMs) * s.nodes * searchBytes
	each := (t.WeightArc.in(arcs) + t.WeightNode.in(nodes)) / float64(r.Shape.SMs)
	each *= when(w.Wide(), t.Wide.Value) * when(w.Class == Reals, t.Real.Value)
	each *= when(f.Kind == kernels.FoldedDistances, t.Distances.Value) * overflow(bytes, r.Shape.L2, t.WeightMiss.Value)
	each *= f.Reach()
	each += t.WeightLevel.in(f.levels())
	blocks := r.blocksOf(f)
	return each * math.Max(s.sources, blocks/8) * when(f.EdgeScores, t.Edge.Value)
}
