package neo4j

import (
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/linchpin-graph/linchpin/connector"
)

// bulkFetch is the number of records that a bulk query sends ahead: each holds lists of thousands.
const bulkFetch = 8

// patience is how long ending a session may take when its context has ended.
const patience = 300 * time.Millisecond

// retryMessage is what the debug log says of a transaction that is done again.
const retryMessage = "transaction is tried again"

// work is a transaction: what it is for, and what it does. do may be called again after a fault that passes; it starts
// afresh then.
type work struct {
	step   string
	writes bool
	bulk   bool
	// splits says that the caller does less at a time when the server's memory does not suffice; otherwise the same is
	// tried again, when others may need less.
	splits bool
	// together says that the caller does it alone when the server has ended it for a deadlock.
	together bool
	timeout  time.Duration // instead of the usual one
	// token is the same in all attempts at the transaction, and in no other.
	token string
	do    func(context.Context, tx) error
}

// tx is a transaction under way.
type tx struct {
	db *DB
	driver.ExplicitTransaction
}

// transact runs a transaction, again while the fault is one that passes, for up to Options.Retry. It must have the same
// effect when it is done twice, because a connection lost during the commit leaves open whether it was.
func (db *DB) transact(ctx context.Context, w work) error {
	var failing time.Time
	var told error // of the last attempt, or of a silence that keeps later ones from connecting
	pause := 50 * time.Millisecond
	w.token = rand.Text()
	for {
		err := db.attempt(ctx, w)
		if err == nil {
			return nil
		}
		if failing.IsZero() {
			failing = time.Now()
		}
		if silenceOf(told) == nil || !unreachable(err) {
			told = err
		}
		if ctx.Err() != nil || !passing(err) || w.splits && outOfMemory(err) || w.together && hasCode(err, deadlock) ||
			time.Since(failing) > db.options.Retry {
			return explain(ctx, told)
		}
		db.options.Logger.Debug(retryMessage, "step", w.step, "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause + mathrand.N(pause)):
		}
		if unreachable(err) {
			db.endAttempts(ctx, w.token)
		}
		pause = min(2*pause, 2*time.Second)
	}
}

// allChanges is what a transaction that must be the only one to change relationships takes of DB.changing.
const allChanges = 1 << 20

// change is transact for setting properties: of relationships at the same time as others until two of them have waited
// for each other, see DB.changing.
func (db *DB) change(ctx context.Context, on connector.Entity, w work) error {
	if on != connector.OnRelationships {
		return db.transact(ctx, w)
	}
	if !db.circular.Load() {
		together := w
		together.together = true
		err := db.changeAs(ctx, 1, together)
		if !hasCode(err, deadlock) {
			return err
		}
		db.circular.Store(true)
		db.options.Logger.Debug("transactions that change relationships take turns from here on", "error", err)
	}
	return db.changeAs(ctx, allChanges, w)
}

// deadlock is how the server ends one of the transactions that wait for each other.
const deadlock = "Neo.TransientError.Transaction.DeadlockDetected"

// stoppedWaiting is how the server ends a transaction, at its timeout or on demand, that waits for a lock of another
// one. The other one's time is up as well by then, or soon: the client of a transaction that was abandoned does not
// matter.
const stoppedWaiting = "Neo.ClientError.Transaction.LockClientStopped"

func (db *DB) changeAs(ctx context.Context, part int64, w work) error {
	if err := db.changing.Acquire(ctx, part); err != nil {
		return err
	}
	defer db.changing.Release(part)
	return db.transact(ctx, w)
}

// passing says whether the same transaction may succeed later.
func passing(err error) bool {
	var ours *connector.Error
	switch {
	case errors.As(err, &ours):
		return false
	case hasCode(err, "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase"):
		return false // the driver takes it for a server of a cluster that has lost its lead, and that says NotALeader too
	}
	return unreachable(err) || driver.IsRetryable(err) || hasCode(err, stoppedWaiting)
}

func (db *DB) attempt(ctx context.Context, w work) (err error) {
	session := db.session(ctx, w)
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = session.Close(end) // all that it can fail at is returning a broken connection
	}()
	limit := db.timeout(w)
	var t driver.ExplicitTransaction
	err = db.within(ctx, limit, func(ctx context.Context) error {
		t, err = session.BeginTransaction(ctx, db.transactionConfig(ctx, w)...)
		return err
	})
	if err != nil {
		return err
	}
	if err := db.within(ctx, limit, func(ctx context.Context) error { return w.do(ctx, tx{db, t}) }); err != nil {
		return err // closing the session rolls back
	}
	return db.within(ctx, limit, t.Commit)
}

func (db *DB) session(ctx context.Context, w work) driver.SessionWithContext {
	c := driver.SessionConfig{
		DatabaseName: db.server.Database, AccessMode: driver.AccessModeRead, BookmarkManager: db.bookmarks,
		NotificationsMinSeverity: notifications.DisabledLevel,
	}
	if bookmarks, ok := ctx.Value(pinned{}).(driver.Bookmarks); ok {
		c.BookmarkManager, c.Bookmarks = nil, bookmarks
	}
	if w.writes {
		c.AccessMode = driver.AccessModeWrite
	}
	if w.bulk {
		c.FetchSize = bulkFetch
	}
	return db.driver.NewSession(ctx, c)
}

func (db *DB) transactionConfig(ctx context.Context, w work) []func(*driver.TransactionConfig) {
	meta := map[string]any{"app": "linchpin", "step": w.step}
	if w.token != "" {
		meta["attempt"] = w.token
	}
	m := connector.MetaOf(ctx)
	if m.Job != "" {
		meta["job"] = m.Job
	}
	if m.Run != "" {
		meta["run"] = m.Run
	}
	return []func(*driver.TransactionConfig){driver.WithTxTimeout(db.timeout(w)), driver.WithTxMetadata(meta)}
}

// timeout is how long the server lets a transaction take.
func (db *DB) timeout(w work) time.Duration {
	if w.timeout > 0 {
		return min(db.options.Timeout, w.timeout)
	}
	return db.options.Timeout
}

// autocommit runs a statement outside a transaction, as CALL {} IN TRANSACTIONS demands, and gives its rows to row.
func (db *DB) autocommit(ctx context.Context, step, cypher string, parameters map[string]any, row func([]any)) error {
	w := work{step: step, writes: true}
	session := db.session(ctx, w)
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = session.Close(end)
	}()
	err := db.within(ctx, db.timeout(w), func(ctx context.Context) error {
		result, err := session.Run(ctx, db.prefix()+cypher, parameters, db.transactionConfig(ctx, w)...)
		if err != nil {
			return err
		}
		return eachRow(ctx, result, row)
	})
	return explain(ctx, err)
}

// rows runs a statement of ours and gives its rows to row, which may be nil.
func (t tx) rows(ctx context.Context, cypher string, parameters map[string]any, row func([]any)) error {
	return t.foreign(ctx, t.db.prefix()+cypher, parameters, row)
}

// summary is rows with what the server says of the statement in the end.
func (t tx) summary(ctx context.Context, cypher string, parameters map[string]any,
	row func([]any)) (driver.ResultSummary, error) {
	result, err := t.Run(ctx, t.db.prefix()+cypher, parameters)
	if err != nil {
		return nil, err
	}
	if err := eachRow(ctx, result, row); err != nil {
		return nil, err
	}
	return result.Consume(ctx)
}

// foreign runs a statement as it stands.
func (t tx) foreign(ctx context.Context, cypher string, parameters map[string]any, row func([]any)) error {
	result, err := t.Run(ctx, cypher, parameters)
	if err != nil {
		return err
	}
	return eachRow(ctx, result, row)
}

func eachRow(ctx context.Context, result driver.ResultWithContext, row func([]any)) error {
	var record *driver.Record
	for result.NextRecord(ctx, &record) {
		if row != nil {
			row(record.Values)
		}
	}
	return result.Err()
}

// query runs one statement that reads, and returns its rows.
func (db *DB) query(ctx context.Context, step, cypher string, parameters map[string]any) ([][]any, error) {
	var out [][]any
	err := db.transact(ctx, work{step: step, do: func(ctx context.Context, t tx) error {
		out = nil
		return t.rows(ctx, cypher, parameters, func(row []any) { out = append(out, row) })
	}})
	return out, err
}

// count runs one statement that returns one integer.
func (db *DB) count(ctx context.Context, step, cypher string, parameters map[string]any) (int64, error) {
	rows, err := db.query(ctx, step, cypher, parameters)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	n, _ := rows[0][0].(int64)
	return n, nil
}
