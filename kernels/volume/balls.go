package volume

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// balls searches from every source, or merges its lists, by a kernel with arguments Volumes of volume.cu.
func (r *run) balls(kernel gpu.Kernel) {
	r.arrays.sources = device.Upload(r.calls, r.nodes)
	args := device.Put(r.calls, volumesArguments{
		n:             r.job.Graph.N,
		offsets:       r.job.Graph.Offsets,
		targets:       r.job.Graph.Targets,
		sources:       r.arrays.sources,
		volumes:       r.arrays.volumes,
		radius:        r.job.Want.Radius(),
		scratch:       r.arrays.scratch,
		bits:          r.arrays.bits,
		sharedBitmaps: device.One(r.layout.sharedPerBlock > 0),
		lanes:         int64(ballLanes),
	})
	r.chunks(r.layout.blocks, func(first, last int64) {
		r.calls.Launch(kernel, r.layout.shape(), args, first, last)
	})
}
