package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Batches by weights: 32 lanes, a thread block each. Buckets keep searches in order; on shallow graphs,
// with weights that differ much, nodes are reached several times all the same.

const (
	weightedLanes = 32
	// weightedRow is what a batch keeps of a node.
	weightedRow = 256
	// weightedPasses is how often a batch goes over all rows, whatever it reaches.
	weightedPasses = 4
	// farShare is the share of sources under which batches are far apart: the order by landmarks is not
	// made then.
	farShare = 0.5
)

// weightedCost predicts batches by weights, on what is left of the graph.
func (r *Rates) weightedCost(f *Features, s size) Cost {
	w := r.Weighted
	folds := f.Kind == kernels.FoldedDistances
	batches, slots := math.Ceil(s.sources/weightedLanes), r.Shape.room(float64(r.Shape.SMs))
	batch := w.Arc.in(s.arcs) + w.Node.in(s.nodes)
	batch *= when(!f.Depth().Deep, w.Shallow.Value) * r.spread(f) * f.Reach()
	batch *= overflow(math.Min(slots, batches)*s.nodes*weightedRow, r.Shape.L2, w.Miss.Value)
	switch {
	case folds:
		batch *= w.Distances.Value * when(f.EdgeScores, 1+w.EdgeDistances.Value)
	case f.EdgeScores:
		batch *= 1 + w.Edge.Value
	}
	batch += w.Level.in(f.levels())
	batch *= when(s.share() < farShare, w.Far.Value)
	return Cost{Prepare: r.ordered(s), Search: w.Base.in(1) + batch*waves(batches, slots, w.Tail.Value)}
}

// spread is what weights that differ much cost.
func (r *Rates) spread(f *Features) float64 {
	w := f.Weights()
	return when(w.Wide() && !f.Depth().Deep, r.Weighted.Wide.Value) * when(w.Class == Reals, r.Weighted.Real.Value)
}
