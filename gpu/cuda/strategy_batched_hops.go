package cuda

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
)

// hopRun is one run of batched for the closeness family.
type hopRun struct {
	reordered
	team hopTeams
	fold kernels.Fold
	// outSide and inSide are HopSide of kernels/batched_hops.cuh.
	outSide, inSide hopSide
	// counts are those of nodes; teamShared is what the blocks of each team share.
	counts, teamShared Ptr
}

type hopSide struct {
	partNodes, partBegins, sums, counts Ptr
	parts                               int
}

// runHops computes a measure of the closeness family.
func (b batched) runHops(ctx context.Context, d Device, job *Job) (Result, error) {
	memory := &Arena{Device: d}
	r := &hopRun{reordered: reordered{traverse: traverse{ctx: ctx, device: memory, job: job}}}
	result, err := r.all()
	if freed := memory.Release(); err == nil {
		err = freed
	}
	return result, err
}

func (r *hopRun) all() (Result, error) {
	start := time.Now()
	deep := isDeep(r.job.Host)
	size := kernels.Size{Nodes: r.job.Graph.N, Edges: int64(r.job.Host.M()), Directed: r.job.Host.Directed}
	var least int64
	if r.team, least = fitHopTeams(size, r.job.Want, r.device.Info(), deep, r.job.Plan.DeviceBytes); r.team.teams == 0 {
		return Result{}, &TooLarge{What: "batched", Need: least, Free: r.job.Plan.DeviceBytes}
	}
	r.blocks = r.team.teams // of sums
	r.fold, _ = kernels.FoldOf(r.job.Measure)
	r.relabel(deep, true)
	r.outSide = r.side(r.out)
	r.inSide = r.outSide
	if r.job.Host.Directed {
		r.inSide = r.side(r.in)
	}
	nodes := r.leaving()
	args := r.hopArgs(nodes, deep)
	if r.err == nil {
		r.err = r.device.Sync()
	}
	result := Result{Preprocess: time.Since(start).Seconds(), Note: fmt.Sprintf("%d lanes, %d teams of %d blocks", r.team.lanes, r.team.teams, r.team.blocks)}
	r.passHops(args, nodes)
	result.Totals = r.teamTotals(r.team.teams)
	sums := r.folded()
	if r.err != nil {
		return Result{}, r.err
	}
	return result, sums.Scores(r.job.Measure, r.job.Host, r.job.Request, r.job.Nodes, r.job.Edges)
}

// leaving are the sources that an arc leaves, by their new numbers: searches from others reach nothing.
func (r *hopRun) leaving() []int32 {
	var out []int32
	for _, v := range r.places() {
		if r.out.begins[v] < r.out.begins[v+1] {
			out = append(out, v)
		}
	}
	return out
}

// side splits the long rows of g into parts.
func (r *hopRun) side(g relabelled) hopSide {
	var nodes, begins []uint32
	for v := range len(g.begins) - 1 {
		if b, e := g.begins[v], g.begins[v+1]; e-b > hubDegree {
			for ; b < e; b += min(hubDegree, e-b) {
				nodes, begins = append(nodes, uint32(v)), append(begins, b)
			}
		}
	}
	s := hopSide{partNodes: uploaded(&r.traverse, nodes), partBegins: uploaded(&r.traverse, begins), parts: len(nodes)}
	if r.job.Edges != nil {
		a := r.job.Graph.Arcs * int64(r.team.teams)
		s.sums, s.counts = r.zeros(8*a), r.zeros(4*a)
	}
	return s
}

// hubNodes are the nodes whose rows of g are long.
func hubNodes(g relabelled) []uint32 {
	var out []uint32
	for v := range len(g.begins) - 1 {
		if g.begins[v+1]-g.begins[v] > hubDegree {
			out = append(out, uint32(v))
		}
	}
	return out
}

// hopArgs takes the teams' memory and fills Hops of kernels/batched_hops.cuh. Deep graphs never have a level to sweep for.
func (r *hopRun) hopArgs(nodes []int32, deep bool) Ptr {
	n, t, share := r.job.Graph.N, int64(r.team.teams), int64(sweepShare)
	if deep {
		share = 0
	}
	hubs := hubNodes(r.in)
	r.nodes, r.counts, r.totals = r.zeros(8*n*t), r.zeros(4*n*t), r.zeros(16*t)
	r.teamShared = r.alloc(t * teamBytes)
	out, in := r.outSide, r.inSide
	return r.block(
		n, r.job.Graph.Arcs, one(r.job.Host.Directed),
		r.out.offsets, r.out.targets, out.partNodes, out.partBegins, int64(out.parts), out.sums, out.counts,
		r.in.offsets, r.in.targets, in.partNodes, in.partBegins, int64(in.parts), in.sums, in.counts,
		uploaded(&r.traverse, hubs), int64(len(hubs)), uploaded(&r.traverse, nodes),
		r.alloc(3*t*n*r.team.lanes/8), r.alloc(4*n*t), r.alloc(8*n*t), r.nodes, r.counts, r.totals,
		r.teamShared, int64(r.team.blocks), int64(r.fold), share,
	)
}

// passHops runs the sources, given by their new numbers.
func (r *hopRun) passHops(args Ptr, nodes []int32) {
	if r.err != nil {
		return
	}
	kernel := fmt.Sprintf("batched_hops_%d", r.team.lanes)
	if r.job.Edges != nil {
		kernel += "_edges"
	}
	shape := Shape{Grid: r.team.teams * r.team.blocks, Block: hopThreads, Cooperative: r.team.blocks > 1}
	skipped := len(r.job.Sources) - len(nodes)
	part := &Job{Sources: nodes, Progress: func(done int) { r.job.Progress(skipped + done) }}
	r.err = part.Chunks(r.ctx, r.device, int(r.team.lanes)*r.team.teams, func(first, count int) error {
		if err := r.device.Memset(r.teamShared, 0, int64(r.team.teams)*teamBytes); err != nil {
			return err
		}
		return r.device.Launch(kernel, shape, args, int64(first), int64(first+count))
	})
}

// folded joins the teams' sums, in the old order.
func (r *hopRun) folded() kernels.Folds {
	n := r.job.Graph.N
	sums, arcs := "sum_blocks", "sum_arcs"
	if r.fold == kernels.FoldGreatest {
		sums, arcs = "max_blocks", "max_arcs"
	}
	out := kernels.Folds{Nodes: r.inOrder(r.join(sums, r.nodes, n)), NodeCounts: r.inOrder(r.join("sum_block_counts", r.counts, n))}
	if r.job.Edges != nil {
		out.Edges = r.joinArcs(arcs, r.outSide.sums, r.inSide.sums)
		out.EdgeCounts = r.joinArcs("sum_arc_counts", r.outSide.counts, r.inSide.counts)
	}
	return out
}

// inOrder puts values of nodes back into the old order.
func (r *hopRun) inOrder(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[r.order[i]] = x
	}
	return out
}

// joinArcs joins what the teams have for arcs, and backwards arcs when directed, at the arcs' edges.
func (r *hopRun) joinArcs(kernel string, outSums, inSums Ptr) []float64 {
	values := make([]float64, r.job.Host.M())
	sum := r.zeros(8 * int64(len(values)))
	add := func(parts, edges Ptr) {
		if r.err == nil {
			r.err = r.device.Launch(kernel, forEach(r.job.Graph.Arcs), parts, r.job.Graph.Arcs, int64(r.team.teams), edges, sum)
		}
	}
	add(outSums, r.out.edges)
	if r.job.Host.Directed {
		add(inSums, r.in.edges)
	}
	if r.err == nil {
		r.err = Download(r.device, values, sum)
	}
	r.free(sum)
	return values
}
