package structure

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// strong finds the strongly connected components by Tarjan's search ("Depth-first search and linear graph algorithms",
// 1972), without recursion. Those of an undirected graph are the weak ones.
func (t *task) strong() error {
	if !t.graph.Directed {
		return t.weak()
	}
	s := newStrongSearch(t.graph)
	for v := range s.label {
		if s.label[v] == unseen {
			if !s.from(int32(v), t.stop) {
				return t.stop.Err()
			}
		}
	}
	t.groups(s.label)
	return nil
}

const (
	// unseen is the label of a node that no search has reached, open that of one whose component is not known yet.
	unseen, open = -2, -1
)

// strongSearch is Tarjan's search.
type strongSearch struct {
	graph *export.Graph
	// label is that of each node's component, which is a node of it.
	label []int32
	// low is the least number of a node that was reached, among those whose component is open; the numbers count visits.
	number, low []int32
	count       int32
	path        []strongStep // from the root to the node at hand
	open        []int32      // nodes whose component is not known yet, in the order of their numbers
	closed      []int32      // the others, component by component, each after all that it reaches
}

// strongStep is a node of the path, and the next arc to look at.
type strongStep struct {
	node int32
	next int64
}

func newStrongSearch(g *export.Graph) *strongSearch {
	s := &strongSearch{graph: g, label: make([]int32, g.N()), number: make([]int32, g.N()), low: make([]int32, g.N())}
	for v := range s.label {
		s.label[v] = unseen
	}
	return s
}

// from searches what a node reaches. It reports whether it came to its end.
func (s *strongSearch) from(root int32, stop *stopper.Stopper) bool {
	for s.enter(root); len(s.path) > 0; {
		if s.count%stopper.Every == 0 && stop.Stopped() {
			return false
		}
		top := &s.path[len(s.path)-1]
		if w := s.look(top); w >= 0 {
			s.enter(w)
			continue
		}
		s.leave(top.node)
	}
	return true
}

func (s *strongSearch) enter(v int32) {
	s.label[v], s.number[v], s.low[v] = open, s.count, s.count
	s.count++
	s.path, s.open = append(s.path, strongStep{v, s.graph.Offsets[v]}), append(s.open, v)
}

// look follows the arcs of a node up to one that leads to an unseen node, which it returns, or -1.
func (s *strongSearch) look(top *strongStep) int32 {
	for end := s.graph.Offsets[top.node+1]; top.next < end; {
		w := s.graph.Targets[top.next]
		top.next++
		switch s.label[w] {
		case unseen:
			return w
		case open:
			s.low[top.node] = min(s.low[top.node], s.number[w])
		}
	}
	return -1
}

// leave ends the search below a node, and labels the component that it is the first node of, if it is.
func (s *strongSearch) leave(v int32) {
	s.path = s.path[:len(s.path)-1]
	if len(s.path) > 0 {
		above := s.path[len(s.path)-1].node
		s.low[above] = min(s.low[above], s.low[v])
	}
	if s.low[v] < s.number[v] {
		return
	}
	for {
		w := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.label[w], s.closed = v, append(s.closed, w)
		if w == v {
			return
		}
	}
}
