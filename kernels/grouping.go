package kernels

import "github.com/linchpin-graph/linchpin/export"

// Grouping is a graph in groups, and how they came about.
type Grouping struct {
	// Of is the group of each node: 0, 1, ... by the first node of each.
	Of []int32
	// Count is the number of groups, Components that of the graph's components.
	Count, Components int
	Modularity        float64
	// Cuts is the number of edges that were cut. Limited says that the limit of time ended that.
	Cuts    int
	Limited bool
	// Resumed is how many of the cuts an interrupted run had made.
	Resumed int
	// Base is the group of each node after the last cut, which Merges put together again, the last cut first; nil where it
	// is not known.
	Base   []int32
	Merges []Merge
	// Levels is how often groups became nodes, or 1 of label propagation; 0 of cuts.
	Levels int
	// Unsettled is the number of nodes that label propagation would have looked at next.
	Unsettled int
}

// Merge joins two groups, which the cut of an edge had parted. Groups of Base come first, merge i makes the one after
// them and i more.
type Merge struct {
	A, B int32
	Edge int32
	// Score is the betweenness of the edge when it was cut.
	Score float64
	// Size is the number of nodes of both groups.
	Size int
	// Modularity is that of all groups after the merge.
	Modularity float64
}

// Flags returns 1 for each edge between two groups, and 0 for each other one.
func (c *Grouping) Flags(g *export.Graph) []float64 {
	out := make([]float64, g.M())
	source, target := g.Ends()
	for e := range out {
		if c.Of[source[e]] != c.Of[target[e]] {
			out[e] = 1
		}
	}
	return out
}

// NewGrouping makes a grouping of the scores of nodes, of which nothing else is known.
func NewGrouping(g *export.Graph, groups []float64, strengths bool) *Grouping {
	c := &Grouping{Of: make([]int32, len(groups))}
	for v, group := range groups {
		c.Of[v] = int32(group)
		c.Count = max(c.Count, int(group)+1)
	}
	c.Modularity = Modularity(g, c.Of, strengths)
	return c
}

// Modularity computes the modularity of groups from its definition: the sum over groups of the share of edges within,
// less the square of the share of ends. Groups are numbers under that of the nodes. An edge counts as often as it
// weighs where weights are strengths, and otherwise once: then a weight is a length.
func Modularity(g *export.Graph, group []int32, strengths bool) float64 {
	m := 0.0
	within, ends := make([]float64, g.N()), make([]float64, g.N())
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			w, weight := g.Targets[i], 1.0
			if !g.Directed && w < v { // the other arc of the edge
				continue
			}
			if strengths {
				weight = g.Weight(i)
			}
			if !g.Directed && w == v { // both arcs are here
				weight /= 2
			}
			m += weight
			ends[group[v]] += weight
			ends[group[w]] += weight
			if group[v] == group[w] {
				within[group[v]] += weight
			}
		}
	}
	if m == 0 {
		return 0
	}
	sum := 0.0
	for c := range ends {
		sum += within[c]/m - ends[c]/(2*m)*(ends[c]/(2*m))
	}
	return sum
}
