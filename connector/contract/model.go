package contract

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// nasty is a small graph with everything in it: parallel relationships both ways, loops, names that need care, and
// isolated nodes where they can be held.
func nasty(terms Terms) Model {
	m := Model{Nodes: []string{"a", "b", "c", "comma, quote\" and\nline", "Zoë 東京", "0", "00"}}
	type pair struct{ u, v int }
	pairs := []pair{{0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 2}, {2, 2}, {2, 2}, {3, 4}, {4, 3}, {5, 6}, {6, 0}, {3, 0}, {0, 1}}
	for i, p := range pairs {
		w := 0.25 * float64(1+i*7%11)
		for _, name := range terms.Types {
			w += 0.5
			m.Rels = append(m.Rels, Rel{Source: p.u, Target: p.v, Type: name, Weight: &w})
		}
	}
	for i := range m.Rels { // each its own weight, so that parallel ones can be told apart
		w := *m.Rels[i].Weight + 16*float64(i)
		m.Rels[i].Weight = &w
	}
	if terms.Isolated {
		m.Nodes = append(m.Nodes, "alone", "alone too")
	}
	return m
}

// random draws a graph; every node is in a relationship unless isolated ones can be held.
func random(r *rand.Rand, terms Terms) Model {
	var m Model
	n := 1 + r.IntN(8)
	for i := range n {
		m.Nodes = append(m.Nodes, "n"+strconv.Itoa(i*i))
	}
	add := func(u, v int) {
		w := 0.25 * float64(len(m.Rels)*8+1+r.IntN(8))
		m.Rels = append(m.Rels, Rel{Source: u, Target: v, Type: terms.Types[r.IntN(len(terms.Types))], Weight: &w})
	}
	for range r.IntN(20) {
		add(r.IntN(n), r.IntN(n))
	}
	for _, name := range terms.Types { // a type without relationships is unknown to a database
		add(0, n-1)
		m.Rels[len(m.Rels)-1].Type = name
	}
	for v := range n {
		if !terms.Isolated {
			add(v, r.IntN(n))
		}
	}
	return m
}

// edge is an edge of the model's graph.
type edge struct {
	source, target string
	weight         float64
	rels           int // how many relationships it stands for
}

// picture is a graph in words, so that a difference can be read: a line a node, arc, edge and relationship, sorted.
type picture []string

// want draws what the projection makes of the model, by the rules of connector.Relationship, in the plainest way.
func want(m Model, p connector.Projection) picture {
	directed := slices.ContainsFunc(p.Relationships,
		func(r connector.Relationship) bool { return r.Orientation != export.Undirected })
	var edges []*edge
	var rels []string
	for _, sel := range p.Relationships {
		merged := map[[2]string]*edge{}
		enter := func(u, v string, w float64) *edge {
			if !directed && u > v {
				u, v = v, u
			}
			e := merged[[2]string{u, v}]
			if e == nil || sel.Parallel == export.Keep {
				e = &edge{source: u, target: v, weight: w}
				merged[[2]string{u, v}] = e
				edges = append(edges, e)
			} else {
				e.weight = merge(sel.Parallel, e.weight, w)
			}
			e.rels++
			return e
		}
		var later []func() string
		for _, rel := range m.Rels {
			w, keep := weightOf(rel, sel, p.Weights)
			if rel.Type != sel.Type || !keep {
				continue
			}
			u, v := m.Nodes[rel.Source], m.Nodes[rel.Target]
			var forth, back *edge
			switch sel.Orientation {
			case export.Reverse:
				forth = enter(v, u, w)
			default:
				forth = enter(u, v, w)
			}
			if sel.Orientation == export.Undirected && directed && u != v {
				back = enter(v, u, w)
			}
			later = append(later, func() string { return describe(u, v, forth, back) })
		}
		for _, f := range later {
			rels = append(rels, f())
		}
	}
	return draw(m.Nodes, directed, edges, rels)
}

func merge(p export.Parallel, a, b float64) float64 {
	switch p {
	case export.Min:
		return min(a, b)
	case export.Max:
		return max(a, b)
	case export.Sum:
		return a + b
	}
	return a + 1 // Count
}

// weightOf is the weight with which a relationship enters the graph.
func weightOf(rel Rel, sel connector.Relationship, policy export.WeightPolicy) (w float64, keep bool) {
	if sel.Weight == "" {
		return 1, true
	}
	switch {
	case rel.Weight != nil:
		w = *rel.Weight
	case sel.DefaultWeight != nil:
		w = *sel.DefaultWeight
	default:
		return 0, false
	}
	if w == 0 && policy.Zero == "epsilon" {
		w = policy.Epsilon
	}
	if sel.Parallel == export.Count && w > 0 {
		w = 1
	}
	return w, w > 0 && w <= 1e308
}

// draw makes the lines of a picture.
func draw(nodes []string, directed bool, edges []*edge, rels []string) picture {
	p := picture{fmt.Sprintf("directed %t", directed)}
	for _, name := range nodes {
		p = append(p, fmt.Sprintf("node %q", name))
	}
	for _, e := range edges {
		p = append(p, fmt.Sprintf("edge %s of %d", e, e.rels), fmt.Sprintf("arc %q %q %v", e.source, e.target, e.weight))
		if !directed {
			p = append(p, fmt.Sprintf("arc %q %q %v", e.target, e.source, e.weight))
		}
	}
	p = append(p, rels...)
	slices.Sort(p)
	return p
}

func (e *edge) String() string { return fmt.Sprintf("%q-%q weighs %v", e.source, e.target, e.weight) }

func describe(u, v string, forth, back *edge) string {
	s := fmt.Sprintf("relationship %q->%q became %s", u, v, forth)
	if back != nil {
		s += fmt.Sprintf(" and %s", back)
	}
	return s
}

// got draws a snapshot.
func got(s *export.Snapshot, names []string) picture {
	source, target := s.Graph.Ends()
	edges := make([]*edge, s.Graph.M())
	for e := range edges {
		u, v := names[source[e]], names[target[e]]
		if !s.Graph.Directed && u > v {
			u, v = v, u
		}
		edges[e] = &edge{source: u, target: v}
	}
	var p picture
	for v := range s.Graph.N() {
		for i := s.Graph.Offsets[v]; i < s.Graph.Offsets[v+1]; i++ {
			edges[s.Graph.Edge(i)].weight = s.Graph.Weight(i)
			p = append(p, fmt.Sprintf("arc %q %q %v", names[v], names[s.Graph.Targets[i]], s.Graph.Weight(i)))
		}
	}
	var rels []string
	for v := range len(s.Rels.Offsets) - 1 {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			forth, back := edges[s.Rels.Edges[i]], (*edge)(nil)
			forth.rels++
			if s.Rels.Back != nil && s.Rels.Back[i] >= 0 {
				back = edges[s.Rels.Back[i]]
				back.rels++
			}
			rels = append(rels, describe(names[v], names[s.Rels.Targets[i]], forth, back))
		}
	}
	for _, line := range draw(names, s.Graph.Directed, edges, rels) {
		if line[:4] != "arc " { // those come from the rows
			p = append(p, line)
		}
	}
	slices.Sort(p)
	return p
}
