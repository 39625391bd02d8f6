package neo4j

import (
	"context"
	"fmt"
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// find collects the ids of the entities x of a pattern that meet a condition.
func (db *DB) find(ctx context.Context, pattern, condition string) (export.IDs, error) {
	all, err := db.count(ctx, "write", "MATCH "+pattern+" RETURN count(x)", nil)
	if err != nil {
		return export.IDs{}, err
	}
	var mu sync.Mutex
	var found export.IDs
	cypher := fmt.Sprintf("MATCH %s WITH x ORDER BY x SKIP $skip LIMIT $limit WITH x WHERE %s "+
		"WITH toInteger(rand() * $records) AS g, %s AS id WITH g, collect(id) AS ids RETURN ids", pattern, condition, db.id("x"))
	err = db.pages(ctx, all, func(ctx context.Context, skip, limit int64) error {
		met, err := db.collect(ctx, "write", limit > leastBatch, cypher, map[string]any{"skip": skip, "limit": limit, "records": min(all, limit)/recordSize + 1})
		mu.Lock()
		defer mu.Unlock()
		found.Ints, found.Texts = append(found.Ints, met.Ints...), append(found.Texts, met.Texts...)
		return err
	})
	return found, err
}

// amendment changes properties of entities x that meet a condition.
type amendment struct {
	on             connector.Entity
	condition, set string
}

// amend makes the change on the entities of the ids, in batches that check the lease, and counts those changed.
func (w *writer) amend(ctx context.Context, a amendment, ids export.IDs) (int64, error) {
	total := int64(0)
	for low := 0; low < ids.Len(); low += usualBatch {
		n, err := w.amendPart(ctx, a, part(ids, low, min(low+usualBatch, ids.Len())))
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}

func (w *writer) amendPart(ctx context.Context, a amendment, ids export.IDs) (int64, error) {
	pattern := "(x)"
	if a.on == connector.OnRelationships {
		pattern = "()-[x]->()"
	}
	cypher := fmt.Sprintf("UNWIND $ids AS i MATCH %s WHERE %s = i AND (%s) SET %s RETURN count(*)", pattern, w.db.id("x"), a.condition, a.set)
	changed := int64(0)
	err := w.db.change(ctx, a.on, work{step: "write", writes: true, splits: ids.Len() > leastBatch, do: func(ctx context.Context, t tx) error {
		if err := t.rows(ctx, cypher, map[string]any{"ids": parameter(ids)}, func(row []any) { changed, _ = row[0].(int64) }); err != nil {
			return err
		}
		return t.fence(ctx, w.options)
	}})
	if outOfMemory(err) && ids.Len() > leastBatch {
		half := ids.Len() / 2
		first, err := w.amendPart(ctx, a, part(ids, 0, half))
		if err != nil {
			return first, err
		}
		second, err := w.amendPart(ctx, a, part(ids, half, ids.Len()))
		return first + second, err
	}
	return changed, err
}

// sweep amends wherever the job may have written a property.
func (w *writer) sweep(ctx context.Context, o Owner, a amendment) (int64, error) {
	a.on = o.On
	ids, err := w.db.find(ctx, w.carriers(o), a.condition)
	if err != nil {
		return 0, err
	}
	return w.amend(ctx, a, distinct(ids, export.IDs{}))
}

// removal takes properties away.
func removal(properties ...string) amendment {
	var a amendment
	for i, p := range properties {
		if i > 0 {
			a.condition, a.set = a.condition+" OR ", a.set+", "
		}
		a.condition += "x." + quote(p) + " IS NOT NULL"
		a.set += "x." + quote(p) + " = null"
	}
	return a
}
