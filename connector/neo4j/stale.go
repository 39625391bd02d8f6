package neo4j

import (
	"context"
	"fmt"
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// clearStale removes the job's scores from entities that are not in the snapshot: they lost their label, or their
// relationship to the graph. It looks where the job has ever written, and nowhere else.
func (w *writer) clearStale(ctx context.Context, b *batch, owners map[string]Owner) error {
	for _, c := range b.columns {
		pattern := owners[ownerKey(c.On, c.Property)].carriers()
		none, err := w.noneStale(ctx, b, c, pattern)
		if err != nil {
			return err
		}
		if none {
			continue
		}
		stale, err := w.findStale(ctx, b, c, pattern)
		if err != nil {
			return err
		}
		for low := 0; low < stale.Len(); low += nodeBatch {
			if err := w.clear(ctx, c, part(stale, low, min(low+nodeBatch, stale.Len()))); err != nil {
				return err
			}
		}
	}
	return nil
}

// noneStale counts what carries the property: as many as were just written are all current. That is a scan on the
// server, without sending any ids.
func (w *writer) noneStale(ctx context.Context, b *batch, c connector.Column, pattern string) (bool, error) {
	if hasNaN(c.Values) {
		return false, nil
	}
	n, err := w.db.count(ctx, "write", fmt.Sprintf("MATCH %s WHERE x.%s IS NOT NULL RETURN count(x)", pattern, quote(c.Property)), nil)
	return n == b.matched, err
}

// findStale collects the ids of what carries the property and is not in the snapshot.
func (w *writer) findStale(ctx context.Context, b *batch, c connector.Column, pattern string) (export.IDs, error) {
	all, err := w.db.count(ctx, "write", "MATCH "+pattern+" RETURN count(x)", nil)
	if err != nil {
		return export.IDs{}, err
	}
	var mu sync.Mutex
	var carriers export.IDs
	cypher := fmt.Sprintf("MATCH %s WITH x ORDER BY x SKIP $skip LIMIT $limit WITH x WHERE x.%s IS NOT NULL "+
		"WITH toInteger(rand() * $records) AS g, %s AS id WITH g, collect(id) AS ids RETURN ids", pattern, quote(c.Property), w.db.id("x"))
	err = w.db.pages(ctx, all, func(ctx context.Context, skip, limit int64) error {
		met, err := w.db.collect(ctx, "write", limit > leastBatch, cypher, map[string]any{"skip": skip, "limit": limit, "records": min(all, limit)/recordSize + 1})
		mu.Lock()
		defer mu.Unlock()
		carriers.Ints, carriers.Texts = append(carriers.Ints, met.Ints...), append(carriers.Texts, met.Texts...)
		return err
	})
	return distinct(carriers, b.sortedIDs()), err
}

func (b *batch) sortedIDs() export.IDs {
	if b.order == nil {
		return b.ids
	}
	return pick(b.ids, b.order)
}

// clear removes one score from the given entities.
func (w *writer) clear(ctx context.Context, c connector.Column, ids export.IDs) error {
	pattern := "(x)"
	if c.On == connector.OnRelationships {
		pattern = "()-[x]->()"
	}
	cypher := fmt.Sprintf("UNWIND $ids AS i MATCH %s WHERE %s = i AND x.%[3]s IS NOT NULL SET x.%[3]s = null RETURN count(*)", pattern, w.db.id("x"), quote(c.Property))
	cleared := int64(0)
	err := w.db.change(ctx, c.On, work{step: "write", writes: true, splits: ids.Len() > leastBatch, do: func(ctx context.Context, t tx) error {
		if err := t.rows(ctx, cypher, map[string]any{"ids": parameter(ids)}, func(row []any) { cleared, _ = row[0].(int64) }); err != nil {
			return err
		}
		return t.fence(ctx, w.options)
	}})
	if outOfMemory(err) && ids.Len() > leastBatch {
		half := ids.Len() / 2
		if err := w.clear(ctx, c, part(ids, 0, half)); err != nil {
			return err
		}
		return w.clear(ctx, c, part(ids, half, ids.Len()))
	}
	if err == nil {
		w.count(connector.WriteStats{Cleared: cleared})
	}
	return err
}
