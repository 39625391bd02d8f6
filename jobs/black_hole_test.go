package jobs_test

import (
	"context"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// neo4j.timeout in these tests. patient is enough for a busy machine to answer a statement, so that only the damage
// takes longer. Runs that have to fail get brief, because they wait for the end of it.
const (
	patient = 20 * time.Second
	brief   = 10 * time.Second
)

// harmed is a job on a graph of its own, whose label is the name. It reaches the database through a proxy, so that many
// of them run at the same time.
func (b *bench) harmed(name string, limit time.Duration) (*jobs.Runner, config.Job, *faultproxy.Proxy) {
	b.t.Helper()
	proxy, err := faultproxy.Start(net.JoinHostPort("127.0.0.1", strconv.Itoa(b.server.Port())))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(proxy.Close)
	db, err := neo4j.Open(b.t.Context(),
		neo4j.Options{URI: "bolt://" + proxy.Address(), Database: "neo4j", Timeout: limit, Retry: 5 * time.Second})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		proxy.Heal()
		db.Close(context.Background())
	})
	runner := *b.runner
	runner.Database, runner.Reporter, runner.State = db, &notes{}, filepath.Join(b.t.TempDir(), "state")
	j := job(name, config.Measure{Measure: "betweenness", Nodes: "bc_" + name})
	j.Graph.Nodes = []string{name}
	return &runner, j, proxy
}

// graphOf makes the graph of such a job.
func graphOf(name string) string {
	return "UNWIND range(0, 11) AS i CREATE (v:" + name +
		" {i: i}) WITH collect(v) AS vs UNWIND range(0, 10) AS i WITH vs[i] AS a, vs[i + 1] AS b CREATE (a)-[:E {w: 1.5}]->(b)"
}

// damaged is what the connections of a job suffer, and whether its run has to succeed.
type damaged struct {
	fault  faultproxy.Fault
	passes bool
}

// A connection on which nothing moves any more costs neo4j.timeout, whatever the run was about, and it goes on with
// another one. When no connection gets through, the run ends.
func TestBlackHole(t *testing.T) {
	t.Parallel()
	cases := map[string]damaged{
		"hole": {fault: faultproxy.Fault{Kind: faultproxy.Drop, Lasting: true,
			At: faultproxy.Trigger{Step: "export", Message: 2}}},
		// Twenty bytes a second.
		"crawl": {fault: faultproxy.Fault{Kind: faultproxy.Trickle, For: 50 * time.Millisecond,
			At: faultproxy.Trigger{Step: "export", Message: 2}}},
	}
	for _, step := range []string{"export", "lock", "write", "publish", "record"} {
		cases[step] = damaged{faultproxy.Fault{Kind: faultproxy.Drop, At: faultproxy.Trigger{Step: step, Message: 1}}, true}
		cases[step+"_answer"] = damaged{faultproxy.Fault{Kind: faultproxy.Stall,
			At: faultproxy.Trigger{Step: step, Message: 2, Answer: true}}, true}
	}
	b := benchOn(t, neo4jtest.Borrow(t, neo4jtest.Options{}))
	// A first run has the statements planned, and few runs at a time leave the server quick enough on a
	// busy machine: only the damage may take that long.
	b.cypher(graphOf("unharmed"))
	runner, j, _ := b.harmed("unharmed", patient)
	if _, err := runner.Run(t.Context(), j, jobs.Options{}); err != nil {
		t.Fatal(err)
	}
	var runs sync.WaitGroup
	defer runs.Wait()
	free := make(chan struct{}, 4)
	for name, c := range cases {
		b.cypher(graphOf(name))
		limit := brief
		if c.passes {
			limit = patient
		}
		runner, j, proxy := b.harmed(name, limit)
		proxy.Arm(c.fault)
		runs.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			r, err := runner.Run(t.Context(), j, jobs.Options{})
			if !proxy.Fired() {
				t.Errorf("%s: the link was not harmed", name)
			}
			if c.passes {
				if err != nil || r.Run.Status != connector.Succeeded {
					t.Errorf("%s: %s, %v", name, r.Run.Status, err)
				}
				return
			}
			if err == nil || r.Run.Status != connector.Failed {
				t.Errorf("%s: %s, %v", name, r.Run.Status, err)
				return
			}
			text := err.Error() + "; " + connector.HintOf(err)
			for _, part := range []string{proxy.Address(), "within " + brief.String(), "neo4j.timeout"} {
				if !strings.Contains(text, part) {
					t.Errorf("%s: the error does not say %q: %s", name, part, text)
				}
			}
		})
	}
}
