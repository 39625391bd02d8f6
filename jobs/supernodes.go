package jobs

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/hierarchy"
)

// mostSupernodes is the largest number of groups that become supernodes: the record has all of them, and one
// transaction writes them.
const mostSupernodes = 10_000

// addSupernodes merges the groups of a pass into a hierarchy, if the job asks for that.
func (r *run) addSupernodes(p pass, c *kernels.Grouping) error {
	asked := r.job.Supernodes
	if asked == nil || !slices.ContainsFunc(p.outputs, func(m config.Measure) bool { return m.Nodes == asked.Of }) {
		return nil
	}
	if c.Count > mostSupernodes {
		return fmt.Errorf("supernodes: %d groups are more than %d: ask for fewer and larger groups, or remove supernodes",
			c.Count, mostSupernodes)
	}
	h := hierarchy.Of(r.snapshot.Graph, c.Of, c.Count)
	out := &connector.Supernodes{
		Property: asked.Of, Label: asked.Label, Relationship: asked.Relationship, Sizes: h.Sizes[:c.Count],
		Merges: []connector.SupernodeMerge{},
	}
	for i, m := range h.Merges {
		out.Merges = append(out.Merges,
			connector.SupernodeMerge{A: m.A, B: m.B, Nodes: h.Sizes[c.Count+i], Links: m.Links, Affinity: m.Affinity})
	}
	r.record.Supernodes = out
	return nil
}
