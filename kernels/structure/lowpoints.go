package structure

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// searchBytes bounds what a depth-first search keeps per node: six numbers, and twice the path and its growth.
const searchBytes = 6*4 + 3*16 + 8

// lowpoints are what a depth-first search of an undirected graph tells of its nodes (Hopcroft and Tarjan, "Efficient
// algorithms for graph manipulation", 1973). A component's nodes stand together in order.
type lowpoints struct {
	order  []int32 // nodes as they were met
	number []int32 // of each node, its place in order
	// parent and edge led to each node: -1 for roots.
	parent, edge []int32
	// low is the least number that an arc leads to from the node or from below it, other than by edge.
	low []int32
	// size counts the nodes from a node down, itself included.
	size []int32
}

// lowpoints searches the graph of the task.
func (t *task) lowpoints() (*lowpoints, error) {
	g, n := t.graph, t.graph.N()
	l := &lowpoints{
		order: make([]int32, 0, n), number: make([]int32, n), parent: make([]int32, n), edge: make([]int32, n),
		low: make([]int32, n), size: make([]int32, n),
	}
	for v := range l.number {
		l.number[v] = -1
	}
	var path []strongStep
	for root := range int32(n) {
		if l.number[root] >= 0 {
			continue
		}
		l.enter(root, -1, -1)
		for path = append(path, strongStep{root, g.Offsets[root]}); len(path) > 0; {
			if len(l.order)%stopper.Every == 0 && t.stop.Stopped() {
				return nil, t.stop.Err()
			}
			if w := l.look(g, &path[len(path)-1]); w >= 0 {
				path = append(path, strongStep{w, g.Offsets[w]})
			} else {
				path = path[:len(path)-1]
			}
		}
	}
	l.climb(g)
	return l, nil
}

func (l *lowpoints) enter(v, parent, edge int32) {
	l.number[v], l.parent[v], l.edge[v] = int32(len(l.order)), parent, edge
	l.order = append(l.order, v)
}

// look follows the arcs of a node up to one that leads to a new node, which it enters and returns, or -1.
func (l *lowpoints) look(g *export.Graph, top *strongStep) int32 {
	for end := g.Offsets[top.node+1]; top.next < end; top.next++ {
		if w := g.Targets[top.next]; l.number[w] < 0 {
			l.enter(w, top.node, g.Edge(top.next))
			return w
		}
	}
	return -1
}

// climb sets low and size from the last node to the first.
func (l *lowpoints) climb(g *export.Graph) {
	for i := len(l.order) - 1; i >= 0; i-- {
		v := l.order[i]
		l.low[v], l.size[v] = int32(i), 1
	}
	for i := len(l.order) - 1; i >= 0; i-- {
		v := l.order[i]
		low := l.low[v]
		for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
			if there := l.number[g.Targets[arc]]; there < low && g.Edge(arc) != l.edge[v] {
				low = there
			}
		}
		l.low[v] = low
		if up := l.parent[v]; up >= 0 {
			l.low[up] = min(l.low[up], low)
			l.size[up] += l.size[v]
		}
	}
}

// isBridge reports whether the edge that led to a node is a bridge.
func (l *lowpoints) isBridge(v int32) bool { return l.parent[v] >= 0 && l.low[v] == l.number[v] }

// startsBlock reports whether the edge that led to a node lies in another block than the one that led to its parent.
func (l *lowpoints) startsBlock(v int32) bool {
	return l.parent[v] >= 0 && l.low[v] >= l.number[l.parent[v]]
}
