package reduce

import "context"

// part is a piece of the graph that is reduced on its own: a biconnected block, or a component without its trees.
type part struct {
	arcs  []int64 // one arc an edge
	from  []int32 // where each starts
	nodes []int32
	omega []int64 // of each node: nodes on its far side, itself included
}

// split cuts what folding left into parts and reduces each.
func (p *planner) split(f *folding) error {
	if p.options.NoBlocks {
		return p.splitComponents(f)
	}
	b := &blockSearch{
		planner: p, folding: f, number: make([]int32, p.simple.nodes()), low: make([]int32, p.simple.nodes()),
		next: make([]int64, p.simple.nodes()), below: append([]int64(nil), f.omega...),
	}
	copy(b.next, p.simple.offsets)
	for root := range int32(p.simple.nodes()) {
		if f.degree[root] > 0 && b.number[root] == 0 {
			if err := b.from(root); err != nil {
				return err
			}
		}
	}
	return nil
}

// blockSearch is Hopcroft and Tarjan's search for biconnected components, without recursion.
type blockSearch struct {
	*planner
	*folding
	number, low []int32 // order of discovery, from 1; least number reached from the subtree
	count       int32
	next        []int64 // arc of each node to look at next
	below       []int64 // omega of the blocks below each node that are done, and of the node
	path        []pathStep
	stack       part // edges that await their block
	part        part // the block at hand
	steps       int
}

type pathStep struct {
	node int32
	arc  int64 // that led here
}

func (b *blockSearch) from(root int32) error {
	b.enter(root, -1)
	for len(b.path) > 0 {
		if b.steps++; b.steps%stopEvery == 0 && b.ctx.Err() != nil {
			return context.Cause(b.ctx)
		}
		top := b.path[len(b.path)-1]
		if v := top.node; b.next[v] < b.simple.offsets[v+1] {
			b.look(v, top.arc)
			continue
		}
		b.path = b.path[:len(b.path)-1]
		if len(b.path) == 0 {
			break
		}
		parent := b.path[len(b.path)-1].node
		b.low[parent] = min(b.low[parent], b.low[top.node])
		if b.low[top.node] >= b.number[parent] {
			b.take(parent, top.arc)
		}
	}
	return nil
}

func (b *blockSearch) enter(v int32, arc int64) {
	b.count++
	b.number[v], b.low[v] = b.count, b.count
	b.path = append(b.path, pathStep{v, arc})
}

// look follows the next arc of v, which was reached by an arc of its own.
func (b *blockSearch) look(v int32, by int64) {
	arc := b.next[v]
	b.next[v]++
	w := b.simple.target[arc]
	switch {
	case b.degree[w] == 0 || by >= 0 && b.simple.edge[arc] == b.simple.edge[by]: // folded, or the way back
	case b.number[w] == 0:
		b.stack.arcs, b.stack.from = append(b.stack.arcs, arc), append(b.stack.from, v)
		b.enter(w, arc)
	case b.number[w] < b.number[v]:
		b.stack.arcs, b.stack.from = append(b.stack.arcs, arc), append(b.stack.from, v)
		b.low[v] = min(b.low[v], b.number[w])
	}
}

// take reduces the block that hangs from top: the edges on the stack from arc on.
func (b *blockSearch) take(top int32, arc int64) {
	first := len(b.stack.arcs) - 1
	for b.stack.arcs[first] != arc {
		first--
	}
	b.part.arcs, b.part.from = b.stack.arcs[first:], b.stack.from[first:]
	b.part.nodes, b.part.omega = b.part.nodes[:0], b.part.omega[:0]
	rest := int64(b.size[top])
	b.local[top] = 0
	b.part.nodes, b.part.omega = append(b.part.nodes, top), append(b.part.omega, 0)
	for _, a := range b.part.arcs {
		// Every node but the top is entered by one arc of its block.
		if w := b.simple.target[a]; b.local[w] < 0 {
			b.local[w] = int32(len(b.part.nodes))
			b.part.nodes, b.part.omega = append(b.part.nodes, w), append(b.part.omega, b.below[w])
			rest -= b.below[w]
		}
	}
	b.part.omega[0] = rest
	b.below[top] += int64(b.size[top]) - rest
	b.reduce(&b.part)
	b.stack.arcs, b.stack.from = b.stack.arcs[:first], b.stack.from[:first]
}

// splitComponents makes one part of each component.
func (p *planner) splitComponents(f *folding) error {
	seen := make([]bool, p.simple.nodes())
	var part part
	for root := range int32(p.simple.nodes()) {
		if seen[root] || f.degree[root] == 0 {
			continue
		}
		part.arcs, part.from, part.nodes, part.omega = part.arcs[:0], part.from[:0], append(part.nodes[:0], root), part.omega[:0]
		seen[root] = true
		for i := 0; i < len(part.nodes); i++ {
			if i%stopEvery == 0 && p.ctx.Err() != nil {
				return context.Cause(p.ctx)
			}
			v := part.nodes[i]
			p.local[v] = int32(i)
			part.omega = append(part.omega, f.omega[v])
			for arc := p.simple.offsets[v]; arc < p.simple.offsets[v+1]; arc++ {
				w := p.simple.target[arc]
				if f.degree[w] == 0 {
					continue
				}
				if !seen[w] {
					seen[w] = true
					part.nodes = append(part.nodes, w)
				}
				if v < w {
					part.arcs, part.from = append(part.arcs, arc), append(part.from, v)
				}
			}
		}
		p.reduce(&part)
	}
	return nil
}
