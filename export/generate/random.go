package generate

// Salts keep the streams of different uses apart.
const (
	saltEdges = iota + 1
	saltPermutation
	saltPoints
	saltChains
	saltRounds // and every number above: a round of an Erdos-Renyi graph
)

// rmat draws Degree edges a node, each by choosing a quadrant of the adjacency matrix at every bit, and permutes the
// nodes, so that a number says nothing of a degree.
func (d *drawing) rmat() error {
	name, err := d.permutation()
	if err != nil {
		return err
	}
	return d.chunks(saltEdges, d.Nodes*d.Degree, func(r stream, lo, hi int) []uint64 {
		edges := make([]uint64, 0, hi-lo)
		for range hi - lo {
			u, v := 0, 0
			for bit := 1; bit < d.Nodes; bit <<= 1 {
				switch x := r.float(); {
				case x < d.A:
				case x < d.A+d.B:
					v |= bit
				case x < d.A+d.B+d.C:
					u |= bit
				default:
					u, v = u|bit, v|bit
				}
			}
			edges = append(edges, pack(int(name[u]), int(name[v])))
		}
		return edges
	})
}

// permutation shuffles the nodes.
func (d *drawing) permutation() ([]int32, error) {
	r, p := d.stream(saltPermutation, 0), make([]int32, d.Nodes)
	for i := range p {
		if i%chunkSize == 0 && d.ctx.Err() != nil {
			return nil, d.ctx.Err()
		}
		j := r.below(i + 1)
		p[i] = p[j]
		p[j] = int32(i)
	}
	return p, nil
}

// barabasiAlbert lets each node from the Degree-th on draw Degree neighbours from the ends of the edges before it, so
// that a node is drawn in proportion to its degree. A double draw gives one edge.
func (d *drawing) barabasiAlbert() error {
	m, r := d.Degree, d.stream(saltEdges, 0)
	ends := make([]int32, m, 2*d.Nodes*m)
	for i := range ends {
		ends[i] = int32(i)
	}
	var edges []uint64
	for u := m; u < d.Nodes; u++ {
		before := len(ends)
		for range m {
			v := ends[r.below(before)]
			edges = append(edges, pack(u, int(v)))
			ends = append(ends, v, int32(u))
		}
		edges = d.keepMany(edges)
		if u%chunkSize == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
	}
	d.keep(edges)
	return nil
}

// wattsStrogatz joins each node with the Degree/2 that follow it on a ring; each edge's far end is moved to a random
// node with the given probability.
func (d *drawing) wattsStrogatz() error {
	n := d.Nodes
	return d.chunks(saltEdges, n, func(r stream, lo, hi int) []uint64 {
		edges := make([]uint64, 0, (hi-lo)*d.Degree/2)
		for u := lo; u < hi; u++ {
			for step := 1; step <= d.Degree/2; step++ {
				v := (u + step) % n
				if r.float() < d.Probability {
					v = r.below(n)
				}
				edges = append(edges, pack(u, v))
			}
		}
		return edges
	})
}

// erdosRenyi draws pairs until there are as many different ones as wanted. Of a dense graph it draws the pairs that are
// missing.
func (d *drawing) erdosRenyi() error {
	n := uint64(d.Nodes)
	pairs := n * (n - 1) / 2
	if uint64(d.Edges) <= pairs/2 {
		return d.drawPairs(d.Edges)
	}
	if err := d.drawPairs(int(pairs - uint64(d.Edges))); err != nil {
		return err
	}
	source, target, err := d.edges()
	if err != nil {
		return err
	}
	edges, next := make([]uint64, 0, d.Edges), 0
	for u := range d.Nodes {
		for v := u + 1; v < d.Nodes; v++ {
			if next < len(source) && int(source[next]) == u && int(target[next]) == v {
				next++
				continue
			}
			edges = append(edges, pack(u, v))
		}
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
	}
	d.keep(edges)
	return nil
}

// drawPairs draws count different pairs of different nodes, in rounds: each draws as many as are still missing.
func (d *drawing) drawPairs(count int) error {
	missing := count
	for round := 0; missing > 0; round++ {
		err := d.chunks(saltRounds+round, missing, func(r stream, lo, hi int) []uint64 {
			edges := make([]uint64, 0, hi-lo)
			for range hi - lo {
				u, v := r.below(d.Nodes), r.below(d.Nodes-1)
				if v >= u {
					v++
				}
				edges = append(edges, pack(u, v))
			}
			return edges
		})
		if err != nil {
			return err
		}
		drawn, err := d.different()
		if err != nil {
			return err
		}
		missing = count - drawn
	}
	return nil
}

// different leaves each edge once, and returns how many there are.
func (d *drawing) different() (int, error) {
	if d.spill != nil {
		return d.unique()
	}
	source, target, err := d.edges()
	if err != nil {
		return 0, err
	}
	edges := make([]uint64, len(source))
	for i := range source {
		edges[i] = pack(int(source[i]), int(target[i]))
	}
	d.keep(edges)
	return len(edges), nil
}
