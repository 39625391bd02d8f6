// Package reduce shrinks undirected graphs for betweenness, exactly: trees fold into multiplicities, biconnected blocks
// part at their articulation points, paths of degree-2 nodes contract to links, and identical nodes merge, so that only
// the branch nodes that remain are searched from. Every node and edge of the graph gets its score back.
// docs/design/reductions.md has the derivation and the literature.
//
// New plans in linear time, Reduced.SearchPart searches what is left on the CPU, and Reduced.Scores leads back.
// Reduced.Union and Reduced.Flatten are what is left for other engines.
package reduce

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// Switches turn reductions off. The zero value has all of them on.
type Switches struct {
	// NoTrees keeps nodes of degree 1. Blocks part from trees too, so this shows only with NoBlocks.
	NoTrees bool
	// NoBlocks keeps each connected component in one piece.
	NoBlocks bool
	// NoChains makes every node a branch node.
	NoChains bool
	// NoBundles keeps identical nodes apart.
	NoBundles bool
}

// Options say what to compute, and how. The zero value measures in hops with every reduction on.
type Options struct {
	Switches
	// Ticks is the length of each arc of the graph as a positive integer; nil measures in hops. Ticks times nodes must
	// stay under 2^62.
	Ticks []int64
	// Fine is the length of each arc where 62 bits do not hold it: Ticks are then rounded down to a multiple of a power of
	// two of these, and nil otherwise. No shortest path, twice and with the longest arc, may pass 2^59 Ticks, and each
	// must be longer than FineNodes times the nodes. Twins and bundles are then not looked for, and nothing but searches
	// on the CPU takes the plan.
	Fine []lengths.U128
	// Endpoints counts the two ends of a path as lying on it.
	Endpoints bool
	// Distances plans for FoldDistances: by blocks, of which leaves are some, and without chains.
	Distances bool
	// MayDropChains keeps what Reduced.DropChains needs.
	MayDropChains bool
	// Threads is the number of CPU threads; 0 for all. Scores are the same bits for every number.
	Threads int
	// Memory bounds, in bytes, the rows of distances and path counts that are held at a time; 0 for DefaultMemory. A
	// smaller bound costs repeated searches. Rows that one search cannot do without are held in any case.
	Memory int64
	// Progress, when set, is told how much of the work is done, from one goroutine at a time.
	Progress func(done, total int)

	smallCore int64 // cores.Options.Small; tests set it
}

// FineNodes is how many ticks the shortest arc has more of than there are nodes, at least, where lengths are rounded.
const FineNodes = 2 * cores.RoundedPerNode

// compare compares the lengths of two arcs.
func (o *Options) compare(a, b int64) int {
	switch {
	case o.Fine != nil:
		return o.Fine[a].Compare(o.Fine[b])
	case o.Ticks != nil:
		return cmp.Compare(o.Ticks[a], o.Ticks[b])
	}
	return 0
}

// DefaultMemory is the bound on rows when Options.Memory is 0. A quarter or four times as much made no difference to
// the time of luxembourg_osm.
const DefaultMemory = 256 << 20

// Info says what the reductions found.
type Info struct {
	Nodes, Edges int64 // of the graph
	Loops        int64 // self-loops, which lie on no shortest path
	Parallel     int64 // edges merged into another between the same nodes, or dropped for being longer
	Folded       int64 // nodes folded away with trees
	Bridges      int64 // blocks of one edge, apart from those folded
	Cycles       int64 // blocks that are one cycle; they need no search
	Cores        int64 // what is left to search
	Branch       int64 // nodes that searches start from, over all cores
	Links        int64 // pairs of branch nodes joined by an edge or chain, over all cores
	Chains       int64 // chains with inner nodes, identical ones counted once
	Inner        int64 // inner nodes of chains, which need no search
	Bundled      int64 // inner nodes that are merged with an identical one
	Merged       int64 // branch nodes that are merged with an identical one
	// SearchRatio is the sum over cores of branch nodes times links, divided by nodes times edges of the graph: what
	// the searches cost beside a search from every node. DemandRatio is the same for the work on chains: the sum of
	// chains times (branch nodes + chains).
	SearchRatio, DemandRatio float64
	// BlockRatio is what SearchRatio would be without chains.
	BlockRatio float64
	// Pairs is the number of ordered pairs of different nodes that a path joins.
	Pairs int64
	// Wide counts searches whose path counts passed the range of float64 and were kept with exponents of their own.
	Wide int64
}

// WorkRatio is what all work costs beside plain searches from every node. Planning, O(n + m), is not in it.
func (i Info) WorkRatio() float64 { return i.SearchRatio + i.DemandRatio }

// MaxEdges is the most edges of a graph that can be reduced: it keeps the arcs of a core within 31 bits.
const MaxEdges = 1<<30 - 1

// ErrOptions marks options that do not fit the graph.
var ErrOptions = errors.New("reduce")

// Bytes bounds the memory of a plan, its search and its scores, in bytes, without the graph and its ticks.
func Bytes(nodes, edges int64, o Options) int64 {
	threads := int64(pieces.Threads(o.Threads))
	return 600*(nodes+edges) + threads*(200*nodes+60*edges) + o.solving().RowBytes(nodes)
}

// solving returns what cores.Solve is to do.
func (o *Options) solving() cores.Options {
	memory := o.Memory
	if memory <= 0 {
		memory = DefaultMemory
	}
	return cores.Options{Threads: o.Threads, Memory: memory, Progress: o.Progress, Small: o.smallCore}
}

func (o *Options) check(g *export.Graph) error {
	switch {
	case g.Directed:
		return fmt.Errorf("%w: the graph is directed; reductions hold for undirected graphs only", ErrOptions)
	case g.M() > MaxEdges:
		return fmt.Errorf("%w: %d edges are more than %d", ErrOptions, g.M(), MaxEdges)
	case o.Distances && o.NoBlocks:
		return fmt.Errorf("%w: distances are folded over blocks", ErrOptions)
	case o.Ticks != nil && len(o.Ticks) != g.Arcs():
		return fmt.Errorf("%w: %d ticks for %d arcs", ErrOptions, len(o.Ticks), g.Arcs())
	case o.Fine != nil:
		return o.checkFine(g)
	}
	most := int64(1)
	for i, t := range o.Ticks {
		if t <= 0 {
			return fmt.Errorf("%w: arc %d is %d ticks long; lengths are positive integers", ErrOptions, i, t)
		}
		most = max(most, t)
	}
	if n := int64(g.N()); n > 0 && most > (1<<62)/n {
		return fmt.Errorf("%w: a path of %d nodes and %d ticks an arc may pass 2^62 ticks", ErrOptions, n, most)
	}
	return nil
}

// checkFine is check for lengths that are rounded.
func (o *Options) checkFine(g *export.Graph) error {
	if len(o.Fine) != len(o.Ticks) || o.Distances {
		return fmt.Errorf("%w: %d fine lengths for %d ticks; distances %t", ErrOptions, len(o.Fine), len(o.Ticks),
			o.Distances)
	}
	for i, t := range o.Ticks {
		if t <= FineNodes*int64(g.N()) {
			return fmt.Errorf("%w: arc %d is %d ticks long, and lengths are rounded", ErrOptions, i, t)
		}
	}
	return nil
}
