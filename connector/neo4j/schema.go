package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// schema remembers that the constraints on linchpin's own nodes are in place, and lets one goroutine at a time change
// them.
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
	all, err := db.indexes(ctx) // a constraint has the index that it rests on
	if err != nil {
		return err
	}
	for _, x := range all {
		if x.constraint != "" && x.on == "NODE" && len(x.scopes) == 1 && len(x.properties) == 1 &&
			x.properties[0] == keys[x.scopes[0]] {
			delete(keys, x.scopes[0])
		}
	}
	for label, key := range keys {
		if err := db.constrain(ctx, label, key); err != nil {
			return fmt.Errorf("create the constraint on (:%s {%s}): %w", label, key, err)
		}
	}
	db.schema.ready = true
	return nil
}

// tornPatience is how long an index without its constraint may be another process's that is making it.
const tornPatience = 5 * time.Second

// indexExists is what the server says of an index on the same label and property.
const indexExists = "Neo.ClientError.Schema.IndexAlreadyExists"

// constrain creates a uniqueness constraint. A process that was killed while it did so has left the constraint's index
// on the server, which then refuses the constraint for good: such an index is dropped.
func (db *DB) constrain(ctx context.Context, label, key string) error {
	cypher := fmt.Sprintf("CREATE CONSTRAINT IF NOT EXISTS FOR (x:%s) REQUIRE x.%s IS UNIQUE", label, key)
	for end := time.Now().Add(tornPatience); ; {
		err := db.create(ctx, cypher)
		if !hasCode(err, "Neo.ClientError.Schema.IndexWithNameAlreadyExists") && !hasCode(err, indexExists) {
			return err
		}
		if time.Now().After(end) {
			if err := db.dropTorn(ctx, label, key); err != nil {
				return err
			}
			err := db.create(ctx, cypher)
			if hasCode(err, indexExists) {
				return &connector.Error{Msg: "an index without a constraint is in the way", Err: err,
					Hint: "drop it: SHOW INDEXES tells its name"}
			}
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// dropTorn drops an index that a constraint was to own.
func (db *DB) dropTorn(ctx context.Context, label, key string) error {
	all, err := db.indexes(ctx)
	if err != nil {
		return err
	}
	for _, x := range all {
		if x.constraint != "" || !strings.HasPrefix(x.name, "constraint_") ||
			!slices.Equal(x.scopes, []string{label}) || !slices.Equal(x.properties, []string{key}) {
			continue
		}
		db.options.Logger.Warn("dropped the index of a constraint that was never finished", "index", x.name)
		if err := db.create(ctx, "DROP INDEX "+quote(x.name)+" IF EXISTS"); err != nil {
			return fmt.Errorf("drop the unfinished index %s: %w", x.name, err)
		}
	}
	return nil
}

// schemaTimeout is how long one attempt at changing the schema may take. Such statements take a second or two, but some
// wait for transactions that wait for them, which the server does not notice.
const schemaTimeout = 20 * time.Second

// create runs a statement that changes the schema, again while its attempts take too long, until neo4j.timeout has
// passed. When two processes do so at the same time, one is told that it exists, in spite of IF NOT EXISTS.
func (db *DB) create(ctx context.Context, cypher string) error {
	w := work{step: "schema", writes: true, timeout: schemaTimeout, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, cypher, nil, nil)
	}}
	begun := time.Now()
	err := db.transact(ctx, w)
	for hasCode(err, "Neo.ClientError.Transaction.TransactionTimedOut") && time.Since(begun) < db.options.Timeout &&
		ctx.Err() == nil {
		db.options.Logger.Debug(retryMessage, "step", w.step, "error", err)
		err = db.transact(ctx, w)
	}
	for _, code := range []string{"EquivalentSchemaRuleAlreadyExists", "ConstraintAlreadyExists"} {
		if hasCode(err, "Neo.ClientError.Schema."+code) {
			return nil
		}
	}
	return err
}

// ensureIndexes creates the indexes that long lists of runs are read by; a service does so at its start. A user without
// the right to do so gets slower lists, nothing else.
func (db *DB) ensureIndexes(ctx context.Context) error {
	db.schema.mu.Lock()
	defer db.schema.mu.Unlock()
	missing := map[string]string{
		"linchpin_run_started": "(r.started)", "linchpin_run_job_started": "(r.job, r.started)",
		"linchpin_run_job_status_started": "(r.job, r.status, r.started)",
	}
	all, err := db.indexes(ctx)
	if err != nil {
		return err
	}
	for _, x := range all {
		delete(missing, x.name)
	}
	for name, keys := range missing {
		err := db.create(ctx, fmt.Sprintf("CREATE INDEX %s IF NOT EXISTS FOR (r:%s) ON %s", name, runLabel, keys))
		// Unreachable is also "you may not"
		if err != nil && !hasCode(err, indexExists) && connector.KindOf(err) != connector.Unreachable {
			return fmt.Errorf("create the index %s: %w", name, err)
		}
	}
	return nil
}
