// Package hierarchy merges groups of nodes into larger and larger ones, by the affinity between groups.
//
// Jia et al. draw graphs along such a hierarchy: they cut edges of high betweenness to find communities, and then merge
// communities by their affinities (Edge v. Node Parallelism for Graph Centrality Metrics, GPU Computing Gems Jade
// Edition, 2011). The affinity here is how many times more edges join two groups than chance would put there, as in
// Bonald et al. (Hierarchical graph clustering using node pair sampling, 2018). It never rises from a merge to those
// above it.
package hierarchy

import (
	"container/heap"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// Hierarchy is a forest above groups, with one tree for each component of the graph.
type Hierarchy struct {
	// Groups is the number of groups to begin with. Merge i makes group Groups+i.
	Groups int
	// Sizes are the numbers of nodes of all groups, made by merges or not.
	Sizes  []int64
	Merges []Merge
}

// Merge joins two groups; A is the one with the lower number.
type Merge struct {
	A, B int32
	// Links is the number of edges between them.
	Links int64
	// Affinity is Links divided by d(A) d(B) / 2m, where d are sums of degrees.
	Affinity float64
}

// Of merges the groups of a graph until no edge joins two of them. Of has a group for each node, from 0 to count-1. The
// two groups of the greatest affinity merge first; of pairs that tie, the one with the lowest group, and then the lower
// other one. Edges count once each, whatever their direction and weight.
func Of(g *export.Graph, of []int32, count int) *Hierarchy {
	f := newForest(g, of, count)
	for f.pairs.Len() > 0 {
		p := heap.Pop(&f.pairs).(pair)
		a, b := f.sets.Find(p.a), f.sets.Find(p.b)
		if a == b {
			continue
		}
		if now := f.pair(a, b); now != p { // one of both has grown: the affinity is no greater than before
			heap.Push(&f.pairs, now)
			continue
		}
		f.merge(p)
	}
	return &f.Hierarchy
}

// forest is a hierarchy under way. A merged group keeps the place of its larger part.
type forest struct {
	Hierarchy
	sets    *disjoint.Sets
	name    []int32           // of the group at a place
	degrees []int64           // of its nodes
	links   []map[int32]int64 // from it to the groups at other places
	ends    float64           // the sum of all degrees
	pairs   pairs
}

func newForest(g *export.Graph, of []int32, count int) *forest {
	f := &forest{
		Hierarchy: Hierarchy{Groups: count, Sizes: make([]int64, count), Merges: nil}, sets: disjoint.New(count),
		name: make([]int32, count), degrees: make([]int64, count), links: make([]map[int32]int64, count),
		ends: 2 * float64(g.M()), pairs: nil,
	}
	for i := range f.name {
		f.name[i], f.links[i] = int32(i), map[int32]int64{}
	}
	for _, group := range of {
		f.Sizes[group]++
	}
	source, target := g.Ends()
	for e := range source {
		a, b := of[source[e]], of[target[e]]
		f.degrees[a]++
		f.degrees[b]++
		if a != b {
			f.links[a][b]++
			f.links[b][a]++
		}
	}
	for a := range f.links {
		for b := range f.links[a] {
			if int32(a) < b {
				f.pairs = append(f.pairs, f.pair(int32(a), b))
			}
		}
	}
	heap.Init(&f.pairs)
	return f
}

// pair describes the groups at two places, the one with the lower number first.
func (f *forest) pair(a, b int32) pair {
	if f.name[a] > f.name[b] {
		a, b = b, a
	}
	return pair{a, b, f.name[a], f.name[b], f.links[a][b], f.degrees[a], f.degrees[b]}
}

// merge joins the groups of a pair at the place that has more neighbours.
func (f *forest) merge(p pair) {
	f.Merges = append(f.Merges, Merge{
		A: p.nameA, B: p.nameB, Links: p.links, Affinity: float64(p.links) / float64(p.degreeA) / float64(p.degreeB) * f.ends,
	})
	f.Sizes = append(f.Sizes, f.Sizes[p.nameA]+f.Sizes[p.nameB])
	into, from := p.a, p.b
	if len(f.links[into]) < len(f.links[from]) {
		into, from = from, into
	}
	f.sets.Join(into, from)
	f.name[into] = int32(len(f.Sizes) - 1)
	f.degrees[into] += f.degrees[from]
	for c, links := range f.links[from] {
		delete(f.links[c], from)
		if c != into {
			f.links[into][c] += links
			f.links[c][into] += links
		}
	}
	f.links[from] = nil
}
