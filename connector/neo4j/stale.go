package neo4j

import (
	"context"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// clearStale removes the job's scores, in the columns of one kind of entity, from entities that this run has not
// written. It looks on the labels and types that the job has ever written on; under AB and Stamp, unless other jobs
// share the property, on all nodes: one that lost its label for a while must not come back with a score of an earlier
// run. It compares ids, not how many there are: as many may have been deleted during the write as had left the graph
// before it.
func (w *writer) clearStale(ctx context.Context, columns []connector.Column, written export.IDs,
	owners map[string]Owner) error {
	byPattern := map[string][]amendment{}
	for _, c := range columns {
		a := removal(w.written(c.Property)...)
		a.owner = w.widened(owners[ownerKey(c.On, c.Property)])
		pattern := a.owner.carriers()
		byPattern[pattern] = append(byPattern[pattern], a)
	}
	for pattern, removals := range byPattern {
		var any []string
		for _, a := range removals {
			any = append(any, a.condition)
		}
		carriers, err := w.db.find(ctx, pattern, strings.Join(any, " OR "))
		if err != nil {
			return err
		}
		stale := distinct(carriers, written)
		for _, a := range removals {
			cleared, err := w.amend(ctx, a, stale)
			w.count(connector.WriteStats{Cleared: cleared})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// without returns the ids but those of some places, sorted.
func without(ids export.IDs, places []int32) export.IDs {
	if len(places) > 0 {
		return distinct(part(ids, 0, ids.Len()), pick(ids, places))
	}
	if slices.IsSorted(ids.Ints) && slices.IsSorted(ids.Texts) { // as nodes are, which may lie in read-only memory
		return ids
	}
	return distinct(part(ids, 0, ids.Len()), export.IDs{})
}

// widened returns the owner with all nodes where AB or Stamp may have left a score: one that lost its label for a while
// must not come back with an old one. Where other jobs share the property it may be theirs, and the owner keeps to its
// labels.
func (w *writer) widened(o Owner) Owner {
	if len(o.others) == 0 && (o.Mode != connector.InPlace || modeOf(w.options) != connector.InPlace) {
		o.Everywhere = true
	}
	return o
}

// written are the properties that the writer sets for a score.
func (w *writer) written(property string) []string {
	if run := modeOf(w.options).RunProperty(property); run != "" {
		return []string{property, run}
	}
	return []string{property}
}
