package moves

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Louvain moves nodes to the group of a neighbour where that gains modularity, makes nodes of the groups, and begins
// again.
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
		replace(out.Of, m.of)
		n = n.merge(m.of, out.Count, o.Threads)
	}
	out.Modularity, out.Components = n.modularity(alone(n.nodes()), n.nodes()), n.components()
	return out, nil
}

// replace replaces each number by what stands at its place in a list.
func replace(numbers, by []int32) {
	for i, x := range numbers {
		numbers[i] = by[x]
	}
}
