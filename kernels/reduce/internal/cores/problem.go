package cores

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// Problem is a core laid out for the CPU, with distances of one type. It is read-only.
type Problem[T Distance] struct {
	core              *Core
	omega             []float64
	offsets           []int32
	arcs              []arc[T]
	shortest, longest T // lengths of arcs
	// how far apart sums of rounded lengths may be from what they stand for; 0 where they are exact
	slack     T
	halves    []Half[T] // by the branch node they start from
	firstHalf []int32
	primary   []Half[T] // of each chain
	ends      []ends
	mass      []float64 // of each chain
}

// ends are the ends of a chain.
type ends struct{ u, v int32 }

// NewProblem lays out a core. Use int32 only if Core.FitsInt32 reports true.
func NewProblem[T Distance](c *Core) *Problem[T] {
	p := &Problem[T]{
		core: c, omega: c.Omega, offsets: c.Offsets, arcs: make([]arc[T], len(c.Targets)), shortest: 1, longest: 1,
		slack: T(c.slack()),
	}
	if len(c.Targets) > 0 {
		p.shortest, p.longest = T(c.Length(0)), T(c.Length(0))
	}
	for i, w := range c.Targets {
		p.arcs[i] = arc[T]{to: w, length: T(c.Length(i)), paths: 1}
		if c.Mult != nil {
			p.arcs[i].paths = c.Mult[c.Links[i]]
		}
		p.shortest, p.longest = min(p.shortest, p.arcs[i].length), max(p.longest, p.arcs[i].length)
	}
	p.layChains()
	return p
}

// layChains makes both halves of every chain and sorts them by start.
func (p *Problem[T]) layChains() {
	c := p.core
	inner := 0
	for i := range c.Chains {
		inner += c.Chains[i].Inner()
	}
	ints := pieces.NewArena[T](2 * inner)
	floats := pieces.NewArena[float64](2*inner + len(c.Chains))
	p.primary, p.ends, p.mass = make([]Half[T], len(c.Chains)), make([]ends, len(c.Chains)), make([]float64, len(c.Chains))
	p.halves, p.firstHalf = make([]Half[T], 2*len(c.Chains)), make([]int32, len(c.Nodes)+2)
	for i := range c.Chains {
		p.firstHalf[c.Chains[i].U+2]++
		p.firstHalf[c.Chains[i].V+2]++
	}
	for v := range c.Nodes {
		p.firstHalf[v+2] += p.firstHalf[v+1]
	}
	put := func(v int32, h Half[T]) {
		p.halves[p.firstHalf[v+1]] = h
		p.firstHalf[v+1]++
	}
	for i := range c.Chains {
		fromU, fromV := newHalves(i, c, p.slack, &ints, &floats)
		u, v := c.Chains[i].U, c.Chains[i].V
		p.primary[i], p.ends[i], p.mass[i] = fromU, ends{u, v}, fromU.mass()
		put(u, fromU)
		put(v, fromV)
	}
}

// Halves returns the halves that start from a.
func (p *Problem[T]) Halves(a int32) []Half[T] { return p.halves[p.firstHalf[a]:p.firstHalf[a+1]] }

func (p *Problem[T]) nodes() int { return len(p.omega) }

// recount replaces path counts that passed the range of float64 by counts with exponents.
func (p *Problem[T]) recount(r *Row[T]) {
	r.Exp = make([]int32, len(r.Dist))
	for _, w := range r.Order {
		var sum count
		if r.Dist[w] == 0 {
			sum.mantissa = 1
		}
		for k := p.offsets[w]; k < p.offsets[w+1]; k++ {
			arc := &p.arcs[k]
			if v := arc.to; p.isShortest(r, v, w, k) {
				sum = sum.plus(count{r.Count[v], r.Exp[v]}.times(arc.paths))
			}
		}
		sum = sum.normal()
		r.Count[w], r.Exp[w] = sum.mantissa, sum.exp
	}
}

// FitsInt32 reports whether 32 bits hold four times the longest distance in a core: no shortest path is longer than
// twice the distance from any one node to the farthest.
func (c *Core) FitsInt32(stop func() bool) bool {
	if c.Fine != nil {
		return false
	}
	var longest, sum int64
	for i := range c.Targets {
		l := c.Length(i)
		longest = max(longest, l)
		sum = min(sum+l, math.MaxInt32) // it may pass 64 bits
	}
	for i := range c.Chains {
		longest = max(longest, c.Chains[i].Length)
	}
	if longest > math.MaxInt32/8 {
		return false
	}
	if sum <= math.MaxInt32/8 {
		return true
	}
	p := NewProblem[int64](&Core{
		Nodes: c.Nodes, Omega: c.Omega, Offsets: c.Offsets, Targets: c.Targets, Lengths: c.Lengths, Links: c.Links,
	})
	r := NewRow[int64](len(c.Nodes))
	if !NewSearch(p, stop).From(0, r) {
		return false
	}
	return 2*slices.Max(r.Dist)+2*longest <= math.MaxInt32/4
}
