package worker

// What auto compares; decided on one H200, figures are in docs/notes/001-batched-engine.md and 002-reductions.md.
const (
	tinyGraph         = 10_000 // nodes up to which searches by weights are made one by one
	wideDegree        = 9      // arcs per node from which 8 threads per node beat 4 by weights
	sparseSample      = 10     // on deep graphs: arcs of sources per arc to another source, from which batches do not pay
	sparseRoad        = 4      // arcs per node of road-like graphs
	sparseRoadSample  = 4      // sparseSample of road-like graphs
	batchedSample     = 2048   // sources by hops from which batches pay on shallow graphs
	fewSearches       = 256    // sources up to which 4 threads per node pay
	fewSearchesDegree = 16     // arcs per node from which they do
	busyBatches       = 0.85   // batches times mean degree per multiprocessor that keep the device busy
	thinLevel         = 300    // arcs per level from which batches of the closeness family pay for samples
	smallBatches      = 8192   // nodes up to which smallWork counts
	smallWork         = 150e6  // sources times edges from which batches pay on such graphs
	reducedShare      = 0.9    // share of the work that reductions may leave
	planningTime      = 250e-9 // seconds per node or edge of planning reductions, 16 threads
	batchedRate       = 5.5e9  // edges per second and arc per node of batches on shallow graphs
	treeTime          = 40e-9  // seconds per node or edge of folding trees (estimate)
	foldArcs          = 40e9   // edges per second of batches by weights, closeness family
	leastLeaves       = 0.02   // share of nodes of degree 1 from which trees are folded
	chainArcs         = 2.5e9  // edges per second of searches over chains
	chainPairs        = 10e9   // pairs of chains per second (estimate)
	weightedArcs      = 10e9   // edges per second of batches by weights
	batchedArcs       = 45e9   // edges per second of batches by hops, shallow graphs
	deepArcs          = 20e9   // edges per second of batches by hops, deep graphs
	chainsGain        = 0.75   // share of the time that chains may leave
	chainFoldArcs     = 17e9   // edges per second of batches between branch nodes
	chainFoldPairs    = 25e9   // pairs of chains per second, closeness family
	chainFoldStart    = 5e-3   // seconds of planning and of the way back (estimate)
	deepHopArcs       = 9e9    // edges per second of batches, closeness family, deep graphs
	ballShare         = 64     // arcs per arc of a ball from which volumes are batched (not measured)
	ballProbes        = 32     // balls that are looked at
)
