package kernels

import "slices"

// This file is what a new measure changes here: its kind if it is a new one, its options, and its entry.

// Kind says what a measure adds up, and so which engines can compute it.
type Kind int

// The kinds. What is said of them holds for every measure of the kind, so no code asks for a measure's name.
const (
	// Degrees are read off the graph; nothing is searched.
	Degrees Kind = iota
	// Dependencies are shares of shortest paths, which searches count forwards and add up backwards (Brandes 2001).
	Dependencies
	// PathCounts are numbers of shortest paths, of any size.
	PathCounts
	// FoldedDistances are distances folded into one number a node; see Fold.
	FoldedDistances
	// Balls are sums over the nodes within a radius.
	Balls
	// Communities are groups of nodes, which cuts of edges leave: a group's number per node, and whether an edge joins
	// two.
	Communities
	// PageRanks spread over arcs, each node's score in shares to where its arcs lead, and start again from sources.
	PageRanks
	// ArticleRanks are PageRanks in which nodes of few arcs give less.
	ArticleRanks
	// KatzSums count the walks that end at a node, each longer one for less.
	KatzSums
	// Eigenvectors are scores that are proportional to the sum of those of a node's neighbours.
	Eigenvectors
	// HubsAndAuthorities are scores of two kinds, each proportional to the sum of the other kind at a node's neighbours.
	HubsAndAuthorities
	// Labels, Modules and ConnectedModules are groups of nodes, which nodes join one after the other: by the label that
	// most neighbours have, by modularity, and by modularity with each group connected. A group's number per node, and
	// whether an edge joins two.
	Labels
	Modules
	ConnectedModules
	// Currents are sums, over pairs of nodes, of the electrical current between them that takes a node or an edge.
	Currents
	// CurrentCloseness is the inverse of the mean resistance to other nodes.
	CurrentCloseness
	// Resistances are effective resistances: the mean to other nodes, and that between the ends of an edge.
	Resistances
	// SpanningTrees are shares of the spanning trees that have an edge, and the sums of those at a node.
	SpanningTrees
	// Components, StrongComponents and EdgeComponents are groups of nodes that stay connected: in any direction, there and
	// back, and without any one edge.
	Components
	StrongComponents
	EdgeComponents
	// Articulation is what is left of a component without a node, Bridges without an edge; Blocks are what holds without
	// any one node.
	Articulation
	Bridges
	Blocks
	// Cores and Trusses are the levels at which nodes and edges come off that are peeled by degrees and by triangles.
	Cores
	Trusses
	// Triangles, Clustering, Similarity and Curvature are made of the triangles of nodes and edges.
	Triangles
	Clustering
	Similarity
	Curvature
	// Backbones are parts of a graph: the edges, or the nodes, of the highest betweenness. A score is 1 in it and 0
	// outside.
	Backbones
)

// Iterates reports whether scores of the kind are made of those before, until they stay as they are.
func (k Kind) Iterates() bool { return k >= PageRanks && k <= HubsAndAuthorities }

// Restarts reports whether a request can name the nodes that scores of the kind start from again and again.
func (k Kind) Restarts() bool { return k == PageRanks || k == ArticleRanks }

// Flows reports whether measures of the kind are about electrical current. Weights are conductances then, and edges
// have no direction.
func (k Kind) Flows() bool { return k >= Currents && k <= SpanningTrees }

// FromSources reports whether measures of the kind are computed by searches from source nodes, which a request can
// name.
func (k Kind) FromSources() bool { return k == Dependencies || k == PathCounts || k == FoldedDistances }

// Groups reports whether measures of the kind put nodes into groups, with a Grouping.
func (k Kind) Groups() bool { return k == Communities || k.Seeded() }

// Seeded reports whether the result of measures of the kind depends on Request.Seed.
func (k Kind) Seeded() bool { return k == Labels || k == Modules || k == ConnectedModules }

// Strengths reports whether the weights of measures of the kind are strengths; others read them as lengths.
func (k Kind) Strengths() bool { return k.Iterates() || k.Seeded() || k.Flows() }

// Divides reports whether a run can be divided: its scores are made of sums that parts of it add up.
func (k Kind) Divides() bool { return k.FromSources() || k == Balls || k == Degrees }

// Params are the options of a measure. The zero value asks for every default.
//
// Each field declares an option, once: yaml is its name in the config, in JSON and on the command line, jsonschema
// bounds its values, and jsonschema_description says what it does. The config and its schema, the flags of compute with
// their help and completion, the checks and the records are made from these tags; see Options.
type Params struct {
	Weighted   bool     `yaml:"weighted" json:"weighted" jsonschema_description:"Follow the weights; false counts hops. In a job, a measure of path lengths follows them when the graph names a weight. pagerank and others that iterate take them as strengths, and only with true."`
	Normalized *bool    `yaml:"normalized" json:"normalized,omitempty" jsonschema_description:"Divide scores by the number of pairs; without it the measure's own default."`
	Endpoints  bool     `yaml:"endpoints" json:"endpoints,omitempty" jsonschema_description:"Count the two ends of a path as lying on it."`
	Variant    string   `yaml:"variant" json:"variant,omitempty" jsonschema:"minLength=1" jsonschema_description:"Variant of the measure."`
	Radius     *int     `yaml:"radius" json:"radius,omitempty" jsonschema:"minimum=0" jsonschema_description:"Radius of the ball that volume sums over, in hops; without it 2."`
	Groups     *int     `yaml:"groups" json:"groups,omitempty" jsonschema:"minimum=1" jsonschema_description:"Number of groups to find; without it those of the greatest modularity."`
	Limit      float64  `yaml:"limit" json:"limit,omitempty" jsonschema:"minimum=0" jsonschema_description:"Stop after so many seconds, with the groups found by then; 0 for no limit."`
	Batch      float64  `yaml:"batch" json:"batch,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Cut this share of the edges of a component, such as 0.01, before scores are computed again; 0 cuts one edge at a time."`
	Log        bool     `yaml:"log" json:"log,omitempty" jsonschema_description:"Write the base-2 logarithm of the score."`
	Damping    *float64 `yaml:"damping" json:"damping,omitempty" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1" jsonschema_description:"Share of a score that goes on along arcs, the rest starting again; without it 0.85."`
	Alpha      *float64 `yaml:"alpha" json:"alpha,omitempty" jsonschema:"exclusiveMinimum=0" jsonschema_description:"Factor for each arc of a walk, under 1 / the largest eigenvalue; without it 0.85 / the largest sum of weights that enter a node."`
	Iterations *int     `yaml:"iterations" json:"iterations,omitempty" jsonschema:"minimum=1" jsonschema_description:"Most iterations. Of ranks without it 1000, after which it is an error that scores have not converged; of groups without it 10, on each level."`
	Residual   *float64 `yaml:"residual" json:"residual,omitempty" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1" jsonschema_description:"Iterate until no score changes by more than this, relative to the score; without it 1e-10."`
	Tolerance  float64  `yaml:"tolerance" json:"tolerance,omitempty" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"Relative difference under which two path lengths count as equal when exact arithmetic cannot tell; 0 for 1e-10."`
	Levels     *int     `yaml:"levels" json:"levels,omitempty" jsonschema:"minimum=1" jsonschema_description:"Most levels, on each of which groups become nodes; without it 10. 1 is the finest."`
	Gamma      float64  `yaml:"gamma" json:"gamma,omitempty" jsonschema:"minimum=0" jsonschema_description:"Resolution of the modularity: more than 1 gives more and smaller groups; 0 for 1."`
	Theta      float64  `yaml:"theta" json:"theta,omitempty" jsonschema:"minimum=0" jsonschema_description:"How much chance there is when parts of a group join, in units of the mean weight; 0 for 0.01."`
	Error      float64  `yaml:"error" json:"error,omitempty" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"Draw a sample where that saves work, with this error at most: of betweenness and of currents as a share of all pairs, of resistances relative. With 0 currents and resistances are drawn only in blocks of over 10,000 nodes, with 0.05 and 0.1."`
	Keep       *float64 `yaml:"keep" json:"keep,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1" jsonschema_description:"Share of the edges, or nodes, that a backbone keeps; without keep and threshold 0.2."`
	Threshold  *float64 `yaml:"threshold" json:"threshold,omitempty" jsonschema:"minimum=0" jsonschema_description:"Keep what has at least this betweenness, in place of a share."`
	Top        *int     `yaml:"top" json:"top,omitempty" jsonschema:"minimum=1" jsonschema_description:"Give only this many nodes with the highest scores a score, and all that tie with the last of them. Scores are exact; by hops only nodes that may be among them are searched from."`
	Connected  bool     `yaml:"connected" json:"connected,omitempty" jsonschema_description:"Keep a spanning forest of the highest edges too, so that no component falls apart."`
}

// DefaultRadius is the radius of a volume when none is given.
const DefaultRadius = 2

// DefaultKeep is the share of a graph that a backbone keeps when neither a share nor a threshold is given.
const DefaultKeep = 0.2

// Variants of backbone: edges of the highest betweenness with their ends, or nodes with the edges between them.
const (
	OfEdges = "edges"
	OfNodes = "nodes"
)

// Variants of closeness.
const (
	Component      = "component"
	WassermanFaust = "wassermanFaust"
	Classic        = "classic"
)

// Variants of PageRank: scores as GDS has them, or those that add up to 1.
const (
	GDS         = "gds"
	Probability = "probability"
)

// Variants of hubs and authorities.
const (
	Authorities = "authorities"
	Hubs        = "hubs"
)

// Measures returns the table of measures, in the order in which they are documented.
func Measures() []Measure {
	return append(pathMeasures(), structures()...)
}

// pathMeasures are those of paths, of their ends, and of cuts by them.
func pathMeasures() []Measure {
	return []Measure{
		{
			Name: "betweenness", Kind: Dependencies, Summary: "how much of the traffic along shortest paths passes through",
			Node:    "sum over pairs (s, t) of the share of shortest paths from s to t that pass through the node",
			Edge:    "the same with the edge",
			Weights: OptionalWeights, Options: []string{"normalized", "endpoints"}, BySource: true, Reducible: true,
			EdgeSums: true, Strategies: append(traversals(), "batched"),
			WeightedStrategies: append(weightedTraversals(), "batched"), Chained: true,
			Engines: []string{"levels", "deep"}, WeightedEngines: []string{"weighted", "small"},
			Variants: nil, Bias: "", fold: nil,
		},
		{
			Name: "stress", Kind: PathCounts, Summary: "how many shortest paths pass through",
			Node:    "sum over pairs (s, t) of the number of shortest paths from s to t that pass through the node; with log, its binary logarithm, and null for 0",
			Edge:    "the same with the edge",
			Weights: OptionalWeights, Options: []string{"log"}, BySource: true, EdgeSums: true,
			Strategies: traversals(), WeightedStrategies: append(weightedTraversals(), "batched"),
			WeightedEngines: []string{"weighted"},
			Variants:        nil, Bias: "", fold: nil, Reducible: false, Engines: nil, Chained: false,
		},
		{
			Name: "closeness", Kind: FoldedDistances, Summary: "how near the nodes are that can reach it",
			Node:    "component: 1 / mean distance from the nodes that reach it; wassermanFaust: that times the share of all others that reach it; classic: 1 / sum of the distances",
			Edge:    "the same with the distance to the nearer end, over nodes other than its ends",
			Weights: OptionalWeights, Options: []string{"variant", "top"},
			Variants: []string{Component, WassermanFaust, Classic}, BySource: true,
			Bias:       "sampled closeness is biased: it is a ratio of two estimates",
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"),
			Reducible: true, Chained: true, fold: closenessFold(), Engines: []string{"hops"},
			WeightedEngines: []string{"weighted", "small"}, EdgeSums: false,
		},
		{
			Name: "harmonic", Kind: FoldedDistances, Summary: "mean of 1 / distance from all other nodes",
			Node:    "sum of 1 / distance from the nodes that reach it, divided by n-1 unless normalized: false",
			Edge:    "the same with the distance to the nearer end, over nodes other than its ends, divided by n-2",
			Weights: OptionalWeights, Options: []string{"normalized", "top"}, BySource: true,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"),
			fold: harmonicFold(), Engines: []string{"hops"}, WeightedEngines: []string{"weighted", "small"},
			EdgeSums: false, Variants: nil, Bias: "", Reducible: false, Chained: false,
		},
		{
			Name: "graph", Kind: FoldedDistances, Summary: "1 / eccentricity",
			Node:       "1 / the largest distance from a node that reaches it",
			Edge:       "the same with the distance to the nearer end, over nodes other than its ends",
			Weights:    OptionalWeights,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"),
			Reducible: true, Chained: true, fold: graphFold(), Engines: []string{"hops"},
			WeightedEngines: []string{"weighted", "small"}, EdgeSums: false, Options: nil, Variants: nil,
			BySource: false, Bias: "",
		},
		{
			Name: "eccentricity", Kind: FoldedDistances, Summary: "how far the farthest node is that can reach it",
			Node:       "the largest distance from a node that reaches it",
			Edge:       "the same with the distance to the nearer end, over nodes other than its ends",
			Weights:    OptionalWeights,
			Strategies: append(traversals(), "batched"), WeightedStrategies: append(weightedTraversals(), "batched"),
			Reducible: true, Chained: true, fold: eccentricityFold(), Engines: []string{"hops"},
			WeightedEngines: []string{"weighted", "small"}, EdgeSums: false, Options: nil, Variants: nil,
			BySource: false, Bias: "",
		},
		{
			Name: "volume", Kind: Balls, Summary: "how many edges lie around it",
			Node:    "sum of the degrees of the nodes within radius hops along arcs, the node itself included",
			Weights: NoWeights, Options: []string{"radius"},
			Strategies: []string{"volume-lists", "volume-bitmap", "batched"}, Engines: []string{"hops"},
			Edge: "", EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false,
			WeightedStrategies: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "degree", Kind: Degrees, Summary: "how many edges leave it",
			Node:    "number of arcs that leave the node, parallel ones counted; a self-loop counts 2 when undirected, 1 when directed",
			Weights: NoWeights,
			Edge:    "", EdgeSums: false, Options: nil, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false,
			Strategies: nil, WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "strength", Kind: Degrees, Summary: "how much weight leaves it",
			Node:    "sum of the weights of the arcs that leave the node; a self-loop counts twice when undirected",
			Weights: RequiredWeights,
			Edge:    "", EdgeSums: false, Options: nil, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false,
			Strategies: nil, WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "communities", Kind: Communities, Summary: "which group of nodes it belongs to",
			Node:    "number of its group, from 0: what cuts of the edges of the highest betweenness leave connected (Girvan and Newman)",
			Edge:    "1 between two groups, 0 within one",
			Weights: OptionalWeights, Options: []string{"groups", "limit", "batch"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: []string{"cuts"},
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "pagerank", Kind: PageRanks, Summary: "how likely a walk along arcs is to be here",
			Node:    "(1 - damping) plus damping times the shares that the nodes before it send: each its score, in equal parts, or by weights, over its arcs; probability: divided by the sum of all scores",
			Weights: OptionalWeights, Options: []string{"damping", "variant", "iterations", "residual"},
			Variants: []string{GDS, Probability}, Edge: "", EdgeSums: false, BySource: false, Bias: "", fold: nil,
			Reducible: false, Strategies: []string{"pull"}, WeightedStrategies: []string{"pull"}, Engines: nil,
			WeightedEngines: nil, Chained: false,
		},
		{
			Name: "articleRank", Kind: ArticleRanks, Summary: "PageRank in which nodes of few arcs give less",
			Node:    "as PageRank, with shares of the score by the number of arcs plus the mean number of all nodes",
			Weights: OptionalWeights, Options: []string{"damping", "iterations", "residual"}, Variants: nil,
			Edge: "", EdgeSums: false, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: []string{"pull"},
			WeightedStrategies: []string{"pull"}, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "eigenvector", Kind: Eigenvectors, Summary: "how central its neighbours are",
			Node:    "the node's part of the vector of length 1 that arcs only stretch: in proportion to the sum over the nodes before it",
			Weights: OptionalWeights, Options: []string{"iterations", "residual"}, Variants: nil,
			Edge: "", EdgeSums: false, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "katz", Kind: KatzSums, Summary: "how many walks end here, longer ones for less",
			Node:    "1 plus alpha times the scores of the nodes before it, times the weights of the arcs",
			Weights: OptionalWeights, Options: []string{"alpha", "iterations", "residual"}, Variants: nil,
			Edge: "", EdgeSums: false, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: []string{"pull"},
			WeightedStrategies: []string{"pull"}, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "hits", Kind: HubsAndAuthorities, Summary: "how well good hubs lead to it, or it to good authorities",
			Node:    "authorities: in proportion to the sum of the hub scores of the nodes before it; hubs: of the authority scores of those after it; both vectors of length 1",
			Weights: OptionalWeights, Options: []string{"variant", "iterations", "residual"},
			Variants: []string{Authorities, Hubs}, Edge: "", EdgeSums: false, BySource: false, Bias: "", fold: nil,
			Reducible: false, Strategies: nil, WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "labelPropagation", Kind: Labels,
			Summary: "which group of nodes it belongs to, by the label that most neighbours have",
			Node:    "number of its group, from 0: nodes take the label of the greatest weight among their neighbours, until none changes (Raghavan, Albert and Kumara)",
			Edge:    "1 between two groups, 0 within one",
			Weights: OptionalWeights, Options: []string{"iterations"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "louvain", Kind: Modules, Summary: "which group of nodes it belongs to, by modularity",
			Node:    "number of its group, from 0: nodes move to the group of a neighbour while modularity grows, then groups become nodes (Blondel et al.)",
			Edge:    "1 between two groups, 0 within one",
			Weights: OptionalWeights, Options: []string{"levels", "iterations", "gamma"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "leiden", Kind: ConnectedModules,
			Summary: "which group of nodes it belongs to, by modularity, each group connected",
			Node:    "number of its group, from 0: as louvain, with groups that are put together again from well-connected parts (Traag, Waltman and van Eck)",
			Edge:    "1 between two groups, 0 within one",
			Weights: OptionalWeights, Options: []string{"levels", "iterations", "gamma", "theta"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "currentFlowBetweenness", Kind: Currents,
			Summary: "how much of the traffic passes through that takes every path, as electrical current does",
			Node:    "sum over pairs {s, t} of the current through the node when one unit of it enters at s and leaves at t; weights are conductances",
			Edge:    "the same with the current through the edge",
			Weights: OptionalWeights, Options: []string{"normalized", "error"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "currentFlowCloseness", Kind: CurrentCloseness,
			Summary: "how near all nodes are along all paths, as electrical resistance measures it",
			Node:    "1 / mean effective resistance to the other nodes of its component; 1 / their sum with normalized: false",
			Weights: OptionalWeights, Options: []string{"normalized", "error"},
			Edge: "", EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "effectiveResistance", Kind: Resistances,
			Summary: "how little joins it to the others: electrical resistance along all paths",
			Node:    "mean effective resistance to the other nodes of its component",
			Edge:    "effective resistance between its ends",
			Weights: OptionalWeights, Options: []string{"error"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "spanningCentrality", Kind: SpanningTrees, Summary: "how many edges a random spanning tree has there",
			Node:    "sum of the scores of its edges: its mean degree in a random spanning tree",
			Edge:    "share of the spanning trees that have the edge, each weighing the product of its weights: 1 for a bridge",
			Weights: OptionalWeights, Options: []string{"error"},
			EdgeSums: false, Variants: nil, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: nil,
			WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
		{
			Name: "backbone", Kind: Backbones, Summary: "whether it is in the part with the highest betweenness",
			Node:    "edges: 1 if a kept edge ends in it, 0 otherwise; nodes: 1 if its betweenness is among the highest",
			Edge:    "edges: 1 if its betweenness is among the highest, 0 otherwise; nodes: 1 if both of its ends are kept",
			Weights: OptionalWeights, Options: []string{"keep", "threshold", "connected", "variant"},
			Variants: []string{OfEdges, OfNodes}, EdgeSums: false, BySource: false, Bias: "", fold: nil, Reducible: false,
			Strategies: nil, WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
		},
	}
}

// traversals are the device strategies of the literature for searches by hops.
func traversals() []string {
	return append([]string{"vertex-parallel", "edge-parallel", "vertex-pull", "work-efficient", "hybrid", "sampling"},
		warps()...)
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
