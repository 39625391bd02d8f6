package kernels

import "slices"

// Variants of closeness.
const (
	Component      = "component"
	WassermanFaust = "wassermanFaust"
	Classic        = "classic"
)

// Measures returns the table of measures, in the order in which they are documented.
func Measures() []Measure {
	return []Measure{
		{
			Name: "betweenness", Kind: Dependencies, Summary: "how much of the traffic along shortest paths passes through",
			Node:    "sum over pairs (s, t) of the share of shortest paths from s to t that pass through the node",
			Edge:    "the same with the edge",
			Weights: OptionalWeights, Options: []string{"normalized", "endpoints"}, BySource: true, Reducible: true, EdgeSums: true,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"), Chained: true,
			Engines: []string{"levels", "deep"}, WeightedEngines: []string{"weighted", "small"},
		},
		{
			Name: "stress", Kind: PathCounts, Summary: "how many shortest paths pass through",
			Node:    "sum over pairs (s, t) of the number of shortest paths from s to t that pass through the node; with log, its binary logarithm, and null for 0",
			Edge:    "the same with the edge",
			Weights: OptionalWeights, Options: []string{"log"}, BySource: true, EdgeSums: true,
			Strategies: traversals(), WeightedStrategies: append(weightedTraversals(), "batched"),
			WeightedEngines: []string{"weighted"},
		},
		{
			Name: "closeness", Kind: FoldedDistances, Summary: "how near the nodes are that can reach it",
			Node:    "component: 1 / mean distance from the nodes that reach it; wassermanFaust: that times the share of all others that reach it; classic: 1 / sum of the distances",
			Edge:    "the same with the distance to the nearer end, over nodes other than its ends",
			Weights: OptionalWeights, Options: []string{"variant"}, Variants: []string{Component, WassermanFaust, Classic}, BySource: true,
			Bias:       "sampled closeness is biased: it is a ratio of two estimates",
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"), Reducible: true, Chained: true, fold: closenessFold(),
			Engines: []string{"hops"}, WeightedEngines: []string{"weighted", "small"},
		},
		{
			Name: "harmonic", Kind: FoldedDistances, Summary: "mean of 1 / distance from all other nodes",
			Node:    "sum of 1 / distance from the nodes that reach it, divided by n-1 unless normalized: false",
			Edge:    "the same with the distance to the nearer end, over nodes other than its ends, divided by n-2",
			Weights: OptionalWeights, Options: []string{"normalized"}, BySource: true,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"), fold: harmonicFold(),
			Engines: []string{"hops"}, WeightedEngines: []string{"weighted", "small"},
		},
		{
			Name: "graph", Kind: FoldedDistances, Summary: "1 / eccentricity",
			Node:       "1 / the largest distance from a node that reaches it",
			Edge:       "the same with the distance to the nearer end, over nodes other than its ends",
			Weights:    OptionalWeights,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"), Reducible: true, Chained: true, fold: graphFold(),
			Engines: []string{"hops"}, WeightedEngines: []string{"weighted", "small"},
		},
		{
			Name: "eccentricity", Kind: FoldedDistances, Summary: "how far the farthest node is that can reach it",
			Node:       "the largest distance from a node that reaches it",
			Edge:       "the same with the distance to the nearer end, over nodes other than its ends",
			Weights:    OptionalWeights,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"), Reducible: true, Chained: true, fold: eccentricityFold(),
			Engines: []string{"hops"}, WeightedEngines: []string{"weighted", "small"},
		},
		{
			Name: "volume", Kind: Balls, Summary: "how many edges lie around it",
			Node:    "sum of the degrees of the nodes within radius hops along arcs, the node itself included",
			Weights: NoWeights, Options: []string{"radius"},
			Strategies: []string{"volume-lists", "volume-bitmap", "batched"}, Engines: []string{"hops"},
		},
		{
			Name: "degree", Kind: Degrees, Summary: "how many edges leave it",
			Node:    "number of arcs that leave the node, parallel ones counted; a self-loop counts 2 when undirected, 1 when directed",
			Weights: NoWeights,
		},
		{
			Name: "strength", Kind: Degrees, Summary: "how much weight leaves it",
			Node:    "sum of the weights of the arcs that leave the node; a self-loop counts twice when undirected",
			Weights: RequiredWeights,
		},
	}
}

// traversals are the device strategies of the literature for searches by hops.
func traversals() []string {
	return append([]string{"vertex-parallel", "edge-parallel", "vertex-pull", "work-efficient", "hybrid", "sampling"}, warps()...)
}

// OfPapers reports whether a device strategy is one of the literature, with a source per thread block.
func OfPapers(strategy string) bool { return slices.Contains(traversals(), strategy) }

// weightedTraversals are those for searches by weights.
func weightedTraversals() []string {
	return append([]string{"vertex-parallel", "work-efficient"}, warps()...)
}

// warps are the strategies with a virtual warp of 4 to 32 threads a node.
func warps() []string {
	return []string{
		"vertex-warp-4", "vertex-warp-8", "vertex-warp-16", "vertex-warp-32",
		"work-efficient-warp-4", "work-efficient-warp-8", "work-efficient-warp-16", "work-efficient-warp-32",
	}
}
