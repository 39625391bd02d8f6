package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// batchedRun is one run of batched for betweenness.
type batchedRun struct {
	reordered
	team   teams
	arrays batchedArrays
}

// batchedArrays are the teams' memory; see Batched in kernels/levels/levels.cuh.
type batchedArrays struct {
	rows, masks, stamps, stackNodes, stackMasks, ends, scaled, shared gpu.Ptr
}

// runLevels computes betweenness by kernels/levels/levels.cuh, and returns the sources that no pass could do.
func runLevels(ctx context.Context, d gpu.Device, job *Job) (_ Result, left []int32, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &batchedRun{reordered: reordered{traverse: traverse{ctx: ctx, device: memory, job: job}}}
	return r.all()
}

// all runs every source, and returns those that no pass could do.
func (r *batchedRun) all() (Result, []int32, error) {
	start := time.Now()
	deep := r.job.deep()
	size := sizeOf(r.job.Host)
	var least int64
	if r.team, least = fitTeams(size, r.job.Want, r.device.Info(), deep, r.job.Plan.DeviceBytes); r.team.teams == 0 {
		return Result{}, nil, &gpu.TooLarge{What: "batched", Need: least, Free: r.job.Plan.DeviceBytes}
	}
	r.blocks = r.team.slots // of sums
	r.relabel(r.team.lanes, false)
	r.takeMemory()
	if r.err == nil {
		r.err = r.device.Sync()
	}
	result := Result{Preprocess: time.Since(start).Seconds()}
	left := r.passes()
	r.orderedScores()
	result.Totals = r.teamTotals(r.team.teams)
	result.Note, result.Profile = r.note(deep, len(left)), r.profiled
	return result, left, r.err
}

func (r *batchedRun) note(deep bool, left int) string {
	kind := "shallow"
	if deep {
		kind = "deep"
	}
	note := fmt.Sprintf("%d lanes, %d teams of %d blocks, because the graph is %s", r.team.lanes, r.team.teams, r.team.blocks, kind)
	if left > 0 {
		note += fmt.Sprintf("; %d sources counted again one by one", left)
	}
	return note
}

func (r *batchedRun) takeMemory() {
	n, words, t := r.job.Graph.N, r.team.lanes/32, int64(r.team.teams)
	r.arrays = batchedArrays{
		rows: r.alloc(t * n * r.team.rowBytes(r.job.Want)), masks: r.alloc(t * n * r.team.maskBytes()), stamps: r.alloc(t * n * 4),
		stackNodes: r.alloc(t * r.team.entries * 4), stackMasks: r.alloc(t * r.team.entries * 4 * words),
		ends: r.alloc(t * (n + 2) * 4), scaled: r.alloc(t * (n + 2) * 4 * words), shared: r.alloc(t * teamBytes),
	}
	r.totals = r.zeros(16 * t)
	r.takeSums(r.team.slots)
}

// passes runs the sources in single precision, where that is allowed, and those that fail, or else all, in double.
func (r *batchedRun) passes() []int32 {
	left := r.places()
	switch {
	case r.job.Single && r.job.Profile:
		var numbers []int64
		var seconds float64
		left, numbers, seconds = r.withProfile(r.team.teams*r.team.blocks, func() []int32 { return r.pass("f32", r.team.lanes, true, left, 0) })
		r.profiled = r.team.profile(numbers, seconds, r.job.Graph.N)
	case r.job.Single:
		left = r.pass("f32", r.team.lanes, false, left, 0)
	}
	lanes := min(r.team.lanes, doubleLanes)
	left = r.pass("f64", lanes, false, left, len(r.job.Sources)-len(left))
	for i, v := range left {
		left[i] = r.order[v]
	}
	return left
}

// pass runs the nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *batchedRun) pass(numbers string, lanes int64, profile bool, nodes []int32, done int) []int32 {
	kernel := batchedKernel(batchForm{number: numbers, lanes: lanes, profile: profile, masses: r.masses != 0, edges: r.edges != 0})
	shape := gpu.Shape{Grid: r.team.teams * r.team.blocks, Block: batchedThreads, Cooperative: r.team.blocks > 1}
	return r.launchBatches(kernel, shape, r.team.teams, int(lanes), r.arrays.shared, nodes, done, r.batchedArgs)
}

// launchBatches runs nodes by a kernel whose teams, with counters in shared where they are of several blocks, take one batch of so many lanes after another, and
// returns those that failed. fill makes the kernel's arguments; control is a Control of kernels/batches/team.cuh.
func (r *traverse) launchBatches(kernel gpu.Kernel, shape gpu.Shape, teams, lanes int, shared gpu.Ptr, nodes []int32, done int, fill func(sources, failed, control gpu.Ptr) gpu.Ptr) []int32 {
	if r.err != nil || len(nodes) == 0 {
		return nil
	}
	sources, failed, control := uploaded(r, nodes), r.zeros(4*int64(len(nodes))), r.zeros(controlBytes(r.blocks))
	args := fill(sources, failed, control)
	part := &Job{Sources: nodes, Progress: func(count int) { r.job.Progress(done + count) }}
	run := func(first, count int) error {
		if shared != 0 {
			if err := r.device.Memset(shared, 0, int64(teams)*teamBytes); err != nil {
				return err
			}
		}
		if err := r.device.Memset(control, 0, 4); err != nil { // batches that the launch hands out
			return err
		}
		return r.device.Launch(kernel, shape, args, int64(first), int64(first+count))
	}
	switch {
	case r.err != nil:
	case r.device.Info().Display: // its driver ends long launches
		r.err = part.Chunks(r.ctx, r.device, lanes*teams, run)
	default:
		r.err = part.Whole(r.ctx, r.device, control, run)
	}
	which := r.failures(failed, len(nodes))
	for i, k := range which {
		which[i] = nodes[k]
	}
	r.free(args)
	r.free(control)
	r.free(failed)
	r.free(sources)
	return which
}

// controlBytes is the size of a Control of kernels/batches/team.cuh.
func controlBytes(slots int) int64 { return 4 * (3 + int64(slots)) }

// batchedArgs fills Batched of kernels/levels/levels.cuh.
func (r *batchedRun) batchedArgs(sources, failed, control gpu.Ptr) gpu.Ptr {
	a := r.arrays
	return putArguments(&r.traverse, batchedArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		outOffsets: r.out.offsets,
		outTargets: r.out.targets,
		inOffsets:  r.in.offsets,
		inTargets:  r.in.targets,
		sources:    sources,
		rows:       a.rows,
		masks:      a.masks,
		stamps:     a.stamps,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		scaled:     a.scaled,
		nodes:      r.nodes,
		edges:      r.edges,
		failed:     failed,
		totals:     r.totals,
		teams:      a.shared,
		masses:     r.masses,
		cap:        r.team.entries,
		blocks:     int64(r.team.blocks),
		endpoints:  one(r.job.Endpoints),
		denseShare: int64(sweepShare),
		hub:        max(r.out.hub(), r.in.hub()),
		hubs:       one(r.out.long || r.in.long),
		slots:      int64(r.team.slots),
		control:    control,
		profile:    r.profile,
	})
}
