package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// How much an estimate looks at, so that it stays quick however large the database is.
const (
	// smallGraph is the number of nodes and relationships up to which an estimate reads the whole graph.
	smallGraph = 500_000
	// lookAtMost is the number of nodes, and of relationships of each type, that it looks at in a larger graph.
	lookAtMost = 200_000
)

// look counts in the first nodes and relationships that the server finds, extrapolates, and tries their weights. It is
// for graphs that are too large to read for an estimate, of nodes that labels select.
func (db *DB) look(ctx context.Context, p connector.Projection, e *connector.Estimate) error {
	c, err := chosenBy(p)
	if err != nil {
		return err
	}
	bounds := e.Each
	e.Relationships, e.Each, e.Exact = 0, nil, true
	if err := db.lookAtNodes(ctx, p, c, e); err != nil {
		return err
	}
	weights := &reader{db: db, projection: p, looking: true}
	weights.begin(groupsOf(p))
	for i, r := range p.Relationships {
		f, err := filterOf("r", r.Where)
		if err != nil {
			return err
		}
		n, err := db.lookAtRelationships(ctx, c, f, r.Type, bounds[i], e)
		if err != nil {
			return err
		}
		e.Relationships += n
		e.Each = append(e.Each, n)
		if r.Weight != "" {
			if err := weights.look(ctx, i, c, f); err != nil {
				return err
			}
		}
	}
	return weights.badWeights()
}

// chosen is how a statement tells that nodes are of the graph: a's labels, and conditions on a and b with " AND "
// before each.
type chosen struct {
	labels string
	a, b   filter
}

func chosenBy(p connector.Projection) (chosen, error) {
	a, err := filterOf("a", p.Where)
	if err != nil {
		return chosen{}, err
	}
	b, err := filterOf("b", p.Where)
	labels := labelsOf(p)
	b.text = " AND b" + labels + b.text
	return chosen{labels, a, b}, err
}

// limited has the values of the filters and of a limit.
func limited(limit int64, filters ...filter) map[string]any {
	parameters := map[string]any{"limit": limit}
	for _, f := range filters {
		parameters = f.with(parameters)
	}
	return parameters
}

// share is how many of what was met fit.
type share struct{ met, fit int64 }

// of extrapolates to all that there are.
func (s share) of(all int64) int64 {
	return int64(float64(all) * float64(s.fit) / float64(max(s.met, 1)))
}

// lookAt counts how many of the first rows of a statement fit a condition, which begins with " AND ".
func (db *DB) lookAt(ctx context.Context, match, condition string, parameters map[string]any) (share, error) {
	rows, err := db.query(ctx, "estimate", match+" LIMIT $limit RETURN count(*), count(CASE WHEN true"+condition+
		" THEN 1 END)", parameters)
	if err != nil || len(rows) != 1 {
		return share{}, err
	}
	met, _ := rows[0][0].(int64)
	fit, _ := rows[0][1].(int64)
	return share{met, fit}, nil
}

// lookAtNodes corrects the number of nodes, which counts those with several labels twice and takes no notice of where.
func (db *DB) lookAtNodes(ctx context.Context, p connector.Projection, c chosen, e *connector.Estimate) error {
	if len(p.Where) == 0 && len(selections(p)) == 1 {
		return nil
	}
	s, err := db.lookAt(ctx, "MATCH (a"+c.labels+") WITH a", c.a.text, limited(db.lookAtMost, c.a))
	switch {
	case err != nil:
		return err
	case s.met < db.lookAtMost && s.fit == 0:
		return db.noNode(ctx, p)
	case s.met < db.lookAtMost:
		e.Nodes = s.fit
		return nil
	}
	e.Nodes, e.Exact = s.of(e.Nodes), false
	e.Notes = append(e.Notes, fmt.Sprintf("nodes are extrapolated from the first %d", s.met))
	return nil
}

// lookAtRelationships returns about how many relationships of a type, bound at most, join nodes of the graph and meet a
// filter.
func (db *DB) lookAtRelationships(ctx context.Context, c chosen, f filter, kind string, bound int64,
	e *connector.Estimate) (int64, error) {
	if bound == 0 {
		return 0, nil
	}
	match := "MATCH (a" + c.labels + ")-[r:" + quote(kind) + "]->(b) WITH a, r, b"
	s, err := db.lookAt(ctx, match, c.a.text+c.b.text+f.text, limited(db.lookAtMost, c.a, c.b, f))
	if err != nil || s.met < db.lookAtMost {
		return s.fit, err
	}
	e.Exact = false
	e.Notes = append(e.Notes, fmt.Sprintf("relationships of type %s are extrapolated from the first %d", kind, s.met))
	return s.of(bound), nil
}

// look reads the weights of the first relationships of a group as an export does.
func (r *reader) look(ctx context.Context, group int, c chosen, f filter) error {
	of := r.projection.Relationships[group]
	cypher := around{
		"MATCH (a" + c.labels + ")-[r:" + quote(of.Type) + "]->(b) WITH a, r, b LIMIT $limit WITH a, r, b WHERE true" +
			c.a.text + c.b.text + f.text + " WITH ",
		" RETURN " + names(of, false),
	}
	return r.take(ctx, group, false, cypher, limited(r.db.lookAtMost/4, c.a, c.b, f))
}
