// Package looks finds out what predictions of times need to know of a graph, by looking at nodes, arcs and some
// searches.
package looks

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/internal/prefetch"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// Degrees summarise the lengths of rows.
type Degrees struct {
	// Isolated, Leaves and Branch count nodes of degree 0, 1, and over 2.
	Isolated, Leaves, Branch int64
	// Greatest is the length of the longest row.
	Greatest int64
	// Squares is the sum of squared degrees. Over the number of arcs it is the mean degree at the end of an
	// arc.
	Squares float64
}

// degreesApart is how many nodes are worth a thread of their own: to wake one takes as long as some 50,000 nodes.
const degreesApart = 1 << 17

// DegreesOf returns a summary of the lengths of rows, after one look at all nodes.
func DegreesOf(g *export.Graph) (d Degrees) {
	parts := make([]Degrees, (g.N()+degreesApart-1)/degreesApart)
	inparts.On(runtime.GOMAXPROCS(0), degreesApart, g.N(), func(_, first, last int) {
		for ; first < last; first += degreesApart {
			parts[first/degreesApart].add(g.Offsets[first : min(first+degreesApart, last)+1])
		}
	})
	for _, part := range parts { // in their order: sums of squares may be rounded
		d.Isolated, d.Leaves, d.Branch = d.Isolated+part.Isolated, d.Leaves+part.Leaves, d.Branch+part.Branch
		d.Greatest, d.Squares = max(d.Greatest, part.Greatest), d.Squares+part.Squares
	}
	return d
}

// add adds the rows between the given offsets, without a branch that would go either way.
func (d *Degrees) add(offsets []int64) {
	none, leaves, path := int64(0), int64(0), int64(0) // nodes of a degree up to 0, 1 and 2
	greatest, squares, last := int64(0), uint64(0), offsets[0]
	for _, end := range offsets[1:] {
		degree := end - last
		last = end
		squares += uint64(degree) * uint64(degree)
		greatest = max(greatest, degree)
		none += int64(uint64(degree-1) >> 63)
		leaves += int64(uint64(degree-2) >> 63)
		path += int64(uint64(degree-3) >> 63)
	}
	d.Squares += float64(squares)
	d.Greatest = max(d.Greatest, greatest)
	d.Isolated += none
	d.Leaves += leaves - none
	d.Branch += int64(len(offsets)-1) - path
}

// LikelyDegrees estimates the summary of an undirected graph with arcs. It looks at the ends of evenly spaced arcs: a
// node is found there as often as it has arcs, so that hubs are found.
func LikelyDegrees(g *export.Graph) (d Degrees) {
	looks := min(len(g.Targets), degreeLooks)
	arcs := float64(len(g.Targets)) / float64(looks) // that each look stands for
	var nodes, leaves, branch float64
	for i := range looks {
		degree := g.Degree(g.Targets[i*len(g.Targets)/looks])
		some := arcs / float64(degree)
		switch nodes += some; {
		case degree == 1:
			leaves += some
		case degree > 2:
			branch += some
		}
		d.Greatest, d.Squares = max(d.Greatest, degree), d.Squares+arcs*float64(degree)
	}
	n := float64(g.N())
	d.Leaves, d.Branch = int64(math.Min(leaves, n)), int64(math.Min(branch, n))
	d.Isolated = int64(math.Max(0, n-nodes))
	return d
}

// Busy returns the node with the most arcs of those at the ends of a few arcs; 0 where there are none.
func Busy(g *export.Graph) int32 {
	if len(g.Targets) == 0 {
		return 0
	}
	busy := g.Targets[0]
	for i := range busyLooks {
		if v := g.Targets[i*len(g.Targets)/busyLooks]; g.Degree(v) > g.Degree(busy) {
			busy = v
		}
	}
	return busy
}

// AreNear reports whether a share of the nodes with arcs lies within a few hops of Busy, and is found with a look at
// about so many arcs. In parts that lie apart, more arcs lead to nodes that are found already. How many nodes have arcs
// is estimated.
func AreNear(g *export.Graph, share float64, arcs int) bool {
	if len(g.Targets) == 0 {
		return false
	}
	looked := min(g.N(), nodeLooks)
	linked := 0
	for i := range looked {
		if g.Degree(int32(i*g.N()/looked)) > 0 {
			linked++
		}
	}
	nodes, start := share*float64(max(linked, 1))/float64(looked)*float64(g.N()), Busy(g)
	// Not as the balls of order.LikelyDepth: to mark nodes in bits takes up to twice as long on rows of dense graphs.
	seen, found := make([]bool, g.N()), make([]int32, 1, int(nodes)+1)
	found[0], seen[start] = start, true
	for first, hop := 0, 0; hop < nearHops; hop++ {
		for last := len(found); first < last; first++ {
			if first%prefetch.Few == 0 {
				ask(g, found[first:])
			}
			row := g.Row(found[first])
			for _, w := range row {
				if !seen[w] {
					seen[w] = true
					found = append(found, w)
				}
			}
			arcs -= len(row)
			if all := float64(len(found)) >= nodes; all || arcs < 0 {
				return all
			}
		}
	}
	return false
}

// ask has the rows of nodes that a look comes to soon read into the cache. next begins with the one that it is at.
func ask(g *export.Graph, next []int32) {
	group := func(i int) []int32 { return next[min(i*prefetch.Few, len(next)):min((i+1)*prefetch.Few, len(next))] }
	prefetch.LongRows(g.Offsets, g.Targets, group(1))
	prefetch.Offsets(g.Offsets, group(2))
}

// Wedges estimates how many pairs of edges a pass over triangles compares: at every edge those that lead on from its
// end of more neighbours to nodes of yet more. It looks at evenly spaced arcs, and at evenly spaced neighbours of their
// ends.
func Wedges(g *export.Graph) float64 {
	looks := min(max(len(g.Targets)/arcsPerLook, wedgeLooks/16), wedgeLooks, len(g.Targets))
	leads := func(v, w int32) bool {
		a, b := g.Degree(v), g.Degree(w)
		return a < b || a == b && v > w
	}
	pairs := 0.0
	for i := range looks {
		arc := int64(i) * int64(len(g.Targets)) / int64(looks)
		v, _ := slices.BinarySearch(g.Offsets, arc+1)
		from, to := int32(v-1), g.Targets[arc]
		if !leads(from, to) {
			continue
		}
		row, on := g.Row(to), 0
		some := min(len(row), neighbourLooks)
		for k := range some {
			if leads(to, row[k*len(row)/some]) {
				on++
			}
		}
		pairs += float64(on) * float64(len(row)) / float64(some)
	}
	return pairs * float64(len(g.Targets)) / float64(max(looks, 1))
}

// Reach returns the mean size of the component of a node with arcs, as a share of those nodes.
func Reach(g *export.Graph) float64 {
	parent := make([]int32, g.N())
	for v := range parent {
		parent[v] = int32(v)
	}
	root := func(v int32) int32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			a, b := root(v), root(w)
			parent[max(a, b)] = min(a, b)
		}
	}
	sizes := make([]float64, g.N())
	for v := range int32(g.N()) {
		sizes[root(v)]++
	}
	all, squares := 0.0, 0.0
	for _, size := range sizes {
		if size > 1 {
			all, squares = all+size, squares+size*size
		}
	}
	if all == 0 {
		return 1
	}
	return squares / (all * all)
}

// Nearness estimates the share of the arcs of sources that lead to sources, from evenly spaced sources and arcs.
func Nearness(g *export.Graph, sources []int32) float64 {
	in := make([]uint64, (g.N()+63)/64)
	for _, v := range sources {
		in[v/64] |= 1 << (v % 64)
	}
	near, all, rows := 0.0, 0.0, min(len(sources), nearRows)
	for i := range rows {
		row, on, some := g.Row(sources[i*len(sources)/rows]), uint64(0), 0
		for k := 0; k < len(row); k += 1 + len(row)/nearArcs {
			on += in[row[k]/64] >> (row[k] % 64) & 1
			some++
		}
		all += float64(len(row))
		near += float64(on) * float64(len(row)) / float64(max(some, 1))
	}
	return near / max(all, 1)
}

// Greatest returns the greatest of the ticks of arcs; 0 of none.
func Greatest(ticks []int64) int64 {
	var most atomic.Int64
	inparts.Quick(len(ticks), func(first, last int) {
		part := int64(0)
		for _, x := range ticks[first:last] {
			part = max(part, x)
		}
		for before := most.Load(); part > before && !most.CompareAndSwap(before, part); before = most.Load() {
		}
	})
	return most.Load()
}

const (
	// busyLooks is at how many arcs Busy looks; nodeLooks at how many nodes AreNear looks, and nearHops how many hops it
	// goes (docs/notes/096).
	busyLooks, nodeLooks, nearHops = 16, 256, 4
	// degreeLooks is at how many arcs LikelyDegrees looks.
	degreeLooks = 1024
	// nearRows is how many rows Nearness looks at, nearArcs how many arcs of each.
	nearRows, nearArcs = 1024, 8
	// rowLooks is how many rows Locality looks at; ballLooks how many balls BallArcs measures.
	rowLooks  = 5_000
	ballLooks = 32
	// wedgeLooks is at up to how many arcs Wedges looks, one of arcsPerLook, and neighbourLooks at how many neighbours of
	// the end of each.
	wedgeLooks, arcsPerLook, neighbourLooks = 2048, 256, 16
	// Locality looks at one of allShare rows, or of sampledShare for a sample of sources, but at leastRows.
	allShare, sampledShare, leastRows = 4, 256, 256
)

// Locality is order.Locality within a sector by few of the rows: fewer of a small graph, above all for a sample of
// sources.
func Locality(g *export.Graph, sample bool) float64 {
	share := allShare
	if sample {
		share = sampledShare
	}
	return order.Locality(g, 0, min(rowLooks, max(g.N()/share, leastRows)), order.Sector)
}

// BallArcs returns how many arcs the nodes within the radius of a node have, in the mean: exact for radius 0 and 1 on
// undirected graphs, from evenly spaced nodes otherwise.
func BallArcs(g *export.Graph, radius int64) float64 {
	n := g.N()
	if n == 0 {
		return 0
	}
	seen := make([]int32, n) // by which look
	read, step := int64(0), max(1, n/ballLooks)
	taken := int32(0)
	for start := 0; start < n; start += step {
		taken++
		read += arcsWithin(g, int32(start), radius, seen, taken)
	}
	return float64(read) / float64(taken)
}

// arcsWithin counts the arcs of the nodes within radius hops of start. seen has the number of the last look
// at a node.
func arcsWithin(g *export.Graph, start int32, radius int64, seen []int32, look int32) (arcs int64) {
	front := []int32{start}
	seen[start] = look
	for hop := int64(0); hop < radius && len(front) > 0; hop++ {
		var next []int32
		for _, v := range front {
			arcs += g.Degree(v)
			for _, w := range g.Row(v) {
				if seen[w] != look {
					seen[w] = look
					next = append(next, w)
				}
			}
		}
		front = next
	}
	return arcs
}

// Spread returns at how many levels, about, a batch of neighbouring sources reaches a node on the CPU; nil stands for
// all nodes.
func Spread(g *export.Graph, sources []int32) float64 {
	spread, _ := lanes.Spread(context.Background(), g, sources) // of three searches, which nothing stops
	return float64(spread)
}

// Ball is what lies within a range of a node, in the mean.
type Ball struct {
	// Nodes and Arcs count what is there, the node itself included; Levels is how many levels a search by hops has.
	Nodes, Arcs, Levels float64
}

// BallWithin searches from some of the sources as far as a range, in hops or by weights: from ballLooks, or fewer where
// these find twice the graph. nil stands for all nodes.
func BallWithin(g *export.Graph, weighted bool, within float64, sources []int32) (b Ball) {
	count := g.N()
	if sources != nil {
		count = len(sources)
	}
	ctx := context.Background() // which nothing stops
	l, err := lengths.New(ctx, g, weighted, 0)
	if err != nil || count == 0 {
		return Ball{}
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	s, taken, most := search.Within(g, l, within)(false, stop), 0.0, 2*float64(g.N()+g.Arcs())
	for i := 0; i < count && b.Nodes+b.Arcs < most; i += max(1, count/ballLooks) {
		from := int32(i)
		if sources != nil {
			from = sources[i]
		}
		if taken++; s.From(from) != nil { // a weight is lost, which the run will say
			continue
		}
		found := s.Found()
		for _, v := range found.Order {
			b.Arcs += float64(g.Degree(v))
		}
		b.Nodes, b.Levels = b.Nodes+float64(len(found.Order)), b.Levels+float64(len(found.Levels)-1)
	}
	return Ball{Nodes: b.Nodes / taken, Arcs: b.Arcs / taken, Levels: b.Levels / taken}
}

// SpreadOf returns the spread of batches of so many lanes, by that of batches of some others: it grows from there as it
// would to be as many levels as the graph has, were all sources in one batch.
func SpreadOf(lanes, known, spread, levels, sources float64) float64 {
	grown := math.Log(math.Max(1, levels/spread)) / math.Log(math.Max(2, sources/known))
	return math.Max(1, spread*math.Pow(lanes/known, grown))
}
