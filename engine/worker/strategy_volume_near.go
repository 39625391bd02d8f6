package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// nearRadius is the greatest radius of kernels/volume/volume_near.cu.
const nearRadius = 2

// nearPlan needs no queue of nodes, and memory for bitmaps only where they are not in shared memory.
func nearPlan(name string, size kernels.Size, blocks, threads, shared int, w Want, free int64) (Plan, error) {
	block := int64(0)
	if shared == 0 {
		block = bitmapBytes(size.Nodes)
	}
	once := 16*int64(w.Sources) + 1<<16 // sources, volumes, queue
	if free < once+block {
		return Plan{}, &gpu.TooLarge{What: name, Need: once + block, Free: free}
	}
	blocks = min(blocks, max(1, w.Sources))
	if block > 0 {
		blocks = int(min(int64(blocks), (free-once)/block))
	}
	return Plan{Blocks: blocks, Threads: threads, Lanes: shared, DeviceBytes: int64(blocks)*block + once, HostBytes: 8 * int64(w.Sources)}, nil
}

// runNear computes volumes of radius up to 2: for every chunk of sources volume_small, which lists the nodes of large
// balls, and volume_large, which takes these. The order of the list is no one's business: volumes are whole numbers.
func runNear(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	if job.Graph.N == 0 {
		return Result{}, nil
	}
	r := &traverse{ctx: ctx, device: d, job: job, blocks: job.Plan.Blocks, threads: job.Plan.Threads, shared: job.Plan.Lanes}
	inShared, bits := int64(1), gpu.Ptr(0)
	if r.shared == 0 {
		inShared, bits = 0, r.alloc(bitmapBytes(job.Graph.N)*int64(r.blocks))
	}
	ball, perSM, smallBalls := int64(denseBall), denseBallBlocks, kernelVolumeSmallx1024
	if job.Graph.Arcs <= sparseBalls*job.Graph.N {
		ball, perSM, smallBalls = sparseBall, sparseBallBlocks, kernelVolumeSmallx512
	}
	leaves := int64(0)
	if !job.All {
		r.sources = uploaded(r, job.Sources)
	} else if radius(job.Want) == 2 && !job.Size.Directed {
		leaves = 1
	}
	volumes := r.alloc(8 * int64(len(job.Sources)))
	queue := r.alloc(4*int64(len(job.Sources)) + 8)
	args := putArguments(r, nearVolumesArguments{
		n:             job.Graph.N,
		offsets:       job.Graph.Offsets,
		targets:       job.Graph.Targets,
		sources:       r.sources,
		volumes:       volumes,
		radius:        radius(job.Want),
		queue:         queue,
		bits:          bits,
		sharedBitmaps: inShared,
		lanes:         int64(ballLanes),
		smallBall:     ball,
		leaves:        leaves,
	})
	small := gpu.Shape{Grid: perSM * max(1, d.Info().SMs), Block: smallBallThreads}
	unit := nearUnit
	if job.Graph.Arcs > nearArcsAtOnce {
		unit = r.blocks
	}
	r.sweep(0, len(job.Sources), unit, true, func(first, last int64) error {
		if err := d.Memset(queue, 0, 8); err != nil {
			return err
		}
		if err := d.Launch(smallBalls, small, args, first, last); err != nil {
			return err
		}
		return d.Launch(kernelVolumeLarge, gpu.Shape{Grid: r.blocks, Block: r.threads, Shared: r.shared}, args)
	})
	return r.volumes(volumes)
}
