package neo4j

import (
	"context"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// A transaction whose client has gone without the server's noticing keeps its locks. The next run of the job ends it.
func TestAbandonedTransactionIsEnded(t *testing.T) {
	s, db := fresh(t, chain)
	old := connector.WithMeta(t.Context(), connector.Meta{Job: "hubs", Run: "old"})
	before, err := db.Acquire(old, "hubs", "old", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	s.Query(t, "MATCH (l:LinchpinLock) SET l.until = 0", nil)
	w := work{step: "write", writes: true}
	session := db.session(old, w)
	hanging, err := session.BeginTransaction(old, db.transactionConfig(old, w)...)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close(t.Context())
	if _, err := hanging.Run(old, "MATCH (l:LinchpinLock {name: 'hubs'}) SET l.touched = 'hanging'", nil); err != nil {
		t.Fatal(err)
	}
	l, err := open(t, s).Acquire(connector.WithMeta(t.Context(), connector.Meta{Job: "hubs", Run: "new"}), "hubs", "new",
		time.Minute)
	if err != nil || l.Fence() <= before.Fence() {
		t.Fatalf("%v", err)
	}
	if n := number(t, s, "SHOW TRANSACTIONS YIELD metaData, status WHERE metaData.run = 'old' AND NOT status STARTS "+
		"WITH 'Terminated' RETURN count(*)"); n != 0 {
		t.Errorf("%d transactions of the old run are left", n)
	}
	if err := hanging.Commit(old); err == nil {
		t.Error("the abandoned transaction was committed")
	}
}

// A transaction of another job that was abandoned holds what all jobs lock to claim their properties. Its time is up
// shortly before that of a transaction that waits for it, and the server ends both in one go.
func TestWaitForAnAbandonedTransaction(t *testing.T) {
	s, db := fresh(t)
	if err := db.ensureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx := connector.WithMeta(t.Context(), connector.Meta{Job: "other", Run: "abandoned"})
	session := db.session(ctx, work{writes: true})
	defer session.Close(t.Context())
	abandoned, err := session.BeginTransaction(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := (tx{db, abandoned}).rows(ctx, "MERGE (c:"+propertyLabel+" {key: 'claim'}) DELETE c", nil, nil); err != nil {
		t.Fatal(err)
	}
	waits := open(t, s, func(o *Options) { o.Timeout, o.Retry = 3*time.Second, 15*time.Second })
	hubs := connector.WithMeta(t.Context(), connector.Meta{Job: "hubs", Run: "waits"})
	attempts := 0
	err = waits.transact(hubs, work{step: "write", writes: true, do: func(ctx context.Context, x tx) error {
		if attempts++; attempts == 2 {
			if err := abandoned.Rollback(t.Context()); err != nil {
				t.Error(err)
			}
		}
		return x.rows(ctx, "MERGE (c:"+propertyLabel+" {key: 'claim'}) DELETE c", nil, nil)
	}})
	if err != nil || attempts != 2 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}
