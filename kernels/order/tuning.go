package order

// Every number here was measured on one H200, all in double precision.
const (
	// SingleLanes is how many sources a batch has that counts in float32, DeepLanes how many on deep graphs, where sources
	// near one another are few.
	SingleLanes = 128
	DeepLanes   = 32
	// DeepLevels: a graph is deep when a search has over DeepLevels * log2 n levels. delaunay17 has 152, web-NotreDame 28.
	DeepLevels = 3
	// stripLevels and leastStrip are how many levels of a search, and batches of sources, make a strip of a deep graph.
	// Levels at which an entry is, in the mean of 96 nodes and all batches, with 4 levels and with halves of halves alone:
	// 5.9 and 6.5 on delaunay17, 5.3 and 5.8 on rgg17, 6.7 and 8.6 on road-LosAngeles, 15.1 and 19.6 on luxembourg_osm,
	// 9.8 and 10.2 on a grid of 300x300. With 3 levels 5.7, 5.4, 6.4, 14.8 and 11.9. Batches of 512 sources are left to
	// halves: 22 against 31 on delaunay17.
	stripLevels = 4
	leastStrip  = 4
	// wideStripLevels is the same for batches of 128 sources: 11.1 levels with 8 and 12.1 with halves on delaunay17, 10.6
	// and 11.6 on rgg17, 13.4 and 15.1 on road-LosAngeles; 10.7, 10.7 and 13.2 with 6 levels, 11.8, 10.9 and 13.9 with 10.
	wideStripLevels = 8
	// nearReach is among how many nodes sources are near, and farReach among how many parts are for places of few sources.
	nearReach = 512
	farReach  = 4 * nearReach
	// Ends are the nodes by the distances to which sources of shallow graphs make batches, hubs of them those of the
	// longest rows, and the others probes, by which orders are compared in probedBatches batches. Of a part, the distances
	// of about hubSample sources say to which hub they vary most. Parts of splitLeaf sources are not split, and those of
	// over splitSources have a thread of their own. 128 of 4,096 random sources reach an end of an arc of web-NotreDame at
	// 6.7 levels by degree and at 3.1 by 16 hubs or more (2.9 by 8), of cnr-2000 at 9.3 and 2.95 (3.6 by 8), of
	// caidaRouterLevel at 6.4 and 3.8, of ba-1e6-4 at 3.6 and 3.2, of kron16 at 1.7 and 1.6, of smallworld-1e5-10 at 6.2
	// both ways.
	Ends          = 32
	hubs          = 16
	probedBatches = 16
	hubSample     = 32
	splitLeaf     = 64
	splitSources  = 512
	// localNumbers is the Locality, of lookedRows rows, from which on rows of shallow graphs stay in the order of their
	// numbers, as those of web graphs and of what reductions leave do (note 095).
	localNumbers = 0.3
	lookedRows   = 5000
	// denseDegree: other rows are ordered by degree from this many arcs a node on.
	denseDegree = 16
	// shallowBall is the size of the balls that order the nodes of shallow graphs.
	shallowBall = 8
	// nearSources is from how many sources on searches one by one on a CPU are worth an order by Near (note 071).
	nearSources = 16
	// splitSample is of how many sources of a part the distances by weights are looked at.
	splitSample = 64
	// weightedLandmarks are the nodes by the distances from which sources make batches by weights, where at least one node
	// in nearShare is a source. It takes one search on as many threads. Without and with it kernels took 11.5 and 6.4 ms
	// on air-routes, 307 and 277 on email-Enron-lcc, 315 and 210 on road-LosAngeles, 390 and 373 on delaunay_n16, 2,203
	// and 1,483 on rmat16-16 (1 to 10), 678 and 609 on higgs-mention. Closeness of delaunay_n16 takes 187, 188, 166 and
	// 175 ms with 4, 8, 16 and 32, of road-LosAngeles 76, 74, 72 and 79.
	weightedLandmarks = 16
	nearShare         = 2
	// roughWidth is the width of the buckets that these searches keep nodes in, in mean weights, roughBuckets how many
	// there are at a time, and roughPasses how many times a node or arc may be looked at, in the mean, before Dijkstra's
	// algorithm takes over.
	roughWidth   = 1.0 / 16
	roughBuckets = 256
	roughPasses  = 16
)

// CountsBalls is from how many sources on balls of neighbours as the order of rows are worth their time on shallow
// graphs, where batches count paths; see notes 012 and 081. Tests lower it.
var CountsBalls = 1 << 16

// DistancesBalls is CountsBalls where batches find distances alone.
var DistancesBalls = 100_000

// NearNodes is from how many nodes on searches one by one on a CPU are worth an order by Near (note 071). Tests lower
// it.
var NearNodes int64 = 1 << 17
