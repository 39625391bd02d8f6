package adaptive

import "context"

// Ends are a pair of nodes of which a path is to be drawn, by a key; see search.Pair.
type Ends struct {
	From, To int32
	Key      uint64
}

// Tally draws shortest paths and counts on how many each node is, where these are asked for, and then each edge. The
// entries of a tally are sorted into classes by what a pilot counts. A class is the number of its count.
//
// The CPU and devices have a tally each. Counts are integers, so that they have the same bits anywhere.
type Tally interface {
	// Draw draws a path of each of the pairs, and returns how many arcs it has looked at.
	Draw(ctx context.Context, pairs []Ends) (work int64, err error)
	// Sort takes the counts of so many paths as classes and begins again. It returns how many nodes, and how many edges,
	// are in each class.
	Sort(size int64) (nodes, edges []int64, err error)
	// Nearest returns what lies next to two counts in each class.
	Nearest(at []Split) ([]Around, error)
	// Best returns what tells the k best nodes, or the best edges, from the others. Of equal counts the first is the best.
	Best(edges bool, k int) ([]Parted, error)
	// Counts returns the counts and the classes.
	Counts() (counts []int64, classes []int32, err error)
}

// Split is two counts of a class.
type Split struct{ Rising, Falling int64 }

// Around are the counts in a class next to those of a Split: the greatest up to it, and the least over it. Where there
// is none it is None or Never.
type Around struct{ UpToRising, OverRising, UpToFalling, OverFalling int64 }

// Parted are the least count of those of a class that are among the best, or Never, and the greatest of the others, or
// None.
type Parted struct{ LeastBest, GreatestOther int64 }

const (
	// None is less than any count.
	None = -1
	// Never is greater than any count.
	Never = 1 << 62
)

// Summer searches from sources, two of each stratum, and adds up the dependencies on each node, and on each edge, where
// these are asked for, and by how much the two differ.
//
// The CPU and devices have one each. They add in an order of their own, so that sums may differ in their last bits.
type Summer interface {
	// Search searches from sources. Each two in turn are of one stratum. progress is told how many of them are done.
	Search(ctx context.Context, sources []int32, progress func(done int)) error
	// Moments returns what is known of all sources searched from; what is not asked for is empty.
	Moments() (nodes, edges Moments, err error)
	// Clear forgets all sources searched from.
	Clear()
}

// Moments are, of nodes or of edges, the sums of dependencies, and those of the squares by which the two sources of a
// stratum differ.
type Moments struct{ Sums, Differences []float64 }
