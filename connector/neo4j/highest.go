package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Highest returns the n entities of a projection that have the highest values of a property, the highest first, with
// the names of nodes. The server takes them from an index if there is one. Otherwise it passes over the nodes of the
// labels, or the relationships of the types, and keeps n.
func (db *DB) Highest(ctx context.Context, p connector.Projection, on connector.Entity, property string,
	n int) ([]connector.Ranked, error) {
	cypher := db.highestNodes(p, property)
	if on == connector.OnRelationships {
		cypher = db.highestRelationships(p, property)
	}
	rows, err := db.query(ctx, "highest", cypher, map[string]any{"n": n})
	if err != nil {
		return nil, err
	}
	var nodes export.IDs // of each entity, or of the two ends of each
	out := make([]connector.Ranked, len(rows))
	for i, row := range rows {
		out[i].Score, _ = row[0].(float64)
		out[i].ID = fmt.Sprint(row[1])
		for _, id := range row[2:] {
			nodes = withID(nodes, id)
		}
	}
	names, err := db.NodeNames(ctx, nodes, p.Caption)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if on == connector.OnNodes {
			out[i].Name = names[i]
			continue
		}
		out[i].Source, out[i].Target = nameOrID(names, nodes, 2*i), nameOrID(names, nodes, 2*i+1)
	}
	return out, nil
}

// highestFinite keeps the highest finite values: records leave out others, such as the logarithm of 0, too. Of equal
// scores the lower id comes first, so that the same scores give the same list.
func highestFinite(score, id string) string {
	return " WHERE " + score + " IS NOT NULL AND abs(" + score + ") < 1.0e308 WITH *, toFloat(" + score +
		") AS score ORDER BY score DESC, " + id + " LIMIT $n RETURN score, "
}

// Groups counts the groups of a projection's entities whose numbers are in a property, and returns the n largest.
func (db *DB) Groups(
	ctx context.Context, p connector.Projection, on connector.Entity, property string, n int,
) (*connector.Groups, error) {
	match, number := matchNodes(p), "n."+quote(property)
	if on == connector.OnRelationships {
		match, number = matchRelationships(p), "r."+quote(property)
	}
	match += " WHERE " + number + " IS NOT NULL "
	total, err := db.query(ctx, "groups", match+"RETURN count(DISTINCT "+number+")", nil)
	if err != nil {
		return nil, err
	}
	rows, err := db.query(ctx, "groups",
		match+"WITH toInteger("+number+") AS number, count(*) AS size ORDER BY size DESC, number LIMIT $n "+
			"RETURN number, size", map[string]any{"n": n})
	if err != nil {
		return nil, err
	}
	out := &connector.Groups{Largest: make([]connector.Group, len(rows))}
	out.Count, _ = total[0][0].(int64)
	for i, row := range rows {
		out.Largest[i].Number, _ = row[0].(int64)
		out.Largest[i].Size, _ = row[1].(int64)
	}
	return out, nil
}

func (db *DB) highestNodes(p connector.Projection, property string) string {
	return matchNodes(p) + highestFinite("n."+quote(property), db.id("n")) + db.id("n") + " AS id, " +
		db.id("n") + " AS node"
}

func (db *DB) highestRelationships(p connector.Projection, property string) string {
	return matchRelationships(p) + highestFinite("r."+quote(property), db.id("r")) + db.id("r") +
		", " + db.id("a") + ", " + db.id("b")
}

// matchNodes matches the nodes of a projection as n, and matchRelationships its relationships as r, from a to b.
func matchNodes(p connector.Projection) string {
	labels := notOurs()
	if len(p.Labels) > 0 {
		labels = labelsOf(p)
	}
	return "MATCH (n" + labels + ")"
}

func matchRelationships(p connector.Projection) string {
	types := make([]string, len(p.Relationships))
	for i, r := range p.Relationships {
		types[i] = r.Type
	}
	return "MATCH (a)-[r:" + quoteAll(types) + "]->(b)"
}

func withID(ids export.IDs, id any) export.IDs {
	switch x := id.(type) {
	case int64:
		ids.Ints = append(ids.Ints, x)
	case string:
		ids.Texts = append(ids.Texts, x)
	}
	return ids
}

func nameOrID(names []string, ids export.IDs, i int) string {
	if names[i] != "" {
		return names[i]
	}
	return ids.String(i)
}
