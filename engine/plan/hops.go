package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Batches that need distances in hops alone: the closeness family, and volumes of large balls. A lane is
// one bit. Nodes set the pace, each at the levels at which some lane reaches it.

const (
	hopLanes, deepHopLanes, fewHopLanes = 1024, 512, 256
	// deepLevel is what a level of a deep graph takes over one of a shallow graph: teams are smaller there.
	deepLevel = 0.5
	// hopMasks is how many masks a batch keeps of a node.
	hopMasks = 3
)

func (f *Features) hopLanes() float64 {
	switch {
	case f.Sources <= fewHopLanes:
		return fewHopLanes
	case f.Depth().Deep:
		return deepHopLanes
	}
	return hopLanes
}

// hopsCost predicts batches for the closeness family.
func (r *Rates) hopsCost(f *Features) Cost {
	h, s, searched := r.Hops, f.size(), f.within(f.hopLanes())
	if f.Top && !f.Depth().Deep { // where bounds say much
		s.sources = math.Min(s.sources, math.Max(hopLanes, h.Sought.Value*s.nodes))
	}
	levels := f.levels()
	if f.Kind == kernels.Balls {
		levels = math.Min(levels, float64(f.Radius))
	}
	batch := h.Node.in(searched.nodes*math.Pow(levels, h.Depth.Value)) + h.Arc.in(searched.arcs)
	batch += h.Level.in(levels) * when(f.Depth().Deep, deepLevel)
	switch {
	case f.EdgeScores && f.Folds && f.Fold == kernels.FoldInverse:
		batch *= h.EdgeInverse.Value
	case f.EdgeScores:
		batch *= h.Edge.Value
	}
	if f.Within > 0 { // all masks are cleared
		batch += hopMasks * f.hopLanes() / 8 * s.nodes / r.Shape.Bandwidth
	}
	batches := math.Ceil(s.sources / f.hopLanes())
	search := h.Base.in(1) + batches*batch*fittedSMs/float64(r.Shape.SMs)
	if !f.All && f.Depth().Deep {
		search *= math.Pow(math.Max(f.Nearness(), s.share()), -r.Deep.Drawn.Value)
	}
	prepare := r.prepared(s) + h.OrderArc.in(s.arcs) + h.OrderNode.in(s.nodes)
	if !f.Depth().Deep && (f.Top || s.all < float64(order.DistancesBalls) || order.AreLocal(f.Locality())) {
		prepare = r.sorted(s)
	}
	return Cost{Prepare: prepare, Search: search * f.Reach()}
}
