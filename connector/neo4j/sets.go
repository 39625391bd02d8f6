package neo4j

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// SelectNodes returns the ids of the nodes of a set, each once.
func (db *DB) SelectNodes(ctx context.Context, s connector.NodeSet) (export.IDs, error) {
	ctx, err := db.pin(ctx)
	if err != nil {
		return export.IDs{}, err
	}
	if s.Query != "" {
		r := &reader{db: db, projection: connector.Projection{NodeQuery: s.Query}, queryKey: s.Key + ".query"}
		ids, err := r.queryNodes(ctx)
		return distinct(ids, export.IDs{}), err
	}
	p := connector.Projection{Labels: s.Labels, Where: s.Where}
	if _, err := db.checkNames(ctx, p); err != nil {
		return export.IDs{}, err
	}
	if err := db.checkPropertyNames(ctx, p); err != nil {
		return export.IDs{}, err
	}
	f, err := filterOf("x", s.Where)
	if err != nil {
		return export.IDs{}, err
	}
	ids, err := db.collect(ctx, "export", false, "MATCH (x"+labelsOf(p)+")"+f.where()+
		" WITH toInteger(rand() * $records) AS g, "+db.id("x")+" AS id WITH g, collect(id) AS ids RETURN ids",
		f.with(map[string]any{"records": pageSize / recordSize}))
	return distinct(ids, export.IDs{}), err
}

// NodeNumbers returns the number that each node has as a property, in the order of their ids; NaN for a node without
// it. A value that is not a number is an error of kind BadData.
func (db *DB) NodeNumbers(ctx context.Context, ids export.IDs, property string) ([]float64, error) {
	out := make([]float64, ids.Len())
	cypher := "UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE " + db.id("n") + " = $ids[i] RETURN i, n." +
		quote(property)
	for i := range out {
		out[i] = math.NaN()
	}
	for low := 0; low < len(out); low += recordSize {
		some := part(ids, low, min(low+recordSize, ids.Len()))
		rows, err := db.query(ctx, "export", cypher, map[string]any{"ids": parameter(some)})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			i, _ := row[0].(int64)
			if out[low+int(i)], err = numberOf(row[1]); err != nil {
				return nil, &connector.Error{
					Kind: connector.BadData, Msg: fmt.Sprintf("node %s: %s is %s, not a number", ids.String(low+int(i)), property,
						describe(row[1])),
				}
			}
		}
	}
	return out, nil
}

// numberOf is the number of a property; NaN for none.
func numberOf(value any) (float64, error) {
	switch x := value.(type) {
	case nil:
		return math.NaN(), nil
	case int64:
		return float64(x), nil
	case float64:
		return x, nil
	}
	return 0, fmt.Errorf("not a number: %v", value)
}
