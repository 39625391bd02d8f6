package reduce

import "github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"

// wayBack leads the flow of a core back to nodes of the graph and edges of the simple graph.
type wayBack struct {
	linkLength []int64
	direct     []directEdge
	edges      []int32    // in place of direct where each link is one edge
	chains     [][]member // of each chain: those of the graph that it stands for
	twins      [][]int32  // of each branch node: others of the graph that it stands for; nil for none
	inside     int        // edges between twins
}

// directEdge is an edge of the simple graph between two branch nodes.
type directEdge struct {
	link, edge int32
	length     int64
	paths      float64
}

// member is a chain of the graph.
type member struct {
	link   int32 // -1 for a loop
	paths  float64
	nodes  []int32   // inner nodes, by node of the graph
	edges  []int32   // by edge of simple, one more than nodes
	weight []float64 // as cores.Chain.Weight
}

// uncontracted returns the number of nodes and edges that a core of so many branch nodes stands for.
func (b *wayBack) uncontracted(branch int) (nodes, edges int) {
	nodes, edges = branch, len(b.direct)+len(b.edges)+b.inside
	for _, t := range b.twins {
		nodes += len(t)
	}
	for _, members := range b.chains {
		for i := range members {
			k := len(members[i].nodes)
			nodes, edges = nodes+k, edges+k+1
		}
	}
	return nodes, edges
}

// score adds the scores of a core, by node of the graph and edge of the simple graph.
func (b *wayBack) score(c *cores.Core, f *cores.Flow, s *simple, node, edge []float64) {
	for i, v := range c.Nodes {
		each := f.Passes[i] / 2
		if b.twins != nil {
			each /= float64(1 + len(b.twins[i]))
			for _, t := range b.twins[i] {
				node[t] += each
			}
		}
		node[v] += each
	}
	for link, e := range b.edges {
		edge[e] += f.Through[link] / 2
	}
	for _, d := range b.direct {
		shortest := d.length == b.linkLength[d.link]
		if c.Fine != nil {
			shortest = s.fine[d.edge] == c.Fine.Links[d.link]
		}
		if shortest {
			edge[d.edge] += f.Through[d.link] * d.paths / c.Paths(d.link) / 2
		}
	}
	for t, members := range b.chains {
		chain := &c.Chains[t]
		for i := range members {
			m := &members[i]
			through := 0.0
			if m.link >= 0 && b.shortest(c, t, m.link) {
				through = f.Through[m.link] * m.paths / c.Paths(m.link) / 2
			}
			m.score(&f.Chains[t], chain.Mass()-m.mass(), through, node, edge)
		}
	}
}

// shortest reports whether chain t is as short as its link.
func (b *wayBack) shortest(c *cores.Core, t int, link int32) bool {
	if c.Fine != nil {
		return c.Fine.Chains[t].Length == c.Fine.Links[link]
	}
	return c.Chains[t].Length == b.linkLength[link]
}

// mass returns what all inner nodes weigh.
func (m *member) mass() float64 { return m.weight[len(m.weight)-1] }

// score adds the scores of a chain; peers is the mass of the other members. A source that is cut after inner node i
// crosses edge e < i with what it sends to nodes e+1..i, and edge e >= i with what it sends to i+1..e.
func (m *member) score(f *cores.ChainFlow, peers, through float64, node, edge []float64) {
	k := len(m.nodes)
	hist := func(i int) float64 {
		if f.Peers == nil {
			return f.Hist[i]
		}
		return f.Hist[i] + peers*f.Peers[i]
	}
	sources, flow := 0.0, 0.0
	for e := k; e >= 0; e-- {
		if e < k {
			sources += hist(e + 1)
			flow += sources * (m.weight[e+1] - m.weight[e])
		}
		edge[m.edges[e]] = flow + through
		if e > 0 {
			node[m.nodes[e-1]] += flow + through
		}
	}
	sources, flow = 0, 0
	for e := 0; e <= k; e++ {
		if e > 0 {
			node[m.nodes[e-1]] += flow
			sources += hist(e - 1)
			flow += sources * (m.weight[e] - m.weight[e-1])
		}
		edge[m.edges[e]] += flow
	}
	if f.EdgeWithin == nil {
		return
	}
	for e, s := range f.EdgeWithin {
		edge[m.edges[e]] += s
	}
	for j, s := range f.NodeWithin {
		node[m.nodes[j]] += s
	}
}
