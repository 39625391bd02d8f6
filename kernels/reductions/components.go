package reductions

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Component is a part of a graph that no path leaves: a weak component, or all small ones together.
type Component struct {
	Graph *export.Graph
	// Nodes and Edges are the numbers of the component's nodes and edges in the whole graph; nil where they are the same.
	Nodes, Edges []int32
	// Work is what a search from every node costs, about, in arcs.
	Work float64
}

// leastComponent is the number of nodes from which a component is a part of its own: smaller ones take less to search
// than to look up.
const leastComponent = 64

// Components cuts a graph into its components.
func Components(g *export.Graph) []Component {
	c := newCutting(g)
	if len(c.parts) == 1 {
		c.parts[0].Graph = g
		return c.parts
	}
	for v := range int32(g.N()) {
		part := &c.parts[c.part[v]]
		c.local[v] = int32(len(part.Nodes))
		part.Nodes = append(part.Nodes, v)
	}
	c.number()
	for i := range c.parts {
		c.fill(&c.parts[i])
	}
	return c.parts
}

// cutting is a graph that is cut.
type cutting struct {
	g     *export.Graph
	parts []Component
	part  []int32 // of each node
	// local is the number of each node in its part, edge that of each edge.
	local, edge []int32
}

// newCutting finds which parts there are, and what they cost.
func newCutting(g *export.Graph) *cutting {
	n := int32(g.N())
	sets := disjoint.New(int(n))
	for v := range n {
		for _, w := range g.Row(v) {
			sets.Join(v, w)
		}
	}
	size, arcs := make([]int64, n), make([]int64, n)
	for v := range n {
		root := sets.Find(v)
		size[root], arcs[root] = size[root]+1, arcs[root]+g.Degree(v)
	}
	c := &cutting{g: g, part: make([]int32, n), local: make([]int32, n), edge: make([]int32, g.M())}
	number, small := map[int32]int32{}, int32(-1)
	for v := range n {
		root := sets.Find(v)
		at, ok := number[root]
		switch {
		case ok:
		case size[root] < leastComponent && small >= 0:
			at = small
		default:
			at = int32(len(c.parts))
			c.parts = append(c.parts, Component{})
			if size[root] < leastComponent {
				small = at
			}
		}
		if !ok {
			number[root] = at
			c.parts[at].Work += float64(size[root]) * float64(arcs[root])
		}
		c.part[v] = at
	}
	return c
}

// number numbers the edges of each part in their order.
func (c *cutting) number() {
	source, _ := c.g.Ends()
	for e, v := range source {
		part := &c.parts[c.part[v]]
		c.edge[e] = int32(len(part.Edges))
		part.Edges = append(part.Edges, int32(e))
	}
}

// fill makes the graph of a part. Arcs keep their order.
func (c *cutting) fill(part *Component) {
	out := &export.Graph{
		Directed: c.g.Directed, Offsets: make([]int64, 1, len(part.Nodes)+1), Targets: []int32{}, Edges: []int32{},
		EdgeCount: len(part.Edges),
	}
	for _, v := range part.Nodes {
		first, last := c.g.Offsets[v], c.g.Offsets[v+1]
		for i := first; i < last; i++ {
			out.Targets = append(out.Targets, c.local[c.g.Targets[i]])
			out.Edges = append(out.Edges, c.edge[c.g.Edge(i)])
		}
		if c.g.Weights != nil {
			out.Weights = append(out.Weights, c.g.Weights[first:last]...)
		}
		if c.g.Rests != nil {
			out.Rests = append(out.Rests, c.g.Rests[first:last]...)
		}
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
	}
	part.Graph = out
}

// ComponentBytes bounds the memory of the components of a graph, in bytes.
func ComponentBytes(g kernels.Size) int64 { return 44*g.Nodes + 36*2*g.Edges }

// inComponent begins the key of every component. Its number goes up with every change after which a search of the same
// component may find other bits.
const inComponent = "sums of a component 1"

// Key returns the hash of all that the sums of a measure over the component depend on.
func (c *Component) Key(m kernels.Measure, r kernels.Request) reuse.Key {
	h, g := reuse.NewHasher(inComponent+" "+m.Name+" "+r.Reduce), c.Graph
	flags := int64(0)
	for i, flag := range []bool{g.Directed, r.Nodes, r.Edges, r.Weighted, r.Endpoints} {
		if flag {
			flags |= 1 << i
		}
	}
	h.Int(flags)
	h.Float(r.Tolerance)
	h.Ints(g.Offsets)
	h.Int32s(g.Targets)
	for i := range g.Targets {
		h.Int(int64(g.Edge(int64(i))))
	}
	if r.Weighted {
		h.Floats(g.Weights)
		h.Floats(g.Rests)
	}
	return h.Key()
}
