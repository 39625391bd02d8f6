package jobs

import (
	"cmp"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// The drawing of a run has so many nodes, and so many links, that a person can still read it.
const (
	aroundTop       = 6  // highest nodes
	aroundNeighbour = 5  // neighbours of each
	aroundLinks     = 80 // relationships between all of them
)

// around picks the nodes with the highest scores, their highest neighbours, and the relationships between them; nil
// when nothing has scores.
func around(s *export.Snapshot, columns []connector.Column) *connector.Picture {
	a := &connector.Picture{Directed: s.Graph.Directed}
	nodes, rels := firstColumn(columns, connector.OnNodes), firstColumn(columns, connector.OnRelationships)
	if nodes == nil && rels == nil {
		return nil
	}
	score := func(v int32) float64 { return float64(s.Graph.Degree(v)) }
	if nodes != nil {
		a.NodeProperty = nodes.Property
		score = func(v int32) float64 { return nodes.Values[v] }
	}
	if rels != nil {
		a.RelationshipProperty = rels.Property
	}
	at := map[int32]int{}
	add := func(v int32, top bool) {
		if _, seen := at[v]; !seen {
			at[v] = len(a.Nodes)
			a.Nodes = append(a.Nodes, connector.Dot{ID: s.Nodes.String(int(v)), Score: finite(score(v)), Top: top})
		}
	}
	tops := topNodes(s.Graph, score)
	for _, v := range tops {
		add(v, true)
	}
	for _, v := range tops {
		row := slices.Clone(s.Graph.Row(v))
		slices.SortStableFunc(row, func(x, y int32) int { return cmp.Compare(score(y), score(x)) })
		row = slices.DeleteFunc(slices.Compact(row), func(w int32) bool { return w == v })
		for _, w := range row[:min(len(row), aroundNeighbour)] {
			add(w, false)
		}
	}
	a.Links = links(s, at, rels)
	return a
}

func firstColumn(columns []connector.Column, on connector.Entity) *connector.Column {
	for i := range columns {
		if columns[i].On == on {
			return &columns[i]
		}
	}
	return nil
}

func topNodes(g *export.Graph, score func(int32) float64) []int32 {
	values := make([]float64, g.N())
	for v := range values {
		values[v] = score(int32(v))
	}
	var out []int32
	for _, v := range highest(values, aroundTop) {
		out = append(out, int32(v))
	}
	return out
}

// finite replaces what JSON cannot hold.
func finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// links are the relationships between the nodes, those with the highest scores if there are too many; of parallel ones
// the highest.
func links(s *export.Snapshot, at map[int32]int, rels *connector.Column) []connector.Link {
	best := map[[2]int]float64{}
	for v, from := range at {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			to, in := at[s.Rels.Targets[i]]
			if !in || to == from {
				continue
			}
			x := 1.0
			if rels != nil {
				x = finite(rels.Values[i])
			}
			pair := [2]int{from, to}
			if !s.Graph.Directed && from > to {
				pair = [2]int{to, from}
			}
			if old, seen := best[pair]; !seen || x > old {
				best[pair] = x
			}
		}
	}
	out := make([]connector.Link, 0, len(best))
	for pair, x := range best {
		out = append(out, connector.Link{From: pair[0], To: pair[1], Score: x})
	}
	slices.SortFunc(out, func(a, b connector.Link) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return out[:min(len(out), aroundLinks)]
}
