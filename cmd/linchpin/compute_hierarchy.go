package main

import (
	"encoding/json"
	"io"

	"github.com/linchpin-graph/linchpin/kernels/hierarchy"
)

// hierarchyFile is the file of --hierarchy-out: groups, and how they merge. Merge i makes the group after those of the
// list and i more.
type hierarchyFile struct {
	Groups []hierarchyGroup `json:"groups"`
	Merges []hierarchyMerge `json:"merges"`
}

type hierarchyGroup struct {
	Nodes []string `json:"nodes"`
}

type hierarchyMerge struct {
	A int32 `json:"a"`
	B int32 `json:"b"`
	// Links is the number of edges between both groups, Affinity that in relation to chance, and Nodes how many both have.
	Links    int64   `json:"links"`
	Affinity float64 `json:"affinity"`
	Nodes    int64   `json:"nodes"`
}

// writeHierarchy merges the groups that were found, and writes in which order.
func (c *computation) writeHierarchy(path string) error {
	groups, names := c.work.Outcome.Scores.Grouping, &c.snapshot.Nodes
	h := hierarchy.Of(c.snapshot.Graph, groups.Of, groups.Count)
	out := hierarchyFile{Groups: make([]hierarchyGroup, groups.Count), Merges: []hierarchyMerge{}}
	for v, group := range groups.Of {
		out.Groups[group].Nodes = append(out.Groups[group].Nodes, names.String(v))
	}
	for i, m := range h.Merges {
		out.Merges = append(out.Merges,
			hierarchyMerge{A: m.A, B: m.B, Links: m.Links, Affinity: m.Affinity, Nodes: h.Sizes[groups.Count+i]})
	}
	return writeFile(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(out) })
}
