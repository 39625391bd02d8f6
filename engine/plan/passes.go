package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// How often measures that iterate go over all arcs by their defaults: until errors that shrink by the damping, or
// faster in undirected graphs, are under the residual. How many iterations an eigenvector takes depends on the graph.
const (
	directedIterations   = 140.0
	undirectedIterations = 45.0
)

// passesOnCPU is the time of all threads to go over all arcs: once for degrees, and again and again to iterate. Each
// iteration starts all threads and waits for them.
func (r *Rates) passesOnCPU(f *Features, threads int) float64 {
	if f.Kind == kernels.Degrees {
		return r.CPU.HopArc.in(float64(f.Arcs))
	}
	c, all := r.CPU, math.Max(1, float64(threads))
	// Neighbours that lie next to one another are in the cache together.
	misses := 1 + (r.misses(f)-1)*(1-f.Locality())
	each := (c.RankArc.in(float64(f.Arcs))*when(f.Weighted, c.RankWeight.Value) + c.RankNode.in(float64(f.Nodes))) * misses
	iterations := undirectedIterations * when(f.Directed, directedIterations/undirectedIterations)
	return iterations * (each/all + c.RankStep.in(all)) * r.busy(f, threads)
}

// PullRates are those of iterations on a device: per byte that one reads or writes, and per iteration; and of putting
// the graph in order, where an arc takes OrderWeight times as long by weights.
type PullRates struct{ Byte, Step, OrderArc, OrderNode, OrderWeight Rate }

// passes adds iterations on a device. An arc takes 12 bytes, and 8 by weights; a node takes its vectors. Bytes are the
// faster the more of them the memory moves.
func (l *list) passes() {
	r, f := l.m.Rates, l.f
	arcs, nodes := float64(f.Arcs), float64(f.Nodes)
	perArc, uploads := 12*when(f.Weighted, 20.0/12), when(f.Weighted, 3)*when(f.Directed, 2)
	bytes := (perArc*arcs + 80*nodes) * fittedBandwidth / r.Shape.Bandwidth
	iterations := undirectedIterations * when(f.Directed, directedIterations/undirectedIterations)
	l.gpu(Pull, Cost{
		Prepare: r.Host.Upload.in(uploads*arcs) + r.Pull.OrderArc.in(arcs)*when(f.Weighted, r.Pull.OrderWeight.Value) +
			r.Pull.OrderNode.in(nodes),
		Search: r.Host.Base.in(1) + iterations*(r.Pull.Step.in(1)+r.Pull.Byte.in(bytes)),
	}, "products with the matrix of the arcs")
}
