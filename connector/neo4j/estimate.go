package neo4j

import (
	"context"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Estimate implements connector.Estimator. It reads a small graph as an export does. Of a larger one it looks at the
// first nodes and relationships that the server finds. A nodeQuery or relationshipQuery is run.
func (db *DB) Estimate(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	e, err := db.estimate(ctx, p)
	return e, explain(ctx, err)
}

func (db *DB) estimate(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	e, s, err := db.counts(ctx, p)
	if err != nil {
		return e, err
	}
	if e.Warnings, err = db.mismatches(ctx, p); err != nil {
		return e, err
	}
	scanned := max(e.Relationships, sum(s.types)) // an export passes over all relationships of a type
	switch {
	case e.Nodes+scanned <= db.smallGraph:
		return db.estimateByReading(ctx, p, e)
	case p.NodeQuery == "" && p.RelationshipQuery.Text == "":
		return e, db.look(ctx, p, &e)
	case !e.Exact: // what users' queries return has nothing in common that the server could look for
		e.Notes = append(e.Notes, "the numbers are upper bounds: the graph is too large to read for an estimate")
	}
	return e, nil
}

func sum(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// estimateByReading reads the graph.
func (db *DB) estimateByReading(ctx context.Context, p connector.Projection,
	e connector.Estimate) (connector.Estimate, error) {
	s, err := db.exportOnce(ctx, p, nil)
	if err != nil {
		return e, err
	}
	e.Nodes, e.Relationships, e.Exact, e.Snapshot = int64(s.Graph.N()), int64(s.Rels.Len()), true, s
	return e, nil
}

// Counts returns what the count store says of the graph, which costs nothing; a nodeQuery or relationshipQuery is run.
// Relationships are an upper bound: those of their type that touch a label of the projection, whatever where says.
func (db *DB) Counts(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	e, _, err := db.counts(ctx, p)
	return e, explain(ctx, err)
}

func (db *DB) counts(ctx context.Context, p connector.Projection) (e connector.Estimate, s sizes, err error) {
	if s, err = db.checkNames(ctx, p); err != nil {
		return e, s, err
	}
	all, err := db.count(ctx, "estimate", "MATCH (n) RETURN count(n)", nil)
	if err != nil {
		return e, s, err
	}
	if p.NodeQuery != "" {
		r := &reader{db: db, projection: p}
		ids, err := r.queryNodes(ctx)
		if err != nil {
			return e, s, err
		}
		e.Nodes = int64(distinct(ids, export.IDs{}).Len())
	}
	e.Nodes = min(e.Nodes+sum(s.nodes), all)
	if q := p.RelationshipQuery; q.Text != "" {
		if e.Relationships, err = db.countQuery(ctx, q); err != nil {
			return e, s, err
		}
	}
	for i, r := range p.Relationships {
		n, err := db.touching(ctx, r.Type, p.Labels, s.types[i])
		if err != nil {
			return e, s, err
		}
		e.Relationships += n
		e.Each = append(e.Each, n)
	}
	filtered := len(p.Where) > 0 || slices.ContainsFunc(p.Relationships,
		func(r connector.Relationship) bool { return len(r.Where) > 0 })
	// With one label no node counts twice, and no relationship has an end elsewhere when as many touch the label at
	// either end as there are.
	within := (len(p.Labels) == 1 || p.AllNodes) && slices.Equal(e.Each, s.types)
	e.Exact = (within || e.Nodes == all && p.NodeQuery != "") && !filtered && p.RelationshipQuery.Text == ""
	return e, s, nil
}

// touching bounds the relationships of a type between nodes of the labels: each leaves one of them and enters one.
func (db *DB) touching(ctx context.Context, kind string, labels []string, all int64) (int64, error) {
	if len(labels) == 0 {
		return all, nil
	}
	bound := all
	for _, pattern := range []string{"(:%s)-[r:%s]->()", "()-[r:%[2]s]->(:%[1]s)"} {
		sum := int64(0)
		for _, label := range labels {
			n, err := db.count(ctx, "estimate", fmt.Sprintf("MATCH "+pattern+" RETURN count(r)", quote(label), quote(kind)), nil)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		bound = min(bound, sum)
	}
	return bound, nil
}

// countQuery runs the user's query and counts what it returns.
func (db *DB) countQuery(ctx context.Context, q connector.Query) (int64, error) {
	if _, err := db.checkQuery(ctx, q); err != nil {
		return 0, err
	}
	n := int64(0)
	err := db.transact(ctx, work{step: "estimate", do: func(ctx context.Context, t tx) error {
		n = 0
		result, err := t.Run(ctx, q.Text, nil)
		if err != nil {
			return badQuery(queryKey, err)
		}
		columns, err := result.Keys()
		if err != nil {
			return badQuery(queryKey, err)
		}
		source := slices.Index(columns, "source")
		var record *driverRecord
		for result.NextRecord(ctx, &record) {
			if several, ok := record.Values[source].([]any); ok {
				n += int64(len(several))
			} else {
				n++
			}
		}
		return badQuery(queryKey, result.Err())
	}})
	return n, err
}
