package engine

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Pack returns the scores of a run that was computed in a way, as the file of a part can have them. Unpack reads them.
func (o *Outcome) Pack(by parts.Way) *parts.Found {
	s := o.Scores
	return &parts.Found{
		Partial: &kernels.Partial{Alone: slices.Concat(s.Nodes, s.Edges), Totals: s.Totals}, By: by,
		Told: parts.Told{Reason: o.Reason, Ties: s.Ties, Reduction: s.Reduction},
	}
}

// Unpack makes the outcome of a task of what Pack returned, and checks its scores.
func Unpack(t Task, packed *parts.Found) (*Outcome, error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	want := 0
	if t.Request.Nodes {
		want += t.Snapshot.Graph.N()
	}
	if t.Request.Edges {
		want += t.Snapshot.Graph.M()
	}
	p, told := packed.Partial, packed.Told
	if len(p.Alone) != want {
		return nil, fmt.Errorf("%d scores, not %d", len(p.Alone), want)
	}
	out := &Outcome{Device: packed.By.Device, Strategy: packed.By.Strategy, Reason: told.Reason, Scores: &kernels.Scores{
		Totals: p.Totals, Single: packed.By.Single, Ties: told.Ties, Reduction: told.Reduction,
	}}
	out.take(t, p.Alone)
	return out, checkOfDevice(m, t, out.Scores)
}
