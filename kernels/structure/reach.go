package structure

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Reach bounds how many other nodes each node reaches along arcs: at least and at most so many. Without direction, both
// are the number. With direction they come from the graph of the strong components, and are equal for the largest one
// (Bergamini, Borassi, Crescenzi, Marino and Meyerhenke, Computing top-k closeness centrality faster in unweighted
// graphs, 2019, section 5.3).
func Reach(g *export.Graph, stop *stopper.Stopper) (least, most []int32, err error) {
	if !g.Directed {
		least, err = reachOfWeak(g, stop)
		return least, least, err
	}
	s := newStrongSearch(g)
	for v := range s.label {
		if s.label[v] == unseen && !s.from(int32(v), stop) {
			return nil, nil, stop.Err()
		}
	}
	r := newReach(s)
	for _, component := range r.components() {
		r.bound(component)
	}
	least, most = make([]int32, g.N()), make([]int32, g.N())
	for v, root := range s.label {
		least[v] = r.least[root] - 1
		most[v] = int32(min(r.outside[root]+r.inside[root], int64(g.N()))) - 1
	}
	return least, most, nil
}

// reachOfWeak is the number of other nodes in the component of each node. The first arcs of all nodes join most of them
// (Sutton, Ben-Nun and Barak, Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling, 2018); other
// arcs of the largest component then need no look, as each is seen from its other end as well.
func reachOfWeak(g *export.Graph, stop *stopper.Stopper) ([]int32, error) {
	parts, size, out := disjoint.New(g.N()), make([]int32, g.N()), make([]int32, g.N())
	for v := range int32(g.N()) {
		for _, w := range g.Row(v)[:min(firstArcs, g.Degree(v))] {
			parts.Join(v, w)
		}
	}
	giant := largestOf(parts, g.N())
	for v := range int32(g.N()) {
		if int(v)%stopper.Every == 0 && stop.Stopped() {
			return nil, stop.Err()
		}
		if parts.Find(v) == parts.Find(giant) {
			continue
		}
		for _, w := range g.Row(v) {
			parts.Join(v, w)
		}
	}
	for v := range out {
		size[parts.Find(int32(v))]++
	}
	for v := range out {
		out[v] = size[parts.Find(int32(v))] - 1
	}
	return out, nil
}

// firstArcs is how many arcs of each node join nodes before the largest component is known.
const firstArcs = 2

// largestOf returns a number of a set that is most likely the largest: the one that most of some numbers are in.
func largestOf(parts *disjoint.Sets, n int) (number int32) {
	looks, seen, most := min(1024, n), map[int32]int{}, 0
	for i := range looks {
		root := parts.Find(int32(i * n / looks))
		if seen[root]++; seen[root] > most {
			number, most = root, seen[root]
		}
	}
	return number
}

// reach has bounds by strong component, at the node that labels it. All include the component itself.
type reach struct {
	*strongSearch
	// least is a lower bound of the nodes reached. inside and outside add up to an upper bound: of those that the largest
	// component reaches, and of the others.
	least           []int32
	inside, outside []int64
	// giant labels the largest component; above says which ones reach it, and below which nodes it reaches, which are so
	// many.
	giant        int32
	above, below []bool
	count        int64
	// counted is the last component that counted one.
	counted []int32
}

func newReach(s *strongSearch) *reach {
	n := s.graph.N()
	r := &reach{
		strongSearch: s, least: make([]int32, n), inside: make([]int64, n), outside: make([]int64, n),
		giant: 0, above: make([]bool, n), below: make([]bool, n), count: 0, counted: make([]int32, n),
	}
	size := make([]int32, n)
	for v, root := range s.label {
		r.counted[v] = unseen
		if size[root]++; size[root] > size[r.giant] {
			r.giant = root
		}
	}
	r.belowGiant()
	return r
}

// belowGiant finds what the largest component reaches.
func (r *reach) belowGiant() {
	if len(r.below) == 0 {
		return
	}
	queue := []int32{r.giant}
	r.below[r.giant] = true
	for i := 0; i < len(queue); i++ {
		for _, w := range r.graph.Row(queue[i]) {
			if !r.below[w] {
				r.below[w] = true
				queue = append(queue, w)
			}
		}
	}
	r.count = int64(len(queue))
}

// components lists the nodes of each component, and each after all components that it reaches.
func (r *reach) components() [][]int32 {
	var out [][]int32
	for first, i := 0, 1; i <= len(r.closed); i++ {
		if i == len(r.closed) || r.label[r.closed[i]] != r.label[r.closed[first]] {
			out = append(out, r.closed[first:i])
			first = i
		}
	}
	return out
}

// bound bounds what a component reaches by the bounds of those that its arcs lead to.
func (r *reach) bound(component []int32) {
	root := r.label[component[0]]
	most, inside, outside := int32(0), int64(0), int64(0)
	above := root == r.giant
	for _, v := range component {
		for _, w := range r.graph.Row(v) {
			next := r.label[w]
			if next == root || r.counted[next] == root {
				continue
			}
			r.counted[next] = root
			most = max(most, r.least[next])
			inside, outside = inside+r.inside[next], outside+r.outside[next]
			above = above || r.above[next]
		}
	}
	size := int32(len(component))
	r.least[root], r.above[root] = size+most, above
	switch {
	case above: // it reaches the largest component, and so all that this one does
		r.inside[root], r.outside[root] = r.count, min(outside, int64(r.graph.N()))
		r.least[root] = max(r.least[root], int32(r.count))
		if root != r.giant {
			r.outside[root] += int64(size)
			r.least[root] = max(r.least[root], size+int32(r.count))
		}
	case r.below[root]:
		r.inside[root] = min(inside+int64(size), r.count)
	default:
		r.inside[root], r.outside[root] = min(inside, r.count), min(outside+int64(size), int64(r.graph.N()))
	}
}
