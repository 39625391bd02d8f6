package small

// Shapes of launches and widths, decided on one H200 (air-routes, facebook_combined, ca-GrQc-lcc); figures are in
// docs/notes/001-batched-engine.md and 005-shapes-by-weights.md.
const (
	mostNodes   = 10_000  // nodes up to which blocks search in shared memory
	resident    = 1280    // threads that fit on a multiprocessor by their 48 registers
	mostPerSM   = 5       // blocks of a multiprocessor
	static      = 1 << 10 // bound on the shared memory of a block besides its arrays, bytes
	reserved    = 1 << 10 // shared memory that the driver takes per block, bytes
	longRow     = 64      // arcs of a row over which a warp takes it
	sweepShare  = 128     // a round of over 1/sweepShare as many rows as there are arcs is of all arcs
	tiesShare   = 8       // there is room for the targets of n + n/tiesShare shortest-path arcs
	mostTies    = 2       // and of up to mostTies n where that costs no block
	bucketArcs  = 128     // width of buckets, as so many times the mean weight over the mean degree
	atomSources = 32      // sources per block of an atom: at its end, blocks wait for the slowest
)
