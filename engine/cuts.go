package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// communities has a worker cut edges. It leaves the cuts in the journal of the request, or in one of its own. The
// grouping is made of these.
func (c *machine) communities(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error) {
	files, err := client.NewFolder()
	if err != nil {
		return nil, fmt.Errorf("files for the worker: %w", err)
	}
	defer files.Remove()
	r := &t.Request
	if r.Journal == "" {
		r.Journal, r.JournalOf = files.Path("cuts"), "one run"
	}
	if r.Journal, err = filepath.Abs(r.Journal); err != nil {
		return nil, err
	}
	cuts, err := communities.NewJournaled(t.Snapshot.Graph, *r)
	if err != nil {
		return nil, err
	}
	out, values, err := c.run(ctx, t,
		protocol.Order{Kind: protocol.OrderCompute, Measure: t.Measure, Nodes: r.Nodes, Edges: r.Edges}, nil)
	if err != nil {
		return nil, err
	}
	out.take(t, values)
	if err := cuts.Read(ctx); err != nil {
		return nil, err
	}
	out.Scores.Grouping, out.Scores.Ties = cuts.Grouping(nil)
	return out, checkOfDevice(m, t, out.Scores)
}
