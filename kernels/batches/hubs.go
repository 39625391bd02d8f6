package batches

import (
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// The kernel has a bit for each end.
var _ = [1]struct{}{}[ends-order.Ends]

const (
	// A search for distances ends when its levels find less and less, and fewer than one node in lateShare.
	lateShare = 64
	// hubSearchBytes is the size of HubSearch of hubs.cu.
	hubSearchBytes = 16
)

// hubShape is the shape of the kernel that finds distances. Its number of blocks follows from the device and the graph.
var hubShape = gpu.Shape{Grid: 1, Block: hubThreads, Shared: 0, Cooperative: true}

// ReadyAlike has the device load the kernel of Alike.
func ReadyAlike(c *device.Calls) { c.Ready(KernelHubDistances, hubShape) }

// Alike returns sources of a shallow graph, by their new numbers, such that those that are about as far as one another
// from hubs make batches of so many lanes; see order.Alike.
func (o *Ordered) Alike(sources []int32, lanes int) []int32 {
	if len(sources) <= lanes {
		return sources
	}
	hops := o.hubDistances(o.Old(slices.Clone(sources)))
	if o.calls.Err != nil {
		return sources
	}
	return order.Alike(hops, sources, lanes, o.ByBalls)
}

// hubDistances returns the hops from each source along arcs to each of the ends, ends bytes a source; see hubs.cu.
// Sources have their old numbers. The device finds them: few sources are searched from in less time than the host takes
// for that.
func (o *Ordered) hubDistances(sources []int32) []uint8 {
	c, g, n, count := o.calls, o.job.Graph, o.job.Graph.N, int64(len(sources))
	shape := hubShape
	c.Do(func() error {
		resident, err := c.Device.Resident(KernelHubDistances, shape)
		shape.Grid = min(resident*c.Device.Info().SMs, int((n+hubThreads-1)/hubThreads))
		return err
	})
	from, found := device.Upload(c, slices.Concat(o.Ends, sources)), c.Alloc(ends*count)
	masks, search, known := c.Alloc(8*n), c.Zeros(hubSearchBytes), c.Alloc(4*count)
	c.Launch(KernelHubDistances, shape, uint32(n), g.Offsets, g.Targets, from, uint32(max(1, n/lateShare)), masks, search,
		from+4*ends, uint32(count), known, found)
	hops := make([]uint8, ends*count)
	device.Download(c, hops, found)
	for _, p := range []gpu.Ptr{from, found, masks, search, known} {
		c.Free(p)
	}
	return hops
}
