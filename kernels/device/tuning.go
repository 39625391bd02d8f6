package device

// What limits the shapes of launches; measured on one H200.
const (
	// SumBlocks is the most blocks that kernels get which join the blocks' sums.
	SumBlocks = 2048
	// ResidentThreads is what 64 registers per thread leave of a multiprocessor.
	ResidentThreads = 1024
	// StaticShared bounds the shared memory that a traversal kernel takes besides its bitmaps.
	StaticShared = 2 << 10
)
