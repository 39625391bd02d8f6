// Package cores searches what exact reductions leave of a graph, on the CPU. Solve returns what passes through nodes,
// links and chains; docs/design/reductions.md explains cuts and demands.
package cores

import "github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"

// Core is a connected weighted multigraph of branch nodes that is left to search: from every branch node, once. Node
// numbers are 0..len(Nodes)-1, in the order of a breadth-first search or, without chains, of the search for blocks.
//
// The arcs between branch nodes are in compressed sparse rows, two for each link. A link stands for every edge and
// every chain between its ends that is as short as the shortest of them.
type Core struct {
	Nodes   []int32   // node of the graph that each branch node is
	Omega   []float64 // nodes that each stands for, itself included, with those of its twins
	Offsets []int32
	Targets []int32
	Lengths []int64 // of each arc; nil where all are 1
	Links   []int32 // of each arc
	// Mult has the number of parallel paths of each link; nil when all are 1. Where the ends stand for c and d twins, it
	// is that number times sqrt(c d), which makes of every search one for all of them: docs/design/reductions.md.
	Mult      []float64
	LinkCount int
	Chains    []Chain
	// Fine has lengths that 62 bits do not hold, where those above are rounded; otherwise it is nil.
	Fine *Fine
}

// Length returns the length of an arc.
func (c *Core) Length(arc int) int64 {
	if c.Lengths == nil {
		return 1
	}
	return c.Lengths[arc]
}

// Paths returns the number of parallel paths of a link.
func (c *Core) Paths(link int32) float64 {
	if c.Mult == nil {
		return 1
	}
	return c.Mult[link]
}

// Chain is a path between two branch nodes U and V (U = V makes it a loop) with k inner nodes, all of degree 2. A chain
// with one inner node may stand for several that differ only in their mass.
type Chain struct {
	U, V   int32
	Length int64
	At     []int64   // distance of each inner node from U
	Weight []float64 // Weight[i] is the mass of the first i inner nodes, k+1 entries
	// Ratio of each inner node: the number of paths along the chain from U, divided by those from V. Nil when all are 1.
	Ratio []float64
	Paths float64 // along the whole chain; along each of its members, if there are several
	// Members is the number of chains of the graph that it stands for.
	Members int
	// Pairs is the sum of mass times mass over ordered pairs of different members.
	Pairs float64
}

// Inner returns the number k of inner nodes.
func (c *Chain) Inner() int { return len(c.At) }

// Mass returns what all inner nodes weigh.
func (c *Chain) Mass() float64 { return c.Weight[len(c.Weight)-1] }

// Unit reports whether inner node j is j away from U, counted from 1.
func (c *Chain) Unit() bool { return c.Length == int64(c.Inner())+1 }

// Flow is what the searches of a core find. Amounts are of ordered pairs.
type Flow struct {
	Passes  []float64 // through each branch node, as neither source nor target
	Through []float64 // through each link, from end to end
	Chains  []ChainFlow
}

// ChainFlow is what reaches into one chain.
type ChainFlow struct {
	// Hist[i] is the mass of the sources outside the chain that reach its first i inner nodes by U and the others by V.
	Hist []float64
	// Peers is Hist for the other members of the chain as sources, divided by their mass; nil without other members.
	Peers []float64
	// EdgeWithin and NodeWithin are the scores, in unordered pairs, of the edges and inner nodes of the chain from pairs
	// of its own inner nodes; nil when there is one inner node.
	EdgeWithin, NodeWithin []float64
}

// NewFlow returns an empty flow of the core.
func (c *Core) NewFlow() Flow {
	floats := pieces.NewArena[float64](c.chainFlows())
	return Flow{Passes: make([]float64, len(c.Nodes)), Through: make([]float64, c.LinkCount),
		Chains: c.takeChains(&floats)}
}

// chainFlows is how many numbers the flows of all chains have.
func (c *Core) chainFlows() int {
	total := 0
	for t := range c.Chains {
		k := c.Chains[t].Inner()
		total += k + 1
		if c.Chains[t].Members > 1 {
			total += k + 1
		}
		if k > 1 {
			total += 2*k + 1
		}
	}
	return total
}

// takeChains returns empty flows of the chains.
func (c *Core) takeChains(floats *pieces.Arena[float64]) []ChainFlow {
	out := make([]ChainFlow, len(c.Chains))
	for t := range c.Chains {
		c, into := &c.Chains[t], &out[t]
		k := c.Inner()
		into.Hist = floats.Take(k + 1)
		if c.Members > 1 {
			into.Peers = floats.Take(k + 1)
		}
		if k > 1 {
			into.EdgeWithin, into.NodeWithin = floats.Take(k+1), floats.Take(k)
		}
	}
	return out
}
