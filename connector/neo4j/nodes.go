package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
)

// readNodes collects the ids of the graph's nodes and closes their list.
func (r *reader) readNodes(ctx context.Context) error {
	if r.projection.NodeQuery != "" {
		ids, err := r.queryNodes(ctx)
		if err != nil {
			return err
		}
		r.addNodes(ids)
	}
	for i, part := range selections(r.projection) {
		met := r.nodes.Len()
		if err := r.scanNodes(ctx, "(x"+part.labels+")", r.before.nodes[i]); err != nil {
			return err
		}
		if len(r.projection.Where) > 0 {
			continue
		}
		r.expect(part.what, int64(r.nodes.Len()-met), r.before.nodes[i])
	}
	own, err := r.ownNodes(ctx)
	if err != nil {
		return err
	}
	r.nodes = distinct(r.nodes, own)
	if r.projection.Key != "" {
		if err := r.readKeys(ctx); err != nil {
			return err
		}
	}
	if r.db.server.IntegerIDs {
		r.builder.AddNodes(slices.Clone(r.nodes.Ints))
	} else {
		r.builder.AddNodeTexts(slices.Clone(r.nodes.Texts))
	}
	return r.freeze(ctx)
}

func (r *reader) addNodes(ids export.IDs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nodes.Ints, r.nodes.Texts = append(r.nodes.Ints, ids.Ints...), append(r.nodes.Texts, ids.Texts...)
}

// scanNodes reads all nodes of a pattern: by ranges of ids, or page by page where those are sparse or texts.
func (r *reader) scanNodes(ctx context.Context, pattern string, count int64) error {
	f, err := filterOf("x", r.projection.Where)
	if err != nil {
		return err
	}
	if r.db.server.IntegerIDs && count > pageSize {
		e, err := r.db.extent(ctx, pattern, count)
		if err != nil {
			return err
		}
		if e.dense() {
			cypher := "UNWIND range($low, $high - 1, $step) AS b CALL { WITH b MATCH " + pattern +
				" WHERE id(x) IN range(b, b + $step - 1)" + f.text + " RETURN collect(id(x)) AS ids } RETURN ids"
			return r.db.spans(ctx, e, func(ctx context.Context, low, high int64) error {
				return r.collectNodes(ctx, false, cypher, f.with(map[string]any{"low": low, "high": high, "step": recordSize}))
			})
		}
	}
	cypher := "MATCH " + pattern + f.where() + " WITH x ORDER BY x SKIP $skip LIMIT $limit " +
		"WITH toInteger(rand() * $records) AS g, " +
		r.db.id("x") + " AS id WITH g, collect(id) AS ids RETURN ids"
	return r.db.pages(ctx, count, func(ctx context.Context, skip, limit int64) error {
		return r.collectNodes(ctx, limit > leastBatch, cypher,
			f.with(map[string]any{"skip": skip, "limit": limit, "records": min(count, limit)/recordSize + 1}))
	})
}

// collectNodes runs a statement that returns lists of ids, and adds them to the graph's.
func (r *reader) collectNodes(ctx context.Context, splits bool, cypher string, parameters map[string]any) error {
	ids, err := r.db.collect(ctx, "export", splits, cypher, parameters)
	r.addNodes(ids)
	return err
}

// collect runs a statement that returns lists of ids.
func (db *DB) collect(ctx context.Context, step string, splits bool, cypher string,
	parameters map[string]any) (export.IDs, error) {
	var ids export.IDs
	err := db.transact(ctx, work{step: step, bulk: true, splits: splits, do: func(ctx context.Context, t tx) error {
		ids = export.IDs{}
		return t.rows(ctx, cypher, parameters, func(row []any) { appendIDs(&ids, row[0]) })
	}})
	return ids, err
}

// ownNodes returns the ids of linchpin's own nodes.
func (r *reader) ownNodes(ctx context.Context) (export.IDs, error) {
	var own export.IDs
	rows, err := r.db.query(ctx, "export", fmt.Sprintf("MATCH (x) WHERE x:%s RETURN collect(%s)",
		strings.Join(ownLabels(), " OR x:"), r.db.id("x")), nil)
	if err == nil && len(rows) == 1 {
		appendIDs(&own, rows[0][0])
	}
	return own, err
}
