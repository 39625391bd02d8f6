package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// cutsOnCPU is the time of all threads to cut every edge by betweenness: searches from all nodes, and then a share of
// these for every cut or batch, until the graph has fallen apart. Rows are taken to fit into memory.
func (r *Rates) cutsOnCPU(f *Features, _ int) float64 {
	n, m := f.reached()-float64(f.Degrees().Leaves), float64(f.Edges-f.Degrees().Leaves)
	searches := math.Max(n, 0) * (r.CPU.Cut.in(4*math.Max(n, 0)) + r.CPU.Cut.in(2*math.Max(m, 0)))
	return searches*(1+communities.Again(math.Max(m, 0), r.CPU.CutShare.Value, f.Batch)) +
		r.CPU.CutBase.in(float64(f.Edges))
}
