package kernels

// DistanceSummary describes the distances over the ordered pairs of a source and another node that it reaches. Over all
// sources of an undirected graph, a pair counts from both of its ends.
type DistanceSummary struct {
	// Components are those of the graph without direction; LargestComponent is the number of nodes in the largest.
	Components       int64 `json:"components"`
	LargestComponent int64 `json:"largestComponent"`
	// Pairs is how many pairs there are, Mean their mean distance (0 when there are none), Diameter the greatest.
	Pairs    int64   `json:"pairs"`
	Mean     float64 `json:"mean"`
	Diameter float64 `json:"diameter"`
	// Hops is the hop plot: Hops[h] pairs lie h hops apart, Hops[0] being 0. Nil when weighted.
	Hops []int64 `json:"hops,omitempty"`
	// Ties is as in Scores.
	Ties string `json:"ties,omitempty"`
}
