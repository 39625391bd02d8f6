package plan

import "math"

// Volumes of small balls: a ball per thread block, with a bitmap of the nodes that it has seen.

// volumeCost predicts one ball per node. A block waits at each level of its ball, which matters for large ones.
func (r Rates) volumeCost(f *Features) Cost {
	v, n := r.Volume, float64(f.Nodes)
	waiting := 0.0
	if f.Radius > nearRadius {
		blocks, _ := r.blocksOf(f)
		waiting = math.Ceil(n/blocks) * r.Traversal.AloneLevel.in(math.Min(float64(f.Radius), f.levels()))
	}
	search := v.Base.in(1) + (v.Node.in(n)+v.Arc.in(n*f.BallArcs()))*fittedSMs/float64(r.Shape.SMs)
	return Cost{Prepare: r.Host.Upload.in(float64(f.Arcs)), Search: search + waiting}
}
