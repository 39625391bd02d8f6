package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// volumeBitmap searches r hops from every node, a block a node, with a bitmap of what it has seen. Up to radius 2 it
// needs no search: see nearVolume.
type volumeBitmap struct{}

// volumeLists merges sorted lists of neighbours (Cabral et al.), a warp a node.
type volumeLists struct{}

func (volumeBitmap) Name() string { return "volume-bitmap" }
func (volumeLists) Name() string  { return "volume-lists" }

func (volumeBitmap) Fits(w Want, _ bool) bool { return w.kind() == kernels.Balls }
func (volumeLists) Fits(w Want, _ bool) bool  { return w.kind() == kernels.Balls }

func (volumeBitmap) Parts(Want, bool) Parts { return Parts{} }
func (volumeLists) Parts(Want, bool) Parts  { return Parts{} }

// Plan keeps the bitmap in shared memory where it fits.
func (v volumeBitmap) Plan(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	shared, threads := int(bitmapBytes(size.Nodes)), ballThreads
	if shared+staticShared > d.SharedBlock {
		shared = 0
	}
	for threads < residentThreads && d.SharedBlock/(shared+staticShared) < residentThreads/threads {
		threads *= 2
	}
	perSM := max(1, min(residentThreads/threads, d.SharedBlock/(shared+staticShared)))
	if radius(w) <= nearRadius {
		return nearPlan(v.Name(), size, d.SMs*perSM, threads, shared, w, free)
	}
	return ballPlan(v.Name(), 4*size.Nodes+bitmapBytes(size.Nodes), d.SMs*perSM, threads, shared, w, free)
}

func (v volumeLists) Plan(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	return ballPlan(v.Name(), 12*size.Nodes*(listThreads/32), d.SMs*listBlocks, listThreads, 0, w, free)
}

func ballPlan(name string, block int64, blocks, threads, shared int, w Want, free int64) (Plan, error) {
	once := 12*int64(w.Sources) + 1<<16
	fit := (free - once) / max(block, 1)
	if fit < 1 {
		return Plan{}, &gpu.TooLarge{What: name, Need: block + once, Free: free}
	}
	blocks = int(min(int64(blocks), int64(max(1, w.Sources)), fit))
	return Plan{Blocks: blocks, Threads: threads, Lanes: shared, DeviceBytes: int64(blocks)*block + once, HostBytes: 8 * int64(w.Sources)}, nil
}

// Run computes the job.
func (v volumeBitmap) Run(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	if radius(job.Want) <= nearRadius {
		return runNear(ctx, d, job)
	}
	return runBalls(ctx, d, job, kernelVolumeBitmap, 4*job.Graph.N)
}

// Run computes the job.
func (v volumeLists) Run(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	return runBalls(ctx, d, job, kernelVolumeLists, 12*job.Graph.N*(listThreads/32))
}

// runBalls launches a kernel with arguments Volumes of kernels/volume/volume.cu; scratch is its memory a block.
func runBalls(ctx context.Context, d gpu.Device, job *Job, kernel gpu.Kernel, scratch int64) (Result, error) {
	if job.Graph.N == 0 {
		return Result{}, nil
	}
	r := &traverse{ctx: ctx, device: d, job: job, blocks: job.Plan.Blocks, threads: job.Plan.Threads, shared: job.Plan.Lanes}
	b := int64(r.blocks)
	inShared := int64(0)
	if r.shared > 0 {
		inShared = 1
	}
	r.sources = uploaded(r, job.Sources)
	volumes := r.alloc(8 * int64(len(job.Sources)))
	work, bits := r.alloc(scratch*b), r.alloc(bitmapBytes(job.Graph.N)*b)
	args := putArguments(r, volumesArguments{
		n:             job.Graph.N,
		offsets:       job.Graph.Offsets,
		targets:       job.Graph.Targets,
		sources:       r.sources,
		volumes:       volumes,
		radius:        radius(job.Want),
		scratch:       work,
		bits:          bits,
		sharedBitmaps: inShared,
		lanes:         int64(ballLanes),
	})
	r.sweep(0, len(job.Sources), r.blocks, true, func(first, last int64) error {
		return r.launch(kernel, r.blocks, first, last, args)
	})
	return r.volumes(volumes)
}

// volumes fills the scores from device memory.
func (r *traverse) volumes(from gpu.Ptr) (Result, error) {
	job := r.job
	if job.All {
		if r.err == nil {
			r.err = gpu.Download(r.device, job.Nodes, from)
		}
		return Result{}, r.err
	}
	out := make([]float64, len(job.Sources))
	if r.err == nil {
		r.err = gpu.Download(r.device, out, from)
	}
	clear(job.Nodes)
	for i, v := range job.Sources {
		job.Nodes[v] = out[i]
	}
	return Result{}, r.err
}

// radius returns the radius that is wanted.
func radius(w Want) int64 {
	if w.Radius == nil {
		return kernels.DefaultRadius
	}
	return int64(*w.Radius)
}
