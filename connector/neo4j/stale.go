package neo4j

import (
	"context"

	"github.com/linchpin-graph/linchpin/connector"
)

// clearStale removes the job's scores from entities that are not in the snapshot any more. It looks on the labels and
// types that the job has ever written on; under AB and Stamp on all nodes, because one that lost its label for a while
// must not come back with a score of an earlier run.
func (w *writer) clearStale(ctx context.Context, b *batch, owners map[string]Owner) error {
	for _, c := range b.columns {
		pattern, a := w.carriers(owners[ownerKey(c.On, c.Property)]), removal(w.written(c.Property)...)
		a.on = c.On
		none, err := w.noneStale(ctx, b, c, pattern, a.condition)
		if err != nil {
			return err
		}
		if none {
			continue
		}
		carriers, err := w.db.find(ctx, pattern, a.condition)
		if err != nil {
			return err
		}
		cleared, err := w.amend(ctx, a, distinct(carriers, b.allIDs()))
		w.count(connector.WriteStats{Cleared: cleared})
		if err != nil {
			return err
		}
	}
	return nil
}

// carriers is the pattern that meets every entity where a score of the job may be.
func (w *writer) carriers(o Owner) string {
	if modeOf(w.options) != connector.InPlace {
		o.Everywhere = true
	}
	return o.everywhere().carriers()
}

// written are the properties that the writer sets for a score.
func (w *writer) written(property string) []string {
	if run := modeOf(w.options).RunProperty(property); run != "" {
		return []string{property, run}
	}
	return []string{property}
}

// noneStale counts what carries the score: as many as were just written are all current. That is a scan on the server,
// without sending any ids.
func (w *writer) noneStale(ctx context.Context, b *batch, c connector.Column, pattern, carries string) (bool, error) {
	if hasNaN(c.Values) && modeOf(w.options) != connector.Stamp {
		return false, nil
	}
	n, err := w.db.count(ctx, "write", "MATCH "+pattern+" WHERE "+carries+" RETURN count(x)", nil)
	return n == b.matched, err
}
