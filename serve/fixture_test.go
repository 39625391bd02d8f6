package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// testProgram is the build of the service and its nodes.
var testProgram = parts.Program{Version: "test"}

const token = "0123456789abcdef0123"

// fixture is a service on a real database, and a client of it.
type fixture struct {
	t      *testing.T
	url    string
	file   string // the config, for reloads
	reload chan struct{}
	log    *lockedBuffer
	stop   func() error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// jobText is a job of a config, on the path graph of fill.
func jobText(name, more string) string {
	return fmt.Sprintf(`  - name: %s
%s    graph: {nodes: [V], relationships: [{type: E, orientation: undirected}]}
    measures: [{measure: betweenness, nodes: bc_%s, relationships: ebc_%s}]
    compute: {device: cpu, reduce: "off"}
`, name, more, name, name)
}

// configText is a config with these jobs; serve is a flow mapping's content.
func configText(uri, serve string, list ...string) string {
	if !strings.Contains(serve, "listen:") {
		serve = `listen: "127.0.0.1:0", ` + serve
	}
	return fmt.Sprintf("version: 1\nneo4j: {uri: %q, username: \"\"}\nstate: state\nserve: {%s}\njobs:\n%s",
		uri, serve, strings.Join(list, ""))
}

// fill empties the shared server and makes a path of n nodes with names.
func fill(t *testing.T, n int) *neo4jtest.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	server := neo4jtest.Shared(t)
	// The list makes each relationship without a search for its ends.
	server.Query(t, `UNWIND range(0, $n - 1) AS i CREATE (v:V {i: i, name: 'node ' + i})
		WITH collect(v) AS all UNWIND range(0, $n - 2) AS i WITH all[i] AS a, all[i + 1] AS b CREATE (a)-[:E]->(b)`,
		map[string]any{"n": n})
	return server
}

// start runs a service until the test ends.
func start(t *testing.T, text string) *fixture {
	t.Helper()
	f := &fixture{t: t, file: filepath.Join(t.TempDir(), "linchpin.yml"), reload: make(chan struct{}, 1),
		log: &lockedBuffer{}}
	f.write(text)
	o, err := optionsOf(f.file, f.log, coordinator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	address, done := make(chan string, 1), make(chan error, 1)
	o.Reload, o.Listening = f.reload, func(a string) { address <- a }
	go func() { done <- Run(ctx, o) }()
	f.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		if err := f.stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(f.log)
		}
	})
	select {
	case a := <-address:
		f.url = "http://" + a
	case err := <-done:
		t.Fatal(err)
	}
	return f
}

// optionsOf are those of the service of a config, with a fleet.
func optionsOf(file string, log io.Writer, of coordinator.Options) (Options, error) {
	load := func() (*config.Config, error) { return config.Load(file, testChecks()) }
	c, err := load()
	if err != nil {
		return Options{}, err
	}
	of.Folder, of.Program = filepath.Join(c.State, "fleet"), testProgram
	nodes := coordinator.New(of)
	return Options{
		Config: c, Load: load, Open: open, Engine: &coordinator.Engine{Local: engine.NewEngine(1), Fleet: nodes},
		Fleet: nodes, Host: "testhost", Version: "test", Now: time.Now, Memory: func() (int64, error) { return 1 << 33, nil },
		Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, nil
}

func testChecks() config.Checks {
	return config.Checks{Schedule: func(line, zone string) error { _, err := jobs.ParseSchedule(line, zone); return err }}
}

func open(ctx context.Context, c *config.Config) (Database, error) {
	db, err := neo4j.Open(ctx, neo4j.Options{URI: c.Neo4j.URI, Database: c.Neo4j.Database, Retry: time.Second})
	if err != nil {
		return nil, err
	}
	return db, nil
}

func (f *fixture) write(text string) {
	f.t.Helper()
	if err := os.WriteFile(f.file, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// ready waits until the service says that it is.
func (f *fixture) ready() *fixture {
	f.t.Helper()
	f.await("ready", func() bool { status, _ := f.get("/readyz"); return status == http.StatusOK })
	return f
}

func (f *fixture) await(what string, ok func() bool) {
	f.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("never %s", what)
		}
	}
}

// send makes a request; change may be nil.
func (f *fixture) send(method, path string, body io.Reader, change func(*http.Request)) (int, string, http.Header) {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, body)
	if err != nil {
		f.t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header
}

func (f *fixture) get(path string) (int, string) {
	f.t.Helper()
	status, text, _ := f.send(http.MethodGet, path, nil, bearer)
	return status, text
}

func bearer(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }

// press asks for a run, and returns its id.
func (f *fixture) press(job string) string {
	f.t.Helper()
	status, text, _ := f.send(http.MethodPost, "/api/jobs/"+job+"/run", strings.NewReader(`{"recompute": true}`), bearer)
	var given jobs.Answer
	if err := json.Unmarshal([]byte(text), &given); err != nil || status != http.StatusAccepted {
		f.t.Fatalf("%d %s", status, text)
	}
	return given.Run
}

// states are those of all jobs.
func (f *fixture) states() []JobState {
	f.t.Helper()
	var all []JobState
	if status, text := f.get("/api/jobs"); status != http.StatusOK || json.Unmarshal([]byte(text), &all) != nil {
		f.t.Fatalf("%d %s", status, text)
	}
	return all
}

// ended waits for the record of a run that has ended.
func (f *fixture) ended(id string) connector.Run {
	f.t.Helper()
	var r connector.Run
	f.await("ended", func() bool {
		status, text := f.get("/api/runs/" + id)
		return status == http.StatusOK && json.Unmarshal([]byte(text), &r) == nil && !r.Finished.IsZero()
	})
	return r
}
