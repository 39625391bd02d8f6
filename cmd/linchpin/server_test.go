package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/internal/scripttest"
)

// TestServerScripts runs the terminal sessions of testdata/server/*.txtar against a real Neo4j, emptied before each.
// $URI is where it listens.
func TestServerScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	server := neo4jtest.Fresh(t) // the sessions show what names there are
	files, err := filepath.Glob("testdata/server/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	python, err := filepath.Abs("../../python/src")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			server.Reuse(t)
			testscript.RunT(sequential{t}, testscript.Params{
				Files: []string{file},
				Setup: func(e *testscript.Env) error {
					e.Setenv("URI", server.URI())
					e.Setenv("LINCHPIN_NEO4J_URI", server.URI())
					e.Setenv("CUDA_VISIBLE_DEVICES", "")
					e.Setenv("PYTHON", os.Getenv("LINCHPIN_PEER_PYTHON"))
					e.Setenv("PYTHONPATH", python)
					e.Setenv("PYTHONDONTWRITEBYTECODE", "1")
					return nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"status": scripttest.Status, "json": scripttest.JSON,
					"cypher":     func(ts *testscript.TestScript, _ bool, args []string) { scriptCypher(t, ts, server, args) },
					"waitcypher": func(ts *testscript.TestScript, _ bool, args []string) { scriptWaitCypher(t, ts, server, args) },
					"normal":     scriptNormal,
					"forbid":     func(ts *testscript.TestScript, _ bool, args []string) { scriptForbid(ts, server, args) },
					"airroutes":  func(*testscript.TestScript, bool, []string) { loadAirRoutes(t, server) },
				},
				UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
			})
		})
	}
}

// sequential keeps testscript from running in parallel: the sessions share a database.
type sequential struct{ *testing.T }

func (s sequential) Parallel() {}

func (s sequential) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { f(sequential{t}) })
}

func (s sequential) Verbose() bool { return testing.Verbose() }

// scriptCypher runs a statement and writes its rows to a file, a line each, columns sorted by name; "-" keeps none:
// cypher FILE 'STATEMENT'.
func scriptCypher(t *testing.T, ts *testscript.TestScript, server *neo4jtest.Server, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: cypher FILE 'STATEMENT'")
	}
	rows := cypherRows(t, server, args[1])
	if args[0] != "-" {
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(rows), 0o644))
	}
}

// scriptWaitCypher waits until a statement yields the given rows, at most a minute: waitcypher 'STATEMENT' 'ROWS'.
func scriptWaitCypher(t *testing.T, ts *testscript.TestScript, server *neo4jtest.Server, args []string) {
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if strings.TrimSpace(cypherRows(t, server, args[0])) == args[1] {
			return
		}
	}
	ts.Fatalf("%s never yielded %s", args[0], args[1])
}

func cypherRows(t *testing.T, server *neo4jtest.Server, statement string) string {
	var b strings.Builder
	for _, row := range server.Query(t, statement, nil) {
		var cells []string
		for name, v := range row {
			cells = append(cells, fmt.Sprintf("%s=%v", name, v))
		}
		slices.Sort(cells)
		b.WriteString(strings.Join(cells, " ") + "\n")
	}
	return b.String()
}

// scriptNormal rewrites what differs from run to run in a file: run ids, times, seconds, sizes of memory, versions.
func scriptNormal(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		for _, p := range volatile() {
			text = p.pattern.ReplaceAllString(text, p.stands)
		}
		file := name + ".txt"
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o644))
	}
}
