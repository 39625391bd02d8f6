package connector

// Distances describes how far the nodes of a run's graph are apart, over the ordered pairs of a source and another node
// that it reaches. It is in the record of the run, and on the node (:LinchpinDistances) of the job.
type Distances struct {
	Weighted bool `json:"weighted"`
	// Sources is how many nodes were searched from. If not all were, Diameter is a lower bound.
	Sources int64 `json:"sources"`
	// Components are those of the graph without direction; LargestComponent is the number of nodes in the largest.
	Components       int64 `json:"components"`
	LargestComponent int64 `json:"largestComponent"`
	Pairs            int64 `json:"pairs"`
	// Mean and Diameter are the mean and the greatest distance of a pair; 0 without pairs.
	Mean     float64 `json:"mean"`
	Diameter float64 `json:"diameter"`
	// Hops is the hop plot: Hops[h] pairs are h hops apart. Nil when weighted.
	Hops   []int64 `json:"hops,omitempty"`
	Device string  `json:"device"`
}
