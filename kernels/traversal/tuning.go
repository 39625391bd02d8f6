package traversal

// Shapes of launches and choices of methods, decided on one H200 in double precision; figures are in
// docs/notes/007-searches-one-by-one.md.
const (
	smallGraph   = 40_000 // nodes up to which blocks by hops have smallThreads
	smallThreads = 128    // threads of a block by hops on small graphs
	largeThreads = 256    // threads of a block by hops on others

	weightedThreads = 128    // threads of a block by weights: frontiers are small, and barriers cost less in small blocks
	denseThreads    = 256    // threads of a block by weights on dense graphs
	denserDegree    = 4      // arcs per node from which a graph is dense
	tinyGraph       = 10_000 // nodes up to which no graph is dense
	longRowSteps    = 16     // by weights, steps of a virtual warp from which the whole block shares a row

	// Where nodes get other numbers; see renumber.go.
	renumbersFrom   = 1 << 15 // nodes from which on searches do not fit into the cache next to each other
	renumberSources = 256     // sources from which on the order pays on a mesh
	renumberRounds  = 8       // sources per block from which on it pays on any graph without hubs
	roadRounds      = 2       // sources per block from which on it pays on a road network
	roadDegree      = 2.5     // arcs per node from which on a graph is taken for one

	cellSources     = 32      // sources from which on rows go into cells; see cells.go
	cellsPerNode    = 4.0 / 3 // cells per node up to which cells of one size will do
	cellsMostDegree = 12      // arcs per node up to which some size will do, of graphs as they are

	hybridChange    = 768 // alpha of McLaughlin & Bader's Algorithm 4
	hybridFrontier  = 512 // beta of the same
	samplingSources = 512 // sources after which Algorithm 5 looks at their depths
	samplingDepth   = 4   // times log2 n: the median depth under which it takes all arcs for big levels

	escalate = 0.25 // share of a first chunk that must fail in narrow numbers for the others to start with wider ones

	// rounds of a source per block between two joins of the sums of blocks, at least: at each, blocks wait for the slowest
	leastAtom = 16
	mostAtoms = 16 // joins of a run, where there are so many sources: 8 shards get 2 each
)
