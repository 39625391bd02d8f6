package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// deepTeams is how a device is shared out on deep undirected graphs: a block a batch.
type deepTeams struct {
	teams int
	// slots are the sums of scores, as those of teams.
	slots int
	// entries is the size of a block's stack: one entry a node and round at which some lanes of it are counted, mostly one a node, but
	// up to one a lane among the sources.
	entries int64
}

// goesDeep says whether kernels/deep/deep.cuh does the graph: an undirected one, not too deep for distances of 16 bits, without
// rows that a warp takes long for.
func (j *Job) goesDeep() bool {
	g := j.Host
	if !j.deep() || g.Directed || 2*j.depth.Levels > deepestLevel {
		return false
	}
	for v := range int32(g.N()) {
		if g.Degree(v) > deepestRow {
			return false
		}
	}
	return true
}

// deepRowLanes is how many lanes a row of 512 bytes has.
func deepRowLanes(single bool) int64 {
	if single {
		return order.SingleLanes
	}
	return doubleLanes
}

// fitDeepTeams returns the blocks that fit into free bytes, one a multiprocessor at most: fewer slots first, then shorter stacks,
// then fewer blocks; none where not even one fits.
func fitDeepTeams(size kernels.Size, w Want, d gpu.Info, free int64) deepTeams {
	lanes := int(deepRowLanes(w.Single))
	batches := max(1, (w.Sources+lanes-1)/lanes)
	for teams := min(batches, max(1, d.SMs)); teams > 0; teams /= 2 {
		for _, perNode := range []int64{4, 2} {
			for _, slots := range []int{slotsATeam, 2, 1} {
				t := deepTeams{teams: teams, slots: min(batches, slots*teams), entries: stackEntries(max(size.Nodes, 1), perNode, int64(lanes*lanes))}
				if t.bytes(size, w) <= free {
					return t
				}
			}
		}
	}
	return deepTeams{}
}

// deepWords is the number of words of a mask, of the widest kernel.
const deepWords = order.SingleLanes / 32

// bytes bounds the device memory of the run.
func (t deepTeams) bytes(size kernels.Size, w Want) int64 {
	n, a := size.Nodes, arcs(size)
	team := n*(deepRow+5*4*deepWords+4*4+4*4) + t.entries*(4+4*deepWords) + 4*(t.entries+2) + 16
	once := 4*a + 4*(n+1) + 16*n + 16*int64(w.Sources) + 1<<16
	return int64(t.teams)*team + sumBytes(size, w, t.slots) + once
}

// deepRun is one run of batched for betweenness on a deep graph.
type deepRun struct {
	reordered
	team   deepTeams
	arrays deepArrays
	// part of a source, by its new number: sources of one part lie close together.
	part []int32
}

// deepArrays are the blocks' memory; see BatchedDeep in kernels/deep/deep.cuh.
type deepArrays struct {
	rows, steps, reached, done, ready, keys, state, exponents, pending, lists, stackNodes, stackMasks, ends gpu.Ptr
}

// runDeep computes betweenness, and returns the sources that could not be done in double precision.
func runDeep(ctx context.Context, d gpu.Device, job *Job, team deepTeams) (_ Result, left []int32, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &deepRun{reordered: reordered{traverse: traverse{ctx: ctx, device: memory, job: job}}, team: team}
	return r.all()
}

// all runs every source, and returns those that could not be done in double precision.
func (r *deepRun) all() (Result, []int32, error) {
	start := time.Now()
	r.blocks = r.team.slots // of sums
	r.relabel(order.SingleLanes, false)
	r.takeMemory()
	sources, left := r.neighbours()
	if r.err == nil {
		r.err = r.device.Sync()
	}
	result := Result{Preprocess: time.Since(start).Seconds()}
	switch {
	case r.job.Single && r.job.Profile:
		var numbers []int64
		var seconds float64
		sources, numbers, seconds = r.withProfile(r.team.teams, func() []int32 { return r.pass("f32", true, sources, 0) })
		r.profiled = r.team.profile(numbers, seconds, r.job.Graph.N)
	case r.job.Single:
		sources = r.pass("f32", false, sources, 0)
	}
	sources = r.pass("f64", false, sources, len(r.job.Sources)-len(left)-len(sources))
	left = append(left, sources...)
	for i, v := range left {
		left[i] = r.order[v]
	}
	r.orderedScores()
	result.Totals = r.teamTotals(r.team.teams)
	result.Profile = r.profiled
	result.Note = fmt.Sprintf("%d lanes, %d teams of a block, because the graph is deep", deepRowLanes(r.job.Single), r.team.teams)
	return result, left, r.err
}

// neighbours returns the job's sources, by their new numbers, part by part: those of a part lie close together. Some are left.
func (r *deepRun) neighbours() (sources, left []int32) {
	parts, left := order.CloseSources(r.job.Host, r.job.Sources, r.order)
	r.part = make([]int32, len(r.order))
	for i, part := range parts {
		for _, v := range part {
			r.part[r.place[v]] = int32(i)
			sources = append(sources, r.place[v])
		}
	}
	for i, v := range left {
		left[i] = r.place[v]
	}
	return sources, left
}

// takeMemory makes room for all blocks.
func (r *deepRun) takeMemory() {
	n, t := r.job.Graph.N, int64(r.team.teams)
	nodes := func(bytes int64) gpu.Ptr { return r.alloc(t * n * bytes) }
	r.arrays = deepArrays{
		rows: nodes(deepRow), steps: nodes(8 * deepWords), reached: nodes(4 * deepWords), done: nodes(4 * deepWords), ready: nodes(4 * deepWords),
		keys: nodes(4), state: nodes(4), exponents: nodes(4), pending: nodes(4), lists: nodes(16),
		stackNodes: r.alloc(t * r.team.entries * 4), stackMasks: r.alloc(t * r.team.entries * 4 * deepWords), ends: r.alloc(t * (r.team.entries + 2) * 4),
	}
	r.totals = r.zeros(16 * t)
	r.takeSums(r.team.slots)
}

// noSource is in the place of a source where a batch has fewer than lanes.
const noSource = -1

// pass runs the nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *deepRun) pass(numbers string, profile bool, nodes []int32, done int) []int32 {
	lanes := deepRowLanes(numbers == "f32")
	var padded []int32
	for i, v := range nodes {
		for i > 0 && len(padded)%int(lanes) != 0 && r.part[v] != r.part[nodes[i-1]] {
			padded = append(padded, noSource)
		}
		padded = append(padded, v)
	}
	kernel := deepKernel(batchForm{number: numbers, lanes: lanes, profile: profile, masses: r.masses != 0, edges: r.edges != 0})
	part := *r
	job, report := *r.job, r.job.Progress
	job.Progress = func(count int) { report(min(count, done+len(nodes))) } // without what pads
	part.job = &job
	left := part.launchBatches(kernel, gpu.Shape{Grid: r.team.teams, Block: deepThreads}, r.team.teams, int(lanes), 0, padded, done, part.batchedArgs)
	r.err = part.err
	return left
}

// batchedArgs fills BatchedDeep of kernels/deep/deep.cuh.
func (r *deepRun) batchedArgs(sources, failed, control gpu.Ptr) gpu.Ptr {
	a := r.arrays
	return putArguments(&r.traverse, batchedDeepArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		offsets:    r.out.offsets,
		targets:    r.out.targets,
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
		nodes:      r.nodes,
		edges:      r.edges,
		failed:     failed,
		totals:     r.totals,
		masses:     r.masses,
		cap:        r.team.entries,
		roundCap:   r.team.entries,
		endpoints:  one(r.job.Endpoints),
		slots:      int64(r.team.slots),
		width:      int64(deepWidth),
		slack:      int64(deepSlack),
		few:        int64(deepFew),
		patience:   int64(deepWait),
		control:    control,
		profile:    r.profile,
	})
}
