package traversal

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/device"
)

// The passes of stress: in float64, and in wide numbers for atoms of which some count or sum passes float64.
const (
	float64Pass = iota
	widePass
)

// stress counts in float64. A source whose counts do not fit may have added to sums already, so its whole atom counts
// again in wide numbers.
func (r *run) stress() {
	r.ready()
	nodes := r.sequence()
	if r.job.Pass == float64Pass {
		nodes = r.countPaths(f64, nodes)
		if r.eachAlone(len(nodes)); r.calls.Err != nil {
			return
		}
		if len(nodes) == 0 || !r.job.Shard.Whole() {
			r.result.Left, r.result.Pass = nodes, widePass
			return
		}
		r.note("counted in wide numbers, because some pass float64")
	}
	r.layout.sumBuffers(f64, &r.arrays).Free(r.calls)
	r.layout.sumBuffers(wide, &r.arrays).Take(r.calls)
	r.countPaths(wide, nodes)
}

// countPaths adds the counts of paths of atoms that fit, and returns the sources of the others.
func (r *run) countPaths(w width, nodes []int32) (left []int32) {
	l := r.list(nodes)
	defer r.freeList(l)
	blocks := min(r.layout.grid(w), r.layout.sumGrid(w))
	sums := r.pathSums(w, blocks)
	sums.join = func(first, last int) {
		failed, each := r.failures(l, first, last), r.job.Each()
		counts := make([]pathCounts, len(each))
		for i := range each {
			counts[i] = r.pathCounts(w, blocks, i)
		}
		switch {
		case r.calls.Err != nil:
		case len(failed) > 0 && w == wide:
			r.calls.Err = &device.Unsuited{Why: fmt.Sprintf("path lengths are exact in 128-bit integers only, and %d sources "+
				"have paths that float64 does not tell apart", len(failed))}
		case len(failed) > 0 || slices.ContainsFunc(counts, pathCounts.overflow):
			left = append(left, nodes[first:last]...)
		default:
			for i, of := range each {
				counts[i].add(of.Partial, r.job.Host)
			}
			r.addTotals()
		}
		r.clearTotals()
	}
	s := r.search(l, sums, r.countKernel(w), blocks)
	if w == wide {
		s.over(r.layout.engine.policy, s.cut.first, s.cut.last)
	} else {
		s.bySamples()
	}
	return left
}

// pathSums are counts of paths in numbers of one width.
func (r *run) pathSums(w width, blocks int) *blockSums {
	a, g, c := &r.arrays, r.job.Graph, r.calls
	clearSums := func() {
		all := w.bytes * int64(blocks*r.layout.ranges)
		if a.nodes != 0 {
			c.Clear(a.nodes, g.N*all)
		}
		if a.edges != 0 {
			c.Clear(a.edges, g.Arcs*all)
		}
	}
	return &blockSums{clear: clearSums, discard: func() {
		clearSums()
		r.clearTotals()
	}}
}
