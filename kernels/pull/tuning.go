package pull

// Shapes of launches and of rows. What they are worth on a device is in docs/notes/043-ranks-on-a-gpu.md.
const (
	// pieceArcs is how many arcs of a long row are added up by themselves.
	pieceArcs = 1024
	// hotShare is the share of all arcs, 1 / hotShare, that must leave the nodes that fit shared memory for these to be
	// kept there.
	hotShare = 4
	// hotMemory is the share of the shared memory, in quarters, that they get. The cache has what is left.
	hotMemory = 3
	// chunk is how many iterations are launched between two looks at their residuals.
	chunk = 16
)
