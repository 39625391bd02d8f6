package neo4j

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// A server dies in the middle of a graph whose relationships are read in a long span and a short one. The large graph
// takes more memory than a transaction has.
const (
	dyingNodes         = 2_000
	dyingSpan          = 20_000
	dyingRelationships = dyingSpan + 2_000
	largeNodes         = 20_000
	largeRelationships = 60_000
	scattered          = `UNWIND range(0, $n - 1) AS i CREATE (v:V {i: i}) WITH collect(v) AS vs
UNWIND range(0, $m - 1) AS k WITH vs[k * 7919 % $n] AS a, vs[k * 104729 % ($n - 1)] AS b, k CREATE (a)-[:E {w: 1.0 + k}]->(b)`
)

// TestLargeGraph has the tests that restart a server. They share one, because each start takes seconds.
func TestLargeGraph(t *testing.T) {
	t.Parallel()
	s := neo4jtest.StartFor(t, neo4jtest.Options{Heap: "1g"})
	s.Query(t, scattered, map[string]any{"n": dyingNodes, "m": dyingRelationships})
	t.Run("ServerDies", func(t *testing.T) { serverDies(t, s) })
	s.Clear(t)
	s.Query(t, scattered, map[string]any{"n": largeNodes, "m": largeRelationships})
	t.Run("LittleTransactionMemory", func(t *testing.T) { littleTransactionMemory(t, s) })
	t.Run("ReadOnlyDatabase", func(t *testing.T) { readOnlyDatabase(t, s) })
}

func serverDies(t *testing.T, s *neo4jtest.Server) {
	db := open(t, s)
	patient := open(t, s, func(o *Options) { o.Retry = time.Minute })
	db.span, patient.span = dyingSpan, dyingSpan
	patient.form = byRanges
	p := projection("E")
	want := exported(t, db, p)
	columns := []connector.Column{column(want, connector.OnNodes, "a", third),
		column(want, connector.OnRelationships, "r", third)}

	// kill ends the server at the first sign of progress, for good or for a moment.
	kill := func(again bool) connector.Progress {
		var once sync.Once
		return func(done, _ int64) {
			once.Do(func() {
				if err := s.Kill(); err != nil {
					t.Error(err)
				}
				if !again {
					return
				}
				if err := s.Restart(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	restart := func() {
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}

	db.form = byRanges // several transactions, so that the first progress comes early
	if _, err := db.Export(t.Context(), p, kill(false)); kindOf(err) != connector.Lost {
		t.Errorf("a server that dies during the export: %v", err)
	}
	restart()
	got, err := patient.Export(t.Context(), p, kill(true))
	if err != nil || got.Digest() != want.Digest() {
		t.Errorf("a server that comes back during the export: %v", err)
	}

	o := connector.WriteOptions{Job: "job", Run: "run", Projection: p, OnlyChanged: 0, Batch: 250}
	if _, err := db.Write(t.Context(), want, columns, o, kill(false)); kindOf(err) != connector.Lost {
		t.Errorf("a server that dies during the write: %v", err)
	}
	restart()
	if n := number(t, s, "MATCH (n:V) RETURN count(n.a)"); n == 0 || n == dyingNodes {
		t.Errorf("%d nodes have a score after the fault: it did not fall in the middle", n)
	}
	if _, err := patient.Write(t.Context(), want, columns, o, kill(true)); err != nil {
		t.Errorf("a server that comes back during the write: %v", err)
	}
	checkScores(t, s, want, columns)
}

func TestStalledServer(t *testing.T) {
	s, db := fresh(t, chain)
	snap := exported(t, db, projection("E"))
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Resume() }) // for the other tests, whatever happens here
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := db.Write(ctx, snap, []connector.Column{column(snap, connector.OnNodes, "a", third)},
		connector.WriteOptions{Job: "job", Projection: projection("E")}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that says nothing: %v", err)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	c := column(snap, connector.OnNodes, "a", third)
	write(t, db, snap, connector.WriteOptions{}, c)
	checkScores(t, s, snap, []connector.Column{c})
}

func littleTransactionMemory(t *testing.T, s *neo4jtest.Server) {
	if err := s.Reconfigure(t.Context(), func(o *neo4jtest.Options) { o.TransactionMemory = "20m" }); err != nil {
		t.Fatal(err)
	}
	db := open(t, s)
	db.form = byRanges
	snap := exported(t, db, projection("E"))
	columns := []connector.Column{column(snap, connector.OnNodes, "b", third),
		column(snap, connector.OnRelationships, "q", third)}
	const batch = 50_000
	o := connector.WriteOptions{OnlyChanged: 0, Batch: batch}
	o.Job, o.Projection = "memory", projection("E")
	parts := 0
	stats, err := db.Write(t.Context(), snap, columns, o, func(int64, int64) { parts++ })
	if err != nil {
		t.Fatal(err)
	}
	wantStats(t, "write", stats, connector.WriteStats{Written: largeNodes + largeRelationships})
	if parts <= 1+(largeRelationships+batch-1)/batch {
		t.Errorf("%d batches: the memory sufficed for whole ones, which tests nothing", parts)
	}
	checkScores(t, s, snap, columns)
	if err := s.Reconfigure(t.Context(), func(o *neo4jtest.Options) {
		o.Conf =
			map[string]string{"db.memory.transaction.max": "6m"}
	}); err != nil {
		t.Fatal(err)
	}
	dropped, err := db.Drop(t.Context(), "memory", "me", nil)
	if want := (Dropped{NodeScores: largeNodes, RelationshipScores: largeRelationships}); err != nil || dropped != want {
		t.Errorf("drop: %+v, %v", dropped, err)
	}
	if n := number(t, s, "MATCH (v:V) RETURN count(v.b) + COUNT { ()-[r:E]->() WHERE r.q IS NOT NULL }"); n != 0 {
		t.Errorf("%d scores are left", n)
	}
}

func TestTerminatedTransactionIsNoSuccess(t *testing.T) {
	s, db := fresh(t, chain)
	ctx := connector.WithMeta(t.Context(), connector.Meta{Job: "hubs", Run: "r1"})
	done := make(chan error)
	go func() {
		p := projection("E")
		byQuery("UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i")(&p)
		_, err := db.Export(ctx, p, nil)
		done <- err
	}()
	// An export has other transactions before this one, which would be tried again.
	const ours = "SHOW TRANSACTIONS YIELD transactionId, metaData, currentQuery " +
		"WHERE metaData.app = 'linchpin' AND metaData.job = 'hubs' " +
		"AND metaData.run = 'r1' AND metaData.step = 'export' AND currentQuery CONTAINS 'UNWIND range(1, 1000000000)' "
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		rows := s.Query(t, ours+"RETURN transactionId AS id", nil)
		if len(rows) == 1 {
			s.Query(t, "TERMINATE TRANSACTIONS '"+rows[0]["id"].(string)+"'", nil)
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("an administrator does not see our transaction")
		}
	}
	if err := <-done; kindOf(err) != connector.Lost {
		t.Errorf("%v", err)
	}
}

// TestNodeHeldByAnother: what a run cannot write is named as what it is, another's transaction.
func TestNodeHeldByAnother(t *testing.T) {
	s, db := fresh(t, chain)
	// enough for a busy machine to plan the statement
	hasty := open(t, s, func(o *Options) { o.Timeout = 5 * time.Second })
	snap := exported(t, db, projection("E"))
	session := db.driver.NewSession(t.Context(), driver.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(t.Context())
	user, err := session.BeginTransaction(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	result, err := user.Run(t.Context(), "MATCH (v:V) SET v.held = true", nil)
	if err == nil {
		_, err = result.Consume(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	o := connector.WriteOptions{Job: "job", Projection: projection("E")}
	columns := []connector.Column{column(snap, connector.OnNodes, "a", third)}
	var told *connector.Error
	if _, err := hasty.Write(t.Context(), snap, columns, o, nil); !errors.As(err, &told) || told.Kind != connector.Lost ||
		!strings.Contains(told.Hint, "SHOW TRANSACTIONS") {
		t.Errorf("got %v", err)
	}
	if err := user.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := hasty.Write(t.Context(), snap, columns, o, nil); err != nil {
		t.Error(err)
	}
}
