package deep

// What decides shapes and batches on deep undirected graphs, measured on one H200; figures are in
// docs/notes/001-batched-engine.md.
const (
	rowBytes     = 512    // bytes of a node's row: distances, then counts, then shares
	doubleLanes  = 64     // sources of a batch in double precision
	deepestLevel = 60_000 // hops of the longest path that distances of 16 bits hold
	deepestRow   = 512    // arcs of the longest row, which a warp handles alone
	bucketWidth  = 4      // hops of a bucket of distances
	bucketSlack  = 32     // hops by which a lane may lie behind its bucket and still be passed on with it
	fewNodes     = 64     // a round of up to so many nodes to count takes waiting ones along
	patience     = 4      // hops by which these may lie farther than the nearest of them
	longStack    = 4      // entries of a stack per node that are tried for first
	shortStack   = 2      // entries of a stack per node where memory is short
)
