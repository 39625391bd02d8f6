package kernels

// Backbone is the part of a graph that was kept, and what that did to the graph.
type Backbone struct {
	// Edges and Nodes report for each edge and each node whether it is kept.
	Edges, Nodes []bool
	// EdgeCount and NodeCount are how many are kept.
	EdgeCount, NodeCount int
	// Betweenness is that of each edge, or of each node under the variant nodes: what they were chosen by.
	Betweenness []float64
	// Excess is the number of edges beyond the share that was asked for, because a spanning forest has so many.
	Excess int
	// Change says what became of distances and scores; nil where that is not known.
	Change *BackboneChange
}

// BackboneChange compares a graph with its backbone.
type BackboneChange struct {
	// Before is the whole graph, After the nodes and edges that were kept. Neither has a hop plot.
	Before, After DistanceSummary
	// Sources is the number of nodes from which distances before were found; those after are from as many of the kept
	// nodes, or from all of these. Sampled says that Sources are not all nodes.
	Sources int
	Sampled bool
	// Rank is the rank correlation (Spearman) of the betweenness of the kept nodes before and after; nil if all have the
	// same.
	Rank *float64
}

// KeepShare is the share that is kept; 0 if a threshold was given.
func (p Params) KeepShare() float64 {
	switch {
	case p.Threshold != nil:
		return 0
	case p.Keep != nil:
		return *p.Keep
	}
	return DefaultKeep
}

// ForBackbone is the request for the betweenness that a backbone is chosen by.
func (r Request) ForBackbone() Request {
	return Request{
		Params: Params{Weighted: r.Weighted, Tolerance: r.Tolerance}, Nodes: true, Edges: true,
		Threads: r.Threads, Reduce: r.Reduce, MostLeft: r.MostLeft, MostInBlocks: r.MostInBlocks, Progress: r.Progress,
	}
}

// Flag sets 1 for what is kept. Scores may be nil.
func Flag(scores []float64, kept []bool) {
	for i := range scores {
		if kept[i] {
			scores[i] = 1
		}
	}
}
