package volume

// Shapes of launches, decided on one H200; figures are in docs/notes/007-searches-one-by-one.md.
const (
	ballThreads = 256 // threads of a block that searches, or takes a large ball; more where few bitmaps fit
	ballLanes   = 8   // threads per node of a ball, and per short row of a large one

	smallBallThreads = 128        // a launch bound of volume_small
	denseBall        = 1024       // arcs that are too many for volume_small
	denseBallBlocks  = 7          // its blocks per multiprocessor, by their shared memory
	sparseBall       = 512        // arcs that are too many for it on sparse graphs
	sparseBallBlocks = 12         // its blocks per multiprocessor there, by their registers
	sparseBalls      = 5          // arcs per node up to which a graph is sparse
	nearUnit         = 4096       // sources of a first chunk
	nearArcsAtOnce   = 10_000_000 // arcs up to which chunks are of nearUnit sources; on larger graphs, of one per block

	listThreads = 64 // threads of a block of volume_lists
	listBlocks  = 8  // its blocks per multiprocessor
)
