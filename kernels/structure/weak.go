package structure

import (
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/kernels"
)

// weak finds the weakly connected components. Small graphs take one thread, which needs no atomic operations.
func (t *task) weak() error {
	if t.threads == 1 || t.graph.Arcs() < leastShared {
		return t.weakAlone()
	}
	return t.weakTogether()
}

// weakTogether finds the weakly connected components as Afforest does (Sutton, Ben-Nun and Barak, "Optimizing Parallel
// Graph Connectivity Computation via Subgraph Sampling", 2018): a few arcs per node first, which join most nodes, and
// then the rest, where only nodes outside of the largest component are looked at. All threads join trees in one array.
// A root is the least node of its component, whatever the order in which arcs come.
func (t *task) weakTogether() error {
	f := make(forest, t.graph.N())
	t.over(len(f), func(first, last int) {
		for v := first; v < last; v++ {
			f[v] = int32(v)
		}
	})
	for round := range int64(sampledArcs) {
		t.over(len(f), func(first, last int) { t.joinArcs(f, first, last, round, round+1, noRoot) })
		t.over(len(f), f.flatten)
	}
	most := int32(noRoot)
	if !t.graph.Directed { // an arc into the largest component is seen from its other end only if it has one there
		most = f.commonRoot()
	}
	t.over(len(f), func(first, last int) { t.joinArcs(f, first, last, sampledArcs, int64(t.graph.Arcs()), most) })
	t.over(len(f), f.flatten)
	if err := t.stop.Err(); err != nil {
		return err
	}
	t.number(f)
	return nil
}

// weakAlone is weakTogether on one thread, arc by arc. Here, too, a root is the least node of its component.
func (t *task) weakAlone() error {
	g, f := t.graph, make(forest, t.graph.N())
	for v := range f {
		f[v] = int32(v)
	}
	for v := range int32(len(f)) {
		if v%part == 0 && t.stop.Stopped() {
			return t.stop.Err()
		}
		root := f.root(v)
		for _, w := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			if w > v && !g.Directed {
				break // the arc back, in the row of w, is enough
			}
			if f[w] == root {
				continue
			}
			other := f.root(w)
			f[max(root, other)] = min(root, other)
			root = min(root, other)
		}
	}
	for v := range f { // parents, which are lower, have their roots by now
		f[v] = f[f[v]]
	}
	t.number(f)
	return t.stop.Err()
}

// number writes the number of each node's component, or its size, where all parents are roots. Roots are the least
// nodes of their components, so their order is that of the numbers.
func (t *task) number(f forest) {
	if t.variant == kernels.GroupSize {
		t.groups(f)
		return
	}
	count := 0.0
	for v, root := range f {
		if int(root) == v {
			t.nodes[v] = count
			count++
		} else {
			t.nodes[v] = t.nodes[root]
		}
	}
}

const (
	// sampledArcs is the number of arcs of each node that are joined first.
	sampledArcs = 2
	// noRoot stands for no component.
	noRoot = -1
)

// joinArcs joins the ends of the arcs from, to of each node's row, except of nodes whose root is skip.
func (t *task) joinArcs(f forest, first, last int, from, to int64, skip int32) {
	for v := int32(first); v < int32(last); v++ {
		if skip != noRoot && atomic.LoadInt32(&f[v]) == skip {
			continue
		}
		begin, end := t.graph.Offsets[v], t.graph.Offsets[v+1]
		for _, w := range t.graph.Targets[min(begin+from, end):min(begin+to, end)] {
			f.join(v, w)
		}
	}
}

// forest has the parent of each node, which is never greater than the node. Threads change it at the same time.
type forest []int32

// join joins the trees of two nodes.
func (f forest) join(v, w int32) {
	a, b := atomic.LoadInt32(&f[v]), atomic.LoadInt32(&f[w])
	for a != b {
		high, low := max(a, b), min(a, b)
		above := atomic.LoadInt32(&f[high])
		if above == low || above == high && atomic.CompareAndSwapInt32(&f[high], high, low) {
			return
		}
		a, b = atomic.LoadInt32(&f[atomic.LoadInt32(&f[high])]), atomic.LoadInt32(&f[low])
	}
}

// root returns the root of a node, and halves the way to it. No other thread may change the forest.
func (f forest) root(v int32) int32 {
	for f[v] != v {
		f[v] = f[f[v]]
		v = f[v]
	}
	return v
}

// flatten makes the roots the parents of the nodes from first to last.
func (f forest) flatten(first, last int) {
	for v := first; v < last; v++ {
		for {
			parent := atomic.LoadInt32(&f[v])
			above := atomic.LoadInt32(&f[parent])
			if above == parent {
				break
			}
			atomic.StoreInt32(&f[v], above)
		}
	}
}

// commonRoot returns the most common root of some of the nodes, evenly spread. The forest is flat.
func (f forest) commonRoot() (most int32) {
	const looks = 1024
	seen := map[int32]int{}
	most = noRoot
	for i := 0; i < len(f); i += max(1, len(f)/looks) {
		root := f[i]
		if seen[root]++; most == noRoot || seen[root] > seen[most] {
			most = root
		}
	}
	return most
}
