package search

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// treeSearch finds the tree of shortest paths in float64, where no two paths to a node are as long to a tolerance. It
// is Dijkstra's algorithm with a ring of buckets, each of which has a few nodes. These are settled as they come, and
// again where one lowers another.
type treeSearch struct {
	Paths
	lengths *arcLengths[float64]
	g       *export.Graph
	stop    *stopper.Stopper
	nodes   []treeNode
	ring    *heap.Ring
	at      uint64 // the current bucket
	again   bool   // a node was lowered within it
	tree    []Step
	halted  bool // the last search came to no end
}

// treeNode is how far a node is, and the last arc of its path.
type treeNode struct {
	dist float64
	step Step
}

const (
	// tied marks a Step to a node that another path reaches within the tolerance.
	tied = 1 << 31
	// passed marks one to a node that is settled at its distance.
	passed = 1 << 30
)

// nodesPerTreeBucket is as nodesPerBucket.
const nodesPerTreeBucket = 6

func newTreeSearch(g *export.Graph, l *arcLengths[float64], stop *stopper.Stopper) *treeSearch {
	l.once.Do(func() { l.chooseWidth(g, nodesPerTreeBucket, stop) })
	t := &treeSearch{
		Paths: newPaths(g, true), lengths: l, g: g, stop: stop, nodes: make([]treeNode, g.N()), ring: heap.NewRing(l.ring),
		tree: make([]Step, g.N()),
	}
	for v := range t.nodes {
		t.nodes[v].dist = l.far
	}
	return t
}

func (t *treeSearch) Found() *Paths { return &t.Paths }

func (t *treeSearch) Reached(v int32) bool { return t.nodes[v].dist != t.lengths.far }

func (t *treeSearch) Distance(v int32) float64 {
	if !t.Reached(v) {
		return 0
	}
	return t.lengths.unit.Of(t.nodes[v].dist)
}

func (t *treeSearch) distances(into []float64) {
	for i, v := range t.Order {
		into[i] = t.lengths.unit.Of(t.nodes[v].dist)
	}
}

// From searches from s. There is no tree where two paths tie, or a weight is lost next to the length of a path.
func (t *treeSearch) From(s int32) error {
	t.begin(s)
	farthest := 0.0
	for more := true; more; t.at, more = t.ring.Next(t.at) {
		first := len(t.Order)
		for e := t.ring.Take(t.at); e >= 0; e = t.ring.Take(t.at) {
			for e >= 0 {
				var v int32
				v, e = t.ring.Entry(e)
				node := &t.nodes[v]
				from := node.dist
				if node.step.Arc&passed != 0 || t.lengths.bucket(from) != t.at {
					continue
				}
				node.step.Arc |= passed
				if len(t.Order)%stopper.Every == 0 {
					if err := t.stop.Err(); err != nil {
						return err
					}
				}
				t.Order, farthest = append(t.Order, v), max(farthest, from)
				t.relax(v, from)
			}
		}
		if t.again {
			t.Order, t.again = heap.KeepLast(t.Order, first), false
		}
	}
	t.Levels = append(t.Levels, len(t.Order))
	if t.halted = false; farthest+t.lengths.least > farthest && farthest+t.lengths.longest < t.lengths.far {
		t.keep()
	}
	return nil
}

// begin puts back what the last search left.
func (t *treeSearch) begin(s int32) {
	if t.halted {
		for v := range t.nodes {
			t.nodes[v].dist = t.lengths.far
		}
		t.ring.Reset()
	} else {
		for _, v := range t.Order {
			t.nodes[v].dist = t.lengths.far
		}
	}
	t.reset(s)
	t.Order, t.at, t.again, t.halted = t.Order[:0], 0, false, true
	t.nodes[s] = treeNode{step: Step{From: s}}
	t.ring.Push(s, 0)
}

// relax lowers the neighbours of u. Two lengths within the tolerance of each other tie, and so does the less of them
// with whatever tied with the greater.
func (t *treeSearch) relax(u int32, from float64) {
	l, nodes, slack := t.lengths, t.nodes, 1+t.lengths.tolerance
	lo, hi := t.g.Offsets[u], t.g.Offsets[u+1]
	targets, arcs := t.g.Targets[lo:hi], l.arc[lo:hi]
	arcs = arcs[:len(targets)]
	for k, w := range targets {
		to, node := from+arcs[k], &nodes[w]
		old := node.dist
		if to > old*slack {
			continue
		}
		step := Step{From: u, Arc: uint32(k)}
		if old <= to*slack {
			if w == u {
				continue
			}
			node.step.Arc |= tied
			step.Arc |= tied
			if to >= old {
				continue
			}
		}
		*node = treeNode{to, step}
		b := l.bucket(to)
		switch {
		case old == l.far:
		case b == t.at:
			t.again = true
		case b == l.bucket(old):
			continue
		}
		t.ring.Push(w, b)
	}
}

// keep sets the tree of shortest paths if there are no ties.
func (t *treeSearch) keep() {
	for _, v := range t.Order[1:] {
		step := t.nodes[v].step
		if step.Arc&tied != 0 {
			return
		}
		t.tree[v] = Step{step.From, step.Arc &^ passed}
	}
	t.Tree = t.tree
}
