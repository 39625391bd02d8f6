package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// Loader puts a graph into a database that has no node of its label yet. Its nodes have the property id, from 0 on,
// with a constraint; an edge is one relationship.
type Loader struct {
	db          *DB
	label, typ  string
	weight      string // the property of weights; "" for none
	nodes, rels int64
}

// loadBatch is how many nodes or relationships a transaction writes.
const loadBatch = 10_000

// NewLoader checks that there is no node of the label, and creates the constraint. weight is the property of weights,
// "" for a graph without.
func (db *DB) NewLoader(ctx context.Context, label, typ, weight string) (*Loader, error) {
	l := &Loader{db: db, label: label, typ: typ, weight: weight}
	switch there, err := db.count(ctx, "load", "MATCH (n:"+quote(label)+") RETURN count(n)", nil); {
	case err != nil:
		return nil, err
	case there > 0:
		return nil, &connector.Error{
			Kind: connector.BadData, Msg: fmt.Sprintf("the database has %d nodes with the label %s already", there, label),
			Hint: "take another label, or remove them: MATCH (n:" + quote(label) +
				") CALL { WITH n DETACH DELETE n } IN TRANSACTIONS",
		}
	}
	return l, db.create(ctx, "CREATE CONSTRAINT IF NOT EXISTS FOR (x:"+quote(label)+") REQUIRE x.id IS UNIQUE")
}

// Nodes creates the nodes 0 to count-1.
func (l *Loader) Nodes(ctx context.Context, count int) error {
	for lo := 0; lo < count; lo += loadBatch {
		hi := min(lo+loadBatch, count)
		cypher := "UNWIND range($lo, $hi) AS i MERGE (:" + quote(l.label) + " {id: i})"
		if err := l.write(ctx, cypher, map[string]any{"lo": lo, "hi": hi - 1}); err != nil {
			return err
		}
		l.nodes += int64(hi - lo)
	}
	return nil
}

// Edges creates relationships between nodes that are there.
func (l *Loader) Edges(ctx context.Context, source, target []int32, weights []float64) error {
	ends := "UNWIND range(0, size($u) - 1) AS i MATCH (a:%[1]s {id: $u[i]}) MATCH (b:%[1]s {id: $v[i]}) MERGE (a)-[r:%[2]s]->(b)"
	cypher := fmt.Sprintf(ends, quote(l.label), quote(l.typ))
	if l.weight != "" {
		cypher += " SET r." + quote(l.weight) + " = $w[i]"
	}
	for lo := 0; lo < len(source); lo += loadBatch {
		hi := min(lo+loadBatch, len(source))
		parameters := map[string]any{"u": source[lo:hi], "v": target[lo:hi]}
		if l.weight != "" {
			parameters["w"] = weights[lo:hi]
		}
		if err := l.write(ctx, cypher, parameters); err != nil {
			return err
		}
		l.rels += int64(hi - lo)
	}
	return nil
}

// Written returns how many nodes and relationships are there.
func (l *Loader) Written() (nodes, relationships int64) { return l.nodes, l.rels }

// write runs a statement that may run again after a fault: it merges.
func (l *Loader) write(ctx context.Context, cypher string, parameters map[string]any) error {
	return l.db.transact(ctx, work{step: "load", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, cypher, parameters, nil)
	}})
}
