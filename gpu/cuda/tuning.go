package cuda

// Every number here was measured on one H200, all in double precision, with kernels of 64 registers a thread.

const (
	// residentThreads is what 64 registers a thread leave of a multiprocessor.
	residentThreads = 1024
	// staticShared bounds the shared memory that a traversal kernel takes besides its bitmaps.
	staticShared = 2 << 10

	// smallGraph is the number of nodes up to which blocks of smallThreads are best: 35.4 GTEPS against 28.4 with 256
	// threads on facebook_combined (4,039 nodes), 9.4 against 7.9 on as-caida20071105 (26,475); but 7.4 against 8.1 on
	// road-LosAngeles (49,374) and 4.3 against 6.6 on luxembourg_osm (114,599), whose bitmaps fill shared memory.
	smallGraph   = 40_000
	smallThreads = 128
	largeThreads = 256

	// hybridChange and hybridFrontier are alpha and beta of McLaughlin & Bader's Algorithm 4.
	hybridChange   = 768
	hybridFrontier = 512
	// samplingSources and samplingDepth: after this many sources, Algorithm 5 takes all arcs for big levels when the median
	// depth is under samplingDepth * log2 n.
	samplingSources = 512
	samplingDepth   = 4

	// escalate is the share of a first chunk's sources that must fail in narrow numbers for the others to start with wider
	// ones.
	escalate = 0.25

	// weightedThreads: frontiers by weights are small, so that barriers cost less in small blocks.
	weightedThreads = 128

	// nearArcs sets the width of the near pile of searches by weights to begin with, as that many times the mean weight over
	// the mean degree; the kernel widens and narrows it from there.
	nearArcs = 1

	// wideDegree is the mean degree from which 8 threads a node beat 4 by weights: 3.7 against 2.7 GTEPS on air-routes
	// (14.5), 3.9 against 3.5 on an R-MAT graph (27.7), 3.8 against 3.7 on email-Enron-lcc (10.7); but 2.0 against 2.1 on
	// caidaRouterLevel (6.3) and on road-LosAngeles (2.9).
	wideDegree = 9

	// sumThreads and sumBlocks shape the kernels that join the blocks' sums.
	sumThreads = 256
	sumBlocks  = 2048

	// ballThreads and ballLanes shape volume_bitmap.
	ballThreads = 256
	ballLanes   = 8
	// listThreads shapes volume_lists; listBlocks is how many blocks of it a multiprocessor gets.
	listThreads = 64
	listBlocks  = 8
)
