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
	for v := range n {
		f.degree[v], f.omega[v] = int32(s.offsets[v+1]-s.offsets[v]), 1
	}
	if p.options.NoTrees {
		return f
	}
	// The exclusive-or of the edges, and of the neighbours, that are left: the one itself once there is one.
	type rest struct{ edge, node int32 }
	left := make([]rest, n)
	var leaves []int32
	for v := range left {
		lo, hi := s.offsets[v], s.offsets[v+1]
		var r rest
		targets := s.target[lo:hi]
		for i, e := range s.edge[lo:hi] {
			r.edge, r.node = r.edge^e, r.node^targets[i]
		}
		left[v] = r
		if hi-lo == 1 {
			leaves = append(leaves, int32(v))
		}
	}
	for i := 0; i < len(leaves); i++ {
		v := leaves[i]
		if f.degree[v] == 0 { // the last node of a tree
			continue
		}
		edge, parent := left[v].edge, left[v].node
		below, above := f.omega[v], int64(p.size[v])-f.omega[v]
		p.edge[edge] = float64(below) * float64(above)
		p.side(v, above)
		p.side(parent, below)
		f.omega[parent] += below
		f.degree[v] = 0
		f.degree[parent]--
		left[parent].edge, left[parent].node = left[parent].edge^edge, left[parent].node^v
		p.info.Folded++
		if f.degree[parent] == 1 {
			leaves = append(leaves, parent)
		}
	}
	return f
}
