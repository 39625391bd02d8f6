package structure

import "github.com/linchpin-graph/linchpin/kernels"

// articulation finds what is left of each node's component without the node: the number of parts, or the nodes of the
// largest.
func (t *task) articulation() error {
	l, err := t.lowpoints()
	if err != nil {
		return err
	}
	parts, largest, below := make([]int32, len(l.order)), make([]int32, len(l.order)), make([]int32, len(l.order))
	for _, v := range l.order {
		if l.startsBlock(v) {
			up := l.parent[v]
			parts[up]++
			below[up] += l.size[v]
			largest[up] = max(largest[up], l.size[v])
		}
	}
	whole := int32(0)
	for _, v := range l.order {
		if l.parent[v] < 0 {
			whole = l.size[v]
		}
		if rest := whole - 1 - below[v]; rest > 0 {
			parts[v]++
			largest[v] = max(largest[v], rest)
		}
		t.nodes[v] = float64(parts[v])
		if t.variant == kernels.LargestPart {
			t.nodes[v] = float64(largest[v])
		}
	}
	return nil
}

// bridges finds the edges that part their component, and the sizes of its sides.
func (t *task) bridges() error {
	l, err := t.lowpoints()
	if err != nil {
		return err
	}
	whole := int32(0)
	for _, v := range l.order {
		if l.parent[v] < 0 {
			whole = l.size[v]
		}
		if !l.isBridge(v) {
			continue
		}
		t.nodes[v]++
		t.nodes[l.parent[v]]++
		if t.edges != nil {
			side := min(l.size[v], whole-l.size[v])
			if t.variant == kernels.LargerSide {
				side = whole - side
			}
			t.edges[l.edge[v]] = float64(side)
		}
	}
	return nil
}

// edgeComponents finds the parts that are left without bridges.
func (t *task) edgeComponents() error {
	l, err := t.lowpoints()
	if err != nil {
		return err
	}
	labels := make([]int32, len(l.order))
	for _, v := range l.order {
		if labels[v] = v; l.parent[v] >= 0 && !l.isBridge(v) {
			labels[v] = labels[l.parent[v]]
		}
	}
	t.groups(labels)
	return nil
}

// blocks finds the biconnected components: the number of each edge's, and in how many of two nodes and more a node
// lies. An edge belongs to the block of the edge that led to the end of it that was met last.
func (t *task) blocks() error {
	l, err := t.lowpoints()
	if err != nil {
		return err
	}
	first := make([]int32, len(l.order)) // of each node, the node that begins the block of its edge
	for _, v := range l.order {
		switch {
		case l.startsBlock(v):
			first[v] = v
			t.nodes[v]++
			t.nodes[l.parent[v]]++
		case l.parent[v] >= 0:
			first[v] = first[l.parent[v]]
			t.nodes[v]++
		}
	}
	if t.edges != nil {
		t.numberBlocks(l, first)
	}
	return nil
}

// numberBlocks numbers the blocks of the edges. Each self-loop is a block, whose label follows those of nodes.
func (t *task) numberBlocks(l *lowpoints, first []int32) {
	g, loops := t.graph, int32(len(first))
	labels := make([]int32, g.M())
	for v := range int32(g.N()) {
		for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
			switch w := g.Targets[arc]; {
			case l.number[w] < l.number[v]:
				labels[g.Edge(arc)] = first[v]
			case w == v && (arc == g.Offsets[v] || g.Edge(arc-1) != g.Edge(arc)):
				labels[g.Edge(arc)] = loops
				loops++
			}
		}
	}
	number(labels, int(loops))
	for e, label := range labels {
		t.edges[e] = float64(label)
	}
}
