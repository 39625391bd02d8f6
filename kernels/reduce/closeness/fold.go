// Package closeness shrinks undirected graphs, exactly, for folds of distances: the sum of the distances of a node to
// all others, or the greatest. FoldTrees folds nodes of degree 1, Contract makes chains edges, and a node in the middle
// of every edge (Subdivided) gives edges their folds. FoldContracted computes on the CPU what is left; engines may do
// so themselves. docs/design/reductions.md has the derivation.
package closeness

// Fold says how the distances of a node become one number.
type Fold int

// Distances are summed, or the greatest counts.
const (
	Sum Fold = iota + 1
	Greatest
)

// Join folds two folds.
func (f Fold) Join(a, b float64) float64 {
	if f == Greatest {
		return max(a, b)
	}
	return a + b
}

// Shift returns what the distances to a node so far away, and to the omega nodes that it stands for, fold to. inside is
// the fold of its own distances to these.
func (f Fold) Shift(distance, omega, inside float64) float64 {
	if f == Greatest {
		return distance + inside
	}
	return omega*distance + inside
}
