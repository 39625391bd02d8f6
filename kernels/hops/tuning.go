package hops

// Shapes of launches, decided on one H200; figures are in docs/notes/001-batched-engine.md.
const (
	blocksPerSM  = 3        // blocks of hopThreads on a multiprocessor
	manyLanes    = 1024     // sources of a batch
	deepLanes    = 512      // the same on deep graphs, where there is a kernel for so many
	fewLanes     = 256      // the same of up to fewSources sources
	fewSources   = 256      // sources, see fewLanes
	shallowLevel = 1.0 / 16 // threads per arc that a level of a batch keeps busy on shallow graphs
	deepLevel    = 25.0 / 4 // the same on deep graphs, over the root of the number of nodes
	sweepShare   = 8        // nodes look for lanes themselves when 1/sweepShare of all arcs leave the frontier
	pairCursors  = 1 << 21  // places in the list of edges that hop_pairs keeps: sections times segments of rows
	leastSegment = 128      // segments of rows of hop_pairs, a warp each, at least
	mostSegments = 4096     // the same at most
	restOfOrder  = 1.0 / 16 // bytes per arc of the lists of long rows
	bitsOfWeight = 32       // of a degree

	soughtBatches = 16 // batches of sources that a search for the highest scores has room for, at least
)

// pairSection is how many bytes of marks a section of the list of edges is about. Tests lower it.
var pairSection int64 = 96 << 10
