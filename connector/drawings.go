package connector

// Bundles are a graph in groups, with a hierarchy above them: what a drawing needs to bundle links along it.
type Bundles struct {
	// Measure is the one that found the groups.
	Measure string `json:"measure"`
	// Of is the group of each node. It is empty where the graph is too large to draw: then groups are points, not nodes.
	Of []int32 `json:"of,omitempty"`
	// Parts says which nodes, and parts of groups, merge within groups: merge i makes part len(Of)+i.
	Parts [][2]int32 `json:"parts,omitempty"`
	// Sizes are the numbers of nodes of the groups, Merges which groups merge: merge i makes group len(Sizes)+i.
	Sizes  []int64    `json:"sizes"`
	Merges [][2]int32 `json:"merges"`
	// Links join nodes, or groups where these are points. Counts are how many edges each stands for; empty for one each.
	Links  [][2]int32 `json:"links"`
	Counts []int64    `json:"counts,omitempty"`
	// Nodes and Edges are those of the graph, and Within the edges within groups.
	Nodes  int64 `json:"nodes"`
	Edges  int64 `json:"edges"`
	Within int64 `json:"within"`
	// Hubs are the nodes with the most edges of each group. Names are the nodes of a small graph.
	Hubs  []Name `json:"hubs"`
	Names []Name `json:"names,omitempty"`
}

// Name is a node, and what people call it.
type Name struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// String is the name, or the id where there is none.
func (n Name) String() string {
	if n.Name != "" {
		return n.Name
	}
	return n.ID
}

// Simplified is a graph and its backbone, for a drawing of both. Where the graph is too large to draw it is the
// backbone alone.
type Simplified struct {
	// Measure is the one that found the backbone.
	Measure string `json:"measure"`
	// Nodes and Edges are those of the graph.
	Nodes int64 `json:"nodes"`
	Edges int64 `json:"edges"`
	// Points is how many nodes are drawn. Links join them: first the Kept links of the backbone, then the others. Dropped
	// are the nodes that the backbone lacks.
	Points  int        `json:"points"`
	Links   [][2]int32 `json:"links"`
	Kept    int        `json:"kept"`
	Dropped []int32    `json:"dropped,omitempty"`
}

// Whole reports whether all of the graph is drawn.
func (s *Simplified) Whole() bool {
	return int64(s.Points) == s.Nodes && int64(len(s.Links)) == s.Edges
}
