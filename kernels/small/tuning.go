package small

// Shapes of launches, decided on one H200; figures are in docs/notes/004-shapes-by-weights.md.
const (
	mostNodes       = 10_000  // nodes of a graph that is searched so
	residentThreads = 1280    // threads on a multiprocessor, by their 48 registers
	mostBlocks      = 5       // blocks on a multiprocessor
	staticShared    = 1 << 10 // bytes of shared memory of a block besides its arrays, at most
	driverShared    = 1 << 10 // bytes of shared memory of a block that the driver takes
	warpRow         = 64      // arcs over which a row is a warp's
	sweepShare      = 128     // rounds of over 1/sweepShare as many rows as there are arcs are of all arcs
	spareArcs       = 8       // there is room for n + n/spareArcs shortest-path arcs, at least
	mostArcs        = 2       // there is room for n*mostArcs of them where that costs no block, at most
	bucketArcs      = 128.0   // width of buckets, as so many times the mean weight over the mean degree
)
