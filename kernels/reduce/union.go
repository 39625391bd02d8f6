package reduce

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
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
	for i := range r.cores {
		if known != nil && known[i] != nil {
			continue
		}
		u.cores = append(u.cores, i)
		if err := u.add(&r.cores[i], r.back[i].linkLength); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// add appends a core. Parallel paths of a link become as many edges again as they were.
func (u *Union) add(c *cores.Core, linkLength []int64) error {
	g, node, arcs := u.Graph, int32(len(u.Omega)), int64(len(u.Graph.Targets))
	link := int32(0)
	if len(u.links) > 0 {
		link = u.links[len(u.links)-1] + 1
	}
	u.firstNode, u.firstLink = append(u.firstNode, int(node)), append(u.firstLink, int(link))
	u.Omega = append(u.Omega, c.Omega...)
	first := make([]int32, c.LinkCount+1) // edge of each link
	for l := range int32(c.LinkCount) {
		if linkLength[l] > 1<<53 {
			return fmt.Errorf("%w: an arc of %d ticks is longer than 2^53", ErrOptions, linkLength[l])
		}
		first[l] = int32(len(u.links))
		for range int(c.Paths(l)) {
			u.links = append(u.links, link+l)
		}
	}
	first[c.LinkCount] = int32(len(u.links))
	// Arcs are put from the lowest node on, so that each row is in the order of its targets.
	count := 2 * (int(first[c.LinkCount]) - int(first[0]))
	g.Targets, g.Edges = grown(g.Targets, count), grown(g.Edges, count)
	if g.Weights != nil {
		g.Weights = grown(g.Weights, count)
	}
	next := make([]int64, len(c.Nodes))
	for v := range c.Nodes {
		next[v] = arcs
		for _, l := range c.Links[c.Offsets[v]:c.Offsets[v+1]] {
			arcs += int64(first[l+1] - first[l])
		}
		g.Offsets = append(g.Offsets, arcs)
	}
	for v := range int32(len(c.Nodes)) {
		for i := c.Offsets[v]; i < c.Offsets[v+1]; i++ {
			l, w := c.Links[i], c.Targets[i]
			for e := first[l]; e < first[l+1]; e++ {
				at := next[w]
				next[w]++
				g.Targets[at], g.Edges[at] = node+v, e
				if g.Weights != nil {
					g.Weights[at] = float64(c.Lengths[i])
				}
			}
		}
	}
	g.EdgeCount = len(u.links)
	return nil
}

// grown returns s, longer by count elements of any value.
func grown[T any](s []T, count int) []T {
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
