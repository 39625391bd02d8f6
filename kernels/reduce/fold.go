package reduce

// folding folds nodes of degree 1 into their neighbours until none is left.
type folding struct {
	degree []int32 // of what is left; 0 for a folded node
	omega  []int64 // nodes folded into each node, itself included
}

// fold scores the edges of trees and adds, for the nodes of trees, what lies on the far side of each such edge.
func (p *planner) fold() *folding {
	s, n := p.simple, p.simple.nodes()
	f := &folding{degree: make([]int32, n), omega: make([]int64, n)}
	arcs := make([]int64, n) // exclusive-or of the arcs that are left: the arc itself once there is one
	for v := range n {
		f.degree[v], f.omega[v] = int32(s.offsets[v+1]-s.offsets[v]), 1
		for i := s.offsets[v]; i < s.offsets[v+1]; i++ {
			arcs[v] ^= i
		}
	}
	if p.options.NoTrees {
		return f
	}
	back := s.reverse()
	var leaves []int32
	for v, d := range f.degree {
		if d == 1 {
			leaves = append(leaves, int32(v))
		}
	}
	for i := 0; i < len(leaves); i++ {
		v := leaves[i]
		if f.degree[v] == 0 { // the last node of a tree
			continue
		}
		arc := arcs[v]
		parent := s.target[arc]
		below, above := f.omega[v], int64(p.size[v])-f.omega[v]
		p.edge[s.edge[arc]] = float64(below) * float64(above)
		p.side(v, above)
		p.side(parent, below)
		f.omega[parent] += below
		f.degree[v] = 0
		f.degree[parent]--
		arcs[parent] ^= back[arc]
		p.info.Folded++
		if f.degree[parent] == 1 {
			leaves = append(leaves, parent)
		}
	}
	return f
}

// reverse returns the arc that runs against each arc.
func (s *simple) reverse() []int64 {
	back, first := make([]int64, len(s.target)), make([]int64, len(s.mult))
	for i := range first {
		first[i] = -1
	}
	for i, e := range s.edge {
		if j := first[e]; j >= 0 {
			back[i], back[j] = j, int64(i)
		} else {
			first[e] = int64(i)
		}
	}
	return back
}
