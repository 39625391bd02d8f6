package engine

import (
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// fillIn writes what the worker reads, makes room for what it writes, and fills in the rest of the order. The snapshot
// on disk is used where there is one. wanted is for Order.Wanted.
func fillIn(o *protocol.Order, t Task, wanted []int32, f *client.Folder) error {
	r := t.Request
	if o.Snapshot = t.Path; o.Graph == 0 { // not known from another order of the run
		o.Graph = protocol.Fingerprint(t.Snapshot.Graph)
	}
	o.Params, o.Scale, o.Strategy, o.Single = r.Params, r.Scale, t.Strategy, kernels.IsSingle(t.Precision)
	o.Reduce, o.Bucket, o.Profile = r.Reduce, t.Bucket, t.Profile
	o.Journal, o.JournalOf, o.Within, o.Ranges = r.Journal, r.JournalOf, r.Within(), t.ranges.Within()
	t.Ranking.handOn(o)
	if o.Strategy == "" {
		o.Strategy = "auto"
	}
	if _, err := os.Stat(o.Snapshot); err != nil {
		o.Snapshot = f.Path("graph.arrow")
		if err := showGraph(o.Snapshot, t.Snapshot); err != nil {
			return err
		}
	}
	var err error
	if o.Snapshot, err = filepath.Abs(o.Snapshot); err != nil {
		return err
	}
	if r.Sources != nil {
		if o.Sources, err = f.Nodes("sources", r.Sources); err != nil {
			return err
		}
	}
	if r.Shares != nil {
		if o.Shares, err = f.Shares("shares", r.Shares); err != nil {
			return err
		}
	}
	if o.Chosen, err = protocol.WriteChosen(f.Path, r.Pairs); err != nil {
		return err
	}
	if wanted != nil {
		if o.Wanted, err = f.Nodes("wanted", wanted); err != nil {
			return err
		}
	}
	o.Scores, err = f.Scores(scoreBytes(t, *o))
	return err
}

// scoreBytes is the length of the file of scores that an order of a task asks for.
func scoreBytes(t Task, o protocol.Order) int64 {
	g := t.Snapshot.Graph
	return protocol.ScoreBytes(g, o, t.Request.SourceCount(g.N()))
}

// showGraph writes what workers read of a snapshot, which is the graph, without its relationships. These take as many
// bytes again.
func showGraph(path string, s *export.Snapshot) error {
	return export.ShowSnapshot(path, &export.Snapshot{Nodes: s.Nodes, Graph: s.Graph})
}
