package neo4j

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// retries is a log handler that keeps what is said of transactions that are done again.
type retries struct {
	mu    sync.Mutex
	lines []string
}

func (h *retries) Enabled(context.Context, slog.Level) bool { return true }
func (h *retries) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h *retries) WithGroup(string) slog.Handler            { return h }

func (h *retries) Handle(_ context.Context, r slog.Record) error {
	if r.Message == retryMessage || strings.Contains(r.Message, "TransientError") {
		h.mu.Lock()
		defer h.mu.Unlock()
		line := r.Message
		r.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
		h.lines = append(h.lines, line)
	}
	return nil
}

func (h *retries) taken() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.lines)
}

// TestWritersTakeTurns writes from several connections under one lease, each with a fence of its own. The nodes have
// 46 to 54 relationships, because those with 50 are about to be stored in another way, and the server's commits lock
// all of theirs when they change one: parts of one write, and of two writes, wait for each other. The server ends some
// of them, once; from there on they take turns.
func TestWritersTakeTurns(t *testing.T) {
	s, plain := fresh(t, `UNWIND range(0, 999) AS i CREATE (v:V {i: i})`,
		`UNWIND range(0, 9999) AS i CREATE (v:V {i: 1000 + i})`,
		"CREATE INDEX v FOR (v:V) ON v.i", "CALL db.awaitIndexes()",
		`UNWIND range(0, 53999) AS k WITH k WHERE k / 1000 < 46 + k % 9
MATCH (a:V {i: k % 1000}), (b:V {i: 1000 + k * 7919 % 10000}) CALL { WITH a, b, k CREATE (a)-[:E {w: 1.0 + k}]->(b) } IN TRANSACTIONS OF 10000 ROWS`)
	snap := exported(t, plain, projection("E"))
	log := &retries{}
	db := open(t, s, func(o *Options) { o.Connections, o.Logger = 4, slog.New(log) })
	lease, err := db.Acquire(t.Context(), "job", "me", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lease.Release(t.Context()) }()
	for round, batch := range []int{500, 2_000, 20_000} {
		columns := []connector.Column{
			column(snap, connector.OnNodes, "a", func(i int) float64 { return float64(i + round) }),
			column(snap, connector.OnRelationships, "r", func(i int) float64 { return float64(i + round) }),
		}
		o := connector.WriteOptions{OnlyChanged: 1e-9, ClearStale: true, Batch: batch, Lease: lease}
		other := make(chan error)
		go func() {
			c := column(snap, connector.OnRelationships, "q", func(i int) float64 { return float64(i + round) })
			other <- second(db.Write(t.Context(), snap, []connector.Column{c},
				connector.WriteOptions{Job: "other", Projection: projection("E"), Batch: batch}, nil))
		}()
		wantStats(t, "write", write(t, db, snap, o, columns...),
			connector.WriteStats{Written: int64(snap.Graph.N() + snap.Rels.Len())})
		if err := <-other; err != nil {
			t.Error(err)
		}
		checkScores(t, s, snap, columns)
	}
	if again := log.taken(); len(again) > 2*4 {
		t.Errorf("%d transactions were tried again, such as %s", len(again), again[0])
	} else {
		t.Logf("taking turns: %t; %q", db.circular.Load(), again)
	}
}
