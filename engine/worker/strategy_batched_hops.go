package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// hopRun is one run of batched for the closeness family, the summary of distances, and volumes.
type hopRun struct {
	reordered
	team hopTeams
	kind hopFold
	fold kernels.Fold
	// outSide and inSide are HopSide of kernels/hops/hops.cuh. Volumes are searched for against the arcs, so that what a
	// node reaches is folded at the node; there the sides change places.
	outSide, inSide hopSide
	// counts are those of nodes; teamShared is what the blocks of each team share; plot and weights as in Hops.
	counts, teamShared, plot, weights gpu.Ptr
	bits                              int64
	pairs                             hopPairs
}

type hopSide struct {
	graph                               relabelled
	partNodes, partBegins, sums, counts gpu.Ptr
	parts                               int
}

// hopFold is HopFold of kernels/hops/hops.cuh.
type hopFold string

const (
	hopNodes   hopFold = "nodes"
	hopEnds    hopFold = "ends"
	hopTurns   hopFold = "turns"
	hopGaps    hopFold = "gaps"
	hopArcs    hopFold = "arcs"
	hopWeights hopFold = "weights"
)

func hopFoldOf(w Want, directed, deep bool) hopFold {
	fold, _ := kernels.FoldOf(w.Measure)
	switch {
	case w.kind() == kernels.Balls:
		return hopWeights
	case !w.Edges:
		return hopNodes
	case directed:
		return hopArcs
	case fold != kernels.FoldInverse:
		return hopEnds
	case deep:
		return hopGaps
	}
	return hopTurns
}

// sumBytes and countBytes are the sizes of what an arc of a side keeps.
func (f hopFold) sumBytes() int64 {
	if f == hopGaps || f == hopArcs {
		return 8
	}
	return 0
}

func (f hopFold) countBytes() int64 {
	if f == hopArcs {
		return 4
	}
	return 0
}

// pairBytes is the size of what a pair keeps.
func (f hopFold) pairBytes() int64 { return map[hopFold]int64{hopEnds: 4, hopTurns: 8}[f] }

// marks is how many marks a node has, masks how many masks with them.
func (f hopFold) marks() int64 { return map[hopFold]int64{hopEnds: 1, hopTurns: 2}[f] }
func (f hopFold) masks() int64 { return 3 + f.marks() }

// pairs says whether the ends of edges are listed.
func (f hopFold) pairs() bool { return f == hopEnds || f == hopTurns || f == hopGaps }

// runHops computes what needs no counts of paths.
func (b batched) runHops(ctx context.Context, d gpu.Device, job *Job) (_ Result, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &hopRun{reordered: reordered{traverse: traverse{ctx: ctx, device: memory, job: job}}}
	return r.all()
}

func (r *hopRun) all() (Result, error) {
	start := time.Now()
	deep := r.job.deep()
	size := sizeOf(r.job.Host)
	var least int64
	if r.team, least = fitHopTeams(size, r.job.Want, r.device.Info(), deep, r.job.Plan.DeviceBytes); r.team.teams == 0 {
		return Result{}, &gpu.TooLarge{What: "batched", Need: least, Free: r.job.Plan.DeviceBytes}
	}
	r.blocks = r.team.teams // of sums
	r.kind = hopFoldOf(r.job.Want, size.Directed, deep)
	r.fold, _ = kernels.FoldOf(r.job.Measure)
	r.relabel(r.team.lanes, true)
	r.sides()
	if r.kind.pairs() {
		r.listPairs()
	}
	nodes := r.leaving()
	args := r.hopArgs(nodes, deep)
	if r.err == nil {
		r.err = r.device.Sync()
	}
	result := Result{Preprocess: time.Since(start).Seconds(), Note: fmt.Sprintf("%d lanes, %d teams of %d blocks", r.team.lanes, r.team.teams, r.team.blocks)}
	r.passHops(args, nodes)
	err := r.results(&result)
	return result, err
}

// results fills what the job wants.
func (r *hopRun) results(result *Result) error {
	switch {
	case r.kind == hopWeights:
		r.volumes()
		return r.err
	case r.job.Measure == distances:
		result.Totals = r.teamTotals(r.team.teams)
		r.plotted()
		return r.err
	}
	result.Totals = r.teamTotals(r.team.teams)
	sums := r.folded()
	if r.err != nil {
		return r.err
	}
	return sums.Scores(r.job.Measure, r.job.Host, r.job.Request, r.job.Nodes, r.job.Edges)
}

// leaving are the sources that an arc leaves, by their new numbers: searches from others reach nothing.
func (r *hopRun) leaving() []int32 {
	var out []int32
	begins, degrees := r.outSide.graph.begins, r.inSide.graph.begins
	for _, v := range r.places() {
		if begins[v] < begins[v+1] && (r.kind != hopWeights || degrees[v] < degrees[v+1]) {
			out = append(out, v)
		}
	}
	return out
}

func (r *hopRun) sides() {
	out, in := r.out, r.in
	if r.kind == hopWeights {
		out, in = in, out
	}
	r.outSide = r.side(out)
	r.inSide = r.outSide
	if r.job.Host.Directed {
		r.inSide = r.side(in)
	}
}

// side splits the long rows of g into parts.
func (r *hopRun) side(g relabelled) hopSide {
	var nodes, begins []uint32
	for v := range len(g.begins) - 1 {
		if b, e := g.begins[v], g.begins[v+1]; e-b > hopPart {
			for ; b < e; b += min(hopPart, e-b) {
				nodes, begins = append(nodes, uint32(v)), append(begins, b)
			}
		}
	}
	s := hopSide{graph: g, partNodes: uploaded(&r.traverse, nodes), partBegins: uploaded(&r.traverse, begins), parts: len(nodes)}
	a := r.job.Graph.Arcs * int64(r.team.teams)
	if each := r.kind.sumBytes(); each > 0 {
		s.sums = r.zeros(each * a)
	}
	if each := r.kind.countBytes(); each > 0 {
		s.counts = r.zeros(each * a)
	}
	return s
}

// hubNodes are the nodes whose rows of g are long.
func hubNodes(g relabelled) []uint32 {
	var out []uint32
	for v := range len(g.begins) - 1 {
		if g.begins[v+1]-g.begins[v] > hopPart {
			out = append(out, uint32(v))
		}
	}
	return out
}

// hopArgs takes the teams' memory and fills Hops of kernels/hops/hops.cuh. Deep graphs never have a level to sweep for.
func (r *hopRun) hopArgs(nodes []int32, deep bool) gpu.Ptr {
	n, t, share, levels := r.job.Graph.N, int64(r.team.teams), int64(sweepShare), r.job.Graph.N
	if deep {
		share = 0
	}
	switch {
	case r.kind == hopWeights:
		r.nodes, levels = r.zeros(8*n*t), radius(r.job.Want)
		r.weights, r.bits = r.laneWeights(nodes)
	case r.job.Measure == distances:
		r.plot = r.zeros(8 * n * t)
	default:
		r.nodes, r.counts = r.zeros(8*n*t), r.zeros(4*n*t)
	}
	hubs := hubNodes(r.inSide.graph)
	r.totals = r.zeros(16 * t)
	r.teamShared = r.alloc(t * teamBytes)
	out, in := r.outSide, r.inSide
	return putArguments(&r.traverse, hopsArguments{
		n:        n,
		arcs:     r.job.Graph.Arcs,
		directed: one(r.job.Host.Directed),
		out: hopSideArguments{
			offsets:    out.graph.offsets,
			targets:    out.graph.targets,
			partNodes:  out.partNodes,
			partBegins: out.partBegins,
			parts:      int64(out.parts),
			sums:       out.sums,
			counts:     out.counts,
		},
		in: hopSideArguments{
			offsets:    in.graph.offsets,
			targets:    in.graph.targets,
			partNodes:  in.partNodes,
			partBegins: in.partBegins,
			parts:      int64(in.parts),
			sums:       in.sums,
			counts:     in.counts,
		},
		hubs:       uploaded(&r.traverse, hubs),
		hubCount:   int64(len(hubs)),
		sources:    uploaded(&r.traverse, nodes),
		masks:      r.alloc(r.kind.masks() * t * n * r.team.lanes / 8),
		stamps:     r.alloc(4 * n * t),
		lists:      r.alloc(8 * n * t),
		nodes:      r.nodes,
		nodeCounts: r.counts,
		totals:     r.totals,
		teams:      r.teamShared,
		blocks:     int64(r.team.blocks),
		fold:       int64(r.fold),
		sweepShare: share,
		plot:       r.plot,
		levels:     levels,
		weights:    r.weights,
		bits:       r.bits,
		pairs:      r.pairs.ends,
		pairCount:  r.pairs.count,
		pairFolds:  r.pairs.folds,
	})
}

// passHops runs the sources, given by their new numbers.
func (r *hopRun) passHops(args gpu.Ptr, nodes []int32) {
	if r.err != nil {
		return
	}
	kernel := hopKernel(r.team.lanes, r.kind)
	shape := gpu.Shape{Grid: r.team.teams * r.team.blocks, Block: hopThreads, Cooperative: r.team.blocks > 1}
	skipped := len(r.job.Sources) - len(nodes)
	part := &Job{Sources: nodes, Progress: func(done int) { r.job.Progress(skipped + done) }}
	r.err = part.Chunks(r.ctx, r.device, int(r.team.lanes)*r.team.teams, func(first, count int) error {
		if err := r.device.Memset(r.teamShared, 0, int64(r.team.teams)*teamBytes); err != nil {
			return err
		}
		return r.device.Launch(kernel, shape, args, int64(first), int64(first+count))
	})
}
