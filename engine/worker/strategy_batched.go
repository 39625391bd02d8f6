package worker

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// batched searches from up to 128 neighbouring sources at a time, 1,024 where no paths are counted, a lane a source; see
// kernels/levels/levels.cuh, kernels/hops/hops.cuh and docs/design/batches-by-hops.md.
type batched struct{}

func (batched) Name() string { return "batched" }

func (batched) Fits(w Want, _ bool) bool {
	if w.Weighted {
		return w.kind() == kernels.Dependencies || w.kind() == kernels.PathCounts || w.levelsOnly()
	}
	return w.kind() == kernels.Dependencies || w.masksOnly()
}

func (batched) Parts(w Want, _ bool) Parts {
	return Parts{Edges: w.Edges, Transpose: true, Weights: w.Weighted, Ticks: w.Weighted}
}

// Suits says whether auto should take the strategy. On deep graphs it pays where the sources of a batch are near one another,
// so that their lanes reach a node at few levels, and where there are batches enough, of levels that are large enough: not for a sparse sample of sources, nor
// a small one. On small graphs there are too few batches to keep a
// device busy, unless searches by weights fit into shared memory. For volumes it pays where balls are large.
func (batched) Suits(j *Job, d gpu.Info) bool {
	if j.oneByOne() {
		return false
	}
	if j.smallByWeights(d) {
		return true
	}
	if j.Weighted && !j.batchedByWeights() {
		return false
	}
	if j.kind() == kernels.Balls {
		return hasLargeBalls(j.Host, radius(j.Want))
	}
	if !j.Weighted && j.kind() == kernels.Dependencies && j.Host.N() <= smallBatches && int64(len(j.Sources))*int64(j.Host.M()) < smallWork {
		return false
	}
	return !j.deep() || !isSparse(j.Host, j.Sources) && !j.hasFewBatches(d) && !j.hasThinLevels()
}

// hasThinLevels says of a sample of sources for the closeness family by hops whether so few arcs leave a level of a search that a team's blocks would wait for
// one another most of the time.
func (j *Job) hasThinLevels() bool {
	return !j.Weighted && j.masksOnly() && len(j.Sources) < j.Host.N() && j.deep() && int64(j.Host.Arcs()) < thinLevel*int64(j.depth.Levels)
}

// hasFewBatches says of a sample of sources whether it makes so few batches of a deep graph that most of the device would be idle.
func (j *Job) hasFewBatches(d gpu.Info) bool {
	if j.Weighted || j.kind() != kernels.Dependencies || len(j.Sources) == j.Host.N() || !j.goesDeep() {
		return false
	}
	lanes := int(deepRowLanes(j.Single))
	batches := (len(j.Sources) + lanes - 1) / lanes
	return float64(batches)*float64(j.Host.Arcs()) < busyBatches*float64(d.SMs)*float64(j.Host.N())
}

// hasLargeBalls says whether searches of radius hops read over 1/ballShare of all arcs, in the mean of a few.
func hasLargeBalls(g *export.Graph, radius int64) bool {
	if radius <= nearRadius || g.N() == 0 {
		return false
	}
	read, enough := int64(0), ballProbes*int64(g.Arcs())/ballShare
	seen := make([]int32, g.N()) // by which probe
	for probe := range int32(ballProbes) {
		start := int32(int64(probe) * int64(g.N()) / ballProbes)
		seen[start] = probe + 1
		front := []int32{start}
		for hop := int64(0); hop < radius && len(front) > 0 && read <= enough; hop++ {
			var next []int32
			for _, v := range front {
				read += g.Degree(v)
				for _, w := range g.Row(v) {
					if seen[w] != probe+1 {
						seen[w] = probe + 1
						next = append(next, w)
					}
				}
			}
			front = next
		}
	}
	return read > enough
}

// isSparse says whether fewer than one in sparseSample of the arcs that leave sources end at one; in sparseRoadSample on
// road-like graphs.
func isSparse(g *export.Graph, sources []int32) bool {
	if len(sources) == g.N() {
		return false
	}
	share := int64(sparseSample)
	if int64(g.Arcs()) < sparseRoad*int64(g.N()) {
		share = sparseRoadSample
	}
	near, all := order.ArcsAmong(g, sources)
	return near*share < all
}

// narrowest is the traversal that counts again what no lane can hold, and what no stack of a team can.
func (batched) narrowest() traversal {
	return traversal{name: "work-efficient", method: workEfficient, kernel: "node", lanes: 1}
}

// Plan fits the teams of either kind of graph, shallow or deep, into memory: which kind it is, Run finds out.
func (b batched) Plan(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	if w.Weighted {
		return b.planWeights(size, w, d, free)
	}
	if w.masksOnly() {
		return b.planHops(size, w, d, free)
	}
	fallback := b.narrowest().state(size, w, 16, 8)
	plan := Plan{
		Threads: batchedThreads, HostBytes: b.hostBytes(size, w),
		DeviceBytes: fallback.block() + fallback.once,
	}
	for _, deep := range []bool{false, true} {
		shape, least := fitTeams(size, w, d, deep, free)
		if shape.teams == 0 {
			return Plan{}, &gpu.TooLarge{What: b.Name(), Need: least, Free: free}
		}
		plan.DeviceBytes = max(plan.DeviceBytes, shape.bytes(size, w))
		plan.Blocks = max(plan.Blocks, shape.teams*shape.blocks)
	}
	if !size.Directed {
		if team := fitDeepTeams(size, w, d, free); team.teams > 0 {
			plan.DeviceBytes = max(plan.DeviceBytes, team.bytes(size, w))
		}
	}
	if plan.DeviceBytes > free {
		return Plan{}, &gpu.TooLarge{What: b.Name(), Need: plan.DeviceBytes, Free: free}
	}
	return plan, nil
}

// hostBytes bounds what ordering the nodes takes, and the scores of what is counted again.
func (batched) hostBytes(size kernels.Size, w Want) int64 {
	bytes := (2*order.Landmarks+32)*size.Nodes + 12*arcs(size) + 16*int64(w.Sources)
	if w.Edges {
		bytes += 24 * arcs(size)
	}
	return bytes
}

// start orders what is to be searched in batches by weights; see starter.
func (batched) start(job *Job, d gpu.Info) (wait func()) {
	job.ordering = nil
	if job.Host.N() == 0 || !job.Weighted || job.allEqual() || job.small(d).blocks > 0 {
		return func() {}
	}
	job.ordering = newOrdering(job)
	return job.ordering.Wait
}

// newOrdering begins to order a job by weights, from a copy of it, so that others may read and change the job.
func newOrdering(job *Job) *order.ByWeights {
	j := *job
	return order.BeginByWeights(j.Host, j.Sources, weightedLanes, j.levelsOnly(), j.depthOfHost)
}

// allEqual says whether all weights are the same, so that the job is done by hops.
func (j *Job) allEqual() bool {
	return j.equalByHops() && !j.Folded && equalByWeights(j.Host)
}

// Run computes the job; see Strategy.
func (b batched) Run(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	if job.Graph.N == 0 {
		return Result{}, nil
	}
	whole := *job
	whole.Progress = onwards(job.Progress)
	job = &whole
	if job.Weighted {
		if job.allEqual() {
			return b.runEqual(ctx, d, job)
		}
		result, left, err := b.runWeights(ctx, d, job)
		if err != nil || len(left) == 0 {
			return result, err
		}
		if job.kind() == kernels.PathCounts {
			return b.wideStress(ctx, d, job)
		}
		return b.again(ctx, d, job, left, result)
	}
	if job.masksOnly() {
		return b.runHops(ctx, d, job)
	}
	if job.goesDeep() {
		if team := fitDeepTeams(sizeOf(job.Host), job.Want, d.Info(), job.Plan.DeviceBytes); team.teams > 0 {
			result, left, err := runDeep(ctx, d, job, team)
			if err != nil || len(left) == 0 {
				return result, err
			}
			result.Note += fmt.Sprintf("; %d sources counted level by level", len(left))
			return b.rest(job, left, result, func(rest *Job) (Result, error) { return b.byLevels(ctx, d, rest) })
		}
	}
	return b.byLevels(ctx, d, job)
}

// byLevels computes betweenness level by level, and again what that could not count.
func (b batched) byLevels(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	result, left, err := runLevels(ctx, d, job)
	if err != nil || len(left) == 0 {
		return result, err
	}
	return b.again(ctx, d, job, left, result)
}

// again adds the sources that are left by one search each, in numbers of any size.
func (b batched) again(ctx context.Context, d gpu.Device, job *Job, left []int32, result Result) (Result, error) {
	return b.rest(job, left, result, func(rest *Job) (Result, error) {
		rest.Single = false
		return b.oneByOne(ctx, d, rest)
	})
}

// oneByOne runs a job by one search a source, in the memory that was planned for its batches.
func (b batched) oneByOne(ctx context.Context, d gpu.Device, job *Job) (_ Result, err error) {
	t := b.narrowest()
	if job.Plan, err = t.Plan(sizeOf(job.Host), job.Want, d.Info(), job.Plan.DeviceBytes); err != nil {
		return Result{}, err
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	return t.Run(ctx, memory, job)
}

// rest adds what run computes for the sources that are left to the job's scores and to result.
func (batched) rest(job *Job, left []int32, result Result, run func(*Job) (Result, error)) (Result, error) {
	rest := *job
	rest.Sources, rest.All, rest.Want.Sources = left, false, len(left)
	rest.Progress = func(done int) { job.Progress(len(job.Sources) - len(left) + done) }
	if job.Nodes != nil {
		rest.Nodes = make([]float64, len(job.Nodes))
	}
	if job.Edges != nil {
		rest.Edges = make([]float64, len(job.Edges))
	}
	more, err := run(&rest)
	if err != nil {
		return Result{}, err
	}
	addTo(job.Nodes, rest.Nodes)
	addTo(job.Edges, rest.Edges)
	result.Totals.Pairs += more.Totals.Pairs
	result.Totals.Distance += more.Totals.Distance
	return result, nil
}

func addTo(into, from []float64) {
	for i, x := range from {
		into[i] += x
	}
}

// onwards passes on what goes beyond all that was reported before: sources that are done again do not count back.
func onwards(report func(int)) func(int) {
	most := 0
	return func(done int) {
		if done > most {
			most = done
			report(done)
		}
	}
}
