package neo4j

import (
	"context"
	"fmt"
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// find collects the ids of the entities x of a pattern that meet a condition. What others delete or create meanwhile
// makes it miss none of the rest.
func (db *DB) find(ctx context.Context, pattern, condition string) (export.IDs, error) {
	all, err := db.count(ctx, "write", "MATCH "+pattern+" RETURN count(x)", nil)
	if err != nil || all == 0 {
		return export.IDs{}, err
	}
	if db.server.IntegerIDs && all > pageSize {
		return db.findInRanges(ctx, pattern, condition, all)
	}
	return db.findInClasses(ctx, pattern, condition, all/pageSize+1)
}

// findInRanges is find by ranges of ids, where these lie close enough to each other.
func (db *DB) findInRanges(ctx context.Context, pattern, condition string, all int64) (export.IDs, error) {
	e, err := db.extent(ctx, pattern, all)
	if err != nil {
		return export.IDs{}, err
	}
	if !e.dense() {
		return db.findInClasses(ctx, pattern, condition, all/pageSize+1)
	}
	var found gatheredIDs
	cypher := fmt.Sprintf("UNWIND range($low, $high - 1, $step) AS b CALL { WITH b MATCH %s "+
		"WHERE id(x) IN range(b, b + $step - 1) AND (%s) "+
		"RETURN collect(id(x)) AS ids } RETURN ids", pattern, condition)
	err = db.spans(ctx, e, func(ctx context.Context, low, high int64) error {
		return found.add(db.collect(ctx, "write", false, cypher,
			map[string]any{"low": low, "high": high, "step": recordSize}))
	})
	return found.ids, err
}

// findInClasses is find by scans, each of which takes the ids of one class: those with the same rest of a division.
func (db *DB) findInClasses(ctx context.Context, pattern, condition string, classes int64) (export.IDs, error) {
	var found gatheredIDs
	cypher := fmt.Sprintf("MATCH %s WHERE %s %% $classes = $class AND (%s) "+
		"WITH toInteger(rand() * $records) AS g, %s AS id "+
		"WITH g, collect(id) AS ids RETURN ids", pattern, db.number("x"), condition, db.id("x"))
	err := db.classes(ctx, classes, func(ctx context.Context, class, classes int64) error {
		return found.add(db.collect(ctx, "write", classes < mostClasses, cypher,
			map[string]any{"class": class, "classes": classes, "records": pageSize / recordSize}))
	})
	return found.ids, err
}

// gatheredIDs takes ids from several goroutines.
type gatheredIDs struct {
	mu  sync.Mutex
	ids export.IDs
}

func (g *gatheredIDs) add(ids export.IDs, err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ids.Ints, g.ids.Texts = append(g.ids.Ints, ids.Ints...), append(g.ids.Texts, ids.Texts...)
	return err
}

// amendment changes properties that a job owns, of entities x that meet a condition.
type amendment struct {
	owner          Owner
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
	if a.owner.On == connector.OnRelationships {
		pattern = "()-[x]->()"
	}
	cypher := fmt.Sprintf("UNWIND $ids AS i MATCH %s WHERE %s = i AND (%s) SET %s RETURN count(*)", pattern, w.db.id("x"),
		a.condition, a.set)
	changed := int64(0)
	err := w.db.change(ctx, a.owner.On, work{step: "write", writes: true, splits: ids.Len() > leastBatch,
		do: func(ctx context.Context, t tx) error {
			if err := t.rows(ctx, cypher, map[string]any{"ids": parameter(ids)},
				func(row []any) { changed, _ = row[0].(int64) }); err != nil {
				return err
			}
			if err := t.keepsAlone(ctx, a.owner); err != nil {
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

// keepsAlone fails when another job has begun to share a property that is amended on all nodes: some of them may be its
// own. It comes after the change, whose locks keep the other job from writing there before the transaction ends.
func (t tx) keepsAlone(ctx context.Context, o Owner) error {
	if o.On != connector.OnNodes || !o.Everywhere {
		return nil
	}
	owners, err := t.owners(ctx)
	if err != nil {
		return err
	}
	for _, x := range o.sharing(owners) {
		return &connector.Error{Kind: connector.Changed, Hint: "run it again",
			Msg: fmt.Sprintf("the job %s has begun to write property %s of nodes meanwhile", x.Job, x.Property)}
	}
	return nil
}

// sweep amends wherever the job may have written a property.
func (w *writer) sweep(ctx context.Context, o Owner, a amendment) (int64, error) {
	a.owner = w.widened(o)
	ids, err := w.db.find(ctx, a.owner.carriers(), a.condition)
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
