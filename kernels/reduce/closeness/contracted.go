package closeness

import (
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// MostContracted bounds the length of a chain that Contract takes: four times it fits 31 bits.
const MostContracted = 1<<29 - 1

// Contracted is what contracting chains leaves of an undirected graph, for an engine that folds distances: paths
// between branch nodes, whose degree is not 2, become edges. A ring has one branch node, any one.
type Contracted struct {
	// Graph has the branch nodes. The weight of an edge is the length of the shortest chain or edge between its ends.
	Graph *export.Graph
	// Branch is the node of each of them in the whole graph.
	Branch []int32
	// Chains are all paths with inner nodes, including those that are not shortest, and those that end where they begin.
	Chains []ContractedChain
	// Inner are the inner nodes of all chains, each in its order from U, and At how far each is from there.
	Inner, At []int32
}

// ContractedChain is a path between branch nodes U and V. First is its first inner node in Inner, Count how many it
// has.
type ContractedChain struct{ U, V, Length, First, Count int32 }

// Of returns the inner nodes of a chain and how far they are from its U.
func (c *Contracted) Of(t *ContractedChain) (nodes, at []int32) {
	return c.Inner[t.First : t.First+t.Count], c.At[t.First : t.First+t.Count]
}

// contracting is Contract at work.
type contracting struct {
	*Contracted
	whole *export.Graph
	place []int32 // of branch nodes; -1 of inner nodes, -2 of those of a chain that is known
	links []contractedLink
}

type contractedLink struct {
	to     int32
	length int32
}

const (
	innerNode = -1
	knownNode = -2
)

// Ticks returns the length of each arc of the contracted graph, in ticks of the whole one.
func (c *Contracted) Ticks() []int64 {
	ticks := make([]int64, len(c.Graph.Weights))
	for i, w := range c.Graph.Weights {
		ticks[i] = int64(w)
	}
	return ticks
}

// CountBranches returns how many nodes are not inner nodes of chains, without those of rings, and how many arcs leave
// them.
func CountBranches(g *export.Graph) (nodes, arcs int64) {
	for v := range int32(g.N()) {
		if d := g.Degree(v); d != 2 {
			nodes, arcs = nodes+1, arcs+d
		}
	}
	return nodes, arcs
}

// Contract contracts the chains of an undirected graph whose weights are whole lengths, in time O(n + m). It returns
// nil if a chain is longer than MostContracted.
func Contract(g *export.Graph) *Contracted {
	c := contracting{Contracted: &Contracted{}, whole: g, place: make([]int32, g.N())}
	nodes, arcs := CountBranches(g)
	c.Branch = make([]int32, 0, nodes)
	c.Inner, c.At = make([]int32, 0, int64(g.N())-nodes), make([]int32, 0, int64(g.N())-nodes)
	c.links = make([]contractedLink, 0, arcs)
	for v := range int32(g.N()) {
		if c.place[v] = innerNode; g.Degree(v) != 2 {
			c.place[v] = int32(len(c.Branch))
			c.Branch = append(c.Branch, v)
		}
	}
	offsets := make([]int64, 1, nodes+1)
	for u := int32(0); int64(u) < nodes; u++ {
		if !c.leave(u) {
			return nil
		}
		offsets = append(offsets, int64(len(c.links)))
	}
	for v := range int32(g.N()) { // what is left are rings
		if c.place[v] != innerNode {
			continue
		}
		u := int32(len(c.Branch))
		c.place[v] = u
		c.Branch = append(c.Branch, v)
		if !c.leave(u) {
			return nil
		}
		offsets = append(offsets, int64(len(c.links)))
	}
	c.join(offsets)
	return c.Contracted
}

// leave follows all arcs of a branch node, and reports whether lengths fit.
func (c *contracting) leave(u int32) bool {
	g, from := c.whole, c.Branch[u]
	for a := g.Offsets[from]; a < g.Offsets[from+1]; a++ {
		at, arc, length := g.Targets[a], a, int64(0)
		first, known := int32(len(c.Inner)), c.place[at] == knownNode
		for c.place[at] < 0 {
			length += int64(min(g.Weights[arc], MostContracted+1))
			if length > MostContracted {
				return false
			}
			if !known {
				c.place[at] = knownNode
				c.Inner, c.At = append(c.Inner, at), append(c.At, int32(length))
			}
			next := g.Offsets[at]
			if g.Edge(next) == g.Edge(arc) {
				next++
			}
			at, arc = g.Targets[next], next
		}
		length += int64(min(g.Weights[arc], MostContracted+1))
		if length > MostContracted {
			return false
		}
		v := c.place[at]
		if count := int32(len(c.Inner)) - first; count > 0 {
			c.Chains = append(c.Chains, ContractedChain{U: u, V: v, Length: int32(length), First: first, Count: count})
		}
		if v != u {
			c.links = append(c.links, contractedLink{v, int32(length)})
		}
	}
	return true
}

// join makes the graph of the links, of which the shortest between two nodes count.
func (c *contracting) join(offsets []int64) {
	n := len(c.Branch)
	g := &export.Graph{Offsets: make([]int64, 1, n+1)}
	g.Targets, g.Weights = make([]int32, 0, len(c.links)), make([]float64, 0, len(c.links))
	for u := range n {
		row := c.links[offsets[u]:offsets[u+1]]
		slices.SortFunc(row, func(a, b contractedLink) int {
			if a.to != b.to {
				return int(a.to) - int(b.to)
			}
			return int(a.length) - int(b.length)
		})
		for i, l := range row {
			if i == 0 || l.to != row[i-1].to {
				g.Targets, g.Weights = append(g.Targets, l.to), append(g.Weights, float64(l.length))
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	// Edges are numbered in the rows of their lesser ends. The rows of the greater ends begin with these, in the same
	// order.
	g.Edges = make([]int32, len(g.Targets))
	next := slices.Clone(g.Offsets[:n])
	for u := range int32(n) {
		for a := next[u]; a < g.Offsets[u+1]; a++ {
			v := g.Targets[a]
			g.Edges[a], g.Edges[next[v]] = int32(g.EdgeCount), int32(g.EdgeCount)
			next[v]++
			g.EdgeCount++
		}
	}
	c.Graph = g
}
