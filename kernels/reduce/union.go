package reduce

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// Union is what trees and blocks leave of a graph, for an engine that knows nothing of either: all cores side by side
// as one graph without trees, whose nodes stand for as many nodes of the original as Omega says.
//
// The engine computes, over all ordered pairs (a, w) of different nodes of one component,
//
//	node[v] = sum of Omega[a] Omega[w] sigma(a,w|v) / sigma(a,w), v other than a and w
//	edge[e] = sum of Omega[a] Omega[w] sigma(a,w|e) / sigma(a,w)
//
// by Brandes' algorithm from every node, with Omega[w] in place of the 1 in 1 + dependency, and what a source adds to
// scores times its Omega. Reduced.FromUnion makes the scores of the original of these sums.
type Union struct {
	// Graph is undirected, with parallel edges and without loops. Its weights, where it has any, are ticks: whole numbers
	// under 2^53.
	Graph *export.Graph
	// Omega is a whole number from 1 to the nodes of the component in the original.
	Omega []float64

	cores                []int   // that are in it
	firstNode, firstLink []int   // of each of them
	links                []int32 // link of each edge, counted over all cores
}

// Whole reports whether the cores are whole blocks, as Union needs them.
func (r *Reduced) Whole() bool { return r.options.NoChains }

// Union joins the cores. It needs a Reduced that was made with NoChains: an engine that searches from branch nodes only
// must make Demands as well. The error is an ErrOptions.
func (r *Reduced) Union() (*Union, error) { return r.unionWithout(nil) }

// UnionLeft is Union without the cores that ReuseInUnion found.
func (r *Reduced) UnionLeft() (*Union, error) { return r.unionWithout(r.known) }

// unionWithout joins the cores without a known flow; nil knows none.
func (r *Reduced) unionWithout(known [][]float64) (*Union, error) {
	if r.options.Fine != nil {
		return nil, fmt.Errorf("%w: lengths are rounded, and an engine compares those of a union as they are", ErrOptions)
	}
	if !r.options.NoChains {
		return nil, fmt.Errorf("%w: chains were contracted; a union is of whole blocks", ErrOptions)
	}
	u := &Union{Graph: &export.Graph{Offsets: []int64{0}, Edges: []int32{}}}
	if r.options.Ticks != nil {
		u.Graph.Weights = []float64{}
	}
	nodes, links := 0, 0
	for i := range r.cores {
		if known == nil || known[i] == nil {
			u.cores = append(u.cores, i)
			nodes, links = nodes+len(r.cores[i].Nodes), links+r.cores[i].LinkCount
		}
	}
	u.grow(nodes, links)
	for _, i := range u.cores {
		if err := u.add(&r.cores[i]); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// grow makes room for so many nodes and links, without parallel paths.
func (u *Union) grow(nodes, links int) {
	g := u.Graph
	u.Omega, u.links = slices.Grow(u.Omega, nodes), slices.Grow(u.links, links)
	g.Offsets, g.Targets = slices.Grow(g.Offsets, nodes), slices.Grow(g.Targets, 2*links)
	g.Edges = slices.Grow(g.Edges, 2*links)
	if g.Weights != nil {
		g.Weights = slices.Grow(g.Weights, 2*links)
	}
}

// add appends a core. Parallel paths of a link become as many edges again as they were.
func (u *Union) add(c *cores.Core) error {
	for _, l := range c.Lengths {
		if l > 1<<53 {
			return fmt.Errorf("%w: an arc of %d ticks is longer than 2^53", ErrOptions, l)
		}
	}
	g, node, edge, link := u.Graph, int32(len(u.Omega)), int32(len(u.links)), int32(0)
	if edge > 0 {
		link = u.links[edge-1] + 1
	}
	u.firstNode, u.firstLink = append(u.firstNode, int(node)), append(u.firstLink, int(link))
	u.Omega = append(u.Omega, c.Omega...)
	for l := range int32(c.LinkCount) {
		for range int(c.Paths(l)) {
			u.links = append(u.links, link+l)
		}
	}
	g.EdgeCount = len(u.links)
	if c.Mult != nil {
		u.addParallel(c, node, edge)
		return nil
	}
	arcs := len(g.Targets)
	for _, offset := range c.Offsets[1:] {
		g.Offsets = append(g.Offsets, int64(arcs)+int64(offset))
	}
	g.Targets, g.Edges = longer(g.Targets, len(c.Targets)), longer(g.Edges, len(c.Targets))
	if g.Weights != nil {
		g.Weights = longer(g.Weights, len(c.Targets))
	}
	inparts.Quick(len(c.Targets), func(first, last int) {
		for i := first; i < last; i++ {
			g.Targets[arcs+i], g.Edges[arcs+i] = node+c.Targets[i], edge+c.Links[i]
		}
		for i := first; i < last && g.Weights != nil; i++ {
			g.Weights[arcs+i] = float64(c.Length(i))
		}
	})
	return nil
}

// addParallel appends the rows of a core some of whose links have parallel paths, from a node and an edge on.
func (u *Union) addParallel(c *cores.Core, node, edge int32) {
	g := u.Graph
	first := make([]int32, c.LinkCount) // edge of each link
	for l := range first {
		first[l] = edge
		edge += int32(c.Paths(int32(l)))
	}
	for v := range c.Nodes {
		for i := c.Offsets[v]; i < c.Offsets[v+1]; i++ {
			l := c.Links[i]
			for path := range int32(c.Paths(l)) {
				g.Targets, g.Edges = append(g.Targets, node+c.Targets[i]), append(g.Edges, first[l]+path)
				if g.Weights != nil {
					g.Weights = append(g.Weights, float64(c.Length(int(i))))
				}
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
}

// longer returns s, longer by count elements of any value.
func longer[T any](s []T, count int) []T {
	return slices.Grow(s, count)[:len(s)+count]
}

// FromUnion leads the sums of an engine, by node and by edge of the union, back to the scores of every node and edge of
// the graph: over unordered pairs, not normalised. The error is an ErrOptions: a sum is missing or is not a number.
func (r *Reduced) FromUnion(u *Union, node, edge []float64) (nodes, edges []float64, err error) {
	flows, err := r.UnionFlows(u, node, edge)
	if err != nil {
		return nil, nil, err
	}
	nodes, edges = r.Scores(flows)
	return nodes, edges, nil
}

// UnionFlows returns the flows of all cores: those that the sums of an engine make, and those that were known. The
// error is that of FromUnion.
func (r *Reduced) UnionFlows(u *Union, node, edge []float64) (Flows, error) {
	if len(node) != u.Graph.N() || len(edge) != u.Graph.M() {
		return nil, fmt.Errorf("%w: %d node and %d edge sums for %d nodes and %d edges", ErrOptions,
			len(node), len(edge), u.Graph.N(), u.Graph.M())
	}
	for _, sums := range [][]float64{node, edge} {
		for i, x := range sums {
			if !(x >= 0 && x <= math.MaxFloat64) {
				return nil, fmt.Errorf("%w: sum %d is %v", ErrOptions, i, x)
			}
		}
	}
	flows := r.noFlows()
	for i, values := range r.known {
		if values != nil {
			flows[i] = r.cores[i].FlowOf(values)
		}
	}
	for k, i := range u.cores {
		copy(flows[i].Passes, node[u.firstNode[k]:])
	}
	k := 0
	for e, l := range u.links {
		for k+1 < len(u.firstLink) && int(l) >= u.firstLink[k+1] {
			k++
		}
		flows[u.cores[k]].Through[int(l)-u.firstLink[k]] += edge[e]
	}
	return flows, nil
}
