package neo4j

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// NodeNames returns what people may call the nodes: the first of their properties name, title, label, code and key that
// is a text; "" where there is none.
func (db *DB) NodeNames(ctx context.Context, ids export.IDs) ([]string, error) {
	var parameter any = ids.Ints
	if ids.Texts != nil {
		parameter = ids.Texts
	}
	out := make([]string, ids.Len())
	rows, err := db.query(ctx, "names", "UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE "+db.id("n")+" = $ids[i] "+
		"RETURN i, [x IN [n.name, n.title, n.label, n.code, n.key] WHERE x IS :: STRING][0]", map[string]any{"ids": parameter})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		i, _ := row[0].(int64)
		out[i], _ = row[1].(string)
	}
	return out, nil
}
