package chains

import (
	"cmp"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// foldLists are the chains as the device takes them: branch nodes by their places among the sources of batches, chains
// in the order of those.
type foldLists struct {
	place  []int32 // of each branch node
	row    []int32 // of each place: the number in rows of distances
	own    []uint32
	chains []foldChain
	ends   []chainEnds
	turned []int32 // the chain of the core that each is
	at     []int32
	// before and after are what masses and moments, or firsts and lasts, hold.
	before, after []byte
	masses        []uint32 // Sums::before
	moments       []int64  // Sums::after
	firsts, lasts []bestTwo
}

// foldChain is FoldChain of chain_folds.cuh, of chainBytes.
type foldChain struct{ u, v, length, first, inner int32 }

// chainEnds are ChainFolds::ends there, of endsBytes.
type chainEnds struct {
	u, v    int32
	mass, _ uint32
}

// bestTwo is Best there, of bestBytes.
type bestTwo struct{ most, second, which int32 }

const (
	chainBytes = 20
	endsBytes  = 16
	bestBytes  = 12
)

// newFoldLists lays out the chains for branch nodes in the order of batches, of which row has the numbers in rows of
// distances.
func newFoldLists(e *Folds, order, row []int32) *foldLists {
	c := e.core
	l := &foldLists{place: make([]int32, len(order)), row: row, own: make([]uint32, len(order))}
	values := e.masses
	if e.fold == closeness.Greatest {
		values = e.insides
	}
	for i, v := range order {
		l.place[v], l.own[i] = int32(i), uint32(values[c.Branch[v]])
	}
	l.sortChains(c)
	bins := len(c.Inner) + len(c.Chains)
	l.at = make([]int32, 0, len(c.Inner))
	l.chains, l.ends = make([]foldChain, 0, len(c.Chains)), make([]chainEnds, 0, len(c.Chains))
	if e.fold == closeness.Greatest {
		l.firsts, l.lasts = make([]bestTwo, 0, bins), make([]bestTwo, 0, bins)
	} else {
		l.masses, l.moments = make([]uint32, 0, bins), make([]int64, 0, bins)
	}
	for _, t := range l.turned {
		l.addChain(c, &c.Chains[t], e.fold, values)
	}
	l.before, l.after = device.BytesOf(l.masses), device.BytesOf(l.moments)
	if e.fold == closeness.Greatest {
		l.before, l.after = device.BytesOf(l.firsts), device.BytesOf(l.lasts)
	}
	return l
}

// sortChains orders the chains by the places of their ends.
func (l *foldLists) sortChains(c *closeness.Contracted) {
	l.turned = make([]int32, len(c.Chains))
	for t := range l.turned {
		l.turned[t] = int32(t)
	}
	slices.SortFunc(l.turned, func(a, b int32) int {
		x, y := &c.Chains[a], &c.Chains[b]
		byU, byV := cmp.Compare(l.place[x.U], l.place[y.U]), cmp.Compare(l.place[x.V], l.place[y.V])
		return cmp.Or(byU, byV, cmp.Compare(a, b))
	})
}

func (l *foldLists) addChain(
	c *closeness.Contracted, chain *closeness.ContractedChain, fold closeness.Fold, values []float64,
) {
	nodes, at := c.Of(chain)
	u, v := l.place[chain.U], l.place[chain.V]
	l.chains = append(l.chains, foldChain{u, v, chain.Length, int32(len(l.at)), chain.Count})
	l.at = append(l.at, at...)
	ends := chainEnds{u: u, v: v}
	if fold == closeness.Greatest {
		l.addBest(nodes, at, chain.Length, values)
	} else {
		l.addSums(nodes, at, values)
		ends.mass = l.masses[len(l.masses)-1]
	}
	l.ends = append(l.ends, ends)
}

// addSums adds the bins of a chain.
func (l *foldLists) addSums(nodes, at []int32, masses []float64) {
	mass, moment := uint32(0), int64(0)
	l.masses, l.moments = append(l.masses, 0), append(l.moments, 0)
	for j, v := range nodes {
		mass += uint32(masses[v])
		moment += int64(masses[v]) * int64(at[j])
		l.masses, l.moments = append(l.masses, mass), append(l.moments, moment)
	}
}

// addBest adds the bins of a chain.
func (l *foldLists) addBest(nodes, at []int32, length int32, insides []float64) {
	b := bestTwo{-1, -1, -1}
	l.firsts = append(l.firsts, b)
	for j, v := range nodes {
		b = b.with(at[j], int32(insides[v]), j)
		l.firsts = append(l.firsts, b)
	}
	b, end := bestTwo{-1, -1, -1}, len(l.firsts)
	l.lasts = append(l.lasts, make([]bestTwo, len(nodes)+1)...)
	l.lasts[end-1] = b
	for j := len(nodes) - 1; j >= 0; j-- {
		b = b.with(length-at[j], int32(insides[nodes[j]]), j)
		l.lasts[end-1-len(nodes)+j] = b
	}
}

// with is the best of one node more, so far away; `inside` is Inside of closeness.Trees.
func (b bestTwo) with(distance, inside int32, which int) bestTwo {
	if inside < 0 {
		return b
	}
	if x := distance + inside; x > b.most {
		return bestTwo{x, b.most, int32(which)}
	}
	return bestTwo{b.most, max(b.second, distance+inside), b.which}
}
