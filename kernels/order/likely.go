package order

import (
	"cmp"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

const (
	// WholeNodes is up to how many nodes LikelyDepth is DepthOf.
	WholeNodes = 1 << 11
	// glances is how many searches LikelyDepth makes, from those with the most arcs of glancedNodes nodes that are all
	// over the graph.
	glances, glancedNodes = 3, 64
	// A search ends when it has found one node in glancedShare, between leastGlance and mostGlance of them, or looked at
	// glancedArcs times as many arcs.
	glancedShare            = 96
	leastGlance, mostGlance = 1 << 8, 1 << 12
	glancedArcs             = 8
	// leastDimension is the least power of the radius that a ball is taken to grow by: roads look thinner near a node than
	// they are.
	leastDimension = 2
	// fartherEnds is how many times as far the ends of a mesh, whose balls grow by at most mostOfMeshes, are from a node
	// as the radius of a ball of all nodes is long.
	fartherEnds, mostOfMeshes = 1.3, 3
)

// LikelyDepth estimates DepthOf from the balls around a few nodes, without a look at most of the graph. Balls of a mesh
// grow as areas, those of a graph with short cuts by a higher power of the radius, and so does the rest of the graph.
// Found counts the nodes of a ball, and End says nothing. The search of a small graph is as that of DepthOf.
func LikelyDepth(g *export.Graph) Depth {
	n := g.N()
	if n <= WholeNodes {
		return DepthOf(g)
	}
	starts := make([]int32, glancedNodes)
	for i := range starts {
		starts[i] = int32((2*i + 1) * n / (2 * glancedNodes))
	}
	slices.SortStableFunc(starts, func(a, b int32) int { return cmp.Compare(g.Degree(b), g.Degree(a)) })
	var balls [glances]ball
	wanted, threads := min(max(n/glancedShare, leastGlance), mostGlance), glances
	if wanted < mostGlance/2 { // less than to wake the others
		threads = 1
	}
	inparts.On(threads, 1, glances, func(_, first, last int) {
		for i := first; i < last; i++ {
			balls[i].grow(g, starts[i], wanted)
		}
	})
	open := slices.DeleteFunc(slices.Clone(balls[:]), func(b ball) bool { return b.whole })
	if len(open) == 0 { // small components
		most := slices.MaxFunc(balls[:], func(a, b ball) int { return cmp.Compare(a.found(), b.found()) })
		return depthBy(len(most.ends), most.found(), 0)
	}
	slices.SortStableFunc(open, func(a, b ball) int { return cmp.Compare(a.levelsOf(n), b.levelsOf(n)) })
	middle := open[len(open)/2]
	likely := depthBy(int(math.Round(middle.levelsOf(n))), n, 0)
	likely.Found = middle.found()
	return likely
}

// ball is what the first levels of a search find.
type ball struct {
	// ends is how many nodes have been found when each level has.
	ends []int
	// whole reports whether no node is left to find.
	whole bool
}

// found is how many nodes the ball has.
func (b ball) found() int { return b.ends[len(b.ends)-1] }

// grow searches from a node until a level ends with so many nodes found or more, or with too many arcs to look at.
func (b *ball) grow(g *export.Graph, start int32, most int) {
	seen := make([]uint64, (g.N()+63)/64)
	found, count, first, arcs := make([]int32, 2*most), 1, 0, 0
	found[0], seen[start/64] = start, 1<<(start%64)
	for first < count && count < most && arcs < glancedArcs*most {
		last := count
		b.ends = append(b.ends, last)
		for ; first < last && arcs < glancedArcs*most; first++ {
			row := g.Row(found[first])
			arcs += len(row)
			if need := count + len(row) + 1; need > len(found) {
				found = append(found, make([]int32, need)...)
			}
			for _, w := range row { // without a branch that would go either way
				in, bit := &seen[w/64], w%64
				found[count] = w
				count += int(1 &^ (*in >> bit))
				*in |= 1 << bit
			}
		}
	}
	if b.whole = first == count; !b.whole {
		b.ends = append(b.ends, count)
	}
}

// levelsOf is how many levels a search of so many nodes has if it goes on as the ball: by the power of the radius by
// which the outer half of the ball has grown.
func (b ball) levelsOf(nodes int) float64 {
	levels, found := float64(len(b.ends)), float64(b.found())
	half := len(b.ends) / 2
	inner := float64(b.ends[half-1])
	if len(b.ends)%2 == 1 { // between two levels
		inner = (inner + float64(b.ends[half])) / 2
	}
	dimension := math.Max(leastDimension, math.Log2(found/inner))
	if dimension <= mostOfMeshes {
		levels *= fartherEnds
	}
	return math.Min(float64(nodes), levels*math.Pow(float64(nodes)/found, 1/dimension))
}
