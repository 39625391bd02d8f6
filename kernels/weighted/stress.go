package weighted

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Path counts start at 2^unitExponent: CountRange in weighted.cuh.
const unitExponent = -800

// A digit of a sum of path counts has digitBits bits, so that the digits are those of exact.Wide. Sums stay under
// 2^sumBits.
const (
	digitBits = 32
	sumBits   = 95
)

// pathScale is that of sums of path counts, in the numbers of counts. All terms are whole, so that sums are exact.
func pathScale() exact.Scale {
	return exact.Scale{Unit: math.Ldexp(1, -2*digitBits-unitExponent), Fine: math.Ldexp(1, digitBits)}
}

// mostPaths is the greatest count, in the numbers of counts, with which no sum over all sources passes sumBits: a
// source adds to one sum at most its counts of all nodes together.
func mostPaths(sources, nodes int64) float64 {
	return math.Ldexp(1, sumBits-bits.Len64(uint64(sources))-bits.Len64(uint64(nodes))+unitExponent)
}

// addPathCounts adds the sums of nodes and edges.
func (r *run) addPathCounts() {
	j, c := r.job, r.calls
	if wides := j.Partial.WideNodes; wides != nil {
		for i, w := range c.Words(r.arrays.nodes, j.Graph.N) {
			addWord(&wides[r.graph.Nodes[i]], w)
		}
	}
	if wides := j.Partial.WideEdges; wides != nil && c.Err == nil {
		g := *j.Graph
		g.Edges = r.graph.Out.Edges
		edges := c.EdgeSums(r.arrays.edges, &g, len(wides))
		for e, w := range c.Words(edges, int64(len(wides))) {
			addWord(&wides[e], w)
		}
		c.Free(edges)
	}
}

// addWord adds a sum of paths, digit by digit, so that none is lost.
func addWord(to *exact.Wide, w exact.Word) {
	const mask = 1<<digitBits - 1
	high, mid, low := uint64(w[0]), uint64(w[1]), uint64(w[2])
	mid, low = mid+low>>digitBits, low&mask
	high, mid = high+mid>>digitBits, mid&mask
	for i, digit := range []uint64{high, mid, low} {
		to.AddFloat(math.Ldexp(float64(digit), digitBits*(2-i)))
	}
}

// scale is that of the sums of nodes and edges.
func (r *run) scale() exact.Scale {
	if r.arrays.nodes == 0 && r.arrays.edges == 0 || r.job.Partial == nil {
		return exact.Scale{}
	}
	if r.job.Partial.WideNodes != nil || r.job.Partial.WideEdges != nil {
		return pathScale()
	}
	return r.job.Partial.Scale()
}
