package worker

import (
	"math"
	"math/bits"
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// metric is how lengths of paths are added on the device.
type metric struct {
	// name is the kernels' name for it: ticks32, ticks64, reals.
	name    string
	out, in gpu.Ptr // the weight of every arc
	// lightest and lightestIn have the least weight of an arc that leaves, or enters, each node, where searches need it.
	lightest, lightestIn gpu.Ptr
	mul, div, tol        float64
	width                float64 // of the near pile
	ties                 string
	// unique says that lengths are exact in 128 bits only. The device then adds in float64, and a source of whose ties
	// that leaves doubt fails.
	unique bool
	// certain is of how many arcs paths may be whose lengths the tolerance then tells apart; a source with longer ones fails.
	certain int64
}

const (
	// uniqueTolerance is more than two lengths in float64, of up to certainArcs weights each, are apart, relatively, when they are equal: the sum of
	// so many weights is right to 2^-42 of itself.
	uniqueTolerance = 1e-12
	certainArcs     = 2000
	// certainRounds is of batches, which know of the arcs of a path that they are no more than the rounds of counts; these are many times as many
	// where lanes wait for one another: up to 3,330 in batches of 32 nodes drawn from 16,384 of a Delaunay graph, whose paths have 114 arcs at most.
	certainRounds = 100_000
	// tiniestWeight keeps lengths clear of denormal numbers.
	tiniestWeight = 1e-280
)

// newMetric measures in 32-bit ticks where no path passes 2^32, in 64-bit ticks where the graph has them, otherwise in
// float64 with a tolerance.
func (r *traverse) newMetric() (metric, error) {
	g, tolerance := r.job.Graph, r.job.Tolerance
	if tolerance == 0 {
		tolerance = lengths.DefaultTolerance
	}
	m := metric{name: "ticks64", out: g.Ticks, in: g.In.Ticks, mul: r.job.TickMul, div: r.job.TickDiv, tol: tolerance, ties: "exact"}
	switch {
	case r.job.TickDiv == 0:
		m = metric{name: "reals", out: g.Weights, in: g.In.Weights, mul: 1, div: 1, tol: tolerance, ties: "tolerance"}
		if lengths.WeightTies(r.job.Host, tolerance) != "tolerance" {
			m.ties, m.unique = "exact", true
			m.tellApart(certainArcs)
			if slices.Min(r.job.Host.Weights) < tiniestWeight {
				return m, notOnGPU("weights under %g are exact in whole ticks on the CPU only", tiniestWeight)
			}
		}
		m.width = nearWidth(sumOf(r.job.Host.Weights), g.Arcs, g.N)
	default:
		r.narrowTicks(&m)
	}
	return m, r.err
}

// tellApart sets the tolerance with which lengths of up to so many arcs are told apart; sources with longer paths fail.
func (m *metric) tellApart(arcs int64) {
	m.certain, m.tol = arcs, uniqueTolerance*float64(arcs)/certainArcs
}

// arcBounds are bounds on the arcs of paths with which doubtful sources are searched from again.
func arcBounds() []int64 { return []int64{certainRounds, 10_000, certainArcs, 500, 125} }

// doubtful runs sources of whose ties float64 leaves doubt again, with each tolerance of arcBounds but the one that they had, and returns those of
// which doubt is left.
func (r *traverse) doubtful(sources []int32, run func([]int32) []int32) []int32 {
	if !r.metric.unique {
		return sources
	}
	defer func(m metric) { r.metric = m }(r.metric)
	first := r.metric.certain
	for _, arcs := range arcBounds() {
		if len(sources) == 0 {
			break
		}
		if arcs != first {
			r.metric.tellApart(arcs)
			sources = run(sources)
		}
	}
	return sources
}

// lightestArcs finds the least weight of an arc that leaves, and enters, each node.
func (r *traverse) lightestArcs() {
	g, m := r.job.Graph, &r.metric
	m.lightest = r.lightest(m.name, g, m.out)
	if m.lightestIn = m.lightest; g.In != g {
		m.lightestIn = r.lightest(m.name, g.In, m.in)
	}
}

// lightest returns the least weight of an arc of each node.
func (r *traverse) lightest(metric string, g *Graph, weights gpu.Ptr) gpu.Ptr {
	out := r.alloc(8 * g.N)
	if r.err == nil {
		r.err = r.device.Launch(lightestKernel(metric), forEach(g.N), g.N, g.Offsets, g.Targets, weights, out)
	}
	return out
}

// nearWidth is how far past the nearest node the near pile of a search reaches; sum is of the weights of all arcs.
func nearWidth(sum float64, arcs, n int64) float64 {
	all := max(float64(arcs), 1)
	return nearArcs * (sum / all) * float64(n) / all
}

func sumOf[T int32 | float64](weights []T) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += float64(w)
	}
	return sum
}

// sumAndMost returns the sum of whole numbers that are not negative, and the greatest.
func sumAndMost(ticks []int64) (sum float64, most int64) {
	var low, high, carry uint64
	for _, t := range ticks {
		low, carry = bits.Add64(low, uint64(t), 0)
		high += carry
		most = max(most, t)
	}
	return math.Ldexp(float64(high), 64) + float64(low), most
}

// narrowTicks sets the width and rewrites the ticks in 32 bits if the longest path fits.
func (r *traverse) narrowTicks(m *metric) {
	g := r.job.Graph
	ticks := r.hostTicks()
	if r.err != nil {
		return
	}
	sum, most := sumAndMost(ticks)
	m.width = nearWidth(sum, g.Arcs, g.N)
	if len(ticks) == 0 {
		return
	}
	if most > math.MaxUint32/max(g.N, 1)-1 {
		return
	}
	r.narrow(m)
}

// hostTicks are the ticks of the graph in host memory.
func (r *traverse) hostTicks() []int64 {
	if int64(len(r.job.Ticks)) == r.job.Graph.Arcs {
		return r.job.Ticks
	}
	ticks := make([]int64, r.job.Graph.Arcs)
	r.err = gpu.Download(r.device, ticks, r.job.Graph.Ticks)
	return ticks
}

// narrow rewrites the ticks in 32 bits.
func (r *traverse) narrow(m *metric) {
	g := r.job.Graph
	rewritten := func(from gpu.Ptr) gpu.Ptr {
		to := r.alloc(4 * g.Arcs)
		if r.err == nil {
			r.err = r.device.Launch(kernelNarrowTicks, forEach(g.Arcs), from, g.Arcs, to)
		}
		return to
	}
	m.name, m.out = "ticks32", rewritten(g.Ticks)
	if m.in = m.out; g.In != g {
		m.in = rewritten(g.In.Ticks)
	}
}

// weightedArgs fills Weighted of kernels/device/weighted_search.cuh.
func (r *traverse) weightedArgs(sources, failed gpu.Ptr, w workspace) gpu.Ptr {
	g, m := r.job.Graph, r.metric
	return putArguments(r, weightedArguments{
		n:             g.N,
		arcs:          g.Arcs,
		outOffsets:    g.Offsets,
		outTargets:    g.Targets,
		outWeights:    m.out,
		inOffsets:     g.In.Offsets,
		inTargets:     g.In.Targets,
		inWeights:     m.in,
		lightest:      m.lightest,
		lightestIn:    m.lightestIn,
		sources:       sources,
		distances:     w.distances,
		counts:        r.counts,
		stack:         w.stack,
		open:          w.open,
		ends:          w.ends,
		bits:          w.bits,
		nodes:         r.nodes,
		edges:         r.edges,
		failed:        failed,
		lost:          r.lost,
		pairs:         r.totals,
		totals:        r.lengths,
		tolerance:     m.tol,
		mul:           m.mul,
		div:           m.div,
		unique:        m.certain,
		endpoints:     one(r.job.Endpoints),
		width:         m.width,
		listed:        one(r.method == workEfficient),
		lanes:         r.lanes,
		sharedBitmaps: r.bitmaps(),
		longRow:       r.longRow(),
		longRows:      w.longRows,
		longRowsEach:  longRowsEach(g.Arcs, r.longRow()),
		masses:        r.masses,
	})
}

// longRow is the number of arcs from which on the whole block works on a node's row by weights: with a virtual warp a node.
func (t traversal) longRow() int64 {
	if t.lanes == 1 {
		return math.MaxInt64
	}
	return longRowSteps * t.lanes
}

// longRowsEach bounds how many nodes of a round have long rows, of arcs in or arcs out.
func longRowsEach(arcs, longRow int64) int64 { return 2*(arcs/longRow) + 2 }
