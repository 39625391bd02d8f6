package communities

import "slices"

// shrink makes of a block one of the blocks that a cut has left of it, which holds most of its nodes. Distances and
// numbers of paths between these nodes hold after the update for the cut, for no shortest path leaves a block and comes
// back. What remains is that the other nodes are no sources any more, but mass behind the nodes where they hung.
func (c *cutter) shrink(b *block, to found, e int32) {
	b.scores.Cut(to.nodes, e)
	// Rows of nodes that leave are as before the cut, and so is what they added to the sums.
	out := c.trim(b, to)
	b.scores.Leave(out, b.gone)
	var gates []int32
	var more []int64
	for i, v := range to.nodes {
		if x := to.mass[i] - b.mass[v]; x != 0 {
			gates, more = append(gates, v), append(more, x)
		}
	}
	b.scores.Weigh(gates, more)
	c.rescored(b)
}

// trim takes the nodes and edges out of a block that are not of the part that it shrinks to, and returns those nodes.
func (c *cutter) trim(b *block, to found) (out []int32) {
	stays := make([]bool, len(b.edges))
	for _, e := range to.edges {
		stays[e] = true
	}
	inside := make([]bool, len(b.node))
	for _, v := range to.nodes {
		inside[v] = true
		b.row[v] = slices.DeleteFunc(b.row[v], func(a arc) bool { return !stays[a.edge] })
	}
	for e := range b.edges {
		b.gone[e] = !stays[e]
	}
	b.left = len(to.edges)
	kept := b.alive[:0:0]
	for _, v := range b.alive {
		if inside[v] {
			kept = append(kept, v)
		} else {
			out = append(out, v)
		}
	}
	c.leave(b, out)
	b.alive = kept
	return out
}

// split cuts a bridge, and with it a component in two. All blocks of either side lose the mass of the other at the node
// that leads there.
func (c *cutter) split(b *block, e int32) {
	c.forget(b)
	b.gone[e], b.left = true, 0
	near, far := c.reach(b.node[b.edges[e].from]), c.reach(b.node[b.edges[e].to])
	for _, s := range near.gates {
		c.lighten(s, far.nodes)
	}
	for _, s := range far.gates {
		c.lighten(s, near.nodes)
	}
	c.groups++
}

// side is one side of a bridge: its number of nodes, and where each of its blocks is entered from the bridge.
type side struct {
	nodes int64
	gates []seat
}

// reach goes through the component of a node, from block to block.
func (c *cutter) reach(root int32) side {
	out := side{nodes: 1}
	type visit struct {
		node int32
		from *block
	}
	for stack := []visit{{root, nil}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range c.at[v.node] {
			if s.block == v.from {
				continue
			}
			out.gates = append(out.gates, s)
			for _, x := range s.block.alive {
				if x != s.local {
					out.nodes++
					if whole := s.block.node[x]; len(c.at[whole]) > 1 {
						stack = append(stack, visit{whole, s.block})
					}
				}
			}
		}
	}
	return out
}

// lighten takes mass off a node of a block.
func (c *cutter) lighten(gate seat, by int64) {
	b, v := gate.block, gate.local
	if b.isBridge() {
		b.mass[v] -= by
		c.scoreBridge(b)
	} else {
		b.scores.Weigh([]int32{v}, []int64{-by})
	}
	c.rescored(b)
}
