package weighted

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// The passes of a run that counts paths. Sources that fail one are left to the next: counts pass single precision, a
// stack is too short, or float64 leaves doubt whether two paths are equally long. The passes from doubtPass on have one
// tolerance each.
const (
	singlePass = iota
	doublePass
	longPass
	doubtPass
)

// search runs the job's passes over its part of the sources, whole batches of it. A part of a run ends with its first
// pass, since the next one batches what all parts left.
func (r *run) search(result *device.Result) {
	j, all := r.job, r.graph.Sources()
	if wantsRows(j.Want) {
		r.distanceRows(batches.PartOf(j.Shard, all, weightedLanes))
		return
	}
	left := batches.PartOf(j.Shard, r.begun(all), weightedLanes)
	if j.LevelsOnly() {
		r.launch(foldKernel(r.metric.Name, r.layout.bounded), left, 0)
		return
	}
	for pass, done := r.firstPass(), 0; len(left) > 0; {
		count := len(left)
		if left = r.pass(pass, left, done); len(left) > 0 {
			left = order.Arrange(left, all, j.Host.N())
		}
		done += count - len(left)
		if pass = r.after(pass); pass == 0 {
			break
		}
		if len(left) > 0 && !j.Shard.Whole() {
			result.Pass = pass
			break
		}
	}
	result.Left = r.graph.Old(left)
	result.Doubtful = result.Pass == 0 && len(left) > 0 && r.metric.Unique && j.Kind() == kernels.Dependencies
}

// begun returns sources in the order in which their batches are begun. On shallow graphs, batches that landmarks have
// made stay in their order: those whose sources lie far apart take no longer than others there.
func (r *run) begun(sources []int32) []int32 {
	switch byLandmarks := order.ByLandmarks(len(sources), r.job.Host.N(), weightedLanes); {
	case !byLandmarks:
		return batches.FarthestFirst(sources, weightedLanes, batches.ByNumbers)
	case r.job.Deep():
		return batches.FarthestFirst(sources, weightedLanes, r.byArcs(sources))
	}
	return sources
}

// byArcs returns how far apart the sources of a batch lie that landmarks have made: the fewer arcs there are between
// them, the farther.
func (r *run) byArcs(sources []int32) func(batch []int32) int {
	host := r.job.Host
	batchOf := make([]int, host.N()) // from 1 on
	for i, v := range sources {
		batchOf[r.graph.Nodes[v]] = 1 + i/weightedLanes
	}
	return func(batch []int32) (apart int) {
		for _, place := range batch {
			v := r.graph.Nodes[place]
			for _, w := range host.Row(v) {
				if batchOf[w] == batchOf[v] {
					apart--
				}
			}
		}
		return apart
	}
}

// batchesOf is how many batches so many sources make.
func batchesOf(sources int) int64 { return (int64(sources) + weightedLanes - 1) / weightedLanes }

// firstPass is the pass that the job asks for. Paths of stress are counted in double precision alone.
func (r *run) firstPass() int {
	j := r.job
	if j.Pass == singlePass && (!j.Single || j.Kind() == kernels.PathCounts) {
		return doublePass
	}
	return j.Pass
}

// after is the pass for the sources that a pass leaves; 0 for none.
func (r *run) after(pass int) int {
	switch _, longer := r.team.longer(r.job.Graph.N); {
	case pass == doublePass && !longer:
		return r.after(longPass)
	case pass < longPass:
		return pass + 1
	case r.metric.Unique && pass+1-doubtPass < len(doubts()):
		return pass + 1
	}
	return 0
}

// doubts are bounds on the arcs of paths for the passes from doubtPass on.
func doubts() []int64 { return device.ArcBounds(device.CertainRounds) }

// pass runs the nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *run) pass(pass int, nodes []int32, done int) []int32 {
	if pass >= longPass {
		r.lengthenStacks()
	}
	if pass >= doubtPass {
		defer func(before device.Metric) { r.metric = before }(r.metric)
		r.metric.TellApart(doubts()[pass-doubtPass])
	}
	if pass > singlePass {
		return r.launch(r.countingKernel("f64", false), nodes, done)
	}
	if !r.job.Profile {
		return r.launch(r.countingKernel("f32", false), nodes, done)
	}
	left, numbers, seconds := batches.Counted(r.calls, r.team.teams*r.team.blocks, &r.counters, func() []int32 {
		return r.launch(r.countingKernel("f32", true), nodes, done)
	})
	r.profile = r.team.profile(numbers, seconds, r.job.Graph, r.layout.key)
	return left
}

// lengthenStacks gives fewer teams, in the same memory, longer stacks.
func (r *run) lengthenStacks() {
	team, longer := r.team.longer(r.job.Graph.N)
	if !longer {
		return
	}
	r.buffers().Stacks().Free(r.calls)
	r.team = team
	r.buffers().Stacks().Take(r.calls)
}

// countingKernel is the kernel that counts paths in the given numbers.
func (r *run) countingKernel(number string, profile bool) gpu.Kernel {
	return countKernel(form{metric: r.metric.Name, bounded: r.layout.bounded, number: number, profile: profile})
}

// shape is that of launches.
func (r *run) shape() gpu.Shape {
	return gpu.Shape{Grid: r.team.teams * r.team.blocks, Block: r.team.threads, Cooperative: r.team.blocks > 1}
}

// launch runs the nodes given by their new numbers by one kernel, and returns those that failed.
func (r *run) launch(kernel gpu.Kernel, nodes []int32, done int) []int32 {
	return batches.Launch{
		Kernel: kernel,
		Shape:  r.shape(),
		Teams:  r.team.teams, Lanes: weightedLanes, Shared: r.arrays.teams, Arguments: r.arguments,
		Progress: func(count int) { r.job.Progress(done + count) },
	}.Run(r.calls, nodes)
}
