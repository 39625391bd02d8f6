package jobs

import (
	"cmp"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/hierarchy"
)

// DrawingLimit is the size of a graph up to which a drawing shows its nodes and links.
type DrawingLimit struct{ Nodes, Links int }

// Limits of drawings in records, where they take some 40 KB, in reports, and in files of their own.
var (
	InRecords = DrawingLimit{Nodes: 1000, Links: 2500}
	InReports = DrawingLimit{Nodes: 2000, Links: 6000}
	InFiles   = DrawingLimit{Nodes: 20_000, Links: 60_000}
)

// Draw adds drawings of what a measure found to a record: of groups, and of a backbone.
func Draw(record *connector.Run, measure string, s *export.Snapshot, scores *kernels.Scores, limit DrawingLimit) {
	if c := scores.Grouping; c != nil {
		if b := BundlesOf(measure, s, c, limit); b != nil {
			record.Bundles = append(record.Bundles, *b)
		}
	}
	if b := scores.Backbone; b != nil {
		if d := SimplifiedOf(measure, s.Graph, b, limit); d != nil {
			record.Simplified = append(record.Simplified, *d)
		}
	}
}

// namedNodes is the number of nodes up to which a drawing of bundles names each.
const namedNodes = 120

// BundlesOf describes a graph in groups for a drawing. A graph beyond the limit is drawn with a point for each group.
// It is nil where there are too many groups for that, or no nodes.
func BundlesOf(measure string, s *export.Snapshot, c *kernels.Grouping, limit DrawingLimit) *connector.Bundles {
	g := s.Graph
	if g.N() == 0 {
		return nil
	}
	b := &connector.Bundles{Measure: measure, Nodes: int64(g.N()), Edges: int64(g.M()), Sizes: make([]int64, c.Count)}
	for _, group := range c.Of {
		b.Sizes[group]++
	}
	between := map[[2]int32]int64{}
	source, target := g.Ends()
	within := make([]bool, g.M())
	for e := range source {
		x, y := c.Of[source[e]], c.Of[target[e]]
		if x == y {
			b.Within++
			within[e] = true
			continue
		}
		between[[2]int32{min(x, y), max(x, y)}]++
	}
	switch {
	case g.N() <= limit.Nodes && g.M() <= limit.Links:
		b.Of = c.Of
		for e := range source {
			b.Links = append(b.Links, [2]int32{source[e], target[e]})
		}
		b.Parts = mergesOf(g.With(within), alone(g.N()), g.N())
	case c.Count <= limit.Nodes && len(between) <= limit.Links:
		b.Links, b.Counts = sorted(between)
	default:
		return nil
	}
	b.Merges = mergesOf(g, c.Of, c.Count)
	nameBundles(b, s, c)
	return b
}

// mergesOf lists which groups merge by affinity.
func mergesOf(g *export.Graph, of []int32, count int) [][2]int32 {
	merges := [][2]int32{}
	for _, m := range hierarchy.Of(g, of, count).Merges {
		merges = append(merges, [2]int32{m.A, m.B})
	}
	return merges
}

// alone puts each of n nodes into a group of its own.
func alone(n int) []int32 {
	of := make([]int32, n)
	for v := range of {
		of[v] = int32(v)
	}
	return of
}

// sorted lists pairs of groups in their order, and how many edges each has.
func sorted(between map[[2]int32]int64) (links [][2]int32, counts []int64) {
	for p := range between {
		links = append(links, p)
	}
	slices.SortFunc(links, func(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	for _, p := range links {
		counts = append(counts, between[p])
	}
	return links, counts
}

// nameBundles finds the node with the most edges of each group, of nodes that tie the first, and the nodes of a small
// graph.
func nameBundles(b *connector.Bundles, s *export.Snapshot, c *kernels.Grouping) {
	hubs := slices.Repeat([]int32{-1}, c.Count)
	for v, group := range c.Of {
		if h := hubs[group]; h < 0 || s.Graph.Degree(int32(v)) > s.Graph.Degree(h) {
			hubs[group] = int32(v)
		}
	}
	for _, h := range hubs {
		b.Hubs = append(b.Hubs, connector.Name{ID: s.Nodes.String(int(h))})
	}
	for v := range s.Graph.N() {
		if len(b.Of) > 0 && s.Graph.N() <= namedNodes {
			b.Names = append(b.Names, connector.Name{ID: s.Nodes.String(v)})
		}
	}
}

// SimplifiedOf describes a graph and its backbone for a drawing: the backbone alone where the graph is beyond the
// limit. It is nil where the backbone is, too.
func SimplifiedOf(measure string, g *export.Graph, b *kernels.Backbone, limit DrawingLimit) *connector.Simplified {
	out := &connector.Simplified{Measure: measure, Nodes: int64(g.N()), Edges: int64(g.M()), Kept: b.EdgeCount}
	whole := g.N() <= limit.Nodes && g.M() <= limit.Links
	if !whole && (b.NodeCount > limit.Nodes || b.EdgeCount > limit.Links) {
		return nil
	}
	point := make([]int32, g.N())
	for v, kept := range b.Nodes {
		point[v] = int32(out.Points)
		if !kept && whole {
			out.Dropped = append(out.Dropped, int32(v))
		}
		if kept || whole {
			out.Points++
		}
	}
	source, target := g.Ends()
	take := func(kept bool) {
		for e := range source {
			if b.Edges[e] == kept {
				out.Links = append(out.Links, [2]int32{point[source[e]], point[target[e]]})
			}
		}
	}
	take(true)
	if whole {
		take(false)
	}
	return out
}
