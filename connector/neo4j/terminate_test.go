package neo4j

import (
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
	l, err := open(t, s).Acquire(connector.WithMeta(t.Context(), connector.Meta{Job: "hubs", Run: "new"}), "hubs", "new", time.Minute)
	if err != nil || l.Fence() <= before.Fence() {
		t.Fatalf("%v", err)
	}
	if n := number(t, s, "SHOW TRANSACTIONS YIELD metaData, status WHERE metaData.run = 'old' AND NOT status STARTS WITH 'Terminated' RETURN count(*)"); n != 0 {
		t.Errorf("%d transactions of the old run are left", n)
	}
	if err := hanging.Commit(old); err == nil {
		t.Error("the abandoned transaction was committed")
	}
}
