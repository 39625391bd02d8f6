package reduce

import "math"

// problem is a core laid out for the CPU, with distances of one type. It is read-only.
type problem[T distance] struct {
	core              *Core
	omega             []float64
	offsets           []int32
	arcs              []arc[T]
	shortest, longest T         // lengths of arcs
	halves            []half[T] // by the branch node they start from
	firstHalf         []int32
	primary           []half[T] // of each chain
	ends              []ends
	mass              []float64 // of each chain
}

// ends are the ends of a chain.
type ends struct{ u, v int32 }

func newProblem[T distance](c *Core) *problem[T] {
	p := &problem[T]{core: c, omega: c.Omega, offsets: c.Offsets, arcs: make([]arc[T], len(c.Targets)), shortest: 1, longest: 1}
	if len(c.Lengths) > 0 {
		p.shortest, p.longest = T(c.Lengths[0]), T(c.Lengths[0])
	}
	for i, w := range c.Targets {
		p.arcs[i] = arc[T]{to: w, length: T(c.Lengths[i]), paths: 1}
		if c.Mult != nil {
			p.arcs[i].paths = c.Mult[c.Links[i]]
		}
		p.shortest, p.longest = min(p.shortest, p.arcs[i].length), max(p.longest, p.arcs[i].length)
	}
	p.layChains()
	return p
}

// layChains makes both halves of every chain and sorts them by start.
func (p *problem[T]) layChains() {
	c := p.core
	var ints arena[T]
	var floats arena[float64]
	p.primary, p.ends, p.mass = make([]half[T], len(c.Chains)), make([]ends, len(c.Chains)), make([]float64, len(c.Chains))
	p.halves, p.firstHalf = make([]half[T], 2*len(c.Chains)), make([]int32, len(c.Nodes)+2)
	for i := range c.Chains {
		p.firstHalf[c.Chains[i].U+2]++
		p.firstHalf[c.Chains[i].V+2]++
	}
	for v := range c.Nodes {
		p.firstHalf[v+2] += p.firstHalf[v+1]
	}
	put := func(v int32, h half[T]) {
		p.halves[p.firstHalf[v+1]] = h
		p.firstHalf[v+1]++
	}
	for i := range c.Chains {
		fromU, fromV := newHalves(i, &c.Chains[i], &ints, &floats)
		u, v := c.Chains[i].U, c.Chains[i].V
		p.primary[i], p.ends[i], p.mass[i] = fromU, ends{u, v}, fromU.mass()
		put(u, fromU)
		put(v, fromV)
	}
}

// halvesAt returns the halves that start from a.
func (p *problem[T]) halvesAt(a int32) []half[T] { return p.halves[p.firstHalf[a]:p.firstHalf[a+1]] }

func (p *problem[T]) nodes() int { return len(p.omega) }

// recount replaces path counts that passed the range of float64 by counts with exponents.
func (p *problem[T]) recount(r *row[T]) {
	r.exp = make([]int32, len(r.dist))
	for _, w := range r.order {
		var sum count
		if r.dist[w] == 0 {
			sum.mantissa = 1
		}
		for _, arc := range p.arcs[p.offsets[w]:p.offsets[w+1]] {
			if v := arc.to; r.dist[v]+arc.length == r.dist[w] {
				sum = sum.plus(count{r.count[v], r.exp[v]}.times(arc.paths))
			}
		}
		sum = sum.normal()
		r.count[w], r.exp[w] = sum.mantissa, sum.exp
	}
}

// fitsInt32 says whether 32 bits hold four times the longest distance in a core: no path is longer than twice the
// distance of the farthest node from any one.
func (c *Core) fitsInt32() bool {
	var sum, longest int64
	for _, l := range c.Lengths {
		sum += l
		longest = max(longest, l)
		if sum > math.MaxInt32/4 {
			break
		}
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
	p := newProblem[int64](&Core{Nodes: c.Nodes, Omega: c.Omega, Offsets: c.Offsets, Targets: c.Targets, Lengths: c.Lengths, Links: c.Links})
	r := newRow[int64](len(c.Nodes))
	if err := newSearch(p, &stopper{}).from(0, r); err != nil {
		return false
	}
	farthest := r.dist[r.order[len(r.order)-1]]
	return 2*farthest+2*longest <= math.MaxInt32/4
}

func newRow[T distance](n int) *row[T] {
	return &row[T]{dist: make([]T, n), count: make([]float64, n), order: make([]int32, 0, n)}
}
