package oracle

import "math/big"

// precision is that of sums, and of quotients of what a word does not hold, in bits.
const precision = 128

// Sums has one exact number a node and one an edge.
type Sums struct{ Nodes, Edges []*big.Float }

func newSums(g Graph) Sums {
	zeros := func(n int) []*big.Float {
		out := make([]*big.Float, n)
		for i := range out {
			out[i] = new(big.Float).SetPrec(precision)
		}
		return out
	}
	return Sums{zeros(g.N), zeros(len(g.Edges))}
}

// Float64 rounds the sums, multiplied by a factor.
func (s Sums) Float64(factor float64) (nodes, edges []float64) {
	round := func(in []*big.Float) []float64 {
		out := make([]float64, len(in))
		for i, x := range in {
			out[i], _ = new(big.Float).Mul(x, big.NewFloat(factor)).Float64()
		}
		return out
	}
	return round(s.Nodes), round(s.Edges)
}

// Betweenness sums sigma(s,t|x) / sigma(s,t) over the ordered pairs of a source s and a node t that it reaches, for
// every node and edge x.
func (o *Oracle) Betweenness(sources []int) Sums { return o.pairs(sources, true) }

// Stress sums sigma(s,t|x) over the same pairs.
func (o *Oracle) Stress(sources []int) Sums { return o.pairs(sources, false) }

func (o *Oracle) pairs(sources []int, shares bool) Sums {
	sums, onward := newSums(o.g), make([]*big.Int, o.g.N)
	for i := range onward {
		onward[i] = new(big.Int)
	}
	w := newWords(o.g)
	for _, s := range sources {
		p := o.From(s)
		for k := 1; k < len(p.Reached); k++ {
			if p.Sigma[p.Reached[k]].IsUint64() {
				w.pair(p, k, shares)
			} else {
				o.pair(p, k, onward, sums, shares)
			}
		}
	}
	w.addTo(sums)
	return sums
}

// pair adds the paths to the k-th node reached. onward[v] is the number of paths from v to it; it is all 0 before and
// after.
func (o *Oracle) pair(p *Paths, k int, onward []*big.Int, sums Sums, shares bool) {
	t := p.Reached[k]
	onward[t].SetInt64(1)
	all, through, x := new(big.Float).SetInt(p.Sigma[t]), new(big.Int), new(big.Float).SetPrec(precision)
	add := func(to *big.Float, before, after *big.Int) {
		x.SetInt(through.Mul(before, after))
		if shares {
			x.Quo(x, all)
		}
		to.Add(to, x)
	}
	for i := k; i >= 0; i-- {
		v := p.Reached[i]
		if onward[v].Sign() == 0 {
			continue
		}
		if i > 0 && i < k {
			add(sums.Nodes[v], p.Sigma[v], onward[v])
		}
		for _, a := range p.into[v] {
			add(sums.Edges[a.edge], p.Sigma[a.from], onward[v])
			onward[a.from].Add(onward[a.from], onward[v])
		}
		onward[v].SetInt64(0)
	}
}

// Ends returns in how many of the pairs each node is s or t.
func (o *Oracle) Ends(sources []int) []float64 {
	ends := make([]float64, o.g.N)
	for _, s := range sources {
		for _, t := range o.From(s).Reached[1:] {
			ends[s]++
			ends[t]++
		}
	}
	return ends
}
