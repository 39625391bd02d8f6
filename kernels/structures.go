package kernels

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Variants of the measures of a graph's structure.
const (
	// GroupID is the number of a node's group.
	GroupID = "id"
	// GroupSize is the number of nodes of a node's group.
	GroupSize = "size"
	// Parts is the number of parts that are left without a node.
	Parts = "parts"
	// LargestPart is the number of nodes of the largest part that is left without a node.
	LargestPart = "largest"
	// SmallerSide is the number of nodes on the smaller side of a bridge.
	SmallerSide = "smaller"
	// LargerSide is the number of nodes on the larger side of a bridge.
	LargerSide = "larger"
	// Jaccard divides the common neighbours of two nodes by all of their neighbours.
	Jaccard = "jaccard"
	// Overlap divides the common neighbours of two nodes by the neighbours of the one with fewer.
	Overlap = "overlap"
	// AdamicAdar sums 1 / ln(degree) over the common neighbours of two nodes.
	AdamicAdar = "adamicAdar"
	// Forman is a curvature of edges by the neighbours of their ends.
	Forman = "forman"
	// Augmented is the curvature Forman with triangles.
	Augmented = "augmented"
)

// structures are the measures that are read off the graph as a whole: what falls apart, cores, and triangles.
func structures() []Measure {
	return []Measure{
		structure("components", Components, "which part of the graph it lies in",
			"number of its weakly connected component, from 0; size: the number of nodes in it", "", GroupID, GroupSize),
		structure("strongComponents", StrongComponents, "which nodes it can reach that lead back to it",
			"number of its strongly connected component, from 0; size: the number of nodes in it", "", GroupID, GroupSize),
		structure("edgeComponents", EdgeComponents, "which nodes no single edge parts from it",
			"number of its 2-edge-connected component, from 0: what is connected without bridges; size: the number of nodes in it", "",
			GroupID, GroupSize),
		structure("articulation", Articulation, "into how many parts its component falls without it",
			"number of parts that are left of its component without it, over 1 for articulation points; largest: the nodes of the largest part", "",
			Parts, LargestPart),
		structure("bridges", Bridges, "which edges hold two sides together",
			"number of bridges at the node",
			"number of nodes on the smaller side of a bridge, or with larger on the larger side; 0 for other edges",
			SmallerSide, LargerSide),
		structure("biconnectedComponents", Blocks, "what holds without any one node",
			"number of blocks of two nodes and more that it lies in", "number of its block (biconnected component), from 0"),
		structure("core", Cores, "how deep in the dense middle it lies",
			"the greatest k for which it lies in a k-core: nodes that all have k neighbours among them", ""),
		structure("truss", Trusses, "how deep among triangles it lies",
			"the greatest truss of its edges",
			"the greatest k for which it lies in a k-truss: edges that all lie in k-2 triangles of them"),
		structure("triangles", Triangles, "how many triangles it lies in",
			"number of triangles with the node", "number of triangles with the edge"),
		structure("clustering", Clustering, "how many of its neighbours are neighbours",
			"triangles with the node / pairs of its neighbours; 0 with fewer than two", ""),
		structure("similarity", Similarity, "how alike the neighbours of two ends are",
			"mean over its neighbours of the score of the edge",
			"common neighbours of its ends / all neighbours (jaccard), / those of the end with fewer (overlap); adamicAdar: sum of 1 / ln(degree) over common neighbours",
			Jaccard, Overlap, AdamicAdar),
		structure("curvature", Curvature, "how much the graph branches around it",
			"mean over its neighbours of the score of the edge",
			"Forman's curvature: 4 less the numbers of neighbours of both ends; augmented: and 3 for each triangle",
			Forman, Augmented),
	}
}

// structure is the entry of a measure that reads no weights. Devices compute those of triangles. The first variant is
// the default.
func structure(name string, kind Kind, summary, node, edge string, variants ...string) Measure {
	var options, strategies []string
	if len(variants) > 0 {
		options = []string{"variant"}
	}
	if kind >= Triangles && kind <= Curvature {
		strategies = []string{"triangles"}
	}
	return Measure{
		Name: name, Kind: kind, Summary: summary, Node: node, Edge: edge, Weights: NoWeights, Options: options,
		Variants: variants, EdgeSums: false, BySource: false, Bias: "", fold: nil, Reducible: false, Strategies: strategies,
		WeightedStrategies: nil, Engines: nil, WeightedEngines: nil, Chained: false,
	}
}

// VariantOf returns the variant that is asked for: the first one of the measure without the option.
func (m Measure) VariantOf(p Params) string {
	if p.Variant == "" && len(m.Variants) > 0 {
		return m.Variants[0]
	}
	return p.Variant
}

// Undirected reports whether measures of the kind have no meaning on directed graphs.
func (k Kind) Undirected() bool {
	return k.Flows() || slices.Contains([]Kind{
		EdgeComponents, Articulation, Bridges, Blocks, Cores, Trusses, Triangles, Clustering, Similarity, Curvature,
	}, k)
}

// NumbersGroups reports whether scores of nodes, and those of edges, are numbers of their groups. Equal numbers say
// that nodes are in the same group; which one is the higher says nothing.
func (m Measure) NumbersGroups(p Params) (nodes, edges bool) {
	groups := m.Kind.Groups() || m.Kind == Components || m.Kind == StrongComponents || m.Kind == EdgeComponents
	return groups && m.VariantOf(p) != GroupSize, m.Kind == Blocks
}

// CheckGraph reports a graph on which the measure has no meaning.
func (m Measure) CheckGraph(g *export.Graph) error {
	if g.Directed && m.Kind.Undirected() {
		return fmt.Errorf("%s has no meaning on a directed graph; make all of it undirected", m.Name)
	}
	return nil
}
