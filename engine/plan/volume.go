package plan

import "math"

// Volumes of small balls: a ball per thread block, with a bitmap of the nodes that it has seen.

// volumeCost predicts one ball per node. A block waits at each level of its ball, which matters for large ones.
func (r *Rates) volumeCost(f *Features) Cost {
	v, n := r.Volume, float64(f.Nodes)
	waiting := 0.0
	if f.Radius > nearRadius {
		waiting = math.Ceil(n/r.blocksOf(f)) * r.Traversal.AloneLevel.in(math.Min(float64(f.Radius), f.levels()))
	}
	search := v.Base.in(1) + (v.Node.in(n)+v.Arc.in(n*f.lazy.ball()))*fittedSMs/float64(r.Shape.SMs)
	return Cost{Prepare: r.Host.Upload.in(float64(f.Arcs)), Search: search + waiting}
}

// VolumeRates are those of a ball per thread block.
type VolumeRates struct{ Arc, Node, Base Rate }

// balls adds the ways to compute volumes.
func (l *list) balls() {
	r, f := l.m.Rates, l.f
	l.gpu(Volume, r.volumeCost(f), "one ball per thread block")
	if f.Radius > nearRadius {
		l.gpu(Hops, r.hopsCost(f), "batches by hops: large balls share their arcs")
	}
}

// nearRadius is the radius up to which balls are never batched.
const nearRadius = 2

// ballsOnCPU is the time of all threads for volumes.
func (r *Rates) ballsOnCPU(f *Features, threads int) float64 {
	c, n := r.CPU, float64(f.Nodes)
	return c.BallBase.in(float64(threads)) + c.BallNode.in(n) + c.BallArc.in(n*f.lazy.ball())
}
