package moves

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Leiden is Louvain with groups that are connected: before nodes are made of groups, each group is put together again
// from its nodes, as far as its parts are well connected, and the parts become the nodes. When no node moves any more,
// it begins again with the nodes of the graph and the groups that it has.
func Leiden(ctx context.Context, g *export.Graph, o Options) (*Found, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	whole, err := newNetwork(g, o.Weighted)
	if err != nil {
		return nil, err
	}
	out := &Found{Of: alone(g.N())}
	l := &leiden{options: o, whole: whole, out: out, stop: stop}
	for l.begin(); out.Levels < o.Levels; {
		moved, err := l.level()
		if err != nil {
			return nil, err
		}
		if !moved && l.at == whole {
			break
		}
		if !moved {
			l.begin()
		}
	}
	out.Count = connected(whole, out.Of)
	out.Modularity, out.Components = whole.modularity(out.Of, out.Count), l.at.components()
	return out, nil
}

// leiden is a search on its way.
type leiden struct {
	options Options
	stop    *stopper.Stopper
	whole   *network
	at      *network
	node    []int32 // the node of at that each node of the graph is in
	of      []int32 // the group of each node of at
	out     *Found
}

// begin goes to the nodes of the graph.
func (l *leiden) begin() {
	l.at, l.node, l.of = l.whole, alone(l.whole.nodes()), slices.Clone(l.out.Of)
}

// level moves nodes, and makes nodes of parts of the groups. It reports whether any node moved.
func (l *leiden) level() (moved bool, err error) {
	m := newMover(l.at, l.options.Gamma, l.of, l.stop)
	if moved, err = m.moveAll(l.options.order(l.at.nodes(), l.out.Levels), l.options.Iterations); !moved || err != nil {
		return false, err
	}
	l.out.Levels++
	count := numbered(l.of)
	copy(l.out.Of, l.node)
	replace(l.out.Of, l.of)
	if l.out.Levels < l.options.Levels {
		l.shrink(l.at.refine(m, count, l.options, l.out.Levels))
	}
	return true, nil
}

// shrink makes a node of each part.
func (l *leiden) shrink(parts []int32) {
	count := numbered(parts)
	if count == l.at.nodes() {
		return
	}
	above := make([]int32, count)
	for v, p := range parts {
		above[p] = l.of[v]
	}
	l.at, l.of = l.at.merge(parts, count, l.options.Threads), above
	replace(l.node, parts)
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
