package kernels

// scoreBytes bounds the memory of the scores themselves.
func scoreBytes(g Size, r Request) int64 {
	var bytes int64
	if r.Nodes {
		bytes += 8 * g.Nodes
	}
	if r.Edges {
		bytes += 8 * g.Edges
	}
	return bytes
}

func degreeBytes(_ Measure, g Size, r Request) int64 { return scoreBytes(g, r) }

// tickBytes bounds the memory of weights as ticks.
func tickBytes(g Size, r Request) int64 {
	if !r.Weighted {
		return 0
	}
	arcs := g.Edges
	if !g.Directed {
		arcs *= 2
	}
	return 24 * arcs
}

func betweennessBytes(_ Measure, g Size, r Request) int64 {
	perThread := searchBytes(g.Nodes, g.Edges, r.Weighted, true) + 18*g.Nodes + scoreBytes(g, r)
	return scoreBytes(g, r) + tickBytes(g, r) + max(int64(threads(r))*perThread, ReducedBytes(g, r))
}

func foldBytes(g Size, r Request) int64 {
	return 8*g.Nodes + scoreBytes(g, r) + tickBytes(g, r) + int64(threads(r)+1)*(batchedSearchBytes(g, r)+5*g.Nodes+foldedBytes(g, r))
}

// batchedSearchBytes bounds the memory of one search of those that overBatches makes.
func batchedSearchBytes(g Size, r Request) int64 {
	if r.Weighted {
		return searchBytes(g.Nodes, g.Edges, r.Weighted, false)
	}
	return max(searchBytes(g.Nodes, g.Edges, r.Weighted, false), multiBFSBytes(g.Nodes))
}

// closenessBytes is foldBytes, or what reductions take where the measure can be folded over blocks, or chains.
func closenessBytes(m Measure, g Size, r Request) int64 {
	if _, ok := TreeFold(m.Name); !ok {
		return foldBytes(g, r)
	}
	return max(foldBytes(g, r), scoreBytes(g, r)+tickBytes(g, r)+ReducedFoldBytes(g, r))
}

func foldedBytes(g Size, r Request) int64 {
	if r.Edges {
		return 16 * (g.Nodes + g.Edges)
	}
	return 16 * g.Nodes
}

func stressBytes(_ Measure, g Size, r Request) int64 {
	sums := 2 * scoreBytes(g, r) // a wide number takes 16 bytes
	perThread := searchBytes(g.Nodes, g.Edges, r.Weighted, true) + 32*g.Nodes + sums
	return scoreBytes(g, r) + sums + tickBytes(g, r) + int64(threads(r))*perThread
}

func volumeBytes(_ Measure, g Size, r Request) int64 {
	return scoreBytes(g, r) + 20*g.Nodes + int64(threads(r))*searchBytes(g.Nodes, g.Edges, r.Weighted, false)
}
