package device

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Metric is how lengths of paths are added on the device.
type Metric struct {
	// Name is the kernels' name for it: ticks32, ticks64, reals.
	Name string
	// Out and In are the weights of the arcs, and of those of the transposed graph.
	Out, In       gpu.Ptr
	Mul, Div, Tol float64
	// Width is that of the near pile of a search.
	Width float64
	// Ties as in kernels.Scores.
	Ties string
	// Unique reports that lengths are exact in 128 bits only. The device then adds in float64, and a source of whose ties
	// that leaves doubt fails.
	Unique bool
	// Certain is of how many arcs paths may be whose lengths the tolerance then tells apart; a source with longer ones
	// fails.
	Certain int64
}

const (
	// uniqueTolerance is more than two lengths in float64, of up to certainArcs weights each, are apart, relatively, when
	// they are equal: the sum of so many weights is right to 2^-42 of itself.
	uniqueTolerance = 1e-12
	certainArcs     = 2000
	// CertainRounds is of batches. They know of the arcs of a path that they are no more than the rounds of counts. These
	// are many times as many where lanes wait for each other: up to 3,330 in batches of 32 nodes drawn from 16,384 of a
	// Delaunay graph, whose paths have 114 arcs at most.
	CertainRounds = 100_000
	// tiniestWeight keeps lengths clear of denormal numbers.
	tiniestWeight = 1e-280
	// sumBits are those of a sum of whole numbers, and mostExponent that of a float64 whose inverse is one.
	sumBits, mostExponent = 62, 1000
	// nearArcs sets the width of the near pile to begin with, as that many times the mean weight over the mean degree; the
	// kernel widens and narrows it from there.
	nearArcs = 1
)

// NewMetric measures in 32-bit ticks where no path passes 2^32, in 64-bit ticks where the graph has them, otherwise in
// float64 with a tolerance.
func NewMetric(c *Calls, j *Job) Metric {
	g, tolerance := j.Graph, j.Tolerance
	if tolerance == 0 {
		tolerance = lengths.DefaultTolerance
	}
	if j.TickDiv != 0 {
		m := Metric{Name: "ticks64", Out: g.Ticks, In: g.In.Ticks, Mul: j.TickMul, Div: j.TickDiv, Tol: tolerance,
			Ties: "exact"}
		m.narrowTicks(c, j)
		return m
	}
	m := Metric{Name: "reals", Out: g.Weights, In: g.In.Weights, Mul: 1, Div: 1, Tol: tolerance, Ties: "tolerance"}
	if lengths.WeightTies(j.Host, tolerance) != "tolerance" {
		m.Ties, m.Unique = "exact", true
		m.TellApart(certainArcs)
		if least, _ := j.Host.WeightRange(); least < tiniestWeight && c.Err == nil {
			c.Err = &Unsuited{fmt.Sprintf("weights under %g are exact in whole ticks on the CPU only", tiniestWeight)}
		}
		if j.Within > 0 && c.Err == nil {
			c.Err = &Unsuited{"lengths are exact in 128-bit integers only, and so is what lies within a range"}
		}
	}
	m.Width = NearWidth(SumOf(j.Host.Weights), g.Arcs, g.N)
	return m
}

// Farthest returns the key of the greatest distance within a range in a graph of n nodes, and of what distances are
// added up as multiples; all ones and 0 for no range.
func (m *Metric) Farthest(within float64, n int64) (key int64, whole float64) {
	if within == 0 {
		return -1, 0
	}
	ticks := lengths.Unit{Mul: m.Mul, Div: m.Div, Div2: 1}
	switch key = ticks.Within(within); {
	case m.Name == "reals":
		key = int64(math.Float64bits(within))
	case m.Name == "ticks32" && key >= math.MaxUint32:
		key = -1
	}
	exponent := math.Ilogb(within) + 1 + bits.Len64(uint64(n)) - sumBits
	return key, math.Ldexp(1, min(max(exponent, -mostExponent), mostExponent))
}

// TellApart sets the tolerance with which lengths of up to so many arcs are told apart; sources with longer paths fail.
func (m *Metric) TellApart(arcs int64) {
	m.Certain, m.Tol = arcs, uniqueTolerance*float64(arcs)/certainArcs
}

// ArcBounds are bounds on the arcs of paths with which doubtful sources are searched from again, in this order, after
// the bound that they had first.
func ArcBounds(first int64) []int64 {
	all := []int64{CertainRounds, 10_000, certainArcs, 500, 125}
	return slices.DeleteFunc(all, func(arcs int64) bool { return arcs == first })
}

// Doubtful runs sources of whose ties float64 leaves doubt again, with each tolerance of arcBounds but the one that
// they had. It returns those of which doubt is left.
func (m *Metric) Doubtful(sources []int32, run func([]int32) []int32) []int32 {
	if !m.Unique {
		return sources
	}
	defer func(before Metric) { *m = before }(*m)
	for _, arcs := range ArcBounds(m.Certain) {
		if len(sources) == 0 {
			break
		}
		m.TellApart(arcs)
		sources = run(sources)
	}
	return sources
}

// Lost is the error of arc number i, which does not lengthen a path.
func (m *Metric) Lost(j *Job, i int64) error {
	if m.Unique {
		return &Unsuited{"path lengths are exact in 128-bit integers only, and float64 does not tell them apart"}
	}
	return lengths.LostWeight(j.Host, i)
}

// LightestArcs returns the least weight of an arc that leaves, and that enters, each node.
func (m *Metric) LightestArcs(c *Calls, g *Graph) (out, in gpu.Ptr) {
	kernel := map[string]gpu.Kernel{
		"ticks32": KernelLightestTicks32,
		"ticks64": KernelLightestTicks64,
		"reals":   KernelLightestReals,
	}[m.Name]
	lightest := func(g *Graph, weights gpu.Ptr) gpu.Ptr {
		least := c.Alloc(8 * g.N)
		c.Launch(kernel, ForEach(g.N), g.N, g.Offsets, g.Targets, weights, least)
		return least
	}
	if out = lightest(g, m.Out); g.In == g {
		return out, out
	}
	return out, lightest(g.In, m.In)
}

// NearWidth is how far past the nearest node the near pile of a search reaches; sum is of the weights of all arcs.
func NearWidth(sum float64, arcs, n int64) float64 {
	all := max(float64(arcs), 1)
	return nearArcs * (sum / all) * float64(n) / all
}

// SumOf adds up weights.
func SumOf[T int32 | float64](weights []T) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += float64(w)
	}
	return sum
}

// sumAndMost returns the sum of whole numbers that are not negative, and the greatest.
func sumAndMost(ticks []int64) (sum float64, most int64) {
	var low, high uint64
	var adding sync.Mutex
	inparts.Do(len(ticks), func(first, last int) {
		var partLow, partHigh, carry uint64
		partMost := int64(0)
		for _, t := range ticks[first:last] {
			partLow, carry = bits.Add64(partLow, uint64(t), 0)
			partHigh += carry
			partMost = max(partMost, t)
		}
		adding.Lock()
		defer adding.Unlock()
		low, carry = bits.Add64(low, partLow, 0)
		high += partHigh + carry
		most = max(most, partMost)
	})
	return math.Ldexp(float64(high), 64) + float64(low), most
}

// narrowTicks sets the width and rewrites the ticks in 32 bits if the longest path fits.
func (m *Metric) narrowTicks(c *Calls, j *Job) {
	g, ticks := j.Graph, HostTicks(c, j)
	if c.Err != nil {
		return
	}
	sum, most := sumAndMost(ticks)
	m.Width = NearWidth(sum, g.Arcs, g.N)
	if len(ticks) > 0 && most <= math.MaxUint32/max(g.N, 1)-1 {
		m.Narrow(c, g)
	}
}

// HostTicks are the ticks of the graph in host memory.
func HostTicks(c *Calls, j *Job) []int64 {
	if int64(len(j.Ticks)) == j.Graph.Arcs {
		return j.Ticks
	}
	ticks := make([]int64, j.Graph.Arcs)
	Download(c, ticks, j.Graph.Ticks)
	return ticks
}

// Narrow rewrites the ticks in 32 bits.
func (m *Metric) Narrow(c *Calls, g *Graph) {
	rewritten := func(from gpu.Ptr) gpu.Ptr {
		to := c.Alloc(4 * g.Arcs)
		c.Launch(KernelNarrowTicks, ForEach(g.Arcs), from, g.Arcs, to)
		return to
	}
	m.Name, m.Out = "ticks32", rewritten(g.Ticks)
	if m.In = m.Out; g.In != g {
		m.In = rewritten(g.In.Ticks)
	}
}
