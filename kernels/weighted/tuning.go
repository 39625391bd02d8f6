package weighted

// Shapes of launches, decided on one H200; figures are in docs/notes/005-shapes-by-weights.md.
const (
	// threads of a block for the closeness family and distances on sparse graphs; others get twice as many
	batchThreads = 512
	batchesPerSM = 2      // blocks of batchThreads on a multiprocessor, by their 64 registers per thread
	denserDegree = 4      // arcs per node from which blocks are large for all that is computed
	largestTeam  = 32     // blocks that share a batch where batches are few; 128 take as long
	arcsPerBlock = 20_000 // arcs that one block more in a team is for, at least
	wave         = 20e9   // lanes times arcs of the batches that run at a time, about a second
	fullStack    = 33     // entries of a stack per node, with which it overflows for no order of lanes
	blockRow     = 256    // arcs of a row from which a block handles it together
	rowSegment   = 32     // arcs of a segment in weighted.cuh
	fewToCount   = 64     // nodes of a round so small that waiting ones are counted with it
	bucketSlack  = 2.0    // widths farther than the bucket that a lane may be, and is passed on with it
)

// Widths of buckets, as so many times the mean weight over the mean degree.
const (
	bucketArcs        = 8.0  // counts of paths on shallow graphs, and the closeness family on deep ones
	deepBucketArcs    = 96.0 // counts of paths on deep graphs, over the mean degree
	levelsBucketArcs  = 2.0  // the closeness family on shallow graphs
	boundedBucketArcs = 1.0  // with bounds: the closeness family, and counts of paths where batches are made by landmarks
	evenBucketArcs    = 24.0 // counts of paths on shallow graphs without a row of over evenRow times the mean
	evenRow           = 8.0  // times the mean degree
)

// How many widths farther than the nearest of them nodes are counted that wait for lanes.
const (
	shallowPatience = 1.0
	deepPatience    = 2.0
)

// boundedDegree and boundedHub are from how many arcs per node in the mean on, and from which degree of some node,
// searches by real weights leave out rows by bounds (bounds.cuh). Tests change them.
var boundedDegree, boundedHub int64 = 12, 256
