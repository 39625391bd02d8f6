package volume

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// nearRadius is the greatest radius of volume_near.cu.
const nearRadius = 2

// near computes volumes of radius up to 2: for every chunk of sources volume_small, which lists the nodes of large
// balls, and volume_large, which takes these. The order of the list does not matter: volumes are whole numbers.
func (r *run) near() {
	g := r.job.Graph
	ball, perSM, smallBalls := int64(denseBall), denseBallBlocks, kernelVolumeSmallx1024
	if g.Arcs <= sparseBalls*g.N {
		ball, perSM, smallBalls = sparseBall, sparseBallBlocks, kernelVolumeSmallx512
	}
	if !r.all() {
		r.arrays.sources = device.Upload(r.calls, r.nodes)
	}
	args := device.Put(r.calls, nearVolumesArguments{
		n:             g.N,
		offsets:       g.Offsets,
		targets:       g.Targets,
		sources:       r.arrays.sources,
		volumes:       r.arrays.volumes,
		radius:        r.job.Want.Radius(),
		queue:         r.arrays.queue,
		bits:          r.arrays.bits,
		sharedBitmaps: device.One(r.layout.sharedPerBlock > 0),
		lanes:         int64(ballLanes),
		smallBall:     ball,
		// A neighbour may write the volume of a leaf that is in another shard, whose own run then leaves it at 0.
		leaves: device.One(r.all() && r.job.Want.Radius() == 2 && !r.job.Size.Directed),
	})
	small := gpu.Shape{Grid: perSM * max(1, r.calls.Device.Info().SMs), Block: smallBallThreads}
	unit := nearUnit
	if g.Arcs > nearArcsAtOnce {
		unit = r.layout.blocks
	}
	r.chunks(unit, func(first, last int64) {
		r.calls.Clear(r.arrays.queue, 8)
		r.calls.Launch(smallBalls, small, args, first, last)
		r.calls.Launch(kernelVolumeLarge, r.layout.shape(), args)
	})
}
