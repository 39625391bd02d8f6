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

	// batchedThreads is kThreads of kernels/batched.cuh, of which batchedPerSM blocks fit on a multiprocessor: 29.6 GTEPS
	// against 25.8 with blocks of 256 on rgg17, single.
	batchedThreads = 512
	batchedPerSM   = 2
	// singleLanes and doubleLanes make rows of 512 bytes, a warp's widest load: 65 GTEPS against 42 with 64 lanes on
	// email-Enron-lcc, single. Deep graphs do best with 32, and a block a batch: 14.7 against 13.5 with 64 on delaunay17.
	singleLanes = 128
	doubleLanes = 64
	deepLanes   = 32
	// teamBlocks is how many blocks share a batch of a shallow graph, at most largestTeam where batches are few: 232 GTEPS
	// with 8, 174 with 33, 145 with 132 on kron16; 35 with 4 and 17 with 1 on as-caida20071105, whose hubs keep a team busy.
	teamBlocks  = 8
	largestTeam = 32
	// shallowWave and deepWave bound the lanes times arcs of the batches that run at a time, to about a second; larger teams
	// keep to them on large graphs.
	shallowWave = 400e9
	deepWave    = 40e9
	// sparseSample: on deep graphs, auto leaves samples of fewer than a node in sparseSample to other strategies.
	sparseSample = 4
	// fullStack is the number of stack entries a node that is tried for first: shallow graphs take up to 5.
	fullStack = 32
	// teamBytes bounds Team of kernels/batched.cuh.
	teamBytes = 2048
	// hubDegree is the degree from which on a block handles an entry together.
	hubDegree = 512
	// sweepShare: nodes look for lanes themselves when 1/sweepShare of all arcs leave the frontier.
	sweepShare = 8
	// deepLevels: a graph is deep when a search has over deepLevels * log2 n levels. delaunay17 has 152, web-NotreDame 28.
	deepLevels = 3
	// roadDegree: under this many arcs a node, deep graphs are left to other strategies: 8.1 GTEPS by work-efficient, 4.2
	// by batched on road-LosAngeles (2.9 arcs a node), in double.
	roadDegree = 4
	// denseDegree: rows are ordered by degree from this many arcs a node on.
	denseDegree = 32
	// shallowBall is the size of the balls that order the nodes of shallow graphs.
	shallowBall = 8

	// ballThreads and ballLanes shape volume_bitmap.
	ballThreads = 256
	ballLanes   = 8
	// listThreads shapes volume_lists; listBlocks is how many blocks of it a multiprocessor gets.
	listThreads = 64
	listBlocks  = 8
)
