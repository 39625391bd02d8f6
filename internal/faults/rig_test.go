package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// program builds linchpin, once.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("linchpin-faults-%d", os.Getpid()))
	cmd := exec.Command("go", "build", "-o", path, "github.com/linchpin-graph/linchpin/cmd/linchpin")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if path, err := program(); err == nil && !testing.Short() {
		os.Remove(path)
	}
	os.Exit(status)
}

// The graph is large enough that a run is a few dozen transactions, and small enough that it takes a fraction of a
// second.
const (
	nodes = 300
	arcs  = 1500
)

// rig is a server with a graph, a proxy before it, and what is known of both.
type rig struct {
	t       *testing.T
	server  *neo4jtest.Server
	proxy   *faultproxy.Proxy
	program string
	dir     string
	env     map[string]string // of linchpin, besides the test's own
	rng     *rand.Rand
	model   *model
	shown   map[string]scores // by job, after its last success
	db      driver.DriverWithContext
	looks   *int // how often readers have looked
	// patience is how long a run may take.
	patience time.Duration
}

// newRig empties the server and makes a graph. The server keeps connections alive, and tells clients to, in seconds
// rather than minutes, so that stalled ones are noticed in the time of a test.
func newRig(t *testing.T, seed uint64) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	return newRigOn(t, seed, neo4jtest.SharedWith(t, options()), "")
}

// newRigApart is for a test that kills its server. It runs after those that share one, next to others with their own.
func newRigApart(t *testing.T, seed uint64) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	t.Parallel()
	return newRigOn(t, seed, neo4jtest.Borrow(t, options()), "")
}

func options() neo4jtest.Options {
	return neo4jtest.Options{Heap: "384m", Conf: map[string]string{
		"server.bolt.connection_keep_alive": "1s", "server.bolt.connection_keep_alive_probes": "2",
		"internal.db.idcontroller.maintenance_interval": "400ms", // the server's own: ids are to be given away again
	}}
}

func newRigOn(t *testing.T, seed uint64, server *neo4jtest.Server, password string) *rig {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, server: server, program: path, dir: t.TempDir(), env: map[string]string{},
		rng: rand.New(rand.NewPCG(seed, 0)), shown: map[string]scores{}, looks: new(int), patience: patience}
	if r.proxy, err = faultproxy.Start(net.JoinHostPort("127.0.0.1", strconv.Itoa(r.server.Port()))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.proxy.Close)
	r.connect(password)
	r.model = newModel(r.rng, nodes, arcs)
	// no index: with it, all is planned again
	r.cypher("UNWIND range(0, $n - 1) AS i CREATE (:N:V {i: i})", map[string]any{"n": nodes})
	var all []map[string]any
	for k, arc := range r.model.arcs {
		all = append(all, map[string]any{"k": k, "a": arc[0], "b": arc[1]})
	}
	r.cypher("MATCH (n:N) WITH n ORDER BY n.i WITH collect(n) AS ns UNWIND $all AS e "+
		"WITH ns[e.a] AS a, ns[e.b] AS b, e.k AS k CREATE (a)-[:E {k: k}]->(b)", map[string]any{"all": all})
	return r
}

// connect opens the test's own connections.
func (r *rig) connect(password string) {
	r.t.Helper()
	auth := driver.NoAuth()
	if password != "" {
		auth = driver.BasicAuth("neo4j", password, "")
	}
	db, err := driver.NewDriverWithContext(r.server.URI(), auth)
	if err != nil {
		r.t.Fatal(err)
	}
	r.db = db
	r.t.Cleanup(func() { db.Close(context.Background()) })
}

// cypher runs a statement on the server itself, not through the proxy, and returns its rows.
func (r *rig) cypher(statement string, parameters map[string]any) [][]any {
	r.t.Helper()
	rows, err := r.query(r.t.Context(), statement, parameters)
	if err != nil {
		r.t.Fatalf("%s: %v", statement, err)
	}
	return rows
}

func (r *rig) query(ctx context.Context, statement string, parameters map[string]any,
	database ...string) ([][]any, error) {
	session := r.db.NewSession(ctx, driver.SessionConfig{DatabaseName: append(database, "neo4j")[0]})
	defer session.Close(ctx)
	rows, err := session.ExecuteWrite(ctx, func(t driver.ManagedTransaction) (any, error) { // again after a restart
		result, err := t.Run(ctx, statement, parameters)
		if err != nil {
			return nil, err
		}
		return rowsOf(ctx, result)
	})
	if err != nil {
		return nil, err
	}
	return rows.([][]any), nil
}

// readOnce runs a statement in a transaction of its own, without trying again.
func (r *rig) readOnce(ctx context.Context, statement string) ([][]any, error) {
	session := r.db.NewSession(ctx, driver.SessionConfig{DatabaseName: "neo4j", AccessMode: driver.AccessModeRead})
	defer session.Close(ctx)
	result, err := session.Run(ctx, statement, nil)
	if err != nil {
		return nil, err
	}
	return rowsOf(ctx, result)
}

func rowsOf(ctx context.Context, result driver.ResultWithContext) ([][]any, error) {
	var rows [][]any
	for result.Next(ctx) {
		rows = append(rows, result.Record().Values)
	}
	return rows, result.Err()
}

// job is one of the jobs of the suite, which differ in how they publish their scores.
type job struct{ mode string }

func (j job) name() string { return "faults-" + j.mode }

// retry is how long the program tries a transaction again: long enough for a fault that comes once, even one that has
// to be noticed first.
const retry = 8 * time.Second

// config writes the file that a run of the job goes by.
func (r *rig) config(j job, address string, retry time.Duration) string {
	r.t.Helper()
	file := filepath.Join(r.dir, j.mode+".yml")
	text := fmt.Sprintf("version: 1\nstate: state\nneo4j: {uri: %q, username: \"\", retry: %s}\njobs:\n  - name: %s\n"+
		"    graph: {nodeQuery: \"MATCH (n:V) RETURN id(n)\", relationships: [{type: E}]}\n"+
		"    measures: [{measure: betweenness, nodes: %s_bc, relationships: %[4]s_ebc}]\n"+
		"    compute: {device: cpu, threads: 1}\n    write: {mode: %[4]s, batch: 100}\n", address, retry, j.name(), j.mode)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return file
}

func (r *rig) direct() string  { return r.server.URI() }
func (r *rig) proxied() string { return "bolt://" + r.proxy.Address() }

// command is linchpin as a process of its own.
func (r *rig) command(config string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	var stderr bytes.Buffer
	cmd := exec.Command(r.program, append(args, "--config", config)...)
	cmd.Dir, cmd.Stderr = r.dir, &stderr
	cmd.Env = r.environment()
	return cmd, &stderr
}

func (r *rig) environment() []string {
	env := append(os.Environ(), "CUDA_VISIBLE_DEVICES=", "HOME="+r.dir)
	for name, value := range r.env {
		env = append(env, name+"="+value)
	}
	return env
}

// ended is how a process ended.
type ended struct {
	status int // -1 when it was killed
	stderr string
	spent  time.Duration
	away   time.Duration // of a server that was killed and came back
}

// run runs a job to its end.
func (r *rig) run(config string, j job, flags ...string) ended {
	r.t.Helper()
	cmd, stderr := r.command(config, append([]string{"run", "--quiet", j.name()}, flags...)...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	return r.wait(cmd, stderr, start)
}

// patience bounds one run, whatever happens to it, unless a rig has its own.
const patience = 2 * time.Minute

func (r *rig) wait(cmd *exec.Cmd, stderr *bytes.Buffer, start time.Time) ended {
	r.t.Helper()
	late := time.AfterFunc(r.patience, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) }) // it says where it stands
	later := time.AfterFunc(r.patience+10*time.Second, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	later.Stop()
	if !late.Stop() {
		r.t.Errorf("a run did not end within %s\n%s", r.patience, stderr)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Error(err)
	}
	return ended{status: cmd.ProcessState.ExitCode(), stderr: stderr.String(), spent: time.Since(start)}
}

// change changes the graph, in the model and in the database, and returns the scores that it has now.
func (r *rig) change() scores {
	r.t.Helper()
	statement, parameters := r.model.change()
	r.cypher(strings.ReplaceAll(statement, " {i:", ":N {i:"), parameters)
	return r.model.scores()
}

// first lets a job succeed for the first time.
func (r *rig) first(j job) {
	r.t.Helper()
	want := r.model.scores()
	if e := r.run(r.config(j, r.direct(), retry), j); e.status != 0 {
		r.t.Fatalf("%s: exit status %d\n%s", j.name(), e.status, e.stderr)
	}
	if d := r.read(j).differ(want); d != "" {
		r.t.Fatalf("%s: %s", j.name(), d)
	}
	r.shown[j.name()] = want
}
