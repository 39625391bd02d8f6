package flow

import "slices"

// block is a biconnected block of a network, or a single resistor.
type block struct {
	// nodes of the block; the first is the one that a search entered it by.
	nodes []int32
	// mass is how many nodes of the component lie at each node of the block or behind it, seen from the block.
	mass      []int64
	resistors []int32
}

// isBridge reports whether the block is a single resistor, which all current between its sides takes.
func (b *block) isBridge() bool { return len(b.resistors) == 1 }

// total is the number of nodes of the component.
func (b *block) total() (sum int64) {
	for _, m := range b.mass {
		sum += m
	}
	return sum
}

// pairs is the number of pairs of nodes between which the block lies.
func (b *block) pairs() float64 {
	total, ordered := b.total(), int64(0)
	for _, m := range b.mass {
		ordered += m * (total - m)
	}
	return float64(ordered) / 2
}

// blockSearch is Hopcroft and Tarjan's search for biconnected blocks (Algorithm 447, CACM 16(6), 1973), without
// recursion.
type blockSearch struct {
	*network
	number []int32 // in the order of discovery, from 1; 0 before
	low    []int32 // least number reached from the subtree
	behind []int64 // each node and the nodes of the blocks below it that are done
	next   []int64 // the arc to look at next
	path   []step
	stack  []int32 // resistors that await their block
	count  int32
	found  []block
}

// step is a node on the way from the root, and the resistor that led to it.
type step struct{ node, resistor int32 }

// blocks returns the blocks of all components. Those that hang from a block come before it.
func (w *network) blocks() []block {
	n := w.nodes()
	s := &blockSearch{
		network: w, number: make([]int32, n), low: make([]int32, n), behind: make([]int64, n),
		next: slices.Clone(w.offsets[:n]),
	}
	for root := range int32(n) {
		if s.number[root] != 0 {
			continue
		}
		first := len(s.found)
		s.from(root)
		for _, b := range s.found[first:] { // the mass of the first node is what does not hang below it
			b.mass[0] = s.behind[root] - b.mass[0]
		}
	}
	return s.found
}

func (s *blockSearch) from(root int32) {
	s.enter(root, -1)
	for {
		top := s.path[len(s.path)-1]
		if s.look(top) {
			continue
		}
		if s.path = s.path[:len(s.path)-1]; len(s.path) == 0 {
			return
		}
		parent := s.path[len(s.path)-1].node
		s.low[parent] = min(s.low[parent], s.low[top.node])
		if s.low[top.node] >= s.number[parent] {
			s.take(parent, top.resistor)
		}
	}
}

func (s *blockSearch) enter(v, resistor int32) {
	s.count++
	s.number[v], s.low[v], s.behind[v] = s.count, s.count, 1
	s.path = append(s.path, step{v, resistor})
}

// look follows the resistors of a node up to one that leads on, which it enters. It reports false when none is left.
func (s *blockSearch) look(at step) bool {
	for ; s.next[at.node] < s.offsets[at.node+1]; s.next[at.node]++ {
		to, resistor := s.target[s.next[at.node]], s.resistor[s.next[at.node]]
		switch there := s.number[to]; {
		case there == 0:
			s.stack = append(s.stack, resistor)
			s.next[at.node]++
			s.enter(to, resistor)
			return true
		case resistor != at.resistor && there < s.number[at.node]:
			s.stack = append(s.stack, resistor)
			s.low[at.node] = min(s.low[at.node], there)
		}
	}
	return false
}

// take ends the block that hangs from top by a resistor: the resistors on the stack from that one on. The mass of top
// is set to what hangs below it.
func (s *blockSearch) take(top, by int32) {
	first := len(s.stack) - 1
	for s.stack[first] != by {
		first--
	}
	b := block{resistors: slices.Clone(s.stack[first:]), nodes: []int32{top}, mass: []int64{0}}
	s.stack = s.stack[:first]
	slices.Sort(b.resistors)
	var nodes []int32
	for _, l := range b.resistors {
		nodes = append(nodes, s.resistors[l].from, s.resistors[l].to)
	}
	slices.Sort(nodes)
	for _, v := range slices.Compact(nodes) {
		if v != top {
			b.nodes, b.mass = append(b.nodes, v), append(b.mass, s.behind[v])
			b.mass[0] += s.behind[v]
		}
	}
	s.behind[top] += b.mass[0]
	s.found = append(s.found, b)
}
