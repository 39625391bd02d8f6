package worker

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// weightedRun is one run of batched by weights, for betweenness, stress, the closeness family or distances; see
// kernels/weighted/weighted.cuh.
type weightedRun struct {
	reordered
	team       weightedTeams
	outWeights gpu.Ptr
	inWeights  gpu.Ptr
	arrays     weightedArrays
	// counts and edgeCounts are of folds, nodes and edges of either.
	counts, edgeCounts gpu.Ptr
	fold               kernels.Fold
	// width is how far a bucket reaches, in units of the metric.
	width float64
	// apart says that passes are launched one by one, with rows of every batch; demands are those of the backward pass.
	apart   apart
	demands gpu.Ptr
	// bounded says that rows are left out by bounds.
	bounded bool
	// insides are Job.Insides, or 0.
	insides gpu.Ptr
	// rows are distances from the sources of a launch, and oldNumbers those of the nodes, for them; or 0.
	rows, oldNumbers gpu.Ptr
}

// apart is the pass to launch with rows of every batch kept; 0 for both passes with rows of every team.
type apart int64

// weightedArrays are the teams' memory; see BatchedWeighted in kernels/weighted/weighted.cuh.
type weightedArrays struct {
	dist, counts, outTight, inTight, stackNodes, stackMasks, ends, rounds                            gpu.Ptr
	keys, when, state, lists, reached, done, pending, laneSums, hubs, longRows, pairs, total, shared gpu.Ptr
}

// runWeights computes a measure by weights. Where all are equal, paths are those by hops.
func (b batched) runWeights(ctx context.Context, d gpu.Device, job *Job) (_ Result, left []int32, err error) {
	if shape := job.small(d.Info()); shape.blocks > 0 {
		return b.runSmall(ctx, d, job, shape)
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &weightedRun{reordered: reordered{traverse: traverse{traversal: b.narrowest(), ctx: ctx, device: memory, job: job}}}
	return r.all()
}

// equalWeights returns the weight that all arcs have.
func equalWeights(g *export.Graph) (weight float64, ok bool) {
	if len(g.Weights) == 0 || g.Rests != nil {
		return 0, false
	}
	for _, w := range g.Weights {
		if w != g.Weights[0] {
			return 0, false
		}
	}
	return g.Weights[0], true
}

// runEqual computes by hops what is asked for by weights that are all the same.
func (b batched) runEqual(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	weight, _ := equalWeights(job.Host)
	hops := *job
	hops.Weighted, hops.Request.Weighted = false, false
	result, err := b.Run(ctx, d, &hops)
	if err != nil {
		return Result{}, err
	}
	factor := kernels.InUnits(job.Measure, weight)
	for _, scores := range [][]float64{job.Nodes, job.Edges} {
		for i := range scores {
			scores[i] *= factor
			if math.IsInf(scores[i], 0) {
				return Result{}, notOnGPU("a score passes float64")
			}
		}
	}
	result.Totals.Distance *= weight
	result.Ties = "exact"
	result.Note += fmt.Sprintf("; by hops, because all weights are %g", weight)
	return result, nil
}

// all runs every source, and returns those that no pass could do.
func (r *weightedRun) all() (Result, []int32, error) {
	start := time.Now()
	if r.err = r.begin(); r.err != nil {
		return Result{}, nil, r.err
	}
	result := Result{Preprocess: time.Since(start).Seconds(), Ties: r.metric.ties}
	left := r.search()
	r.lostNewArc()
	result.Totals, result.Profile = r.weightedTotals(), r.profiled
	result.Note = fmt.Sprintf("%d lanes, %d teams of %d blocks, %s, buckets of %.3g", weightedLanes, r.team.teams, r.team.blocks, r.metric.name, r.width*r.metric.mul/r.metric.div)
	if r.bounded {
		result.Note += ", with bounds"
	}
	switch {
	case r.err != nil:
		return result, left, r.err
	case r.rows != 0:
		return result, nil, nil
	case r.job.Measure == distances:
		return result, nil, r.farthest()
	case r.job.folds():
		return result, nil, r.foldedScores()
	case r.job.kind() == kernels.PathCounts:
		return r.orderedStress(result, left)
	}
	return r.orderedBetweenness(result, left)
}

// begin takes what the run needs, the graph in the order of batches.
func (r *weightedRun) begin() error {
	var least int64
	if r.team, least = fitWeightedTeams(sizeOf(r.job.Host), r.job.Want, r.device.Info(), r.job.Plan.DeviceBytes); r.team.teams == 0 {
		return &gpu.TooLarge{What: "batched", Need: least, Free: r.job.Plan.DeviceBytes}
	}
	ordering := r.job.ordering
	if ordering == nil {
		ordering = newOrdering(r.job)
	}
	defer ordering.Wait()
	r.blocks = r.team.slots // of sums
	if r.fold, _ = kernels.FoldOf(r.job.Measure); r.job.Measure == distances {
		r.fold = kernels.FoldGreatest
	}
	if r.metric, r.err = r.newMetric(); r.err == nil {
		r.narrowFurther()
	}
	if r.metric.unique {
		r.metric.tellApart(certainRounds)
	}
	r.bounded = r.err == nil && r.keepsBounds()
	r.takeMemory() // while nodes are ordered
	ordering.Wait()
	r.order, r.turns, r.job.depth, r.job.depthOf = ordering.Nodes, ordering.Turns, ordering.Depth, r.job.Host
	r.relabelInOrder(false)
	r.relabelWeights()
	r.uploadOrdered()
	if r.err == nil {
		r.err = r.device.Sync()
	}
	return r.err
}

// search runs every source, and returns those that failed.
func (r *weightedRun) search() []int32 {
	switch {
	case r.rows != 0:
		r.distanceRows()
	case r.job.levelsOnly():
		r.pass(batchedFoldKernel(r.metric.name, r.bounded), r.places(), 0)
	default:
		return r.passes()
	}
	return nil
}

// orderedBetweenness fills the scores, of sources whose ties only the CPU can tell as well. It returns the others that are left.
func (r *weightedRun) orderedBetweenness(result Result, left []int32) (Result, []int32, error) {
	r.orderedScores()
	return r.uncertain(result, left)
}

// uncertain adds the scores of sources whose ties only the CPU can tell, where they are few. It returns other sources that are left.
func (r *traverse) uncertain(result Result, left []int32) (Result, []int32, error) {
	if len(left) == 0 || r.err != nil {
		return result, left, r.err
	}
	if !r.metric.unique {
		result.Note += fmt.Sprintf("; %d sources counted again one by one", len(left))
		return result, left, nil
	}
	if float64(len(left)) > escalate*float64(len(r.job.Sources)) {
		return result, nil, notOnGPU("path lengths are exact in 128-bit integers only, and %d of %d sources have paths that float64 does not tell apart", len(left), len(r.job.Sources))
	}
	result.Note += fmt.Sprintf("; %d sources computed on the CPU, because only 128-bit integers tell their paths apart", len(left))
	return result, nil, r.onCPU(left, &result.Totals)
}

// narrowFurther measures in 32-bit ticks also where a path of all nodes would not fit, but no shortest path of an undirected
// graph is too long: none is longer than twice the farthest of a component from any one node.
func (r *weightedRun) narrowFurther() {
	if r.metric.name != "ticks64" || r.job.Host.Directed {
		return
	}
	ticks := r.hostTicks()
	if r.err != nil {
		return
	}
	for _, t := range ticks {
		if t >= math.MaxUint32/2 {
			return
		}
	}
	if search.LongestTicks(r.job.Host, ticks) < math.MaxUint32-1 {
		r.narrow(&r.metric)
	}
}

// relabelWeights puts the weights into the new order.
func (r *weightedRun) relabelWeights() {
	g, words := r.job.Graph, int64(2)
	if r.metric.name == "ticks32" {
		words = 1
	}
	from := uploaded(&r.traverse, r.order)
	move := func(g *Graph, weights gpu.Ptr, rows relabelled) gpu.Ptr {
		out := r.alloc(4 * words * g.Arcs)
		if r.err == nil {
			r.err = r.device.Launch(kernelRelabelWeights, forEach(32*g.N),
				uint32(g.N), g.Offsets, weights, uint32(words), from, rows.offsets, out)
		}
		return out
	}
	r.outWeights = move(g, r.metric.out, r.out)
	if r.inWeights = r.outWeights; g.In != g {
		r.inWeights = move(g.In, r.metric.in, r.in)
	}
	r.free(from)
	r.width = r.bucketWidth() * r.metric.width
}

// bucketWidth is the width of buckets, as so many times the mean weight over the mean degree.
func (r *weightedRun) bucketWidth() float64 {
	degree := float64(r.job.Graph.Arcs) / float64(r.job.Graph.N)
	deep, levelsOnly := r.job.deep(), r.job.levelsOnly()
	switch {
	case r.job.Bucket > 0:
		return r.job.Bucket
	case r.bounded && (levelsOnly || order.ByLandmarks(len(r.job.Sources), r.job.Host.N(), weightedLanes)):
		return boundedBucketArcs
	case levelsOnly && !deep:
		return levelsBucketArcs
	case levelsOnly:
		return bucketArcs
	case deep:
		return deepBucketArcs / max(degree, 1)
	case !hasRowOver(r.job.Host, int64(evenRow*degree)):
		return evenBucketArcs
	}
	return bucketArcs
}

// keyBytes is the size of a distance.
func (r *weightedRun) keyBytes() int64 {
	if r.metric.name == "ticks32" {
		return 4
	}
	return 8
}

func (r *weightedRun) takeMemory() {
	n, a, t, slots, team := r.job.Graph.N, r.job.Graph.Arcs, int64(r.team.teams), int64(r.team.slots), r.team
	key, sums, folds := r.keyBytes(), !r.job.levelsOnly(), r.job.levelsOnly() && r.job.Rows == nil && r.apart == 0
	m := &r.arrays
	kept := t
	if r.apart != 0 {
		kept = batchesOf(len(r.job.Sources))
	}
	keys, when := keysOfNode(r.bounded)
	m.dist, m.keys, m.when = r.alloc(kept*n*weightedLanes*key), r.alloc(t*n*key*keys), r.alloc(t*n*key*when)
	m.state, m.lists = r.alloc(t*n*4), r.alloc(t*n*16)
	m.reached, m.done, m.pending = r.alloc(t*n*4), r.alloc(t*n*4), r.alloc(t*n*4)
	m.laneSums, m.pairs, m.total = r.alloc(t*int64(team.blocks)*laneSumBytes), r.zeros(8*slots), r.zeros(8*slots)
	hubs, segments := r.longRows()
	m.hubs, m.longRows = r.alloc(t*int64(team.blocks)*hubs*4), r.alloc(t*int64(team.blocks)*segments*8)
	m.shared, m.rounds = r.alloc(t*teamBytes), r.alloc(8*t)
	if sums {
		m.counts, m.outTight, m.inTight = r.alloc(t*n*weightedLanes*8), r.alloc(t*a*4), r.alloc(t*a*4)
		m.stackNodes, m.stackMasks, m.ends = r.alloc(t*team.entries*4), r.alloc(t*team.entries*4), r.alloc(t*(team.rounds()+2)*4)
	}
	r.lost = r.zeros(8)
	if r.job.Rows != nil {
		r.rows = r.alloc(t * weightedLanes * n * 8)
	}
	if r.job.Nodes != nil || folds {
		r.nodes = r.zeros(8 * n * slots)
	}
	if r.job.Edges != nil {
		r.edges = r.zeros(8 * a * slots)
	}
	if folds {
		r.counts = r.zeros(4 * n * slots)
		if r.job.Edges != nil {
			r.edgeCounts = r.zeros(4 * a * slots)
		}
	}
}

// uploadOrdered has on the device what the job says of nodes, in the new order.
func (r *weightedRun) uploadOrdered() {
	moved := func(values []float64) gpu.Ptr {
		if values == nil {
			return 0
		}
		out := make([]float64, len(r.order))
		for i, v := range r.order {
			out[i] = values[v]
		}
		return uploaded(&r.traverse, out)
	}
	r.masses, r.insides = moved(r.job.Masses), moved(r.job.Insides)
	if r.job.Rows != nil {
		r.oldNumbers = uploaded(&r.traverse, r.order)
	}
}

// passes runs the sources in single precision, where that is allowed, and those that fail, or else all, in double.
func (r *weightedRun) passes() []int32 {
	left := r.places()
	switch {
	case r.job.Single && r.job.Profile:
		var numbers []int64
		var seconds float64
		left, numbers, seconds = r.withProfile(r.team.teams*r.team.blocks, func() []int32 { return r.pass(r.countingKernel("f32", true), left, 0) })
		r.profiled = r.team.profile(numbers, seconds, r.job.Graph.N, r.job.Graph.Arcs, r.keyBytes())
	case r.job.Single && r.job.kind() != kernels.PathCounts:
		left = r.pass(r.countingKernel("f32", false), left, 0)
	}
	double := func(left []int32) []int32 {
		return r.pass(r.countingKernel("f64", false), left, len(r.job.Sources)-len(left))
	}
	left = double(left)
	full := stackEntries(r.job.Graph.N, weightedLanes+1, weightedLanes)
	if longer := min(full, int64(r.team.teams)*r.team.entries); len(left) > 0 && longer > r.team.entries {
		r.longerStacks(longer)
		left = double(left)
	}
	left = r.doubtful(left, double)
	for i, v := range left {
		left[i] = r.order[v]
	}
	return left
}

// batchesOf is how many batches so many sources make.
func batchesOf(sources int) int64 { return (int64(sources) + weightedLanes - 1) / weightedLanes }

// longerStacks gives fewer teams, in the same memory, longer stacks.
func (r *weightedRun) longerStacks(entries int64) {
	m, t := &r.arrays, &r.team
	for _, p := range []gpu.Ptr{m.stackNodes, m.stackMasks, m.ends} {
		r.free(p)
	}
	t.teams = max(1, int(int64(t.teams)*t.entries/entries))
	t.entries = entries
	m.stackNodes, m.stackMasks = r.alloc(int64(t.teams)*entries*4), r.alloc(int64(t.teams)*entries*4)
	m.ends = r.alloc(int64(t.teams) * (t.rounds() + 2) * 4)
}

// pass runs the nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *weightedRun) pass(kernel gpu.Kernel, nodes []int32, done int) []int32 {
	shape := gpu.Shape{Grid: r.team.teams * r.team.blocks, Block: r.team.threads, Cooperative: r.team.blocks > 1}
	return r.launchBatches(kernel, shape, r.team.teams, weightedLanes, r.arrays.shared, nodes, done, r.weightedBatchArgs)
}

// longRows counts the nodes of over weightedHub arcs, in or out, and the segments of rows that are too long for a group.
func (r *weightedRun) longRows() (hubs, segments int64) {
	g := r.job.Host
	in := g.Transpose()
	for v := range int32(g.N()) {
		degree := max(g.Degree(v), in.Degree(v))
		if degree > weightedHub {
			hubs++
		}
		if degree > shortRow {
			segments += (degree + rowSegment - 1) / rowSegment
		}
	}
	return hubs, segments
}

// weightedBatchArgs fills BatchedWeighted of kernels/weighted/weighted.cuh.
func (r *weightedRun) weightedBatchArgs(sources, failed, control gpu.Ptr) gpu.Ptr {
	a, m := r.arrays, r.metric
	hub := int64(0)
	hubs, segments := r.longRows()
	if hubs > 0 {
		hub = weightedHub
	}
	patience := shallowPatience
	if r.job.deep() {
		patience = deepPatience
	}
	passes := r.apart
	if passes == 0 {
		passes = passForward | passBackward
	}
	return putArguments(&r.traverse, batchedWeightedArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		outOffsets: r.out.offsets,
		outTargets: r.out.targets,
		outWeights: r.outWeights,
		inOffsets:  r.in.offsets,
		inTargets:  r.in.targets,
		inWeights:  r.inWeights,
		sources:    sources,
		dist:       a.dist,
		counts:     a.counts,
		outTight:   a.outTight,
		inTight:    a.inTight,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		rounds:     a.rounds,
		keys:       a.keys,
		when:       a.when,
		state:      a.state,
		lists:      a.lists,
		reached:    a.reached,
		done:       a.done,
		pending:    a.pending,
		laneSums:   a.laneSums,
		hubs:       a.hubs,
		longRows:   a.longRows,
		nodes:      r.nodes,
		edges:      r.edges,
		nodeCounts: r.counts,
		edgeCounts: r.edgeCounts,
		failed:     failed,
		pairs:      a.pairs,
		totals:     a.total,
		lost:       r.lost,
		teams:      a.shared,
		masses:     r.masses,
		demands:    r.demands,
		insides:    r.insides,
		cap:        r.team.entries,
		roundCap:   r.team.rounds(),
		blocks:     int64(r.team.blocks),
		endpoints:  one(r.job.Endpoints),
		hub:        hub,
		hubCap:     hubs,
		longCap:    segments,
		passes:     int64(passes),
		kept:       one(r.apart != 0),
		unique:     m.certain,
		tolerance:  m.tol,
		mul:        m.mul,
		div:        m.div,
		few:        int64(fewToCount),
		width:      r.width,
		slack:      bucketSlack * r.width,
		patience:   patience * r.width,
		fold:       int64(r.fold),
		stress:     one(r.job.kind() == kernels.PathCounts),
		rows:       r.rows,
		order:      r.oldNumbers,
		slots:      int64(r.team.slots),
		control:    control,
		profile:    r.profile,
	})
}

// weightedTotals adds up the teams' totals.
func (r *weightedRun) weightedTotals() kernels.Totals {
	var out kernels.Totals
	pairs, lengths := make([]int64, r.blocks), make([]float64, r.blocks)
	if r.err == nil {
		r.err = gpu.Download(r.device, pairs, r.arrays.pairs)
	}
	if r.err == nil {
		r.err = gpu.Download(r.device, lengths, r.arrays.total)
	}
	for i := range pairs {
		out.Pairs += pairs[i]
		out.Distance += lengths[i]
	}
	return out
}

// lostNewArc reports an arc that does not lengthen a path, by its place in the new order.
func (r *weightedRun) lostNewArc() {
	if r.err != nil {
		return
	}
	var arc [1]int64
	if r.err = gpu.Download(r.device, arc[:], r.lost); r.err != nil || arc[0] == 0 {
		return
	}
	at := uint32(arc[0] - 1)
	i := 0
	for r.out.begins[i+1] <= at {
		i++
	}
	r.lostAt(r.job.Host.Offsets[r.order[i]] + int64(at-r.out.begins[i]))
}

// foldedScores fills the scores of a measure of the closeness family.
func (r *weightedRun) foldedScores() error {
	sums := r.folded()
	if r.err != nil {
		return r.err
	}
	if r.job.Insides != nil {
		copy(r.job.Nodes, sums.Nodes)
		copy(r.job.Counts, sums.NodeCounts)
		return nil
	}
	return sums.Scores(r.job.Measure, r.job.Host, r.job.Request, r.job.Nodes, r.job.Edges)
}

// folded joins the teams' folds, in the old order.
func (r *weightedRun) folded() kernels.Folds {
	n := r.job.Graph.N
	sums, arcs := kernelSumBlocks, kernelSumArcs
	if r.fold == kernels.FoldGreatest {
		sums, arcs = kernelMaxBlocks, kernelMaxArcs
	}
	out := kernels.Folds{Nodes: r.inOrder(r.join(sums, r.nodes, n)), NodeCounts: r.inOrder(r.join(kernelSumBlockCounts, r.counts, n))}
	if r.job.Edges != nil {
		out.Edges, out.EdgeCounts = r.ofEdges(arcs, r.edges), r.ofEdges(kernelSumArcCounts, r.edgeCounts)
	}
	return out
}

// ofEdges joins what the teams have for arcs at the arcs' edges.
func (r *weightedRun) ofEdges(kernel gpu.Kernel, parts gpu.Ptr) []float64 {
	values := make([]float64, r.job.Host.M())
	sum := r.zeros(8 * int64(len(values)))
	if r.err == nil {
		r.err = r.device.Launch(kernel, forSums(r.job.Graph.Arcs), parts, r.job.Graph.Arcs, int64(r.blocks), r.out.edges, sum)
	}
	if r.err == nil {
		r.err = gpu.Download(r.device, values, sum)
	}
	r.free(sum)
	return values
}
