package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Searches by weights in shared memory: a source per thread block, several blocks per multiprocessor. No
// order of nodes is needed.

const (
	// tinyGraph is the most nodes of a graph that is searched in shared memory.
	tinyGraph = 10_000
	// smallPerSM is how many searches run on a multiprocessor at a time.
	smallPerSM = 4
	// quickSeconds is the time of searches that are begun without a look at other ways. That takes up to 1 ms.
	quickSeconds = 10e-3
)

// fitsShared reports whether what a search by weights keeps fits into the shared memory of a block.
func (r *Rates) fitsShared(f *Features) bool {
	perNode := r.Small.NodeBytesDouble.Value
	if f.Single || f.Kind == kernels.FoldedDistances {
		perNode = r.Small.NodeBytes.Value
	}
	bytes := perNode*float64(f.Nodes) + r.Small.ArcBytes.Value*float64(f.Arcs)
	return f.Nodes <= tinyGraph && bytes <= r.Shape.SharedBlock && f.Weights().Class == Ticks32
}

// quick predicts searches in shared memory of a graph so small that to weigh other ways would take too much of that
// time. It does not ask how deep the graph is: one at the bound of deep ones is assumed.
func (r *Rates) quick(f *Features) (cost Cost, quick bool) {
	if f.ByHops() || f.Kind == kernels.PathCounts || !r.fitsShared(f) {
		return Cost{}, false
	}
	cost = r.smallAt(f, order.DeepLevels*math.Log2(float64(f.Nodes)+1))
	return cost, cost.Seconds() <= quickSeconds
}

// smallAt predicts searches in shared memory of so many levels.
func (r *Rates) smallAt(f *Features, levels float64) Cost {
	m, s := r.Small, f.size()
	each := m.Arc.in(s.arcs) + m.Node.in(s.nodes) + m.Level.in(levels)
	each *= when(!f.narrow(), m.Double.Value) * when(f.Kind == kernels.FoldedDistances, m.Distances.Value)
	each *= fittedSMs / float64(r.Shape.SMs)
	at := float64(r.Shape.SMs) * smallPerSM
	return Cost{Prepare: r.prepared(s), Search: m.Base.in(1) + each*math.Ceil(s.sources/at)*at}
}
