package kernels

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// Grouping is a graph in groups, and how they came about.
type Grouping struct {
	// Of is the group of each node: 0, 1, ... by the first node of each.
	Of []int32
	// Count is the number of groups, Components that of the graph's components.
	Count, Components int
	Modularity        float64
	// Cuts is the number of edges that were cut. Limited says that the limit of time ended that.
	Cuts    int
	Limited bool
	// Base is the group of each node after the last cut, which Merges put together again, the last cut first; nil where it
	// is not known.
	Base   []int32
	Merges []Merge
}

// Merge joins two groups, which the cut of an edge had parted. Groups of Base come first, merge i makes the one after them
// and i more.
type Merge struct {
	A, B int32
	Edge int32
	// Score is the betweenness of the edge when it was cut.
	Score float64
	// Size is the number of nodes of both groups.
	Size int
	// Modularity is that of all groups after the merge.
	Modularity float64
}

// Flags returns 1 for each edge between two groups, and 0 for each other one.
func (c *Grouping) Flags(g *export.Graph) []float64 {
	out := make([]float64, g.M())
	source, target := g.Ends()
	for e := range out {
		if c.Of[source[e]] != c.Of[target[e]] {
			out[e] = 1
		}
	}
	return out
}

// Modularity computes the modularity of groups from its definition: the sum over groups of the share of edges within, less the
// square of the share of ends. Groups are numbers under that of the nodes. Every edge counts once, whatever it weighs: a
// weight is a length here, not a strength.
func Modularity(g *export.Graph, group []int32) float64 {
	if g.M() == 0 {
		return 0
	}
	m := float64(g.M())
	within, ends := make([]float64, g.N()), make([]float64, g.N())
	source, target := g.Ends()
	for e := range source {
		a, b := group[source[e]], group[target[e]]
		ends[a]++
		ends[b]++
		if a == b {
			within[a]++
		}
	}
	sum := 0.0
	for c := range ends {
		sum += within[c]/m - ends[c]/(2*m)*(ends[c]/(2*m))
	}
	return sum
}

// checkGrouping verifies that groups have the numbers from 0 on, that each is connected by edges within it, that nodes and edges
// say the same, and that the modularity is theirs.
func checkGrouping(g *export.Graph, s *Scores) error {
	c := s.Grouping
	if c == nil || len(c.Of) != g.N() {
		return fmt.Errorf("communities: no groups of the %d nodes", g.N())
	}
	used := make([]bool, c.Count)
	for v, group := range c.Of {
		if group < 0 || int(group) >= c.Count {
			return export.NewNodesError(nil, fmt.Sprintf("communities: node %%s is in group %d of %d", group, c.Count), int32(v))
		}
		used[group] = true
		if s.Nodes != nil && s.Nodes[v] != float64(group) {
			return export.NewNodesError(nil, fmt.Sprintf("communities: node %%s has the score %g in group %d", s.Nodes[v], group), int32(v))
		}
	}
	for group, any := range used {
		if !any {
			return fmt.Errorf("communities: group %d of %d has no node", group, c.Count)
		}
	}
	if parts := partsWithin(g, c.Of); parts != c.Count {
		return fmt.Errorf("communities: edges within %d groups connect %d parts", c.Count, parts)
	}
	if s.Edges != nil {
		for e, flag := range c.Flags(g) {
			if s.Edges[e] != flag {
				return fmt.Errorf("communities: edge %d has the score %g, and its ends say %g", e, s.Edges[e], flag)
			}
		}
	}
	if q := Modularity(g, c.Of); !near(1+q, 1+c.Modularity, false) {
		return fmt.Errorf("communities: modularity %g, but %g by its definition", c.Modularity, q)
	}
	return nil
}

// partsWithin counts what edges within groups connect.
func partsWithin(g *export.Graph, group []int32) int {
	parts := disjoint.New(g.N())
	source, target := g.Ends()
	for e := range source {
		if group[source[e]] == group[target[e]] {
			parts.Join(source[e], target[e])
		}
	}
	return parts.Count
}
