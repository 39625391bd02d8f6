package plan

// Volumes of small balls: a ball per thread block, with a bitmap of the nodes that it has seen.

// volumeCost predicts one ball per node.
func (r Rates) volumeCost(f *Features) Cost {
	v, n := r.Volume, float64(f.Nodes)
	search := v.Base.in(1) + (v.Node.in(n)+v.Arc.in(n*f.BallArcs()))*fittedSMs/float64(r.Shape.SMs)
	return Cost{Prepare: r.Host.Upload.in(float64(f.Arcs)), Search: search}
}
