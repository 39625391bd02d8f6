package weighted

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Path counts start at 2^unitExponent: CountRange in weighted.cuh.
const unitExponent = -800

// wordBits is how many paths, as a power of two, one of the high word of a sum of path counts stands for. Sums stay
// under 2^(95), so that both words fit, and so do the digits of exact.Wide.
const (
	wordBits = 32
	sumBits  = 95
)

// pathScale is that of sums of path counts, in the numbers of counts. All terms are whole, so that sums are exact.
func pathScale() exact.Scale {
	return exact.Scale{Unit: math.Ldexp(1, -wordBits-unitExponent), Fine: math.Ldexp(1, wordBits)}
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
		for e, w := range c.EdgeWords(r.arrays.edges, &g, len(wides)) {
			addWord(&wides[e], w)
		}
	}
}

// addWord adds a sum of paths, digit by digit, so that none is lost.
func addWord(to *exact.Wide, w exact.Word) {
	low, carry := bits.Add64(uint64(w.High)<<wordBits, uint64(w.Low), 0)
	high := uint64(w.High)>>(64-wordBits) + carry
	for i, digit := range []uint64{high, low >> wordBits, low & (1<<wordBits - 1)} {
		to.AddFloat(math.Ldexp(float64(digit), wordBits*(2-i)))
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

var _ device.Beginner = (*prepared)(nil)
