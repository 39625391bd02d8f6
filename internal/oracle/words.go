package oracle

import (
	"math/big"
	"math/bits"
)

// words sums what Oracle.pair does, over the pairs whose paths number less than 2^64: no count of theirs is greater.
type words struct {
	nodes, edges []tally
	onward       []uint64
}

func newWords(g Graph) *words {
	return &words{nodes: make([]tally, g.N), edges: make([]tally, len(g.Edges)),
		onward: make([]uint64, g.N)}
}

// pair adds the paths to the k-th node reached, as Oracle.pair does.
func (w *words) pair(p *Paths, k int, shares bool) {
	t := p.Reached[k]
	w.onward[t] = 1
	all := uint64(1)
	if shares {
		all = p.Sigma[t].Uint64()
	}
	for i := k; i >= 0; i-- {
		v := p.Reached[i]
		after := w.onward[v]
		if after == 0 {
			continue
		}
		if i > 0 && i < k {
			w.nodes[v].add(p.Sigma[v].Uint64()*after, all)
		}
		for _, a := range p.into[v] {
			w.edges[a.edge].add(p.Sigma[a.from].Uint64()*after, all)
			w.onward[a.from] += after
		}
		w.onward[v] = 0
	}
}

func (w *words) addTo(s Sums) {
	for v := range w.nodes {
		s.Nodes[v].Add(s.Nodes[v], w.nodes[v].float())
	}
	for e := range w.edges {
		s.Edges[e].Add(s.Edges[e], w.edges[e].float())
	}
}

// tally is a sum of quotients in units of 2^-128, the least word first.
type tally [4]uint64

// add adds x / by, rounded down.
func (t *tally) add(x, by uint64) {
	var first, second, carry uint64
	whole, rest := x/by, x%by
	if rest > 0 {
		first, rest = bits.Div64(rest, 0, by)
		second, _ = bits.Div64(rest, 0, by)
	}
	t[0], carry = bits.Add64(t[0], second, 0)
	t[1], carry = bits.Add64(t[1], first, carry)
	t[2], carry = bits.Add64(t[2], whole, carry)
	t[3] += carry
}

func (t *tally) float() *big.Float {
	sum := new(big.Float).SetPrec(64 * uint(len(t)))
	for i, word := range t {
		part := new(big.Float).SetUint64(word)
		sum.Add(sum, part.SetMantExp(part, 64*(i-2)))
	}
	return sum
}
