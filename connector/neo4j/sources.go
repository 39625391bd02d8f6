package neo4j

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Sources returns the nodes that a selection of sources means, with the values of its property. ids are those of the graph; of other nodes
// it counts how many there are.
func (db *DB) Sources(
	ctx context.Context, ids export.IDs, p connector.Projection, s connector.Sources,
) (found []connector.SourceNode, outside int, err error) {
	labels := ":" + quote(s.Label)
	if s.Label == "" {
		if labels = labelsOf(p); p.NodeQuery != "" {
			labels = notOurs()
		}
	}
	cypher, parameters := "MATCH (x"+labels+")", map[string]any{}
	value := "null"
	if s.Property != "" {
		value = "x." + quote(s.Property)
		cypher += " WHERE " + value + " IS NOT NULL"
	}
	if s.Values != nil {
		cypher += " AND " + value + " IN $values"
		parameters["values"] = s.Values
	}
	rows, err := db.query(ctx, "export", cypher+" RETURN "+db.id("x")+", "+value, parameters)
	if err != nil {
		return nil, 0, err
	}
	place := placeOf(ids)
	for _, row := range rows {
		if v, ok := place(row[0]); ok {
			found = append(found, connector.SourceNode{Node: v, Value: row[1]})
		} else {
			outside++
		}
	}
	slices.SortFunc(found, func(a, b connector.SourceNode) int { return int(a.Node) - int(b.Node) })
	return found, outside, nil
}

// placeOf returns what finds the index of a node by its id.
func placeOf(ids export.IDs) func(id any) (int32, bool) {
	at := make(map[any]int32, ids.Len())
	for v, id := range ids.Ints {
		at[id] = int32(v)
	}
	for v, id := range ids.Texts {
		at[id] = int32(v)
	}
	return func(id any) (int32, bool) {
		v, ok := at[id]
		return v, ok
	}
}
