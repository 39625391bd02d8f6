package levels

// Shapes of launches, decided on one H200; figures are in docs/notes/001-batched-engine.md.
const (
	blocksPerSM = 2     // blocks of batchedThreads on a multiprocessor
	doubleLanes = 64    // sources of a batch in double precision: rows of 512 bytes, a warp's widest load
	teamBlocks  = 8     // blocks that share a batch of a shallow graph
	waveTeam    = 32    // the most of them that share one, so that fewer batches run at a time
	largestTeam = 128   // the most of them that share one where batches are few; see docs/notes/077-samples-once-more.md
	leastTurns  = 4     // batches that a team takes one after the other: some take several times as long as others
	turnsTeam   = 32    // the most blocks of a team for that
	turnsArcs   = 16384 // arcs that each of these blocks has, at least
	shallowWave = 400e9 // lanes times arcs of the batches that run at a time, about a second
	deepWave    = 40e9  // the same on deep graphs
	fullStack   = 32    // entries of a stack per node that are tried for first; shallow graphs take up to 5
	sweepShare  = 8     // nodes look for lanes themselves when 1/sweepShare of all arcs leave the frontier
)

// alikeFrom is from how many sources, times arcs, on it pays to make batches of sources that are alike. Tests lower it.
var alikeFrom = 600e6
