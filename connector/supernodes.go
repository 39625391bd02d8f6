package connector

// Supernodes are the hierarchy of a run's groups, as nodes of a database: one for each group, and one for each merge of
// two.
type Supernodes struct {
	// Property has the number of each node's group. Label and Relationship name the supernodes and what joins them.
	Property     string `json:"property"`
	Label        string `json:"label"`
	Relationship string `json:"relationship"`
	// Sizes are the numbers of nodes of the groups. Merge i makes supernode len(Sizes)+i of two others.
	Sizes  []int64          `json:"sizes"`
	Merges []SupernodeMerge `json:"merges"`
}

// SupernodeMerge joins two supernodes. Links is the number of edges between them, and Affinity that in relation to
// chance.
type SupernodeMerge struct {
	A        int32   `json:"a"`
	B        int32   `json:"b"`
	Nodes    int64   `json:"nodes"`
	Links    int64   `json:"links"`
	Affinity float64 `json:"affinity"`
}

// Dendrogram is the order in which a run's groups join, as nodes of a database: one for each group, and one for each
// merge of two, the last cut first.
type Dendrogram struct {
	// Property has the number of each node's group. Label and Relationship name the nodes and what joins them.
	Property     string `json:"property"`
	Label        string `json:"label"`
	Relationship string `json:"relationship"`
	// Sizes are the numbers of nodes of the groups. Merge i makes node len(Sizes)+i of two others.
	Sizes  []int64           `json:"sizes"`
	Merges []DendrogramMerge `json:"merges"`
}

// DendrogramMerge joins two groups, which the cut of an edge had parted. Score is the betweenness of that edge when it
// was cut, Groups the number of groups after the merge, and Modularity theirs.
type DendrogramMerge struct {
	A          int32   `json:"a"`
	B          int32   `json:"b"`
	Nodes      int64   `json:"nodes"`
	Score      float64 `json:"score"`
	Groups     int64   `json:"groups"`
	Modularity float64 `json:"modularity"`
}
