package worker

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// chained computes betweenness on what all reductions leave of a graph: it searches by lengths from the branch nodes
// alone; see kernels/chains/chains.cuh and docs/design/reductions.md. It is made for one graph, whose scores it leads back itself.
type chained struct {
	plan *reduce.Reduced
	flat *reduce.Flat
}

func (*chained) Name() string             { return kernels.Chains }
func (*chained) Fits(w Want, _ bool) bool { return w.kind() == kernels.Dependencies }
func (*chained) Parts(Want, bool) Parts   { return Parts{} }

// searches is the traversal whose search by weights is used.
func (*chained) searches() traversal {
	return traversal{name: "work-efficient-warp-4", method: workEfficient, kernel: "warp", lanes: 4, weighted: true}
}

// chainSizes are what the memory of a run depends on.
type chainSizes struct {
	nodes, arcs, links    int64
	stride, chainStride   int64 // nodes and chains of the largest core
	ends                  int64 // nodes at which chains end; they have rows at the same time
	rows                  int64 // numbers of all rows that are held at a time
	longRows, once, block int64
}

// sizes says what a run of so many blocks takes.
func (c *chained) sizes(blocks int64) chainSizes {
	f := c.flat
	s := chainSizes{nodes: int64(len(f.Omega)), arcs: int64(len(f.Targets)), links: int64(f.LinkCount)}
	for i := range f.FirstNode[1:] {
		s.stride = max(s.stride, int64(f.FirstNode[i+1]-f.FirstNode[i]))
		s.chainStride = max(s.chainStride, int64(f.FirstChain[i+1]-f.FirstChain[i]))
	}
	for v := range f.CoreOf {
		if f.FirstHalf[v+1] > f.FirstHalf[v] {
			first, end := f.Core(int32(v))
			s.ends++
			s.rows += int64(end - first)
		}
	}
	// The other nodes come in batches of loneRows a block.
	s.rows = max(s.rows, min(s.nodes-s.ends, loneRows*blocks)*s.stride)
	s.longRows = longRowsEach(s.arcs, c.searches().longRow())
	bins, chains := int64(f.Bins()), int64(len(f.Chains))
	s.once = s.nodes*(8+4+8+4+8+4+4+8+8+4+8) + s.arcs*(4+4+8+4) + 16*s.links + bins*(4+8+8+16+16+8) + chains*(32+8+8+20) + 1<<20
	// search, shares, sums, demands and what chains take.
	s.block = s.stride*(4+16+4+16+8*demandRows) + 8 + 4*s.longRows + 8*s.nodes + 8*s.arcs + 24*s.chainStride
	return s
}

// rowBytes is the memory of a number of a row: distance, count and order.
func rowBytes(number int64) int64 { return 4 + number + 4 }

// Plan gives each multiprocessor as many blocks as it can run, or as fit into memory besides the rows, which all must.
func (c *chained) Plan(_ kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	blocks := max(1, d.SMs*residentThreads/weightedThreads)
	s := c.sizes(int64(blocks))
	plan := Plan{Threads: weightedThreads, HostBytes: 64*s.nodes + 32*s.arcs + 64*int64(c.flat.Bins()) + 8*(w.Size.Nodes+w.Size.Edges)}
	rows := rowBytes(8) * s.rows
	if fit := (free - s.once - rows) / s.block; fit < int64(blocks) {
		if fit < 1 {
			return Plan{}, &gpu.TooLarge{What: c.Name(), Need: rows + s.once + s.block, Free: free}
		}
		blocks = int(fit)
		plan.Note = "fewer blocks than the device runs, because memory is short: sums may differ in the last bits"
	}
	plan.Blocks = blocks
	plan.DeviceBytes = rows + s.once + int64(blocks)*s.block
	return plan, nil
}

// Run computes the scores of the whole graph; see Strategy.
func (c *chained) Run(ctx context.Context, d gpu.Device, job *Job) (_ Result, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &chainRun{chained: c, traverse: traverse{traversal: c.searches(), ctx: ctx, device: memory, job: job, begun: time.Now()}}
	return r.all()
}

// chainRun is one run of chained.
type chainRun struct {
	traverse
	*chained
	sizes  chainSizes
	number width   // of counts of paths
	width  float64 // of the near pile
	arrays chainArrays
	hist   gpu.Ptr
	peers  gpu.Ptr
	flows  reduce.Flows
	done   int
}

func (r *chainRun) all() (Result, error) {
	f := r.flat
	p := r.job.Plan
	r.blocks, r.threads = p.Blocks, p.Threads
	r.sizes = r.chained.sizes(int64(r.blocks))
	r.number = width{"f64", 8}
	r.flows = f.Flows()
	r.takeMemory()
	r.ready()
	for _, batch := range r.batches() {
		r.batch(batch)
	}
	back := time.Now()
	r.leadBack()
	result := Result{
		Totals:     kernels.Totals{Pairs: r.plan.Info.Pairs, NoDistance: true},
		Preprocess: r.preprocess + time.Since(back).Seconds(),
		Note:       fmt.Sprintf("searched from %d branch nodes, of which %d are ends of %d chains", len(f.Omega), r.sizes.ends, len(f.Chains)),
	}
	if r.job.Weighted {
		result.Ties = "exact"
	}
	if r.number.name == "wide" {
		result.Note += "; counts of paths in wide numbers"
	}
	return result, r.err
}

// batches are the ends of chains first, whose rows are needed at the same time, then the other nodes, as many at a time
// as there is room for.
func (r *chainRun) batches() [][]int32 {
	f := r.flat
	var ends, lone []int32
	for v := range int32(len(f.Omega)) {
		if f.FirstHalf[v+1] > f.FirstHalf[v] {
			ends = append(ends, v)
		} else {
			lone = append(lone, v)
		}
	}
	var out [][]int32
	if len(ends) > 0 {
		out = append(out, ends)
	}
	for len(lone) > 0 {
		count := min(len(lone), loneRows*r.blocks)
		out = append(out, lone[:count])
		lone = lone[count:]
	}
	return out
}

// batch does all that starts from the given nodes.
func (r *chainRun) batch(nodes []int32) {
	if r.err != nil {
		return
	}
	before := r.done
	rowAt, slotOf := make([]int64, len(nodes)), make([]int32, len(r.flat.Omega))
	next := int64(0)
	for i, v := range nodes {
		first, end := r.flat.Core(v)
		rowAt[i], slotOf[v] = next, int32(i)
		next += int64(end - first)
	}
	a := &r.arrays
	a.sources, a.failed, a.rowAt, a.slotOf = uploaded(&r.traverse, nodes), r.zeros(4*int64(len(nodes))), uploaded(&r.traverse, rowAt), uploaded(&r.traverse, slotOf)
	args := r.chainArgs()
	r.forward(nodes, args)
	if len(r.failures(a.failed, len(nodes))) > 0 && r.number.name != "wide" {
		r.free(args)
		r.widen()
		args = r.chainArgs()
		r.done = before
		r.forward(nodes, args)
	}
	if len(r.failures(a.failed, len(nodes))) > 0 && r.err == nil {
		r.err = fmt.Errorf("wide counts of paths overflowed") // they cannot
	}
	r.rounds(nodes, args)
	r.back(nodes, args)
	for _, p := range []gpu.Ptr{args, a.sources, a.failed, a.rowAt, a.slotOf} {
		r.free(p)
	}
}

// over launches kernels over the slots of nodes, in chunks.
func (r *chainRun) over(nodes []int32, run func(first, last int64) error) {
	if r.err != nil {
		return
	}
	before := r.done
	part := &Job{Sources: nodes, Progress: func(done int) {
		r.done = before + done
		r.job.Progress(r.done / 2) // every source is searched from and sent back from
	}}
	r.err = part.Chunks(r.ctx, r.device, r.blocks, func(first, count int) error { return run(int64(first), int64(first+count)) })
}

func (r *chainRun) forward(nodes []int32, args gpu.Ptr) {
	r.over(nodes, func(first, last int64) error {
		return r.launch(chainKernelsOf(r.number.name).forward, r.blocks, first, last, args)
	})
}

func (r *chainRun) back(nodes []int32, args gpu.Ptr) {
	wave := int64(demandRows * r.blocks)
	r.over(nodes, func(first, last int64) error {
		for ; first < last; first += wave {
			to := min(first+wave, last)
			shape := gpu.Shape{Grid: r.blocks, Block: demandThreads}
			if err := r.device.Launch(chainKernelsOf(r.number.name).demand, shape, args, first, to); err != nil {
				return err
			}
			if err := r.launch(chainKernelsOf(r.number.name).backward, r.blocks, first, to, args); err != nil {
				return err
			}
		}
		return nil
	})
}

// rounds has the host score the pairs within each chain, which it does in more than double precision, and uploads what
// they demand.
func (r *chainRun) rounds(nodes []int32, args gpu.Ptr) {
	f := r.flat
	chains := len(f.Chains)
	if r.err != nil || f.FirstHalf[nodes[0]] == f.FirstHalf[nodes[0]+1] || chains == 0 {
		return
	}
	around, paths := r.alloc(4*int64(chains)), r.alloc(r.number.bytes*int64(chains))
	if r.err == nil {
		r.err = r.device.Launch(chainKernelsOf(r.number.name).across, gpu.Shape{Grid: sumBlocks, Block: sumThreads}, args, int64(len(nodes)), around, paths)
	}
	lengths, counts := make([]int32, chains), make([]reduce.Paths, chains)
	if r.err == nil {
		r.err = gpu.Download(r.device, lengths, around)
	}
	r.downloadPaths(counts, paths)
	round := make([]float64, chains)
	for t := range round {
		if r.err == nil {
			round[t] = f.Round(r.flows, int32(t), lengths[t], counts[t])
		}
	}
	if r.err == nil {
		r.err = r.device.CopyIn(r.arrays.round, gpu.Bytes(round))
	}
	r.free(around)
	r.free(paths)
}

func (r *chainRun) downloadPaths(counts []reduce.Paths, from gpu.Ptr) {
	if r.err != nil {
		return
	}
	if r.number.name == "wide" {
		raw := make([]int64, 2*len(counts)) // Wide of kernels/device/number.cuh
		r.err = gpu.Download(r.device, raw, from)
		for t := range counts {
			counts[t] = reduce.Paths{Mantissa: math.Float64frombits(uint64(raw[2*t])), Exponent: int32(raw[2*t+1])}
		}
		return
	}
	raw := make([]float64, len(counts))
	r.err = gpu.Download(r.device, raw, from)
	for t := range counts {
		counts[t].Mantissa = raw[t]
	}
}

// leadBack fills the scores of the graph.
func (r *chainRun) leadBack() {
	if r.err != nil {
		return
	}
	f := r.flat
	sums := reduce.Sums{Passes: r.join(kernelSumBlocks, r.nodes, r.sizes.nodes), Through: make([]float64, f.LinkCount)}
	out := r.zeros(8 * r.sizes.links)
	if r.err == nil {
		r.err = r.device.Launch(kernelSumArcs, forSums(r.sizes.arcs), r.edges, r.sizes.arcs, int64(r.blocks), r.arrays.links, out)
	}
	if r.err == nil {
		r.err = gpu.Download(r.device, sums.Through, out)
	}
	own := make([]float64, r.sizes.nodes)
	if r.err == nil {
		r.err = gpu.Download(r.device, own, r.arrays.own)
	}
	for v, x := range own {
		sums.Passes[v] += x
	}
	sums.Hist = r.bins(r.hist)
	if f.Peers {
		sums.Peers = r.bins(r.peers)
	}
	if r.err == nil {
		r.err = f.Unflatten(r.flows, sums)
	}
	if r.err != nil {
		return
	}
	nodes, edges := r.plan.Scores(r.flows)
	if r.err = r.plan.Check(nodes, edges); r.err != nil {
		return
	}
	forNodes, forEdges := kernels.BetweennessFactors(r.job.Host, r.job.Request)
	for v := range r.job.Nodes {
		r.job.Nodes[v] = 2 * forNodes * nodes[v]
	}
	for e := range r.job.Edges {
		r.job.Edges[e] = 2 * forEdges * edges[e]
	}
}

// bins returns the numbers of fixed-point bins: see Fixed in kernels/chains/demand.cuh.
func (r *chainRun) bins(from gpu.Ptr) []float64 {
	raw := make([]int64, 2*r.flat.Bins())
	if r.err == nil {
		r.err = gpu.Download(r.device, raw, from)
	}
	out := make([]float64, r.flat.Bins())
	for i := range out {
		out[i] = (float64(raw[2*i]) + math.Ldexp(float64(raw[2*i+1]), -42)) / r.unit()
	}
	return out
}

// unit is 1 / the unit of the first word of a bin: sums of masses fit 62 bits.
func (r *chainRun) unit() float64 { return math.Ldexp(1, 62-r.flat.MassBits()) }
