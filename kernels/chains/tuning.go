package chains

// Shapes of launches, decided on one H200; figures are in docs/notes.
const (
	searchThreads = 128 // threads of a block of chain_forward and chain_backward: frontiers by weights are small
	searchLanes   = 4   // threads per node of a search
	longRow       = 64  // arcs from which on a row is shared by the whole block
	demandThreads = 256 // threads of a block of chain_demand (not measured; 128 registers per thread allow 512)
	loneRows      = 2   // rows of distances per block, of nodes at which no chain ends (not measured)
	demandRows    = 2   // rows of demands per block (not measured)
	// atomRounds is how many sources each block does before the blocks' sums are joined (not measured). It is a
	// multiple of loneRows.
	atomRounds = 8
	// foldUnit is how many items each block gets of a first chunk of chain_folds.
	foldUnit = 4
)
