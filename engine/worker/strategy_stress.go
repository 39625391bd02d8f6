package worker

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// wideSum is the size of a sum of wide numbers.
const wideSum = 16

// stress counts in float64 and, when some count does not fit, all over again in wide numbers.
func (r *traverse) stress() (Result, error) {
	f64, wide := r.widths()[0], r.widths()[1]
	r.prepare(f64.bytes)
	space := r.newWorkspace(f64.bytes)
	r.stressSums(8)
	r.ready()
	r.stressRuns(f64, space)
	note := ""
	r.lostArc()
	nodes, edges, fit := r.stressIn64()
	if r.err == nil && !fit {
		note = "counted in wide numbers, because some pass float64"
		r.free(r.nodes)
		r.free(r.edges)
		// As many blocks as one sum of wide numbers a block leaves room for: half.
		r.blocks = max(1, r.blocks/2)
		r.clearTotals()
		r.stressSums(wideSum)
		r.run(wide, r.method, r.sources, r.failed, r.depths, 0, len(r.job.Sources), space, true)
		if left := r.failures(r.failed, len(r.job.Sources)); len(left) > 0 && r.err == nil {
			r.err = notOnGPU("path lengths are exact in 128-bit integers only, and %d sources have paths that float64 does not tell apart", len(left))
		}
		nodes, edges = r.stressWide()
	}
	totals := r.sumTotals()
	if r.err != nil {
		return Result{}, r.err
	}
	return Result{Totals: totals, Ties: r.metric.ties, Note: note, Preprocess: r.preprocess}, r.stressScores(nodes, edges)
}

func (r *traverse) stressSums(bytes int64) {
	b := int64(r.blocks)
	r.nodes, r.edges = 0, 0
	if r.job.Nodes != nil {
		r.nodes = r.zeros(bytes * r.job.Graph.N * b)
	}
	if r.job.Edges != nil {
		r.edges = r.zeros(bytes * r.job.Graph.Arcs * b)
	}
}

// stressRuns counts all sources in one width, choosing the method as the strategy says.
func (r *traverse) stressRuns(w width, space workspace) {
	count, start, method := len(r.job.Sources), 0, r.method
	if r.probe {
		start = min(count, (samplingSources+r.blocks-1)/r.blocks*r.blocks)
		r.run(w, method, r.sources, r.failed, r.depths, 0, start, space, true)
		if start < count && r.depthsAreLow(start) {
			method = bigLevels
		}
	}
	r.run(w, method, r.sources, r.failed, r.depths, start, count, space, true)
}

func (r *traverse) clearTotals() {
	if r.err == nil {
		r.err = r.device.Memset(r.totals, 0, 16*int64(r.job.Plan.Blocks))
	}
	if r.err == nil {
		r.err = r.device.Memset(r.lengths, 0, 8*int64(r.job.Plan.Blocks))
	}
}

// stressIn64 returns the sums of nodes and edges, and whether all of them fit.
func (r *traverse) stressIn64() (nodes, edges []kernels.Count, fit bool) {
	if len(r.failures(r.failed, len(r.job.Sources))) > 0 {
		return nil, nil, false
	}
	r.nodeSums(1)
	r.edgeSums(1)
	nodes, fit = counted(r.job.Nodes)
	edges, all := counted(r.job.Edges)
	return nodes, edges, fit && all
}

// counted converts sums; ok is false when one is infinite.
func counted(sums []float64) (out []kernels.Count, ok bool) {
	if sums == nil {
		return nil, true
	}
	out = make([]kernels.Count, len(sums))
	for i, x := range sums {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, false
		}
		m, e := math.Frexp(x)
		if m != 0 {
			out[i] = kernels.Count{Mantissa: 2 * m, Exponent: int64(e) - 1}
		}
	}
	return out, true
}

// stressWide joins the blocks' wide sums.
func (r *traverse) stressWide() (nodes, edges []kernels.Count) {
	if r.job.Nodes != nil {
		nodes = r.joinWide(r.nodes, r.job.Graph.N)
	}
	if r.job.Edges != nil {
		edges = make([]kernels.Count, r.job.Host.M())
		for i, x := range r.joinWide(r.edges, r.job.Graph.Arcs) {
			e := r.job.Host.Edge(int64(i))
			edges[e] = edges[e].Plus(x)
		}
	}
	return nodes, edges
}

func (r *traverse) joinWide(parts gpu.Ptr, count int64) []kernels.Count {
	out := r.joined(kernelSumBlocksWide, parts, count, wideSum)
	values := make([]kernels.Count, count)
	if r.err == nil {
		r.err = r.device.CopyOut(bytesOf(values), out)
	}
	r.free(out)
	return values
}

// stressScores fills the job's scores.
func (r *traverse) stressScores(nodes, edges []kernels.Count) error {
	for _, part := range []struct {
		scores []float64
		sums   []kernels.Count
	}{{r.job.Nodes, nodes}, {r.job.Edges, edges}} {
		if part.scores == nil {
			continue
		}
		scores, err := kernels.StressScores(r.job.Host, r.job.Request, part.sums)
		if err != nil {
			return err
		}
		copy(part.scores, scores)
	}
	return nil
}
