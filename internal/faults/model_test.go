package faults

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// model is the graph as the tests have made it: nodes (:V {i}) and relationships [:E {k}], directed.
type model struct {
	rng  *rand.Rand
	in   []bool         // node i has the label V, and so is in the graph
	arcs map[int][2]int // by k
	next int            // the next k
}

// scores are what a run of the job writes: of the nodes in the graph by i, and of the relationships between them by k.
type scores struct {
	nodes map[int]float64
	arcs  map[int]float64
}

func newModel(rng *rand.Rand, nodes, arcs int) *model {
	m := &model{rng: rng, in: make([]bool, nodes), arcs: map[int][2]int{}}
	for i := range m.in {
		m.in[i] = true
	}
	for range arcs {
		m.add()
	}
	return m
}

// add joins two nodes that were not joined that way.
func (m *model) add() map[string]any {
	for {
		a, b := m.rng.IntN(len(m.in)), m.rng.IntN(len(m.in))
		joined := a == b
		for _, arc := range m.arcs {
			joined = joined || arc == [2]int{a, b}
		}
		if !joined {
			k := m.next
			m.next++
			m.arcs[k] = [2]int{a, b}
			return map[string]any{"k": k, "a": a, "b": b}
		}
	}
}

// change takes some relationships away, adds others, and moves a node in or out of the graph, so that almost all scores
// differ. It returns the statement that does the same to the database.
func (m *model) change() (string, map[string]any) {
	var drop []int
	var add []map[string]any
	keys := m.keys()
	for _, at := range m.rng.Perm(len(keys))[:3] {
		drop = append(drop, keys[at])
		delete(m.arcs, keys[at])
	}
	for range 3 {
		add = append(add, m.add())
	}
	i := m.rng.IntN(len(m.in))
	m.in[i] = !m.in[i]
	verb := "REMOVE"
	if m.in[i] {
		verb = "SET"
	}
	return fmt.Sprintf("MATCH (n {i: $i}) %s n:V WITH n MATCH ()-[r:E]->() WHERE r.k IN $drop DELETE r WITH DISTINCT n "+
			"UNWIND $add AS e MATCH (a {i: e.a}), (b {i: e.b}) CREATE (a)-[:E {k: e.k}]->(b)", verb), map[string]any{"i": i,
			"drop": drop, "add": add}
}

func (m *model) keys() []int {
	keys := make([]int, 0, len(m.arcs))
	for k := range m.arcs {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// scores computes the betweenness of nodes and arcs, after Brandes (2001, 2008).
func (m *model) scores() scores {
	n := len(m.in)
	s := scores{nodes: map[int]float64{}, arcs: map[int]float64{}}
	out := make([][][2]int, n) // of a node: target and k
	for _, k := range m.keys() {
		a, b := m.arcs[k][0], m.arcs[k][1]
		if m.in[a] && m.in[b] {
			out[a] = append(out[a], [2]int{b, k})
			s.arcs[k] = 0
		}
	}
	for source := range n {
		if !m.in[source] {
			continue
		}
		s.nodes[source] += 0
		level, paths, sum := make([]int, n), make([]float64, n), make([]float64, n)
		level[source], paths[source] = 1, 1
		order := []int{source}
		for at := 0; at < len(order); at++ {
			v := order[at]
			for _, arc := range out[v] {
				if w := arc[0]; level[w] == 0 {
					level[w] = level[v] + 1
					order = append(order, w)
				}
				if level[arc[0]] == level[v]+1 {
					paths[arc[0]] += paths[v]
				}
			}
		}
		for _, v := range slices.Backward(order) {
			for _, arc := range out[v] {
				if level[arc[0]] == level[v]+1 {
					share := paths[v] / paths[arc[0]] * (1 + sum[arc[0]])
					s.arcs[arc[1]] += share
					sum[v] += share
				}
			}
			if v != source {
				s.nodes[v] += sum[v]
			}
		}
	}
	return s
}

// differ describes the first difference between scores that were read and those that are wanted; "" when there is none.
// Sums of a few hundred terms in another order agree to 1e-12.
func differ(what string, got, want map[int]float64) string {
	for i, x := range want {
		y, there := got[i]
		if !there {
			return fmt.Sprintf("%s %d has no score, want %v", what, i, x)
		}
		if math.Abs(x-y) > 1e-12*max(1, math.Abs(x)) {
			return fmt.Sprintf("%s %d has %v, want %v", what, i, y, x)
		}
	}
	for i, y := range got {
		if _, there := want[i]; !there {
			return fmt.Sprintf("%s %d has %v and should have none", what, i, y)
		}
	}
	return ""
}

func (s scores) differ(want scores) string {
	if d := differ("node", s.nodes, want.nodes); d != "" {
		return d
	}
	return differ("relationship", s.arcs, want.arcs)
}
