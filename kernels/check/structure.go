package check

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
)

// checkStructure verifies what the definition of a measure of the graph's structure says of its scores, as far as one
// look at every arc can tell.
func checkStructure(m kernels.Measure, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	c := structureCheck{m, g, m.VariantOf(r.Params), s}
	switch m.Kind {
	case kernels.Components, kernels.StrongComponents, kernels.EdgeComponents:
		return c.groups()
	case kernels.Articulation:
		return c.articulation()
	case kernels.Bridges:
		return c.bridges()
	case kernels.Blocks:
		return c.numbered("block", s.Edges)
	case kernels.Cores:
		return c.cores()
	case kernels.Triangles:
		return c.triangles()
	case kernels.Trusses:
		return c.trusses()
	case kernels.Clustering:
		return c.within(s.Nodes, 0, 1)
	case kernels.Similarity:
		return c.similarity()
	case kernels.Curvature:
		return c.curvature()
	}
	return nil
}

type structureCheck struct {
	kernels.Measure
	graph   *export.Graph
	variant string
	*kernels.Scores
}

// wrong is an error about a node.
func (c structureCheck) wrong(v int32, format string, args ...any) error {
	return export.NewNodesError(nil, c.Name+" of node %s: "+fmt.Sprintf(format, args...), v)
}

// numbered checks that scores are the numbers from 0 on, in the order in which they are met.
func (c structureCheck) numbered(what string, scores []float64) error {
	next := 0.0
	for i, x := range scores {
		if x < 0 || x > next || x != float64(int(x)) {
			return fmt.Errorf("%s: the score %d is %g, but there are %g numbers of a %s before it", c.Name, i, x, next, what)
		}
		if x == next {
			next++
		}
	}
	return nil
}

// groups checks numbers or sizes of groups; the groups of components by joining the ends of all edges.
func (c structureCheck) groups() error {
	if c.Nodes == nil {
		return nil
	}
	if c.variant == kernels.GroupSize {
		return c.sizes()
	}
	if err := c.numbered("group", c.Nodes); err != nil || c.Kind != kernels.Components {
		return err
	}
	parts := disjoint.New(c.graph.N())
	for v := range int32(c.graph.N()) {
		for _, w := range c.graph.Row(v) {
			if w > v && !c.graph.Directed {
				break // the arc back, in the row of w, is enough
			}
			if c.Nodes[v] != c.Nodes[w] {
				return c.wrong(v, "%g, and %g of a neighbour", c.Nodes[v], c.Nodes[w])
			}
			parts.Join(v, w)
		}
	}
	count := 0
	for _, x := range c.Nodes {
		count = max(count, int(x)+1)
	}
	if count != parts.Count {
		return fmt.Errorf("%s: %d numbers, but edges leave %d parts", c.Name, count, parts.Count)
	}
	return nil
}

// sizes checks that as many nodes have a size as fit into groups of it.
func (c structureCheck) sizes() error {
	count := map[float64]int{}
	for _, size := range c.Nodes {
		count[size]++
	}
	for size, nodes := range count {
		if size < 1 || size != float64(int(size)) || nodes%int(size) != 0 {
			return fmt.Errorf("%s: %d nodes lie in groups of %g", c.Name, nodes, size)
		}
	}
	return nil
}

func (c structureCheck) articulation() error {
	for v, x := range c.Nodes {
		neighbours := c.neighbours(int32(v))
		most := neighbours
		if c.variant == kernels.LargestPart {
			most = float64(c.graph.N() - 1)
		}
		if x > most || x < min(neighbours, 1) {
			return c.wrong(int32(v), "%g, with %g neighbours in a graph of %d nodes", x, neighbours, c.graph.N())
		}
	}
	return nil
}

// bridges checks that each bridge joins two parts that nothing else joins.
func (c structureCheck) bridges() error {
	if c.Edges == nil {
		return nil
	}
	parts := disjoint.New(c.graph.N())
	source, target := c.graph.Ends()
	for e := range source {
		if c.Edges[e] == 0 {
			parts.Join(source[e], target[e])
		}
	}
	at := make([]float64, c.graph.N())
	for e := range source {
		if c.Edges[e] == 0 {
			continue
		}
		if !parts.Join(source[e], target[e]) {
			return c.wrong(source[e], "an edge with the score %g is no bridge", c.Edges[e])
		}
		at[source[e]]++
		at[target[e]]++
	}
	for v, x := range c.Nodes {
		if x != at[v] {
			return c.wrong(int32(v), "%g, but edges say %g", x, at[v])
		}
	}
	return nil
}

// cores checks that a node of core k has k neighbours of core k and more, but not k+1 of core k+1 and more.
func (c structureCheck) cores() error {
	for v, core := range c.Nodes {
		same, over := 0.0, 0.0
		c.onNeighbours(int32(v), func(arc int64) {
			switch x := c.Nodes[c.graph.Targets[arc]]; {
			case x > core:
				same, over = same+1, over+1
			case x == core:
				same++
			}
		})
		if same < core || over > core {
			return c.wrong(int32(v), "%g, with %g neighbours of that core and more, %g of more", core, same, over)
		}
	}
	return nil
}

// triangles checks that the edges of a node have twice its triangles, or that all nodes have three times a number of
// them.
func (c structureCheck) triangles() error {
	if c.Edges == nil {
		if sum := int64(total(c.Nodes)); total(c.Nodes) < 1<<53 && sum%3 != 0 {
			return fmt.Errorf("triangles: nodes lie in %d, which is no multiple of 3", sum)
		}
		return nil
	}
	for v, x := range c.Nodes {
		if sum := c.overNeighbours(int32(v)); sum != 2*x {
			return c.wrong(int32(v), "%g, but its edges lie in %g", x, sum)
		}
	}
	return nil
}

func (c structureCheck) trusses() error {
	for v, x := range c.Nodes {
		if c.Edges == nil {
			break
		}
		most := 0.0
		c.onNeighbours(int32(v), func(arc int64) { most = max(most, c.Edges[c.graph.Edge(arc)]) })
		if x != most {
			return c.wrong(int32(v), "%g, but the greatest of its edges is %g", x, most)
		}
	}
	return nil
}

func (c structureCheck) similarity() error {
	most := 1.0
	if c.variant == kernels.AdamicAdar {
		most = 1.5 * float64(c.graph.N()) // 1 / ln 2 for each node
	}
	if err := c.within(c.Edges, 0, most); err != nil {
		return err
	}
	return c.within(c.Nodes, 0, most)
}

// curvature checks that edges have no more than their triangles can add.
func (c structureCheck) curvature() error {
	if c.Edges == nil {
		return nil
	}
	source, target := c.graph.Ends()
	degree := make([]float64, c.graph.N())
	for v := range degree {
		degree[v] = c.neighbours(int32(v))
	}
	for e, x := range c.Edges {
		a, b := degree[source[e]], degree[target[e]]
		least, added := 4-a-b, 0.0
		if source[e] == target[e] {
			least = 0
		} else if c.variant == kernels.Augmented {
			added = 3 * (min(a, b) - 1)
		}
		if x < least || x > least+added {
			return c.wrong(source[e], "an edge has %g, with %g and %g neighbours", x, a, b)
		}
	}
	return nil
}

func (c structureCheck) within(scores []float64, least, most float64) error {
	for i, x := range scores {
		if !(x >= least && x <= most) {
			return fmt.Errorf("%s: the score %d is %g, not from %g to %g", c.Name, i, x, least, most)
		}
	}
	return nil
}

// onNeighbours calls do with the first arc to each neighbour of a node other than itself.
func (c structureCheck) onNeighbours(v int32, do func(arc int64)) {
	g := c.graph
	for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
		if w := g.Targets[arc]; w != v && (arc == g.Offsets[v] || g.Targets[arc-1] != w) {
			do(arc)
		}
	}
}

// neighbours is the number of a node's neighbours, itself not counted.
func (c structureCheck) neighbours(v int32) (count float64) {
	c.onNeighbours(v, func(int64) { count++ })
	return count
}

// overNeighbours sums the scores of the edges to a node's neighbours.
func (c structureCheck) overNeighbours(v int32) (sum float64) {
	c.onNeighbours(v, func(arc int64) { sum += c.Edges[c.graph.Edge(arc)] })
	return sum
}
