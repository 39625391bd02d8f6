package neo4j

import (
	"context"

	"github.com/linchpin-graph/linchpin/connector"
)

// Scores reads every score that a property of a projection's nodes or relationships has.
func (db *DB) Scores(
	ctx context.Context, p connector.Projection, on connector.Entity, property string,
) (*connector.Scores, error) {
	cypher, add := db.scoresOfNodes(p, property), addNodeScore
	if on == connector.OnRelationships {
		cypher, add = db.scoresOfRelationships(p, property), addRelationshipScore
	}
	out := &connector.Scores{}
	err := db.transact(ctx, work{step: "scores", do: func(ctx context.Context, t tx) error {
		*out = connector.Scores{On: on, Property: property}
		return t.rows(ctx, cypher, nil, func(row []any) { add(out, row) })
	}})
	return out, err
}

func addNodeScore(s *connector.Scores, row []any) {
	score, _ := row[0].(float64)
	s.Values = append(s.Values, score)
	appendID(&s.IDs, row[1])
}

func addRelationshipScore(s *connector.Scores, row []any) {
	addNodeScore(s, row)
	appendID(&s.Source, row[2])
	appendID(&s.Target, row[3])
}

// numbered keeps what is a number: NaN is not equal to itself.
func numbered(score string) string {
	return " WHERE " + score + " IS NOT NULL AND " + score + " = " + score + " RETURN toFloat(" + score + "), "
}

func (db *DB) scoresOfNodes(p connector.Projection, property string) string {
	labels := notOurs()
	if len(p.Labels) > 0 {
		labels = labelsOf(p)
	}
	return "MATCH (n" + labels + ")" + numbered("n."+quote(property)) + db.id("n")
}

func (db *DB) scoresOfRelationships(p connector.Projection, property string) string {
	types := make([]string, len(p.Relationships))
	for i, r := range p.Relationships {
		types[i] = r.Type
	}
	return "MATCH (a)-[r:" + quoteAll(types) + "]->(b)" + numbered("r."+quote(property)) + db.id("r") + ", " + db.id("a") +
		", " + db.id("b")
}
