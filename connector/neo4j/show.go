package neo4j

import (
	"context"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
)

// ShowNodes returns the Cypher that returns the nodes with these ids.
func (db *DB) ShowNodes(ctx context.Context, ids export.IDs) string {
	if ids.Ints != nil {
		rows, err := db.query(ctx, "compute", "MATCH (n) WHERE id(n) IN $ids RETURN elementId(n)",
			map[string]any{"ids": ids.Ints})
		if err != nil || len(rows) < ids.Len() {
			return "MATCH (n) WHERE id(n) IN " + listText(ids) + " RETURN n"
		}
		ids = export.IDs{}
		for _, row := range rows {
			id, _ := row[0].(string)
			ids.Texts = append(ids.Texts, id)
		}
	}
	return "MATCH (n) WHERE elementId(n) IN " + listText(ids) + " RETURN n"
}

// listText is a list of ids as Cypher writes it.
func listText(ids export.IDs) string {
	items := make([]string, ids.Len())
	for i := range items {
		if items[i] = ids.String(i); ids.Texts != nil {
			items[i] = strconv.Quote(items[i])
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}
