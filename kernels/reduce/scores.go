package reduce

import (
	"fmt"
	"math"
)

// Scores leads flows, one for each core, back to every node and edge of the graph.
func (r *Reduced) Scores(flows []Flow) (node, edge []float64) {
	node = append([]float64(nil), r.node...)
	simple := append([]float64(nil), r.edge...)
	for i := range r.Cores {
		r.Cores[i].score(&flows[i], node, simple)
	}
	edge = make([]float64, len(r.simple.of))
	for e, s := range r.simple.of {
		if s != dropped {
			edge[e] = simple[s] / float64(r.simple.mult[s])
		}
	}
	return node, edge
}

// score adds the scores of a core, nodes and edges of the simple graph.
func (c *Core) score(f *Flow, node, edge []float64) {
	for i, v := range c.Nodes {
		each := f.Passes[i] / 2
		if c.twins != nil {
			each /= float64(1 + len(c.twins[i]))
			for _, t := range c.twins[i] {
				node[t] += each
			}
		}
		node[v] += each
	}
	paths := func(link int32) float64 {
		if c.Mult == nil {
			return 1
		}
		return c.Mult[link]
	}
	for _, d := range c.direct {
		if d.length == c.linkLength[d.link] {
			edge[d.edge] += f.Through[d.link] * d.paths / paths(d.link) / 2
		}
	}
	for t := range c.Chains {
		chain := &c.Chains[t]
		for i := range chain.Members {
			m := &chain.Members[i]
			through := 0.0
			if m.link >= 0 && chain.Length == c.linkLength[m.link] {
				through = f.Through[m.link] * m.paths / paths(m.link) / 2
			}
			m.score(&f.Chains[t], chain.mass()-m.weight[len(m.weight)-1], through, node, edge)
		}
	}
}

// score adds the scores of a chain. A source that is cut after inner node i crosses edge e < i with what it sends to
// nodes e+1..i, and edge e >= i with what it sends to i+1..e.
func (m *Member) score(f *ChainFlow, peers, through float64, node, edge []float64) {
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

// Check compares the sums of scores of nodes and edges: a path has one edge more than inner nodes, so that they are
// apart by the pairs. The error is an ErrOptions: the flows were wrong.
func (r *Reduced) Check(node, edge []float64) error {
	ends, pairs := 0.0, float64(r.Info.Pairs)/2
	if r.options.Endpoints {
		ends = 2 * pairs
	}
	var nodes, edges float64
	for _, x := range node {
		nodes += x
	}
	for _, x := range edge {
		edges += x
	}
	if d := math.Abs(edges - (nodes - ends + pairs)); !(d <= 1e-9*max(edges, pairs)) {
		return fmt.Errorf("%w: edge scores sum to %g, node scores to %g, apart by other than the %g pairs", ErrOptions, edges, nodes-ends, pairs)
	}
	return nil
}
