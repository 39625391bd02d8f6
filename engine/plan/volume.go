package plan

import "math"

// Volumes of small balls: a ball per thread block, with a bitmap of the nodes that it has seen.

// VolumeRates are those of a ball per thread block.
type VolumeRates struct{ Arc, Node, Base Rate }

// balls adds the ways to compute volumes. A block waits at each level of its ball, which matters for large ones.
func (l *list) balls() {
	r, f := l.m.Rates, l.f
	v, n := r.Volume, float64(f.Nodes)
	search := v.Base.in(1) + (v.Node.in(n)+v.Arc.in(n*f.lazy.ball()))*fittedSMs/float64(r.Shape.SMs)
	if f.Radius > nearRadius {
		search += math.Ceil(n/r.blocksOf(f)) * r.Traversal.AloneLevel.in(math.Min(float64(f.Radius), f.levels()))
	}
	l.gpu(Volume, Cost{Prepare: r.Host.Upload.in(float64(f.Arcs)), Search: search}, "one ball per thread block")
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
