package file

import (
	"slices"
)

// listing is a neighbour with the weight of the edge.
type listing struct {
	node   int32
	weight float64
}

// checkPairs checks that each edge stands on both its nodes' lines, once each and with one weight, and that there are
// as many as the header declares.
func (m *metis) checkPairs() error {
	mirror := m.mirrored()
	var here, there []listing
	for v := range m.nodes {
		here, there = m.above.listings(here[:0], v), mirror.listings(there[:0], v)
		slices.SortFunc(here, func(a, b listing) int { return int(a.node) - int(b.node) })
		if err := m.comparePairs(v, here, there); err != nil {
			return err
		}
	}
	listings := int64(len(m.above.targets)) + int64(len(m.below.targets)) + m.dropped
	if listings != 2*m.edges {
		return m.t.in.errorf("the header declares %d edges, but the lines list %d neighbours; each edge is listed by both "+
			"its nodes", m.edges, listings)
	}
	return nil
}

// comparePairs compares what node v says of its edges to larger nodes with what they say, both in ascending order.
func (m *metis) comparePairs(v int64, here, there []listing) error {
	for i := range max(len(here), len(there)) {
		switch {
		case i > 0 && i < len(here) && here[i].node == here[i-1].node:
			return m.pairError(v, "node %d lists node %d twice; METIS has no parallel edges", v+1, here[i].node+1)
		case i == len(there) || i < len(here) && here[i].node < there[i].node:
			return m.pairError(v, "node %d lists node %d, which does not list it", v+1, here[i].node+1)
		case i > 0 && there[i].node == there[i-1].node:
			return m.pairError(int64(there[i].node), "node %d lists node %d twice; METIS has no parallel edges", there[i].node+1,
				v+1)
		case i == len(here) || there[i].node < here[i].node:
			return m.pairError(int64(there[i].node), "node %d lists node %d, which does not list it", there[i].node+1, v+1)
		case here[i].weight != there[i].weight:
			return m.pairError(v, "the edge %d-%d weighs %v there and %v on line %d", v+1, here[i].node+1,
				here[i].weight, there[i].weight, m.line[here[i].node])
		}
	}
	return nil
}

func (m *metis) pairError(v int64, format string, args ...any) error {
	return m.t.in.errorf("line %d: "+format, append([]any{m.line[v]}, args...)...)
}

// mirrored turns the listings of smaller neighbours round: row v has the larger nodes that list v, in ascending order.
func (m *metis) mirrored() *adjacency {
	out := &adjacency{ends: make([]int64, m.nodes), targets: make([]int32, len(m.below.targets)),
		weights: slices.Clone(m.below.weights)}
	for _, v := range m.below.targets {
		out.ends[v]++
	}
	total := int64(0)
	for v, count := range out.ends {
		out.ends[v] = total // where the row starts; it moves to where it ends below
		total += count
	}
	for u := range m.nodes {
		lo, hi := m.below.row(u)
		for i := lo; i < hi; i++ {
			k := &out.ends[m.below.targets[i]]
			out.targets[*k] = int32(u)
			if out.weights != nil {
				out.weights[*k] = m.below.weights[i]
			}
			*k++
		}
	}
	return out
}

func (a *adjacency) listings(to []listing, v int64) []listing {
	lo, hi := a.row(v)
	for i := lo; i < hi; i++ {
		l := listing{node: a.targets[i]}
		if a.weights != nil {
			l.weight = a.weights[i]
		}
		to = append(to, l)
	}
	return to
}

// deliver hands nodes and edges to the builder, each edge where it is listed first.
func (m *metis) deliver() error {
	if err := m.t.addNumbered(m.nodes); err != nil {
		return err
	}
	m.below = adjacency{}
	for v := range m.nodes {
		lo, hi := m.above.row(v)
		for i := lo; i < hi; i++ {
			if m.t.weighted() {
				m.t.block.Weights = append(m.t.block.Weights, m.above.weights[i])
			}
			if err := m.t.add(int32(v), m.above.targets[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
