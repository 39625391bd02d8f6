package neo4j

import (
	"context"
	"fmt"
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
)

// schema remembers that the constraints on linchpin's own nodes are in place.
type schema struct {
	mu    sync.Mutex
	ready bool
}

// ensureSchema creates the uniqueness constraints that make one node of each job, run, lock and property. Where they
// stand, looking is enough: no right to change the schema is needed.
func (db *DB) ensureSchema(ctx context.Context) error {
	db.schema.mu.Lock()
	defer db.schema.mu.Unlock()
	if db.schema.ready {
		return nil
	}
	keys := map[string]string{jobLabel: "name", runLabel: "id", lockLabel: "name", propertyLabel: "key"}
	rows, err := db.query(ctx, "schema", "SHOW CONSTRAINTS YIELD labelsOrTypes, properties, type WHERE type = 'UNIQUENESS' RETURN labelsOrTypes[0], properties", nil)
	if err != nil {
		return err
	}
	for _, row := range rows {
		label, _ := row[0].(string)
		if properties := list(row[1]); len(properties) == 1 && properties[0] == keys[label] {
			delete(keys, label)
		}
	}
	for label, key := range keys {
		err := db.create(ctx, fmt.Sprintf("CREATE CONSTRAINT IF NOT EXISTS FOR (x:%s) REQUIRE x.%s IS UNIQUE", label, key))
		if err != nil {
			return fmt.Errorf("create the constraint on (:%s {%s}): %w", label, key, err)
		}
	}
	db.schema.ready = true
	return nil
}

// create runs a statement that creates a constraint or an index. When two processes do so at the same time, one is told
// that it exists, in spite of IF NOT EXISTS.
func (db *DB) create(ctx context.Context, cypher string) error {
	err := db.transact(ctx, work{step: "schema", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, cypher, nil, nil)
	}})
	for _, code := range []string{"EquivalentSchemaRuleAlreadyExists", "ConstraintAlreadyExists", "IndexAlreadyExists"} {
		if hasCode(err, "Neo.ClientError.Schema."+code) {
			return nil
		}
	}
	return err
}

// ensureIndexes creates the indexes that long lists of runs are read by; a service does so at its start. A user without the right to do so gets slower
// lists, nothing else.
func (db *DB) ensureIndexes(ctx context.Context) error {
	const byStart, byJob = "linchpin_run_started", "linchpin_run_job_started"
	missing := map[string]string{byStart: "(r.started)", byJob: "(r.job, r.started)"}
	rows, err := db.query(ctx, "schema", "SHOW INDEXES YIELD name WHERE name STARTS WITH 'linchpin_run' RETURN name", nil)
	if err != nil {
		return err
	}
	for _, name := range texts(rows) {
		delete(missing, name)
	}
	for name, keys := range missing {
		err := db.create(ctx, fmt.Sprintf("CREATE INDEX %s IF NOT EXISTS FOR (r:%s) ON %s", name, runLabel, keys))
		if err != nil && connector.KindOf(err) != connector.Unreachable { // Unreachable is also "you may not"
			return fmt.Errorf("create the index %s: %w", name, err)
		}
	}
	return nil
}
