package communities

// rows are the searches from all nodes of a block. They hold distances, numbers of paths, and what each path carries,
// from which the contribution of a source to the score of an edge follows. Methods that take a worker may run for
// several sources at once, each with a worker of its own; what a source contributes is its mass times whole units, so
// sums do not depend on the order.
type rows interface {
	// stored reports whether rows are kept. Where they are not, which takes less memory, fill is all that can be called.
	stored() bool
	// fill searches from s and adds its contributions.
	fill(b *block, w *worker, s int32)
	// affected reports whether an edge, with ends u and v, lies on a shortest path from s, and the end that is farther.
	affected(s, u, v, edge int32) (near, far int32, ok bool)
	// cut brings the row of s up to date after an edge left that was on a path from s to far through near.
	cut(b *block, w *worker, s, near, far int32)
	// reseed brings the row of s up to date after the masses of some nodes, or which arcs lead on from them, changed.
	reseed(b *block, w *worker, s int32, nodes []int32)
	// pass adds factor times the contributions of s for each node of its mass, as they are.
	pass(b *block, w *worker, s int32, factor int64)
}

// flow is what is known of the paths from a source to a node.
type flow struct {
	sigma float64 // the number of shortest paths
	// share is what each of these carries: the node's mass / sigma, and the shares of the nodes that the paths lead on to.
	share float64
}
