// Package moves finds groups of nodes by moving nodes to the groups of their neighbours, one after the other: label
// propagation (Raghavan, Albert and Kumara, Near linear time algorithm to detect community structures in large-scale
// networks, 2007), Louvain (Blondel, Guillaume, Lambiotte and Lefebvre, Fast unfolding of communities in large
// networks, 2008) and Leiden (Traag, Waltman and van Eck, From Louvain to Leiden: guaranteeing well-connected
// communities, 2019).
//
// Weights are strengths, and directions do not matter. Results depend on the seed, and on nothing else: nodes move one
// after the other, in one order, and what threads do at the same time is put together in an order of its own.
package moves

import "math/rand/v2"

// Options of a search for groups.
type Options struct {
	Weighted bool
	// Levels and Iterations bound how often groups are merged into nodes, and how often nodes are looked at on each level.
	Levels, Iterations int
	// Gamma is the resolution (Reichardt and Bornholdt 2006): the higher, the more groups.
	Gamma float64
	// Theta is how much chance there is in Leiden's merges, in units of the mean weight of an edge.
	Theta   float64
	Seed    int64
	Threads int // at least 1
}

// Found are groups.
type Found struct {
	// Of is the group of each node: 0, 1, ... by the first node of each.
	Of                []int32
	Count, Components int
	// Modularity is that for a resolution of 1.
	Modularity float64
	// Levels is how often nodes moved until none did or there were enough levels.
	Levels int
	// Left is how many nodes label propagation would have looked at next.
	Left int
}

// alone puts each of n nodes into a group of its own.
func alone(n int) []int32 {
	of := make([]int32, n)
	for v := range of {
		of[v] = int32(v)
	}
	return of
}

// order is the one in which the nodes of a level are looked at first: shuffled by the seed.
func (o Options) order(nodes, level int) []int32 {
	order := alone(nodes)
	random := rand.New(rand.NewPCG(uint64(o.Seed), uint64(level)))
	random.Shuffle(nodes, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}
