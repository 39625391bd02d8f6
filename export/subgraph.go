package export

// With returns the graph with all nodes, and those edges for which keep is true. keep has one entry per edge. Edges are
// numbered again, in their order.
func (g *Graph) With(keep []bool) *Graph {
	number, count := make([]int32, len(keep)), int32(0)
	for e, kept := range keep {
		number[e] = count
		if kept {
			count++
		}
	}
	out := &Graph{Directed: g.Directed, Offsets: make([]int64, g.N()+1), EdgeCount: int(count), Targets: []int32{},
		Edges: []int32{}}
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if e := g.Edge(i); keep[e] {
				out.Edges = append(out.Edges, number[e])
				out.copyArc(g, i)
			}
		}
		out.Offsets[v+1] = int64(len(out.Targets))
	}
	return out
}

// copyArc appends the target, weight and rest of an arc of another graph.
func (g *Graph) copyArc(from *Graph, arc int64) {
	g.Targets = append(g.Targets, from.Targets[arc])
	if from.Weights != nil {
		g.Weights = append(g.Weights, from.Weights[arc])
	}
	if from.Rests != nil {
		g.Rests = append(g.Rests, from.Rests[arc])
	}
}
