package cuda

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// metric is how lengths of paths are added on the device.
type metric struct {
	// name is the kernels' name for it: ticks32, ticks64, reals.
	name          string
	out, in       Ptr // the weight of every arc
	lightest      Ptr // a node
	mul, div, tol float64
	ties          string
}

// newMetric measures in 32-bit ticks where no path passes 2^32, in 64-bit ticks where the graph has them, otherwise in
// float64 with a tolerance. Graphs whose lengths are exact in 128 bits only are the CPU's.
func (r *traverse) newMetric() (metric, error) {
	g, tolerance := r.job.Graph, r.job.Tolerance
	if tolerance == 0 {
		tolerance = kernels.DefaultTolerance
	}
	m := metric{name: "ticks64", out: g.Ticks, in: g.In.Ticks, mul: r.job.TickMul, div: r.job.TickDiv, tol: tolerance, ties: "exact"}
	switch {
	case r.job.TickDiv == 0:
		if kernels.WeightTies(r.job.Host, tolerance) != "tolerance" {
			return m, notOnGPU("path lengths are exact in 128-bit integers only, which the device code has not")
		}
		m = metric{name: "reals", out: g.Weights, in: g.In.Weights, mul: 1, div: 1, tol: tolerance, ties: "tolerance"}
	case r.narrowTicks(&m):
		m.name = "ticks32"
	}
	if r.err != nil {
		return m, r.err
	}
	m.lightest = r.alloc(8 * g.N)
	if r.err == nil {
		r.err = r.device.Launch("lightest_"+m.name, Shape{Grid: sumBlocks, Block: sumThreads}, g.N, g.Offsets, g.Targets, m.out, m.lightest)
	}
	return m, r.err
}

// narrowTicks rewrites the ticks in 32 bits if the longest path fits.
func (r *traverse) narrowTicks(m *metric) bool {
	g := r.job.Graph
	ticks := make([]int64, g.Arcs)
	if r.err = Download(r.device, ticks, g.Ticks); r.err != nil {
		return false
	}
	most := int64(1)
	for _, t := range ticks {
		most = max(most, t)
	}
	if most > math.MaxUint32/max(g.N, 1)-1 {
		return false
	}
	narrow := func(from Ptr) Ptr {
		to := r.alloc(4 * g.Arcs)
		if r.err == nil {
			r.err = r.device.Launch("narrow_ticks", Shape{Grid: sumBlocks, Block: sumThreads}, from, g.Arcs, to)
		}
		return to
	}
	m.out = narrow(g.Ticks)
	if m.in = m.out; g.In != g {
		m.in = narrow(g.In.Ticks)
	}
	return true
}

// weightedArgs fills Weighted of kernels/weighted.cuh.
func (r *traverse) weightedArgs(sources, failed Ptr, w workspace) Ptr {
	g, m := r.job.Graph, r.metric
	listed := int64(0)
	if r.method == workEfficient {
		listed = 1
	}
	return r.block(
		g.N, g.Arcs, g.Offsets, g.Targets, m.out, g.In.Offsets, g.In.Targets, m.in, m.lightest,
		sources, w.distances, r.counts, w.stack, w.open, w.ends, w.bits, r.nodes, r.edges, failed, r.lost,
		r.totals, r.lengths, m.tol, m.mul, m.div, r.endpoints(), listed, r.lanes, r.bitmaps(),
	)
}
