package deep

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// run is one run of the engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	team   teams
	graph  *batches.Ordered
	arrays arrays
	masses gpu.Ptr
	// sources are those to search from, and part the part of a source, both by new numbers. apart are the nodes that
	// are left.
	sources, part, apart []int32
	// counters is what the kernels of a profile count in, or 0; profile is what they counted.
	counters gpu.Ptr
	profile  *profile.Profile
}

// search runs the job's passes over its part of the sources, whole batches of it. A part of a run ends with its first
// pass, since the next one batches what all parts left. What lies apart goes along until the last pass.
func (r *run) search(result *device.Result) {
	j := r.job
	first := j.Pass
	if !j.Single && first == singlePass {
		first = doublePass
	}
	left := r.sources
	done := 0
	for pass := first; pass < passes && len(left) > 0; pass++ {
		if pass > first && !j.Shard.Whole() {
			result.Pass = pass
			break
		}
		lanes := int(lanesOf(pass == singlePass))
		batch := r.shard(r.padded(left, lanes), lanes)
		left = r.pass(pass, batch, done)
		done += countSources(batch) - len(left)
	}
	result.Left = append(r.apart, r.graph.Old(left)...)
}

// pass runs padded nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *run) pass(pass int, nodes []int32, done int) []int32 {
	if pass == singlePass && r.job.Profile {
		left, numbers, seconds := batches.Counted(r.calls, r.team.teams, &r.counters, func() []int32 {
			return r.launch(pass, true, nodes, done)
		})
		r.profile = r.team.profile(numbers, seconds, r.job.Graph.N)
		return left
	}
	return r.launch(pass, false, nodes, done)
}

func (r *run) launch(pass int, counting bool, nodes []int32, done int) []int32 {
	number, most := []string{"f32", "f64"}[pass], countSources(nodes)
	return batches.Launch{
		Kernel: kernelOf(form{number: number, profile: counting, masses: r.masses != 0, edges: r.arrays.edges != 0}),
		Shape:  gpu.Shape{Grid: r.team.teams, Block: deepThreads},
		Teams:  r.team.teams, Lanes: int(lanesOf(pass == singlePass)), Arguments: r.arguments,
		Progress: func(count int) { r.job.Progress(done + min(count, most)) }, // without what pads
	}.Run(r.calls, nodes)
}

// arguments fills BatchedDeep of deep.cuh.
func (r *run) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	a, g, scale := r.arrays, r.graph, r.job.Partial.Scale()
	return device.Put(r.calls, batchedDeepArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		offsets:    g.Out.Offsets,
		targets:    g.Out.Targets,
		sources:    sources,
		rows:       a.rows,
		steps:      a.steps,
		reached:    a.reached,
		done:       a.done,
		ready:      a.ready,
		keys:       a.keys,
		state:      a.state,
		exponents:  a.exponents,
		pending:    a.pending,
		lists:      a.lists,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		nodes:      a.nodes,
		edges:      a.edges,
		failed:     failed,
		totals:     a.totals,
		masses:     r.masses,
		cap:        r.team.entries,
		roundCap:   r.team.entries,
		endpoints:  device.One(r.job.Endpoints),
		unit:       scale.Unit,
		fine:       scale.Fine,
		width:      bucketWidth,
		slack:      bucketSlack,
		few:        fewNodes,
		patience:   patience,
		control:    control,
		profile:    r.counters,
	})
}
