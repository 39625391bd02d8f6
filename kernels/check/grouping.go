package check

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
)

// checkGrouping verifies that groups have the numbers from 0 on, that each is connected by edges within it where the
// kind promises that, that nodes and edges say the same, and that the modularity is theirs.
func checkGrouping(m kernels.Measure, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	c := s.Grouping
	if c == nil || len(c.Of) != g.N() {
		return fmt.Errorf("%s: no groups of the %d nodes", m.Name, g.N())
	}
	if err := checkNumbers(m, s); err != nil {
		return err
	}
	if m.Kind == kernels.Communities || m.Kind == kernels.ConnectedModules {
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
	if q := kernels.Modularity(g, c.Of, r.Weighted && m.Kind.Seeded()); !near(1+q, 1+c.Modularity, false) {
		return fmt.Errorf("%s: modularity %g, but %g by its definition", m.Name, c.Modularity, q)
	}
	return nil
}

// checkNumbers verifies that every node has a group, and every group a node.
func checkNumbers(m kernels.Measure, s *kernels.Scores) error {
	c := s.Grouping
	used := make([]bool, c.Count)
	for v, group := range c.Of {
		if group < 0 || int(group) >= c.Count {
			return export.NewNodesError(nil, fmt.Sprintf("%s: node %%s is in group %d of %d", m.Name, group, c.Count), int32(v))
		}
		used[group] = true
		if s.Nodes != nil && s.Nodes[v] != float64(group) {
			return export.NewNodesError(nil,
				fmt.Sprintf("%s: node %%s has the score %g in group %d", m.Name, s.Nodes[v], group), int32(v))
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
