package chains

// components are the nodes that paths join.
type components struct {
	of []int32 // the component of each branch node
	// count is how many nodes are in each component, of all that others stand for, and inside what these add to sums.
	count, inside []float64
}

// newComponents finds them.
func newComponents(e *Folds) components {
	out := components{of: make([]int32, len(e.core.Branch))}
	for v := range out.of {
		out.of[v] = -1
	}
	for root := range int32(len(out.of)) {
		if out.of[root] < 0 {
			out.fill(e, root)
		}
	}
	for t := range e.core.Chains {
		chain := &e.core.Chains[t]
		nodes, _ := e.core.Of(chain)
		for _, v := range nodes {
			out.add(e, out.of[chain.U], v)
		}
	}
	return out
}

// fill makes a component of all branch nodes that paths join to a root.
func (c *components) fill(e *Folds, root int32) {
	number := int32(len(c.count))
	c.count, c.inside = append(c.count, 0), append(c.inside, 0)
	c.of[root] = number
	for queue := []int32{root}; len(queue) > 0; {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		c.add(e, number, e.core.Branch[v])
		for _, w := range e.core.Graph.Row(v) {
			if c.of[w] < 0 {
				c.of[w] = number
				queue = append(queue, w)
			}
		}
	}
}

// add adds node v of the graph that trees left.
func (c *components) add(e *Folds, component, v int32) {
	c.count[component] += e.masses[v]
	c.inside[component] += e.insides[v]
}
