package reduce

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// part is a piece of the graph that is reduced on its own: a biconnected block, or a component without its trees.
type part struct {
	arcs  []int64 // one arc an edge
	from  []int32 // where each starts
	nodes []int32
	omega []int64 // of each node: nodes on its far side, itself included
}

// keep copies a part for DropChains.
func (p *planner) keep(t *part) {
	if p.options.MayDropChains && len(t.arcs) > 1 {
		p.parts = append(p.parts,
			part{slices.Clone(t.arcs), slices.Clone(t.from), slices.Clone(t.nodes), slices.Clone(t.omega)})
	}
}

// split cuts what folding left into parts and reduces each.
func (p *planner) split(f *folding) error {
	if p.options.NoBlocks {
		return p.splitComponents(f)
	}
	b := &blockSearch{planner: p, folding: f, visits: make([]visit, p.simple.nodes()), below: f.omega}
	left := 0
	for v, d := range f.degree {
		if left += int(d); d == 0 {
			b.visits[v].number = folded
		}
	}
	b.stack = part{arcs: make([]int64, 0, left/2), from: make([]int32, 0, left/2)}
	for root := range int32(p.simple.nodes()) {
		if b.visits[root].number == 0 {
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
	visits []visit
	count  int32
	below  []int64 // omega of the blocks below each node that are done, and of the node
	path   []pathStep
	stack  part // edges that await their block
	part   part // the block at hand
	steps  int
}

// visit is what is known of a node, side by side, for a search meets nodes in no order.
type visit struct {
	number int32 // in the order of discovery, from 1; 0 before, or folded
	low    int32 // least number reached from the subtree
}

// folded is the number of a node that is not searched.
const folded = -1

// pathStep is a node on the way from the root to the node at hand.
type pathStep struct {
	arc, next, end int64 // that led here; to look at next; the end of the row
	node, edge     int32 // edge of arc
}

func (b *blockSearch) from(root int32) error {
	b.enter(root, -1, -1)
	for len(b.path) > 0 {
		if b.steps++; b.steps%stopper.Every == 0 && b.ctx.Err() != nil {
			return context.Cause(b.ctx)
		}
		top := &b.path[len(b.path)-1]
		if b.look(top) {
			continue
		}
		node, arc, low := top.node, top.arc, b.visits[top.node].low
		b.path = b.path[:len(b.path)-1]
		if len(b.path) == 0 {
			break
		}
		parent := b.path[len(b.path)-1].node
		to := &b.visits[parent]
		to.low = min(to.low, low)
		if low >= to.number {
			b.take(parent, node, arc)
		}
	}
	return nil
}

func (b *blockSearch) enter(v int32, arc int64, edge int32) {
	b.count++
	b.visits[v] = visit{b.count, b.count}
	b.path = append(b.path, pathStep{arc, b.simple.offsets[v], b.simple.offsets[v+1], v, edge})
}

// look follows the arcs of the last node of the path up to one that leads on, which it enters. It returns false when
// there are none left.
func (b *blockSearch) look(top *pathStep) bool {
	at := &b.visits[top.node]
	for arc := top.next; arc < top.end; arc++ {
		w := b.simple.target[arc]
		there := b.visits[w].number
		if there < 0 || there >= at.number { // folded, or an arc that was met from its other end
			continue
		}
		if there > 0 {
			if edge := b.simple.edge[arc]; edge != top.edge {
				b.stack.arcs, b.stack.from = append(b.stack.arcs, arc), append(b.stack.from, top.node)
				at.low = min(at.low, there)
			}
			continue
		}
		b.stack.arcs, b.stack.from = append(b.stack.arcs, arc), append(b.stack.from, top.node)
		top.next = arc + 1
		b.enter(w, arc, b.simple.edge[arc])
		return true
	}
	return false
}

// take reduces the block that hangs from top by the arc to low: the edges on the stack from that arc on.
func (b *blockSearch) take(top, low int32, arc int64) {
	first := len(b.stack.arcs) - 1
	for b.stack.arcs[first] != arc {
		first--
	}
	if len(b.stack.arcs)-first == 1 && !b.options.Distances {
		b.bridge(top, low, arc)
		b.stack.arcs, b.stack.from = b.stack.arcs[:first], b.stack.from[:first]
		return
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
	b.keep(&b.part)
	b.reduce(&b.part)
	b.stack.arcs, b.stack.from = b.stack.arcs[:first], b.stack.from[:first]
}

// bridge scores a block of one edge.
func (b *blockSearch) bridge(top, low int32, arc int64) {
	behind, rest := b.below[low], int64(b.size[top])-b.below[low]
	b.side(top, behind)
	b.side(low, rest)
	b.edge[b.simple.edge[arc]] = float64(behind) * float64(rest)
	b.below[top] += behind
	b.info.Bridges++
}

// splitComponents makes one part of each component.
func (p *planner) splitComponents(f *folding) error {
	seen := make([]bool, p.simple.nodes())
	var part part
	for root := range int32(p.simple.nodes()) {
		if seen[root] || f.degree[root] == 0 {
			continue
		}
		part.arcs, part.from, part.nodes, part.omega = part.arcs[:0], part.from[:0], append(part.nodes[:0], root),
			part.omega[:0]
		seen[root] = true
		for i := 0; i < len(part.nodes); i++ {
			if i%stopper.Every == 0 && p.ctx.Err() != nil {
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
		p.keep(&part)
		p.reduce(&part)
	}
	return nil
}
