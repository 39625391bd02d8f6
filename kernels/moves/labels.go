package moves

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// LabelPropagation gives each node the label that most of its neighbours have, by weight, again and again until no
// label changes, or for so many iterations. A node keeps its label if no other one has more; otherwise the seed chooses
// among equals.
func LabelPropagation(ctx context.Context, g *export.Graph, o Options) (*Found, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	n, err := newNetwork(g, o.Weighted)
	if err != nil {
		return nil, err
	}
	l := labels{network: n, label: alone(g.N()), tally: newTally(g.N()), seed: uint64(o.Seed)}
	all := newRounds(o.order(g.N(), 0))
	out := &Found{Levels: 1}
	for round := range o.Iterations {
		if !all.next() {
			break
		}
		if err := l.spread(all, uint64(round), stop); err != nil {
			return nil, err
		}
	}
	out.Left = len(all.later)
	out.Of, out.Count = l.label, numbered(l.label)
	out.Modularity, out.Components = n.modularity(out.Of, out.Count), n.components()
	return out, nil
}

type labels struct {
	*network
	label []int32
	tally *tally
	seed  uint64
}

// spread looks at the nodes of a round.
func (l *labels) spread(all *rounds, round uint64, stop *stopper.Stopper) error {
	for i, v := range all.now {
		if i%stopper.Every == 0 && stop.Stopped() {
			return stop.Err()
		}
		all.took(v)
		best := l.best(v, round)
		if best == l.label[v] {
			continue
		}
		l.label[v] = best
		targets, _ := l.row(v)
		for _, w := range targets {
			if l.label[w] != best {
				all.add(w)
			}
		}
	}
	return nil
}

// best returns the label of the greatest weight among the neighbours of a node.
func (l *labels) best(v int32, round uint64) int32 {
	targets, weights := l.row(v)
	for i, w := range targets {
		if w == v {
			continue
		}
		c := l.label[w]
		if l.tally.near[c] == 0 {
			l.tally.seen = append(l.tally.seen, c)
		}
		l.tally.near[c] += weightOf(weights, i)
	}
	own := l.label[v]
	best, most := own, l.tally.near[own]
	for _, c := range l.tally.seen {
		x := l.tally.near[c]
		if x > most || x == most && best != own && l.rank(v, c, round) > l.rank(v, best, round) {
			best, most = c, x
		}
	}
	l.tally.clear()
	return best
}

// rank orders labels that have equal weights at a node.
func (l *labels) rank(v, c int32, round uint64) uint64 {
	return mix(mix(mix(l.seed+round)+uint64(v)) + uint64(c))
}
