package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// dendrogramFile is the order in which groups join, at all levels. Leaves are groups 0, 1, ...; merge i makes the group
// after them and i more.
type dendrogramFile struct {
	Leaves [][]string        `json:"leaves"` // ids of the nodes of each
	Merges []dendrogramMerge `json:"merges"` // the last cut first
}

type dendrogramMerge struct {
	A     int32   `json:"a"`
	B     int32   `json:"b"`
	Src   string  `json:"src"` // the ends of the edge whose cut parted the groups
	Dst   string  `json:"dst"`
	Score float64 `json:"score"` // its betweenness then
	Nodes int     `json:"nodes"` // of both
	// Groups is the number of groups after the merge, and Modularity theirs.
	Groups     int     `json:"groups"`
	Modularity float64 `json:"modularity"`
}

// WriteDendrogram writes the order in which groups of communities join, as JSON. The grouping must have its merges.
func WriteDendrogram(w io.Writer, s *export.Snapshot, c *kernels.Grouping) error {
	out := dendrogramFile{Leaves: make([][]string, c.Components+len(c.Merges)), Merges: []dendrogramMerge{}}
	for v, leaf := range c.Base {
		out.Leaves[leaf] = append(out.Leaves[leaf], s.Nodes.String(v))
	}
	source, target := s.Graph.Ends()
	for i, m := range c.Merges {
		out.Merges = append(out.Merges, dendrogramMerge{
			A: m.A, B: m.B, Src: s.Nodes.String(int(source[m.Edge])), Dst: s.Nodes.String(int(target[m.Edge])),
			Score: m.Score, Nodes: m.Size, Groups: len(out.Leaves) - i - 1, Modularity: m.Modularity,
		})
	}
	return json.NewEncoder(w).Encode(out)
}

// prepareDendrogram writes the job's file under a temporary name.
func (r *run) prepareDendrogram(path string) (*file.PendingOutput, error) {
	if r.cuts == nil {
		return nil, errors.New("the computed scores on disk have no dendrogram: run with --from compute")
	}
	return file.PrepareFile(path, func(w io.Writer) error { return WriteDendrogram(w, r.snapshot, r.cuts) })
}

// addDendrogram keeps the merges of a pass, if the job asks for its dendrogram.
func (r *run) addDendrogram(p pass, c *kernels.Grouping) error {
	asked := r.job.Dendrogram
	if asked == nil || !slices.ContainsFunc(p.outputs, func(m config.Measure) bool { return m.Nodes == asked.Of }) {
		return nil
	}
	if c.Base == nil {
		return noDendrogram(r.job.Name)
	}
	r.cuts = c
	if asked.Label == "" {
		return nil
	}
	if c.Count > mostSupernodes {
		return fmt.Errorf("dendrogram: %d groups are more than %d: ask for fewer groups, or remove label and relationship",
			c.Count, mostSupernodes)
	}
	r.record.Dendrogram = dendrogramAbove(c)
	r.record.Dendrogram.Property, r.record.Dendrogram.Label, r.record.Dendrogram.Relationship = asked.Of, asked.Label,
		asked.Relationship
	return nil
}

// dendrogramAbove describes how the groups that were asked for join. Those are numbered as in Of.
func dendrogramAbove(c *kernels.Grouping) *connector.Dendrogram {
	out := &connector.Dendrogram{Sizes: make([]int64, c.Count), Merges: []connector.DendrogramMerge{}}
	leaves := c.Components + len(c.Merges)
	number := make([]int32, leaves+len(c.Merges)) // by the number in the whole dendrogram
	for v, group := range c.Of {
		out.Sizes[group]++
		number[c.Base[v]] = group
	}
	for i, m := range c.Merges {
		groups := leaves - i - 1
		if groups >= c.Count { // below the groups
			number[leaves+i] = number[m.A]
			continue
		}
		a, b := number[m.A], number[m.B]
		number[leaves+i] = int32(c.Count + len(out.Merges))
		out.Merges = append(out.Merges, connector.DendrogramMerge{
			A: a, B: b, Nodes: int64(m.Size), Score: m.Score, Groups: int64(groups), Modularity: m.Modularity,
		})
	}
	return out
}
