package neo4j

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Describe returns a row for each id: the labels of a node, sorted and separated by semicolons, or the type of a
// relationship; then the details. Values are nil, bool, int64, float64 or string: dates, points, lists and the like
// become text. The row of an entity that is gone is nil.
func (db *DB) Describe(
	ctx context.Context, on connector.Entity, ids export.IDs, details []connector.Detail,
) ([][]any, error) {
	pattern, first := "(x)", "labels(x)"
	if on == connector.OnRelationships {
		pattern, first = "(a)-[x]->(b)", "type(x)"
	}
	values := []string{"i", first}
	for _, d := range details {
		values = append(values, db.detail(d))
	}
	cypher := "UNWIND range(0, size($ids) - 1) AS i MATCH " + pattern + " WHERE " + db.id("x") + " = $ids[i] " +
		"RETURN collect([" + strings.Join(values, ", ") + "])"
	out := make([][]any, ids.Len())
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(db.options.Connections)
	for low := 0; low < ids.Len() && ctx.Err() == nil; low += recordSize {
		high := min(low+recordSize, ids.Len())
		g.Go(func() error { return db.describe(ctx, cypher, part(ids, low, high), details, out[low:high]) })
	}
	return out, g.Wait()
}

// detail is the expression of a detail in the statement of Describe.
func (db *DB) detail(d connector.Detail) string {
	of := map[string]string{"": "x", connector.SourceEnd: "a", connector.TargetEnd: "b"}[d.End]
	switch {
	case d.ID:
		return db.id(of)
	case d.Name:
		var values []string
		for _, p := range captionsWith(d.Property) {
			values = append(values, of+"."+quote(p))
		}
		return "[" + strings.Join(values, ", ") + "]"
	}
	return of + "." + quote(d.Property)
}

// describe fills in the rows of some ids.
func (db *DB) describe(
	ctx context.Context, cypher string, ids export.IDs, details []connector.Detail, out [][]any,
) error {
	return db.transact(ctx, work{step: "output", bulk: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, cypher, map[string]any{"ids": parameter(ids)}, func(row []any) {
			for _, entity := range list(row[0]) {
				values := list(entity)
				i, _ := values[0].(int64)
				out[i] = plainRow(values[1:], details)
			}
		})
	}})
}

// plainRow makes plain values of what the server returned, the labels or the type first.
func plainRow(values []any, details []connector.Detail) []any {
	out := make([]any, len(values))
	for i, v := range values {
		if i == 0 || !details[i-1].Name {
			out[i] = plain(v)
		} else if name := firstName(list(v)); name != "" {
			out[i] = name
		}
	}
	if labels, ok := values[0].([]any); ok {
		var names []string
		for _, label := range labels {
			names = append(names, fmt.Sprint(label))
		}
		slices.Sort(names)
		out[0] = strings.Join(names, ";")
	}
	return out
}

// plain returns a value as nil, bool, int64, float64 or string.
func plain(value any) any {
	switch x := value.(type) {
	case nil, bool, int64, float64, string:
		return x
	case time.Time:
		return x.Format(time.RFC3339Nano)
	case []any:
		for i := range x {
			x[i] = plain(x[i])
		}
		if text, err := json.Marshal(x); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}
