package oracle

// Reach lists the distances d(t,x) over the sources t that reach x: of every node, t other than x, and of every edge,
// the lesser of those to its ends, t other than both.
func (o *Oracle) Reach(sources []int) (nodes, edges [][]float64) {
	nodes, edges = make([][]float64, o.g.N), make([][]float64, len(o.g.Edges))
	for _, t := range sources {
		d := o.From(t).Distance
		for v := range o.g.N {
			if v != t && d[v] >= 0 {
				nodes[v] = append(nodes[v], d[v])
			}
		}
		for i, e := range o.g.Edges {
			if t == e.From || t == e.To {
				continue
			}
			u, v := d[e.From], d[e.To]
			if u < 0 || v >= 0 && v < u {
				u = v
			}
			if u >= 0 {
				edges[i] = append(edges[i], u)
			}
		}
	}
	return nodes, edges
}

// Ball returns the sum of the degrees of the nodes within radius hops of v. A degree is the number of arcs that leave a
// node.
func (o *Oracle) Ball(v, radius int) int {
	inside := map[int]bool{v: true}
	for range radius {
		var found []int
		for _, a := range o.arcs {
			if inside[a.from] && !inside[a.to] {
				found = append(found, a.to)
			}
		}
		for _, w := range found {
			inside[w] = true
		}
	}
	sum := 0
	for _, a := range o.arcs {
		if inside[a.from] {
			sum++
		}
	}
	return sum
}
