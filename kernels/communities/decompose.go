package communities

import "slices"

// blockSearch is Hopcroft and Tarjan's search for the biconnected blocks of a piece, without recursion, which also adds
// up the masses behind each node of a block.
type blockSearch struct {
	in     *piece
	number []int32 // in the order of discovery, from 1; 0 before
	low    []int32 // least number reached from the subtree
	behind []int64 // mass of a node and of the blocks below it that are done
	next   []int32 // the arc of a row to look at next
	path   []step
	stack  []int32 // edges that await their block
	count  int32
	found  []found
}

// step is a node on the way from the root to the node at hand, and the edge that led to it.
type step struct{ node, edge int32 }

// found is a block of a piece: its edges and nodes, the first of which is the top, with their masses.
type found struct {
	edges []int32
	nodes []int32
	mass  []int64
}

// decompose returns the blocks of the components that the roots lie in. Blocks come after those that hang from them.
func decompose(in *piece, roots []int32) []found {
	n := len(in.node)
	s := &blockSearch{
		in: in, number: make([]int32, n), low: make([]int32, n), next: make([]int32, n), behind: slices.Clone(in.mass),
	}
	for _, root := range roots {
		if s.number[root] != 0 {
			continue
		}
		first := len(s.found)
		s.from(root)
		for _, f := range s.found[first:] { // the mass of the top is what does not hang below it
			f.mass[0] = s.behind[root] - f.mass[0]
		}
	}
	return s.found
}

func (s *blockSearch) from(root int32) {
	s.enter(root, -1)
	for len(s.path) > 0 {
		top := s.path[len(s.path)-1]
		if s.look(top) {
			continue
		}
		s.path = s.path[:len(s.path)-1]
		if len(s.path) == 0 {
			return
		}
		parent := s.path[len(s.path)-1].node
		s.low[parent] = min(s.low[parent], s.low[top.node])
		if s.low[top.node] >= s.number[parent] {
			s.take(parent, top.edge)
		}
	}
}

func (s *blockSearch) enter(v, edge int32) {
	s.count++
	s.number[v], s.low[v] = s.count, s.count
	s.path = append(s.path, step{v, edge})
}

// look follows the arcs of a node up to one that leads on, which it enters. It returns false when there are none left.
func (s *blockSearch) look(at step) bool {
	row := s.in.row[at.node]
	for i := s.next[at.node]; int(i) < len(row); i++ {
		a := row[i]
		switch there := s.number[a.to]; {
		case there == 0:
			s.stack = append(s.stack, a.edge)
			s.next[at.node] = i + 1
			s.enter(a.to, a.edge)
			return true
		case a.edge != at.edge && there < s.number[at.node]:
			s.stack = append(s.stack, a.edge)
			s.low[at.node] = min(s.low[at.node], there)
		}
	}
	s.next[at.node] = int32(len(row))
	return false
}

// take ends the block that hangs from top by an edge: the edges on the stack from that one on. The mass of the top is
// set to what hangs below it.
func (s *blockSearch) take(top, by int32) {
	first := len(s.stack) - 1
	for s.stack[first] != by {
		first--
	}
	f := found{edges: slices.Clone(s.stack[first:])}
	s.stack = s.stack[:first]
	for _, e := range f.edges {
		f.nodes = append(f.nodes, s.in.edges[e].from, s.in.edges[e].to)
	}
	slices.Sort(f.nodes)
	f.nodes = slices.Compact(f.nodes)
	at, _ := slices.BinarySearch(f.nodes, top)
	f.nodes = slices.Insert(slices.Delete(f.nodes, at, at+1), 0, top)
	below := int64(0)
	f.mass = make([]int64, len(f.nodes))
	for i, v := range f.nodes[1:] {
		f.mass[i+1] = s.behind[v]
		below += s.behind[v]
	}
	f.mass[0] = below
	s.behind[top] += below
	s.found = append(s.found, f)
}
