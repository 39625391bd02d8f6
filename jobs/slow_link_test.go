package jobs_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/jobs"
)

// through reaches the database through a proxy that does no harm yet.
func (b *bench) through() *faultproxy.Proxy {
	b.t.Helper()
	proxy, err := faultproxy.Start(net.JoinHostPort("127.0.0.1", strconv.Itoa(b.server.Port())))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(proxy.Close)
	db, err := neo4j.Open(b.t.Context(), neo4j.Options{URI: "bolt://" + proxy.Address(), Database: "neo4j"})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close(context.Background()) })
	b.runner.Database = db
	return proxy
}

// unlocked fails the test when a run has left its lock.
func (b *bench) unlocked() {
	b.t.Helper()
	if left := b.cypher("MATCH (l:LinchpinLock) WHERE l.token IS NOT NULL RETURN l.owner AS owner"); len(left) > 0 {
		b.t.Errorf("a lock is left: %v; notes: %s", left, strings.Join(b.notes.lines, "; "))
	}
}

// slow is a link to another continent.
var slow = faultproxy.Fault{Kind: faultproxy.Latency, For: 75 * time.Millisecond}

// However slow the link, a run gives up its lock and records how it ended.
func TestSlowLinkLeavesNoLock(t *testing.T) {
	for _, want := range []connector.RunStatus{connector.Succeeded, connector.Cancelled} {
		t.Run(string(want), func(t *testing.T) {
			b := newBench(t, path(12)...)
			j := job("far", betweenness())
			b.run(j, jobs.Options{}) // the constraints are there
			proxy := b.through()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if want == connector.Cancelled {
				b.runner.Engine = endless{b.runner.Engine}
			}
			b.notes.progress = func(s jobs.Step, done int64) {
				switch {
				case s == jobs.Export && done == 0:
					proxy.Arm(slow)
				case s == jobs.Compute && want == connector.Cancelled:
					cancel()
				}
			}
			r, err := b.runner.Run(ctx, j, jobs.Options{Recompute: true})
			if r.Run.Status != want || (err == nil) != (want == connector.Succeeded) {
				t.Errorf("%s: %v", r.Run.Status, err)
			}
			b.unlocked()
			if got := b.value("MATCH (r:LinchpinRun) RETURN r.status ORDER BY r.started DESC LIMIT 1"); got != string(want) {
				t.Errorf("the record says %v", got)
			}
		})
	}
}
