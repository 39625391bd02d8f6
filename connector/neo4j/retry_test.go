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

// TestWritersNeverWaitInACircle writes from several connections under one lease, whose node each transaction locks.
func TestWritersNeverWaitInACircle(t *testing.T) {
	s, plain := fresh(t, `UNWIND range(0, 9999) AS i CREATE (v:V {i: i}) WITH collect(v) AS vs
UNWIND range(0, 49999) AS k WITH vs[k * 7919 % 10000] AS a, vs[k * 104729 % 9999] AS b, k CREATE (a)-[:E {w: 1.0 + k}]->(b)`)
	snap := exported(t, plain, projection("E"))
	log := &retries{}
	db := open(t, s, func(o *Options) { o.Connections, o.Logger = 4, slog.New(log) })
	lease, err := db.Acquire(t.Context(), "job", "me", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release(t.Context())
	for round := range 3 {
		columns := []connector.Column{
			column(snap, connector.OnNodes, "a", func(i int) float64 { return float64(i + round) }),
			column(snap, connector.OnRelationships, "r", func(i int) float64 { return float64(i + round) }),
		}
		o := connector.WriteOptions{OnlyChanged: 1e-9, ClearStale: true, Batch: 100, Lease: lease}
		wantStats(t, "write", write(t, db, snap, o, columns...), connector.WriteStats{Written: 60_000})
		checkScores(t, s, snap, columns)
	}
	if again := log.taken(); len(again) > 0 {
		t.Errorf("%d transactions were tried again, such as %s", len(again), again[0])
	}
}
