package engines

import (
	"errors"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// Reserve is device memory that plans leave alone: modules, the kernels' stacks, the driver's own.
const Reserve = 256 << 20

// Bytes returns what a way on a device needs of host and device memory, besides the snapshot. The job is the one on
// the graph as it is. What an engine takes on a graph that was reduced is an estimate.
func Bytes(c plan.Candidate, j device.Job, d gpu.Info, left plan.Reductions) (host, onDevice int64) {
	if c.Reductions != nil {
		host = reduce.Bytes(j.Size.Nodes, j.Size.Edges, reduce.Options{Threads: 1, Memory: 1})
		j.Size = shrunk(j.Size, c, left)
		j.Want.Size, j.Want.Sources = j.Size, int(j.Size.Nodes)
	}
	i := find(c)
	if i < 0 { // made for what reductions leave
		return host, device.GraphBytes(j.Size,
			device.Parts{Weights: true, Ticks: true, Edges: false, Tails: false, Transpose: false})
	}
	graph, p, err := planned(All()[i], j, d)
	var large *gpu.TooLarge
	switch {
	case errors.As(err, &large):
		return host, graph + large.Need + Reserve
	case err != nil: // the worker will say so
		return host, graph
	}
	return host + p.HostBytes, graph + p.DeviceBytes
}

// Blocks returns how many thread blocks of a way on the graph as it is have room in the memory of a device; 0 where the
// way does not fit.
func Blocks(c plan.Candidate, j device.Job, d gpu.Info) int {
	i := find(c)
	if i < 0 {
		return 0
	}
	_, p, err := planned(All()[i], j, d)
	if err != nil {
		return 0
	}
	return p.Blocks
}

// find returns the place of a way's engine among All; -1 where it is none of them.
func find(c plan.Candidate) int {
	return slices.IndexFunc(All(), func(e device.Engine) bool { return e.Name() == c.Engine })
}

// planned is what an engine takes besides the graph, and the bytes of the graph.
func planned(e device.Engine, j device.Job, d gpu.Info) (graph int64, p device.Plan, err error) {
	if !e.Accepts(j.Want, j.Size.Directed) { // it computes one range after the other
		j.Want.Ranges = nil
	}
	graph = device.GraphBytes(j.Size, e.Parts(j.Want, j.Size.Directed))
	prepared, err := e.Prepare(&j, d, d.Free-Reserve-graph)
	if err != nil {
		return graph, device.Plan{}, err
	}
	return graph, prepared.Plan(), nil
}

// shrunk is the size of what reductions leave.
func shrunk(s kernels.Size, c plan.Candidate, left plan.Reductions) kernels.Size {
	share := left.Union
	if slices.Contains(c.Reductions, "chains") {
		share = left.Search + left.Demand
	}
	by := math.Sqrt(min(1, max(0, share)))
	return kernels.Size{Nodes: int64(by * float64(s.Nodes)), Edges: int64(by * float64(s.Edges)), Directed: s.Directed}
}
