package worker

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// width is a kind of number for counts of paths.
type width struct {
	name  string
	bytes int64
}

// widths are tried in this order for the sources whose counts do not fit.
func (r *traverse) widths() []width {
	all := []width{{"f32", 4}, {"f64", 8}, {"wide", 16}}
	if r.job.Single && r.job.kind() == kernels.Dependencies {
		return all
	}
	return all[1:]
}

// countKernel is the kernel that counts in numbers of the given width.
func (r *traverse) countKernel(w width) gpu.Kernel {
	name := r.job.Measure
	if name == adaptive {
		name = "betweenness"
	}
	if r.job.Weighted {
		return weightedKernel(name, r.metric.name, w.name)
	}
	if w.name == "wide" {
		return wideKernel(name)
	}
	return searchKernel(name, w.name, r.kernel)
}

// betweenness runs all sources in the narrowest numbers, and again in wider ones those whose counts do not fit them.
func (r *traverse) betweenness() (Result, error) {
	widths := r.widths()
	r.prepare(widths[0].bytes)
	n, b := r.job.Graph.N, int64(r.blocks)
	if r.job.Nodes != nil {
		r.nodes = r.zeros(8 * n * b)
	}
	if r.job.Edges != nil {
		r.edges = r.zeros(8 * r.job.Graph.Arcs * b)
	}
	space := r.newWorkspace(widths[0].bytes)
	r.ready()
	note := r.countPaths(widths, space)
	r.lostArc()
	nodes, edges := kernels.BetweennessFactors(r.job.Host, r.job.Request)
	r.nodeSums(nodes)
	r.edgeSums(edges)
	out := Result{Totals: r.sumTotals(), Ties: r.metric.ties, Note: note, Preprocess: r.preprocess}
	if left := r.failures(r.failed, len(r.job.Sources)); len(left) > 0 && r.err == nil {
		out.Note = fmt.Sprintf("%d sources computed on the CPU, because only 128-bit integers tell their paths apart", len(left))
		for i, k := range left {
			left[i] = r.job.Sources[k]
		}
		r.err = r.onCPU(left, &out.Totals)
	}
	return out, r.err
}

// onCPU adds the scores of sources that the device cannot do: scores are sums over sources.
func (r *traverse) onCPU(sources []int32, totals *kernels.Totals) error {
	request := r.job.Request
	request.Sources = sources
	m, _ := kernels.Lookup(r.job.Measure)
	scores, err := cpu.Compute(r.ctx, m, r.job.Host, request)
	if err != nil {
		return err
	}
	for i := range r.job.Nodes {
		r.job.Nodes[i] += scores.Nodes[i]
	}
	for i := range r.job.Edges {
		r.job.Edges[i] += scores.Edges[i]
	}
	totals.Pairs += scores.Totals.Pairs
	totals.Distance += scores.Totals.Distance
	return nil
}

// countPaths runs the sources. The first chunk is one source a block; when many of it fail, the rest starts with the
// next width. What a width leaves over is done with the next one at the end.
func (r *traverse) countPaths(widths []width, space workspace) (note string) {
	count := len(r.job.Sources)
	start := min(r.blocks, count)
	method := r.method
	r.run(widths[0], method, r.sources, r.failed, r.depths, 0, start, space, true)
	base, left := 0, r.failures(r.failed, start)
	many := func() bool { return float64(len(left)) > escalate*float64(start) }
	if many() && r.metric.unique {
		r.metric.tellApart(certainRounds)
		left = r.again(widths[0], left, space)
	}
	if many() {
		if r.metric.unique && r.err == nil {
			r.err = notOnGPU("path lengths are exact in 128-bit integers only, and %d of %d sources have paths that float64 does not tell apart", len(left), start)
			return ""
		}
		base = 1
		note = fmt.Sprintf("counts of paths in %s from the first chunk on, because %d of its %d sources need it", widths[1].name, len(left), start)
	}
	if r.probe {
		probed := min(count, (samplingSources+r.blocks-1)/r.blocks*r.blocks)
		r.run(widths[base], method, r.sources, r.failed, r.depths, start, probed, space, true)
		if start = max(start, probed); start < count && r.depthsAreLow(start) {
			method, note = bigLevels, "all arcs for big levels, because the median depth is low"
		}
	}
	r.run(widths[base], method, r.sources, r.failed, r.depths, start, count, space, true)
	if r.metric.unique { // all counts are 1
		r.doubtful(r.failures(r.failed, count), func(left []int32) []int32 { return r.again(widths[base], left, space) })
		return note
	}
	for i, w := range widths[1:] {
		left := r.failures(r.failed, count)
		if i < base { // only the first chunk has not had this width
			left = slices.DeleteFunc(left, func(k int32) bool { return int(k) >= min(r.blocks, count) })
		}
		if len(left) == 0 || r.err != nil {
			continue
		}
		r.again(w, left, space)
		if note == "" {
			note = fmt.Sprintf("%d sources counted again in %s numbers", len(left), w.name)
		}
	}
	return note
}

// again repeats the sources of the given numbers in numbers of the given width, marks those that still fail, and returns their numbers.
func (r *traverse) again(w width, left []int32, space workspace) []int32 {
	nodes := make([]int32, len(left))
	for i, k := range left {
		nodes[i] = r.job.Sources[k]
	}
	sources, failed, depths := uploaded(r, nodes), r.zeros(4*int64(len(left))), r.zeros(4*int64(len(left)))
	r.run(w, r.method, sources, failed, depths, 0, len(left), space, false)
	flags := make([]int32, len(r.job.Sources))
	for _, k := range r.failures(r.failed, len(flags)) {
		flags[k] = 1
	}
	for _, k := range left {
		flags[k] = 0
	}
	var still []int32
	for _, i := range r.failures(failed, len(left)) {
		flags[left[i]] = 1
		still = append(still, left[i])
	}
	if r.err == nil {
		r.err = r.device.CopyIn(r.failed, gpu.Bytes(flags))
	}
	r.free(sources)
	r.free(failed)
	r.free(depths)
	return still
}

// run launches the sources numbered from to to, with as many blocks as the memory for counts holds.
func (r *traverse) run(w width, method int64, sources, failed, depths gpu.Ptr, from, to int, space workspace, progress bool) {
	if r.err != nil || from >= to {
		return
	}
	blocks := max(1, min(r.blocks, int(r.countBytes/(w.bytes*r.job.Graph.N))))
	args := r.args(method, sources, failed, depths, space)
	kernel := r.countKernel(w)
	r.sweep(from, to, blocks, progress, func(first, last int64) error {
		return r.launch(kernel, blocks, first, last, args)
	})
	r.free(args)
}

func (r *traverse) args(method int64, sources, failed, depths gpu.Ptr, space workspace) gpu.Ptr {
	if r.job.Weighted {
		return r.weightedArgs(sources, failed, space)
	}
	return r.pathArgs(method, sources, failed, depths, space)
}
