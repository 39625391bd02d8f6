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
	// Levels is how often groups became nodes, or 1 of label propagation; 0 of cuts.
	Levels int
	// Unsettled is the number of nodes that label propagation would have looked at next.
	Unsettled int
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

// NewGrouping makes a grouping of the scores of nodes, of which nothing else is known.
func NewGrouping(g *export.Graph, groups []float64, strengths bool) *Grouping {
	c := &Grouping{Of: make([]int32, len(groups))}
	for v, group := range groups {
		c.Of[v] = int32(group)
		c.Count = max(c.Count, int(group)+1)
	}
	c.Modularity = Modularity(g, c.Of, strengths)
	return c
}

// Modularity computes the modularity of groups from its definition: the sum over groups of the share of edges within, less the
// square of the share of ends. Groups are numbers under that of the nodes. An edge counts as often as it weighs where weights
// are strengths, and otherwise once: then a weight is a length.
func Modularity(g *export.Graph, group []int32, strengths bool) float64 {
	m := 0.0
	within, ends := make([]float64, g.N()), make([]float64, g.N())
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			w, weight := g.Targets[i], 1.0
			if !g.Directed && w < v { // the other arc of the edge
				continue
			}
			if strengths {
				weight = g.Weight(i)
			}
			if !g.Directed && w == v { // both arcs are here
				weight /= 2
			}
			m += weight
			ends[group[v]] += weight
			ends[group[w]] += weight
			if group[v] == group[w] {
				within[group[v]] += weight
			}
		}
	}
	if m == 0 {
		return 0
	}
	sum := 0.0
	for c := range ends {
		sum += within[c]/m - ends[c]/(2*m)*(ends[c]/(2*m))
	}
	return sum
}

// checkGrouping verifies that groups have the numbers from 0 on, that each is connected by edges within it where the kind promises
// that, that nodes and edges say the same, and that the modularity is theirs.
func checkGrouping(m Measure, g *export.Graph, r Request, s *Scores) error {
	c := s.Grouping
	if c == nil || len(c.Of) != g.N() {
		return fmt.Errorf("%s: no groups of the %d nodes", m.Name, g.N())
	}
	if err := checkNumbers(m, s); err != nil {
		return err
	}
	if m.Kind == Communities || m.Kind == ConnectedModules {
		if parts := partsWithin(g, c.Of); parts != c.Count {
			return fmt.Errorf("%s: edges within %d groups connect %d parts", m.Name, c.Count, parts)
		}
	}
	if s.Edges != nil {
		for e, flag := range c.Flags(g) {
			if s.Edges[e] != flag {
				return fmt.Errorf("%s: edge %d has the score %g, and its ends say %g", m.Name, e, s.Edges[e], flag)
			}
		}
	}
	if q := Modularity(g, c.Of, r.Weighted && m.Kind.Seeded()); !near(1+q, 1+c.Modularity, false) {
		return fmt.Errorf("%s: modularity %g, but %g by its definition", m.Name, c.Modularity, q)
	}
	return nil
}

// checkNumbers verifies that every node has a group, and every group a node.
func checkNumbers(m Measure, s *Scores) error {
	c := s.Grouping
	used := make([]bool, c.Count)
	for v, group := range c.Of {
		if group < 0 || int(group) >= c.Count {
			return export.NewNodesError(nil, fmt.Sprintf("%s: node %%s is in group %d of %d", m.Name, group, c.Count), int32(v))
		}
		used[group] = true
		if s.Nodes != nil && s.Nodes[v] != float64(group) {
			return export.NewNodesError(nil, fmt.Sprintf("%s: node %%s has the score %g in group %d", m.Name, s.Nodes[v], group), int32(v))
		}
	}
	for group, any := range used {
		if !any {
			return fmt.Errorf("%s: group %d of %d has no node", m.Name, group, c.Count)
		}
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
