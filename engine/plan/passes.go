package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// How often measures that iterate go over all arcs by their defaults: until errors that shrink by the damping, or faster in
// undirected graphs, are under the residual. How many iterations an eigenvector takes depends on the graph.
const (
	directedIterations   = 140
	undirectedIterations = 45
)

// passesOnCPU is the time of all threads to go over all arcs: once for degrees, and again and again to iterate.
func (r Rates) passesOnCPU(f *Features, threads int) float64 {
	if f.Kind == kernels.Degrees {
		return r.CPU.HopArc.in(float64(f.Arcs))
	}
	iterations := float64(directedIterations)
	if !f.Directed {
		iterations = undirectedIterations
	}
	each := r.CPU.RankArc.in(float64(f.Arcs)) + r.CPU.RankNode.in(float64(f.Nodes))
	return iterations * each * r.misses(f) * r.busy(f, threads) / math.Max(1, float64(threads))
}
