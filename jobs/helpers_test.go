package jobs_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// bench is a database with something in it, and a runner on it.
type bench struct {
	t      *testing.T
	server *neo4jtest.Server
	db     *neo4j.DB
	runner *jobs.Runner
	notes  *notes
}

// newBench empties the shared server and runs the statements on it.
func newBench(t *testing.T, statements ...string) *bench {
	return benchOn(t, neo4jtest.Shared(t), statements...)
}

func benchOn(t *testing.T, server *neo4jtest.Server, statements ...string) *bench {
	t.Helper()
	b := &bench{t: t, server: server, notes: &notes{}}
	for _, s := range statements {
		b.cypher(s)
	}
	b.db = b.open()
	b.runner = &jobs.Runner{
		Database: b.db, Engine: engine.NewEngine(1), Reporter: b.notes, State: filepath.Join(t.TempDir(), "state"),
		Host: "testhost", Version: "test", Now: time.Now, Memory: func() (int64, error) { return 1 << 33, nil },
	}
	return b
}

func (b *bench) open() *neo4j.DB {
	b.t.Helper()
	db, err := neo4j.Open(context.Background(), neo4j.Options{URI: b.server.URI(), Database: "neo4j"})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close(context.Background()) })
	return db
}

// cypher runs a statement and returns its rows.
func (b *bench) cypher(statement string) []map[string]any {
	b.t.Helper()
	return b.server.Query(b.t, statement, nil)
}

// value returns the one value that a statement yields.
func (b *bench) value(statement string) any {
	b.t.Helper()
	rows := b.cypher(statement)
	if len(rows) != 1 || len(rows[0]) != 1 {
		b.t.Fatalf("%s: %v", statement, rows)
	}
	for _, v := range rows[0] {
		return v
	}
	return nil
}

// bookmark changes with every transaction that the database commits.
func (b *bench) bookmark() string {
	b.t.Helper()
	ctx := b.t.Context()
	d, err := driver.NewDriverWithContext(b.server.URI(), driver.NoAuth())
	if err != nil {
		b.t.Fatal(err)
	}
	defer d.Close(ctx)
	session := d.NewSession(ctx, driver.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(ctx)
	result, err := session.Run(ctx, "RETURN 1", nil)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(session.LastBookmarks(), " ")
}

// run runs the job and fails the test on an error. On a busy machine a run may end before its lock is given up.
func (b *bench) run(j config.Job, o jobs.Options) *jobs.Result {
	b.t.Helper()
	o.Wait = time.Minute
	r, err := b.runner.Run(context.Background(), j, o)
	if err != nil {
		b.t.Fatalf("run: %v", err)
	}
	return r
}

// notes is a Reporter that remembers, and calls on when a step makes progress.
type notes struct {
	steps    []jobs.Step
	lines    []string
	warnings []string
	progress func(step jobs.Step, done int64)
}

func (n *notes) Begin(_ string, s jobs.Step) {
	n.steps = append(n.steps, s)
	if n.progress != nil {
		n.progress(s, 0)
	}
}

func (n *notes) Progress(done, _ int64, _ string) {
	if n.progress != nil {
		n.progress(n.steps[len(n.steps)-1], done)
	}
}

func (n *notes) End(summary string) { n.lines = append(n.lines, summary) }
func (n *notes) Note(text string)   { n.lines = append(n.lines, text) }
func (n *notes) Warn(text string)   { n.warnings = append(n.warnings, text) }

// path is a chain of n nodes (:V {i}) joined by (:E {w}), with three parallel relationships in the middle.
func path(n int) []string {
	return []string{
		fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (:V {i: i})", n-1),
		"MATCH (a:V), (b:V) WHERE b.i = a.i + 1 CREATE (a)-[:E {w: 1.5}]->(b)",
		fmt.Sprintf("MATCH (a:V {i: %d}), (b:V {i: %d}) CREATE (a)-[:E {w: 1.5}]->(b), (a)-[:E {w: 1.5}]->(b)", n/2, n/2+1),
	}
}

// job scores the undirected graph of V and E.
func job(name string, measures ...config.Measure) config.Job {
	j := config.DefaultJob()
	j.Name = name
	j.Graph.Nodes = []string{"V"}
	r := config.DefaultRelationship()
	r.Type, r.Orientation, r.Weight.Property = "E", "undirected", "w"
	j.Graph.Relationships = []config.Relationship{r}
	j.Measures = measures
	j.Compute.Device = "cpu"
	return j
}

func betweenness() config.Measure {
	return config.Measure{Measure: "betweenness", Nodes: "bc", Relationships: "ebc"}
}
