package worker

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

	// longRowSteps: by weights, a row that would take so many steps of its virtual warp is shared by the whole block: 2.6
	// GTEPS against 1.3 without on an R-MAT graph with real weights, 7.5 against 4.9 with whole ones (from 2,112 sources, and
	// 1,056 without). 4 and 64 are level but for 4.3 GTEPS with 4 in blocks of 512 with whole weights.
	longRowSteps = 16

	// weightedThreads: frontiers by weights are small, so that barriers cost less in small blocks: 2.5 GTEPS against 1.8 with
	// 256 on road-LosAngeles (2.9 arcs a node), 5.4 against 4.2 on air-routes (3,476 nodes). denseThreads: rounds are larger
	// from denserDegree arcs a node on, in graphs of over tinyGraph nodes: 2.5 against 2.3 on an R-MAT graph with real weights,
	// 5.5 against 5.0 on delaunay_n16.
	weightedThreads = 128
	denseThreads    = 256
	denserDegree    = 4
	tinyGraph       = 10_000

	// nearArcs sets the width of the near pile of searches by weights to begin with, as that many times the mean weight over
	// the mean degree; the kernel widens and narrows it from there.
	nearArcs = 1

	// wideDegree is the mean degree from which 8 threads a node beat 4 by weights: 3.7 against 2.7 GTEPS on air-routes
	// (14.5), 3.9 against 3.5 on an R-MAT graph (27.7), 3.8 against 3.7 on email-Enron-lcc (10.7); but 2.0 against 2.1 on
	// caidaRouterLevel (6.3) and on road-LosAngeles (2.9).
	wideDegree = 9

	// sumThreads shapes the kernels that join the blocks' sums; sumBlocks is the most blocks that they get.
	sumThreads = 256
	sumBlocks  = 2048

	// batchedPerSM blocks of batchedThreads fit on a multiprocessor: 29.6 GTEPS
	// against 25.8 with blocks of 256 on rgg17, single.
	batchedPerSM = 2
	// doubleLanes, and SingleLanes in single precision (kernels/order), make rows of 512 bytes, a warp's widest load: 65 GTEPS against 42 with 64 lanes on
	// email-Enron-lcc, single. Deep graphs do best with 32, and a block a batch: 14.7 against 13.5 with 64 on delaunay17.
	doubleLanes = 64
	// teamBlocks is how many blocks share a batch of a shallow graph, at most largestTeam where batches are few: 232 GTEPS
	// with 8, 174 with 33, 145 with 132 on kron16; 35 with 4 and 17 with 1 on as-caida20071105, whose hubs keep a team busy.
	teamBlocks  = 8
	largestTeam = 32
	// slotsATeam is how many sums of scores there are a team, so that those that are done early take more batches: a batch of
	// delaunay17 takes 0.08 to 0.2 s, and a launch of one a team 0.19 where the mean is 0.115.
	slotsATeam = 4
	// shallowWave and deepWave bound the lanes times arcs of the batches that run at a time, to about a second; larger teams
	// keep to them on large graphs.
	shallowWave = 400e9
	deepWave    = 40e9
	// sparseSample: on deep graphs, auto leaves sources to other strategies of whose arcs fewer than one in sparseSample ends
	// at another source; on graphs of under sparseRoad arcs a node, one in sparseRoadSample. Batches against a search a block,
	// seconds from 32,768 random sources: delaunay18 2.29 and 2.86, rgg18 2.12 and 3.80 (one in 8), road168x168 0.91 and 0.68
	// (one in 4), road336x336 4.65 and 4.30 (bench/results/h200-samples.jsonl).
	sparseSample     = 10
	sparseRoad       = 4
	sparseRoadSample = 4
	// batchedSample is the number of random sources from which batches pay by hops on shallow graphs: the order takes 40 to 90
	// ns an arc on the host. Milliseconds from 1,024 sources by batches and by a search a block: rmat18-16 445 and 351,
	// ba-262144-4 277 and 133, smallworld-65536-10 32 and 19; from 64: 355 and 57, 162 and 18, 22 and 2.6; from 32,768 batches
	// are 1.5 to 10 times as fast.
	batchedSample = 2048
	// fewSearches and fewSearchesDegree: from so few sources, on graphs of so many arcs a node, 4 threads a node are 1.1 to 1.3
	// times as fast as one: milliseconds from 64 sources, rmat14-16 3.4 and 2.6, rmat18-16 57 and 49.
	fewSearches       = 256
	fewSearchesDegree = 16
	// busyBatches: on deep graphs, auto leaves samples of which the batches times the mean degree are fewer than so many times the multiprocessors to a search a block. In single
	// precision a batch does 0.31 GTEPS on delaunay20 (13 at a time) and 0.58 on rgg20 (5), a search a block 5.5 and 5.2 in all.
	busyBatches = 0.85
	// thinLevel: on deep graphs, auto leaves the closeness family by hops from a sample of sources to a search a block where fewer arcs leave a level, in the mean: closeness
	// of luxembourg_osm, 250 arcs a level, runs at 8.9 GTEPS in batches from 87,040 sources, and at 14.3 by searches from 65,536; of road-LosAngeles, 850, at 27.7 in batches.
	thinLevel = 300
	// smallBatches and smallWork: auto leaves betweenness by hops of up to so many nodes, and sources times edges, to a search a block. With
	// 1,024 nodes that takes 1.1 ms and batches 3.4 to 5.2 (R-MAT, Barabasi-Albert, small world; 3e6 to 11e6), with 4,096 it takes 2.7 to 3.5 against 5.6
	// to 6.4 (67e6 to 84e6), but 7.8 on an R-MAT graph against 7.9 (200e6), and 10 on facebook_combined against 6 (360e6).
	smallBatches = 8192
	smallWork    = 150e6
	// fullStack is the number of stack entries a node that is tried for first: shallow graphs take up to 5.
	fullStack = 32
	// teamBytes bounds Team of kernels/levels/levels.cuh.
	teamBytes = 2048
	// hubDegree is the degree from which on a block handles an entry together.
	hubDegree = 512
	// sweepShare: nodes look for lanes themselves when 1/sweepShare of all arcs leave the frontier.
	sweepShare = 8
	// singleLevels is over how many levels float32 is right to 1e-5. Errors of batched from 128 sources, relative: 8e-7 on rgg20 (683
	// levels from a node of the highest degree) and luxembourg_osm (952), 3.7e-6 on road168x168 (1,139), 1.8e-5 on road336x336 (2,177).
	singleLevels = 1000
	// On deep undirected graphs (kernels/deep/deep.cuh): deepRow is the size of a row. One block of deepThreads
	// fits on a multiprocessor: 58 GTEPS on delaunay17 against 54 with two of 512 threads, of 64 registers, and 49 with 512 of 128. Longer
	// paths than deepestLevel do not fit into 16 bits, and rows of over deepestRow arcs take a warp too long.
	// deepWidth is the width of buckets in hops (level with 2 and 8), deepSlack how many hops farther a lane may be that is passed on with
	// one (no other was measured). A round of up to deepFew nodes to count takes waiting ones along that are up to deepWait hops
	// farther than the nearest of them: 57 GTEPS with 4 and 54 with 2 on delaunay17; 512 nodes are level with 64.
	deepRow      = 512
	deepestLevel = 60_000
	deepestRow   = 512
	deepWidth    = 4
	deepSlack    = 32
	deepFew      = 64
	deepWait     = 4

	// reducedShare is the share of the work that reductions may leave, by themselves, to be worth the way back.
	reducedShare = 0.9
	// planningTime is what planning reductions takes the host, in seconds a node or edge: 200 to 400 ns, with 16
	// threads. batchedRate is how many edges a second batched goes along on shallow graphs, for
	// each arc a node: 305 GTEPS on kron16 (74), 69 on email-Enron-lcc (10.7), 33 on caidaRouterLevel (6.3), 25 on as-caida20071105 (4).
	planningTime = 250e-9
	batchedRate  = 5.5e9

	// treeTime is what folding trees for the closeness family takes the host, in seconds a node or edge, with the way back (an estimate);
	// foldArcs is how many edges a second batches by weights go along for it: 22e9 to 96e9.
	// leastLeaves is the share of nodes of degree 1 from which it is tried: there are more in long trees.
	treeTime    = 40e-9
	foldArcs    = 40e9
	leastLeaves = 0.02

	// branchingShare is the share of nodes of degree 3 and more up to which chains are planned under auto, a quarter of it by
	// hops on shallow graphs, whose batches are fast: 43 GTEPS with chains on web-NotreDame (0.38), 50 without.
	branchingShare = 1.0 / 3
	// chainArcs is how many edges a search of kernels/chains/chains.cuh goes along a second, forwards and backwards: 2.5e9 on
	// luxembourg_osm, 4.8e9 on road-LosAngeles, 5.0e9 on caidaRouterLevel; by weights 2.6e9 on road-LosAngeles, 1.7e9 on higgs-mention.
	// chainPairs is how many pairs of chains, or of a chain and a branch node, a second are done (estimate). The others are the
	// rates of batched without chains: by weights 10e9 on road-LosAngeles and luxembourg_osm, by hops on shallow graphs and on deep ones.
	chainArcs    = 2.5e9
	chainPairs   = 10e9
	weightedArcs = 10e9
	batchedArcs  = 45e9
	deepArcs     = 20e9
	// chainsGain is the share of the time without chains that is to be left by such rates, which vary.
	chainsGain = 0.75
	// For the closeness family with chains (kernels/chains/chain_folds.cuh): chainFoldUnit is how many items a block gets of a first chunk. chainFoldArcs is how many edges a second batches by weights go along between branch
	// nodes, and chainFoldPairs how many pairs of chains are folded a second: on luxembourg_osm 127e6 edges in 7.3 ms and 209e6 pairs in 8.2. chainFoldStart
	// is what planning and the way back take, in seconds (an estimate).
	chainFoldUnit  = 4
	chainFoldArcs  = 17e9
	chainFoldPairs = 25e9
	chainFoldStart = 5e-3
	// deepHopArcs is how many edges a second batches by hops go along for the closeness family on deep graphs: 9.0e9 on luxembourg_osm,
	// 81e9 on delaunay20.
	deepHopArcs = 9e9

	// loneRows and demandRows are rows of distances, of nodes without chains, and of demands, a block (not measured).
	loneRows   = 2
	demandRows = 2
	// demandThreads is the size of a block of chain_demand (not measured; 128 registers a thread allow 512).
	demandThreads = 256

	// weightedBatchThreads is the size of a block by weights for closeness and distances on graphs of under denserDegree arcs a node, of which
	// weightedBatchesPerSM fit on a multiprocessor by their 64 registers; betweenness, other graphs, and what has too few batches, get blocks of twice as
	// many threads: batches differ, and fewer at a time leave fewer blocks idle at the end. GTEPS of betweenness with 256 and 1,024 threads, single:
	// email-Enron-lcc 14.3 and 18.2, road-LosAngeles 8.9 and 10.3, delaunay_n16 23.2 and 29.8, higgs-mention 13.7 and 22.8; 512 are between. Milliseconds
	// of closeness with 512 and 1,024: road-LosAngeles 72 and 86, delaunay_n16 167 and 164, email-Enron-lcc 78 and 70, rmat16-16 with reals 1,540 and
	// 1,397, caidaRouterLevel 1,405 and 1,327.
	weightedBatchThreads = 512
	weightedBatchesPerSM = 2
	// arcsABlock is the least number of arcs that a block more in a team is for (no other was measured).
	arcsABlock = 20_000
	// bucketArcs and, for counts of paths on deep graphs, deepBucketArcs over the mean degree are the width of buckets, as so many times the mean weight over the mean degree.
	// GTEPS in double with 8, 16, 32 and 64, the sources of half a second: luxembourg_osm, of degree 2.1, 3.1, 4.2, 5.9 and 7.1 (without chains); road-LosAngeles, of degree
	// 2.9, 16.0, 16.6, 17.7 and 16.4; delaunay_n16, of degree 6, 36.4, 36.4, 34.5 and 31.4; caidaRouterLevel 12.5, 11.2, 10.3 and 9.9; email-Enron-lcc 20.2, 20.0, 18.7 and 17.7;
	// higgs-mention 25.9, 26.0, 23.5 and 24.2; rmat16-16 43.5, 44.3, 42.9 and 42.6, with reals 8.0, 8.1, 8.4 and 8.4. In single precision 16 are 38.1 to 39.3 on delaunay_n16, 8 36.4.
	// Closeness with 8 and 32: luxembourg_osm 28.8 and 43.6, delaunay_n16 77.7 and 69.6.
	// For closeness on shallow graphs it is levelsBucketArcs; milliseconds with 1, 2, 4 and 8: email-Enron-lcc 70, 73, 70 and 72, with reals 182, 202, 223 and 246;
	// caidaRouterLevel 1,239, 1,171, 1,221 and 1,334; higgs-mention with reals 523, 519, 597 and 723; cit-HepTh (1 to 1000) 180, 268, 278 and 316; a small
	// world of 100,000 nodes 1,870, 1,629, 1,548 and 1,628. Where bounds are kept it is boundedBucketArcs, but for counts of paths only where sources make batches by landmarks: betweenness of
	// rmat16-16 with reals takes 2,526, 2,366, 2,600, 2,931 and 3,222 with 0.5, 1, 2, 4 and 8, closeness 1,017, 1,091, 1,230 and 1,397 with 1, 2, 4 and 8; betweenness from
	// an eighth of the nodes does 6.4 GTEPS with 1, 8.0 with 2, 4 and 8. It is evenBucketArcs for counts of paths on
	// other shallow graphs without a row of over evenRow times the mean: seconds with 8, 16, 32 and 64: small worlds of 16,384 nodes of degree 4 and 10, with
	// reals, 0.25, 0.13, 0.14 and 0.15; 0.31, 0.19, 0.21 and 0.23; of 65,536 of degree 6 about 6.7, 2.7, 2.0 and 2.2; random graphs of 65,536 nodes of degree 4 with
	// reals and of degree 10, 3.4, 2.1, 2.5 and 2.5; 4.6, 2.8, 2.8 and 2.9; but with rows of all lengths (Barabasi-Albert, of degree 8) 1.4, 1.4, 1.6 and 1.7, with
	// reals 1.6, 2.1, 2.4 and 2.4.
	bucketArcs        = 8.0
	deepBucketArcs    = 96.0
	levelsBucketArcs  = 2.0
	boundedBucketArcs = 1.0
	evenBucketArcs    = 24.0
	evenRow           = 8.0
	// bucketSlack is how many widths farther than the bucket a lane may be that is passed on with it: in a simulation of
	// batches from two places on road-LosAngeles, 2 makes 2.2 entries a node, any number 21; 8 makes a fifth more rounds.
	bucketSlack = 2.0
	// shallowPatience and deepPatience are how many widths farther than the nearest of them nodes are counted that wait for
	// lanes, and fewToCount is how few nodes of a round have them counted too. Simulated on delaunay_n16: 1,943 rounds and 99
	// looks at those that wait with 1 and 0, 474 and 114 with 2 and 64. On email-Enron-lcc 1 makes 2.5 entries a node, 2 makes
	// 3.1.
	shallowPatience = 1.0
	deepPatience    = 2.0
	fewToCount      = 64
	// weightedHub is the degree from which on a block handles an entry by weights together (no other was measured).
	weightedHub = 256
	// rowSegment is the arcs of a segment in kernels/weighted/weighted.cuh.
	rowSegment = 32
	// weightedWave bounds the lanes times arcs of the batches that run at a time, to about a second (no other was measured).
	weightedWave = 20e9

	// On small graphs by weights (kernels/small/small.cuh), of up to tinyGraph nodes, a block of up to sharedThreads has a source.
	// residentShared threads fit on a multiprocessor by their 48 registers, in mostSmall blocks at most: on air-routes four of 320 took 6.9 ms, three of
	// 416 6.6, two of 640 7.5, four of 256 7.1. smallStatic bounds the shared memory of a block besides its arrays, blockShared is what the driver takes.
	// Rows of over smallRow arcs are a warp's, and a round of over 1/smallSweep as many rows as there are arcs is of all arcs: 12.9 GTEPS, and with 24
	// 12.9, with 128 13.9; with 32, 64, 256 and 512 in place of 128 for the latter 12.3, 11.2, 14.3 and 12.3, of runs that differ by a tenth.
	// There is room for the targets of n + n/smallTies tight arcs, of up to mostTies n where that costs no block. smallArcs is the width of buckets, as
	// bucketArcs: with 64, air-routes takes 23 rounds a source and relaxes an arc 1.4 times; with 8, 72 and 1.1 (counted on the host, without rounds of all
	// arcs). With 16 12.3 GTEPS, with 64 12.9, without buckets 14.5, but then 15.9 in place of 19.0 on facebook_combined, 6.6 in place of 7.5 on delaunay13. With fewer
	// allocations 13.8 and 14.0 with 64, 15.3 with 128, 15.1 with 256 (these two on air-routes alone). facebook_combined took 23.7 in place of 19.7 with rows of
	// over 128 and rounds of 1/256 together, ca-GrQc-lcc 10.8 in place of 11.3.
	residentShared = 1280
	mostSmall      = 5
	smallStatic    = 1 << 10
	blockShared    = 1 << 10
	smallRow       = 64
	smallSweep     = 128
	smallTies      = 8
	mostTies       = 2
	smallArcs      = 128

	// hopsPerSM blocks of hopThreads fit on a multiprocessor.
	hopsPerSM = 3
	// manyLanes are the sources of a batch of the closeness family; with up to fewSources in all, fewLanes. deepHopLanes: with
	// 512, delaunay20 ran at 0.109 TTEPS, in a form that differed in more than that.
	manyLanes    = 1024
	fewLanes     = 256
	fewSources   = 256
	deepHopLanes = 512
	// shallowLevel and deepLevel: a level of a batch keeps shallowLevel threads an arc busy on shallow graphs, deepLevel over
	// sqrt(n) on deep ones.
	shallowLevel = 1.0 / 16
	deepLevel    = 25.0 / 4

	// pairCursors is how many places in the list of edges hop_pairs keeps, sections times segments of rows; there are at least
	// leastPairSegments and at most mostPairSegments of these, a warp each (not measured).
	pairCursors       = 1 << 21
	leastPairSegments = 128
	mostPairSegments  = 4096

	// ballShare (not measured) is the share of all arcs that a ball must hold for volumes to be batched: a batch reads each arc of
	// what its balls hold about once a level, 128 bytes of masks each; searches one by one read 4 bytes an arc, for each ball.
	// ballProbes is how many balls are looked at.
	ballShare  = 64
	ballProbes = 32
	// ballThreads and ballLanes shape volume_bitmap and volume_large.
	ballThreads = 256
	ballLanes   = 8
	// smallBallThreads is a launch bound of volume_small, which takes balls of up to denseBall arcs, and up to sparseBall on graphs of up to sparseBalls
	// arcs a node, where radius 2 takes 13.1 ms in place of 14.1 on one of a million nodes with 2 edges each; a multiprocessor gets denseBallBlocks or sparseBallBlocks blocks of it, by its shared memory or registers. With
	// balls of up to 1,024 arcs, radius 2 takes 40 ms against 54 with blocks of 256 and up to 256 arcs on a Barabasi-Albert
	// graph of a million nodes with 4 edges each, 2.2 against 2.5 on one of 100,000.
	smallBallThreads = 128
	denseBall        = 1024
	denseBallBlocks  = 7
	sparseBall       = 512
	sparseBallBlocks = 12
	sparseBalls      = 5
	// nearUnit (not measured apart) is the number of sources of a first chunk, on graphs of up to nearArcsAtOnce arcs; it is the number of blocks
	// on larger ones, whose chunks must not be long.
	nearUnit       = 4096
	nearArcsAtOnce = 10_000_000
	// listThreads shapes volume_lists; listBlocks is how many blocks of it a multiprocessor gets.
	listThreads = 64
	listBlocks  = 8
)

// hopSection is how many bytes of marks a section of the list of edges is about. With 96 KiB closeness of kron20 takes 1.39 times the time with edge
// scores, in place of 2.1 without sections; other sizes were not measured. Counted on the host for kron20 and 180 KiB of cache,
// a mark an end: an edge takes 0.37 marks from beyond the cache with 64 KiB, 0.35 with 96, 0.32 with 128, 0.44 with 192, and 0.79 without
// sections. Tests lower it.
var hopSection int64 = 96 << 10

// boundedDegree and boundedHub are from how many arcs a node in the mean on, and from which degree of some node, searches by real weights leave out
// rows by bounds (kernels/weighted/bounds.cuh): 17.4 GTEPS against 10.6 on rmat16-16 with reals. On sparse graphs they cost more than they
// save: an earlier form had 25.9 against 28.7 on delaunay_n16. Tests change them.
var boundedDegree, boundedHub int64 = 12, 256
