package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Estimate implements connector.Estimator from the count store, which costs nothing; a nodeQuery is run. Relationships
// are an upper bound: those of their type that touch a label of the projection.
func (db *DB) Estimate(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	e, err := db.estimate(ctx, p)
	return e, explain(ctx, err)
}

func (db *DB) estimate(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	var e connector.Estimate
	s, err := db.checkNames(ctx, p)
	if err != nil {
		return e, err
	}
	all, err := db.count(ctx, "estimate", "MATCH (n) RETURN count(n)", nil)
	if err != nil {
		return e, err
	}
	if p.NodeQuery != "" {
		r := &reader{db: db, projection: p, sizes: s}
		ids, err := r.queryNodes(ctx)
		if err != nil {
			return e, err
		}
		e.Nodes = int64(distinct(ids, export.IDs{}).Len())
	}
	for _, n := range s.labels {
		e.Nodes += n
	}
	e.Nodes = min(e.Nodes, all)
	for i, r := range p.Relationships {
		n, err := db.touching(ctx, r.Type, p.Labels, s.types[i])
		if err != nil {
			return e, err
		}
		e.Relationships += n
	}
	e.Exact = e.Nodes == all && (p.NodeQuery != "" || len(p.Labels) == 1)
	return e, nil
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
