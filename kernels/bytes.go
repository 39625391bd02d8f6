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

func betweennessBytes(g Size, r Request) int64 {
	perThread := searchBytes(g, r.Params, true) + 18*g.Nodes + scoreBytes(g, r)
	return scoreBytes(g, r) + tickBytes(g, r) + max(int64(threads(r))*perThread, reducedBytes(g, r))
}

func foldBytes(g Size, r Request) int64 {
	return 8*g.Nodes + scoreBytes(g, r) + tickBytes(g, r) + int64(threads(r)+1)*(batchedSearchBytes(g, r)+5*g.Nodes+foldedBytes(g, r))
}

// batchedSearchBytes bounds the memory of one search of those that overBatches makes.
func batchedSearchBytes(g Size, r Request) int64 {
	if r.Weighted {
		return searchBytes(g, r.Params, false)
	}
	return max(searchBytes(g, r.Params, false), multiBFSBytes(g))
}

// contractedBytes is what folds over chains may take for each node and edge, besides what reductions may; with edge scores, middleBytes more.
const (
	contractedBytes = 400
	middleBytes     = 500
)

// blockFoldBytes is foldBytes of a measure that can be folded over blocks, or chains.
func blockFoldBytes(g Size, r Request) int64 {
	reduced, part := reducedBytes(g, r), int64(contractedBytes)
	if r.Edges {
		part += middleBytes
	}
	if reduced > 0 {
		reduced += part * (g.Nodes + g.Edges) // chains are looked at after blocks
	}
	return max(foldBytes(g, r), scoreBytes(g, r)+tickBytes(g, r)+reduced)
}

func foldedBytes(g Size, r Request) int64 {
	if r.Edges {
		return 16 * (g.Nodes + g.Edges)
	}
	return 16 * g.Nodes
}

func stressBytes(g Size, r Request) int64 {
	sums := 2 * scoreBytes(g, r) // a wide number takes 16 bytes
	perThread := searchBytes(g, r.Params, true) + 32*g.Nodes + sums
	return scoreBytes(g, r) + sums + tickBytes(g, r) + int64(threads(r))*perThread
}

func volumeBytes(g Size, r Request) int64 {
	return scoreBytes(g, r) + 20*g.Nodes + int64(threads(r))*searchBytes(g, r.Params, false)
}
