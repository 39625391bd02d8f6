package worker

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// folds computes a measure of the closeness family.
func (r *traverse) folds() (Result, error) {
	r.prepare(0)
	space := r.newWorkspace(0)
	f := r.newFoldArrays()
	kernel := foldKernel(r.kernel)
	if r.job.Weighted {
		kernel = foldKernel(r.metric.name)
	}
	r.ready()
	r.foldRuns(kernel, f, space)
	r.lostArc()
	sums := r.folded(f)
	totals := r.sumTotals()
	if r.err != nil {
		return Result{}, r.err
	}
	err := sums.Scores(r.job.Measure, r.job.Host, r.job.Request, r.job.Nodes, r.job.Edges)
	return Result{Totals: totals, Ties: r.metric.ties, Preprocess: r.preprocess}, err
}

// foldArrays are the sums of blocks; see Folds in kernels/traversal/folds.cuh.
type foldArrays struct {
	fold                                               kernels.Fold
	nodes, nodeCounts, edges, edgeCounts, tails, heads gpu.Ptr
	hops                                               gpu.Ptr
}

func (r *traverse) newFoldArrays() foldArrays {
	n, m, b := r.job.Graph.N, int64(r.job.Host.M()), int64(r.blocks)
	f := foldArrays{nodes: r.zeros(8 * n * b), nodeCounts: r.zeros(4 * n * b)}
	f.fold, _ = kernels.FoldOf(r.job.Measure)
	if r.job.Edges == nil {
		return f
	}
	f.edges, f.edgeCounts = r.zeros(8*m*b), r.zeros(4*m*b)
	source, target := r.job.Host.Ends()
	f.tails, f.heads = uploaded(r, source), uploaded(r, target)
	if !r.job.Weighted {
		f.hops = r.alloc(4 * n * b)
	}
	return f
}

func (r *traverse) foldRuns(kernel gpu.Kernel, f foldArrays, space workspace) {
	folds := putArguments(r, foldsArguments{
		fold:       int64(f.fold),
		nodes:      f.nodes,
		nodeCounts: f.nodeCounts,
		edges:      f.edges,
		edgeCounts: f.edgeCounts,
		heads:      f.heads,
		tails:      f.tails,
		m:          int64(r.job.Host.M()),
		hops:       f.hops,
	})
	count, start, method := len(r.job.Sources), 0, r.method
	if r.probe {
		start = min(count, (samplingSources+r.blocks-1)/r.blocks*r.blocks)
		r.foldRun(kernel, method, folds, 0, start, space)
		if start < count && r.depthsAreLow(start) {
			method = bigLevels
		}
	}
	r.foldRun(kernel, method, folds, start, count, space)
}

func (r *traverse) foldRun(kernel gpu.Kernel, method int64, folds gpu.Ptr, from, to int, space workspace) {
	if r.err != nil || from >= to {
		return
	}
	args := r.args(method, r.sources, r.failed, r.depths, space)
	r.sweep(from, to, r.blocks, true, func(first, last int64) error {
		return r.launch(kernel, r.blocks, first, last, args, folds)
	})
	r.free(args)
}

// folded joins the blocks' sums.
func (r *traverse) folded(f foldArrays) kernels.Folds {
	n, m := r.job.Graph.N, int64(r.job.Host.M())
	join := kernelSumBlocks
	if f.fold == kernels.FoldGreatest {
		join = kernelMaxBlocks
	}
	out := kernels.Folds{Nodes: r.join(join, f.nodes, n), NodeCounts: r.join(kernelSumBlockCounts, f.nodeCounts, n)}
	if r.job.Edges != nil {
		out.Edges, out.EdgeCounts = r.join(join, f.edges, m), r.join(kernelSumBlockCounts, f.edgeCounts, m)
	}
	return out
}
