// Package moves finds groups of nodes by moving nodes to the groups of their neighbours, one after the other: label propagation
// (Raghavan, Albert and Kumara, Near linear time algorithm to detect community structures in large-scale networks, 2007), Louvain
// (Blondel, Guillaume, Lambiotte and Lefebvre, Fast unfolding of communities in large networks, 2008) and Leiden (Traag, Waltman
// and van Eck, From Louvain to Leiden: guaranteeing well-connected communities, 2019).
//
// Weights are strengths, and directions do not matter. Results depend on the seed, and on nothing else: nodes move one after the
// other, in one order, and what threads do at the same time is put together in an order of its own.
package moves

import (
	"context"
	"math/rand/v2"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

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

// Louvain moves nodes to the group of a neighbour where that gains modularity, makes nodes of the groups, and begins again.
func Louvain(ctx context.Context, g *export.Graph, o Options) (*Found, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	n, err := newNetwork(g, o.Weighted)
	if err != nil {
		return nil, err
	}
	out := &Found{Of: alone(g.N()), Count: g.N()}
	for out.Levels < o.Levels {
		m := newMover(n, o.Gamma, alone(n.nodes()), stop)
		moved, err := m.moveAll(o.order(n.nodes(), out.Levels), o.Iterations)
		if err != nil {
			return nil, err
		}
		if !moved {
			break
		}
		out.Levels++
		out.Count = numbered(m.of)
		for v, c := range out.Of {
			out.Of[v] = m.of[c]
		}
		n = n.merge(m.of, out.Count, o.Threads)
	}
	out.Modularity, out.Components = n.modularity(alone(n.nodes()), n.nodes()), n.components()
	return out, nil
}

// Leiden is Louvain with groups that are connected: before nodes are made of groups, each group is put together again from its
// nodes, as far as its parts are well connected, and the parts become the nodes.
func Leiden(ctx context.Context, g *export.Graph, o Options) (*Found, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	whole, err := newNetwork(g, o.Weighted)
	if err != nil {
		return nil, err
	}
	n, node, of := whole, alone(g.N()), alone(g.N()) // the node of n that each node of g is in, and the group of each node of n
	out := &Found{Of: alone(g.N())}
	for out.Levels < o.Levels {
		m := newMover(n, o.Gamma, of, stop)
		moved, err := m.moveAll(o.order(n.nodes(), out.Levels), o.Iterations)
		if err != nil {
			return nil, err
		}
		if !moved {
			break
		}
		out.Levels++
		for v, w := range node {
			out.Of[v] = of[w]
		}
		count := numbered(of)
		parts := n.refine(m, count, o, out.Levels)
		merged := numbered(parts)
		if merged == n.nodes() {
			break
		}
		above := make([]int32, merged)
		for v, p := range parts {
			above[p] = of[v]
		}
		n = n.merge(parts, merged, o.Threads)
		for v, w := range node {
			node[v] = parts[w]
		}
		of = above
	}
	out.Count = connected(whole, out.Of)
	out.Modularity, out.Components = whole.modularity(out.Of, out.Count), n.components()
	return out, nil
}

// connected makes a group of each connected part of a group, and returns the number of groups.
func connected(n *network, of []int32) int {
	parts := disjoint.New(n.nodes())
	for v := range int32(n.nodes()) {
		targets, _ := n.row(v)
		for _, w := range targets {
			if w < v && of[w] == of[v] {
				parts.Join(v, w)
			}
		}
	}
	for v := range of {
		of[v] = parts.Find(int32(v))
	}
	return numbered(of)
}

// alone puts each of n nodes into a group of its own.
func alone(n int) []int32 {
	of := make([]int32, n)
	for v := range of {
		of[v] = int32(v)
	}
	return of
}

// order is the one in which the nodes of a level are looked at first.
func (o Options) order(nodes, level int) []int32 {
	order := alone(nodes)
	if o.Seed != 0 {
		random := rand.New(rand.NewPCG(uint64(o.Seed), uint64(level)))
		random.Shuffle(nodes, func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}
