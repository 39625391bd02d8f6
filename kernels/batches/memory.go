package batches

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// hubDegree is the degree from which on a block handles an entry together; see docs/notes/077-samples-once-more.md.
const hubDegree = 256

// StackEntries is the size of a stack of perNode entries per node, within 32 bits; the sources' own entries always fit.
func StackEntries(n, perNode, lanes int64) int64 { return min(n*perNode, 1<<31) + lanes }

// Sums lists exact sums of nodes and of arcs.
func Sums(w device.Want, nodes, arcs *gpu.Ptr) device.Buffers {
	var list device.Buffers
	if w.Nodes || w.Folds() {
		list = append(list, device.Buffer{Name: "sums of nodes", Bytes: device.WordBytes * w.Size.Nodes, Zero: true,
			Into: nodes})
	}
	if w.Edges {
		list = append(list, device.Buffer{Name: "sums of arcs", Bytes: device.WordBytes * device.Arcs(w.Size), Zero: true,
			Into: arcs})
	}
	return list
}

// OrderBytes bounds the memory of the graph in the order of batches, of what orders sources, and of what joins or moves
// sums.
func OrderBytes(w device.Want) int64 {
	size := w.Size
	n, a := size.Nodes, device.Arcs(size)
	bytes := 4*a + 4*(n+1) + (24+device.WordBytes)*n + (16+ends)*int64(w.Sources) + 1<<16
	if size.Directed {
		bytes += 4*a + 4*(n+1)
	}
	if w.Edges {
		bytes += 4*a + (8+device.WordBytes)*size.Edges
	}
	return bytes
}

// HostBytes bounds what ordering the nodes takes of host memory.
func HostBytes(w device.Want) int64 {
	return 96*w.Size.Nodes + 12*device.Arcs(w.Size) + (16+order.Ends)*int64(w.Sources)
}

// AddTotals adds the totals of so many teams: pairs and distances by hops.
func AddTotals(c *device.Calls, into *kernels.Partial, from gpu.Ptr, teams int) {
	totals := make([]int64, 2*teams)
	if device.Download(c, totals, from); c.Err != nil {
		return
	}
	pairs, distances := make([]int64, teams), make([]float64, teams)
	for i := range teams {
		pairs[i], distances[i] = totals[2*i], float64(totals[2*i+1])
	}
	into.AddTotals(pairs, distances)
}
