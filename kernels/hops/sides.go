package hops

import (
	"math/bits"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// side is HopSide of hops.cuh.
type side struct {
	rows                  batches.Rows
	partNodes, partBegins gpu.Ptr
	parts                 int
}

// findSides sets the sides of the arcs. Volumes are searched for against the arcs, so that what a node reaches is
// folded at the node; and so are the highest scores, so that what reaches a source is folded there. There the sides
// change places.
func (r *run) findSides() {
	out, in := r.graph.Out, r.graph.In
	if r.shape.kind.backwards() {
		out, in = in, out
	}
	r.out = r.sideOf(out)
	r.in = r.out
	if r.job.Host.Directed {
		r.in = r.sideOf(in)
	}
}

// sideOf splits the long rows into parts.
func (r *run) sideOf(rows batches.Rows) side {
	var nodes, begins []uint32
	rowBegins := rows.Begins()
	for v := range len(rowBegins) - 1 {
		if b, e := rowBegins[v], rowBegins[v+1]; e-b > hopPart {
			for ; b < e; b += min(hopPart, e-b) {
				nodes, begins = append(nodes, uint32(v)), append(begins, b)
			}
		}
	}
	c := r.calls
	return side{rows: rows, partNodes: device.Upload(c, nodes), partBegins: device.Upload(c, begins), parts: len(nodes)}
}

// hubs are the nodes whose rows are long.
func (s side) hubs() []uint32 {
	var out []uint32
	begins := s.rows.Begins()
	for v := range len(begins) - 1 {
		if begins[v+1]-begins[v] > hopPart {
			out = append(out, uint32(v))
		}
	}
	return out
}

func (s side) arguments(of sums) hopSideArguments {
	return hopSideArguments{
		offsets:    s.rows.Offsets,
		targets:    s.rows.Targets,
		partNodes:  s.partNodes,
		partBegins: s.partBegins,
		parts:      int64(s.parts),
		sums:       of.sums,
		over:       of.over,
		counts:     of.counts,
	}
}

// leaving are the sources that an arc leaves, by their new numbers: searches from others reach nothing.
func (r *run) leaving() []int32 {
	var out []int32
	begins, degrees := r.out.rows.Begins(), r.in.rows.Begins()
	for _, v := range r.graph.Sources() {
		if begins[v] < begins[v+1] && (r.shape.kind != weights || degrees[v] < degrees[v+1]) {
			out = append(out, v)
		}
	}
	return out
}

// laneWeights are the degrees of the sources, bit by bit: for each batch and bit, the lanes whose degrees have it. It
// returns the number of bits as well.
func (r *run) laneWeights(nodes []int32) (gpu.Ptr, int64) {
	begins := r.in.rows.Begins()
	var most uint32
	for _, v := range nodes {
		most = max(most, begins[v+1]-begins[v])
	}
	count, lanes := bits.Len32(most), int(r.shape.team.lanes)
	masks := make([]uint32, (len(nodes)+lanes-1)/lanes*count*lanes/32)
	for i, v := range nodes {
		first, lane := i/lanes*count*lanes/32, i%lanes
		for bit, degree := 0, begins[v+1]-begins[v]; degree > 0; bit, degree = bit+1, degree>>1 {
			masks[first+(bit*lanes+lane)/32] |= degree & 1 << (lane % 32)
		}
	}
	return device.Upload(r.calls, masks), int64(count)
}
