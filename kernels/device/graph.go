package device

import (
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// SizeOf is the size of a graph.
func SizeOf(g *export.Graph) kernels.Size {
	return kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: g.Directed}
}

// Arcs is the number of arcs of a graph of this size.
func Arcs(size kernels.Size) int64 {
	if size.Directed {
		return size.Edges
	}
	return 2 * size.Edges
}

// GraphBytes is the device memory that upload takes.
func GraphBytes(size kernels.Size, p Parts) int64 {
	perArc := int64(4)
	for _, part := range []struct {
		wanted bool
		bytes  int64
	}{{p.Edges, 4}, {p.Tails, 4}, {p.Weights, 8}, {p.Ticks, 8}} {
		if part.wanted {
			perArc += part.bytes
		}
	}
	const slack = 6 * 256 // what aligning the arrays may cost
	one := 8*(size.Nodes+1) + perArc*Arcs(size) + slack
	if p.Transpose && size.Directed {
		return 2*one + 4*Arcs(size) // the transpose always has edge numbers
	}
	return one
}

// UploadGraph copies a graph to the device. ticks is nil when the weights have none.
func UploadGraph(d gpu.Device, g *export.Graph, p Parts, ticks []int64) (*Graph, error) {
	out, err := uploadRows(d, g, p, ticks)
	if err != nil || !p.Transpose {
		return out, err
	}
	if !g.Directed {
		out.In = out
		return out, nil
	}
	t := g.Transpose()
	if ticks != nil {
		ticks = permute(ticks, g, t)
	}
	out.In, err = uploadRows(d, t, p, ticks)
	return out, err
}

func uploadRows(d gpu.Device, g *export.Graph, p Parts, ticks []int64) (*Graph, error) {
	u := uploader{device: d}
	out := &Graph{N: int64(g.N()), Arcs: int64(g.Arcs())}
	out.Offsets = put(&u, g.Offsets)
	out.Targets = put(&u, g.Targets)
	if p.Edges && g.Edges != nil {
		out.Edges = put(&u, g.Edges)
	}
	if p.Tails {
		out.Tails = put(&u, tails(g))
	}
	if p.Weights && g.Weights != nil {
		out.Weights = put(&u, g.Weights)
	}
	if p.Ticks && ticks != nil {
		out.Ticks = put(&u, ticks)
	}
	return out, u.err
}

// uploader keeps the first error.
type uploader struct {
	device gpu.Device
	err    error
}

func put[T gpu.Number](u *uploader, s []T) gpu.Ptr {
	if u.err != nil {
		return 0
	}
	var p gpu.Ptr
	p, u.err = gpu.Upload(u.device, s)
	return p
}

// tails returns the node that each arc leaves.
func tails(g *export.Graph) []int32 {
	out := make([]int32, g.Arcs())
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			out[i] = v
		}
	}
	return out
}

// permute carries a value an arc of a directed graph over to the arcs of its transpose.
func permute(values []int64, g, t *export.Graph) []int64 {
	byEdge := make([]int64, g.M())
	for i, x := range values {
		byEdge[g.Edge(int64(i))] = x
	}
	out := make([]int64, len(values))
	for i := range out {
		out[i] = byEdge[t.Edge(int64(i))]
	}
	return out
}

// ArcsOfEdges returns the two arcs of each edge, one after the other; -1 for no second one.
func ArcsOfEdges(g *export.Graph) []int32 {
	out := slices.Repeat([]int32{-1}, 2*g.M())
	for k := range int64(g.Arcs()) {
		i := 2 * g.Edge(k)
		if out[i] >= 0 {
			i++
		}
		out[i] = int32(k)
	}
	return out
}
