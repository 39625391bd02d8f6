package faults

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

var update = flag.Bool("update", false, "write the expected messages anew")

// golden collects what linchpin says, and compares it with testdata.
type golden struct {
	t    *testing.T
	r    *rig
	text strings.Builder
}

// says runs a job and notes how it ended and what it wrote.
func (g *golden) says(title, config string, j job, args ...string) ended {
	g.t.Helper()
	cmd, stderr := g.r.command(config, append([]string{"run", j.name()}, args...)...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	e := g.r.wait(cmd, stderr, start)
	g.note(title, e)
	return e
}

func (g *golden) note(title string, e ended) {
	fmt.Fprintf(&g.text, "# %s: exit status %d\n", title, e.status)
	for line := range strings.Lines(e.stderr) {
		if strings.Contains(line, "level=INFO") || strings.Contains(line, "could not be recorded") ||
			strings.Contains(line, "could not be given up") {
			continue // how far each step came, and what did not fit into the last second
		}
		for _, v := range volatile {
			line = v.pattern.ReplaceAllString(line, v.stands)
		}
		g.text.WriteString(strings.ReplaceAll(line, g.r.dir, "DIR"))
	}
	g.text.WriteString("\n")
}

// volatile is what differs from run to run.
var volatile = []struct {
	pattern *regexp.Regexp
	stands  string
}{
	{regexp.MustCompile(`time=\S+ `), ""},
	{regexp.MustCompile(`since \d{4}-\d\d-\d\dT[\d:]+Z`), "since TIME"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDRESS"},
	{regexp.MustCompile(`\.yml:(\d+):\d+`), ".yml:$1:COLUMN"}, // the folder's name stands before it
	{regexp.MustCompile(`lookup no-such-host\.invalid.*`), "lookup no-such-host.invalid: ..."},
	{regexp.MustCompile(`run \d{8}[-T]\S+`), "run ID"},
	{regexp.MustCompile(`graph-\d{8}[-T][^.]+`), "graph-ID"},
	{regexp.MustCompile(`locked by \S+ \(process \d+\)`), "locked by HOST (process N)"},
	{regexp.MustCompile(`within \d+s`), "within SECONDS"},
	{regexp.MustCompile(`\b\d+(\.\d+)? (K|M|G)iB`), "SIZE"},
	{regexp.MustCompile(`Transaction #\d+ \{.*\}`), "Transaction #N {...}"},
	{regexp.MustCompile(`\.[0-9a-f]{8}\.tmp`), ".tmp"},
	{regexp.MustCompile(`(scores|previous)-\d+\.tmp`), "$1.tmp"},
}

func (g *golden) compare(name string) {
	g.t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(g.text.String()), 0o644); err != nil {
			g.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		g.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), g.text.String()); diff != "" {
		g.t.Errorf("messages differ; go test ./internal/faults -run %s -update writes them:\n%s", g.t.Name(), diff)
	}
}

const password = "correct horse battery"

// soon is how long a run tries again what will not pass.
const soon = 500 * time.Millisecond

// TestRefusals lets a real server, and a real file system, say no. Every answer is the server's own, but for those
// whose title says that the proxy has put it in.
func TestRefusals(t *testing.T) {
	unlimited := map[string]string{"dbms.security.auth_max_failed_attempts": "0"} // wrong passwords do not lock us out
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	t.Parallel()
	server := neo4jtest.StartFor(t, neo4jtest.Options{Heap: "384m", Password: password, Conf: unlimited})
	r := newRigOn(t, 1, server, password)
	r.env["LINCHPIN_NEO4J_USERNAME"], r.env["LINCHPIN_NEO4J_PASSWORD"] = "neo4j", password
	j := job{"inplace"}
	r.first(j)
	g := &golden{t: t, r: r}
	direct := r.config(j, r.direct(), soon)

	r.addresses(g, j)
	r.wrongPassword(g, j)
	r.changedPassword(g, j)
	r.injected(g, j)
	r.indexed(g, j)
	r.lockedByOther(g, j)
	r.fullState(g, j)

	r.change()
	c, tls := r.newCertificates()
	r.reconfigure(func(o *neo4jtest.Options) {
		o.ReadOnly = true
		maps.Copy(o.Conf, tls)
	})
	g.says("a read-only database", direct, j)
	r.strangers(g, j, c)
	r.reconfigure(func(o *neo4jtest.Options) {
		o.ReadOnly, o.Conf["db.memory.transaction.max"] = false, "4m" // the server does not start with less
		askForClients(o)
	})
	r.clients(g, j, c)
	r.littleMemory(g, j)
	want := r.change()
	for _, wrong := range r.afterRerun(j, r.run(r.config(j, r.direct(), retry), j), want) {
		t.Error(wrong)
	}
	g.compare("refusals.txt")
}

func (r *rig) reconfigure(change func(*neo4jtest.Options)) {
	r.t.Helper()
	if err := r.server.Reconfigure(r.t.Context(), change); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) wrongPassword(g *golden, j job) {
	r.env["LINCHPIN_NEO4J_PASSWORD"] = "wrong"
	g.says("a wrong password", r.config(j, r.direct(), soon), j)
	r.env["LINCHPIN_NEO4J_PASSWORD"] = password
}

// changedPassword changes the password when the run has begun to write, and cuts its connections: what connects again
// is refused.
func (r *rig) changedPassword(g *golden, j job) {
	r.change()
	var changed error
	done := make(chan struct{})
	first := true
	r.proxy.OnCommit(func(step, _ string) {
		if step == "write" && first {
			first = false
			_, changed = r.query(context.Background(), "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
				map[string]any{"old": password, "new": "another horse"}, "system")
			go func() { defer close(done); r.proxy.Heal() }()
		}
	})
	e := g.says("a password that was changed while the run was writing", r.config(j, r.proxied(), soon), j)
	r.proxy.OnCommit(nil)
	if e.status == 0 || changed != nil {
		r.t.Fatalf("exit status %d, %v", e.status, changed)
	}
	<-done
	r.connect("another horse")
	if _, err := r.query(r.t.Context(), "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
		map[string]any{"old": "another horse", "new": password}, "system"); err != nil {
		r.t.Fatal(err)
	}
	r.connect(password)
}

// injected gives the answers that only Enterprise or a cluster gives.
func (r *rig) injected(g *golden, j job) {
	for i, one := range refusals {
		r.change()
		steps := []string{"write"}
		if i == 0 {
			steps = []string{"export", "lock", "record", "write"}
		}
		for _, step := range steps {
			r.proxy.Arm(faultproxy.Fault{Kind: faultproxy.Refuse, Lasting: true, Code: one.code, Text: one.text,
				At: faultproxy.Trigger{Step: step, Message: 1}})
			g.says("put in by the proxy during "+step+": "+one.code, r.config(j, r.proxied(), soon), j)
			r.proxy.Heal()
		}
	}
	r.cluster(g, j)
}

// cluster lets the proxy answer for a cluster: it makes the routing tables up.
func (r *rig) cluster(g *golden, j job) {
	self, nobody := []string{r.proxy.Address()}, []string{"127.0.0.1:1"}
	routed := r.config(j, strings.Replace(r.proxied(), "bolt:", "neo4j:", 1), 2*time.Second)
	r.proxy.Route(func() faultproxy.RoutingTable {
		return faultproxy.RoutingTable{Readers: self, Routers: self}
	})
	g.says("a routing table put in by the proxy: no leader", routed, j)
	r.proxy.Route(func() faultproxy.RoutingTable {
		return faultproxy.RoutingTable{Writers: nobody, Readers: self, Routers: self}
	})
	g.says("a routing table put in by the proxy: a leader that does not answer", routed, j)
	asked := 0
	r.proxy.Route(func() faultproxy.RoutingTable {
		if asked++; asked < 3 {
			return faultproxy.RoutingTable{Writers: nobody, Readers: self, Routers: self}
		}
		return faultproxy.RoutingTable{Writers: self, Readers: self, Routers: self}
	})
	want := r.model.scores()
	g.says("a routing table put in by the proxy: another leader is elected", routed, j)
	r.proxy.Route(nil)
	if d := r.read(j).differ(want); d != "" {
		r.t.Error(d)
	}
}

func (r *rig) indexed(g *golden, j job) {
	r.change()
	r.cypher("CREATE INDEX by_score FOR (n:N) ON n.inplace_bc", nil)
	r.cypher("CREATE CONSTRAINT one_score FOR ()-[r:E]-() REQUIRE r.inplace_ebc IS UNIQUE", nil)
	g.says("an index and a constraint on the scores", r.config(j, r.direct(), soon), j)
	r.cypher("DROP CONSTRAINT one_score", nil)
	g.says("the index alone", r.config(j, r.direct(), soon), j)
	r.cypher("DROP INDEX by_score", nil)
}

func (r *rig) lockedByOther(g *golden, j job) {
	want := r.change()
	file := r.config(j, r.direct(), soon)
	r.cypher("MATCH (l:LinchpinLock {name: $job}) SET l.owner = 'elsewhere (process 7), run 20260101-000000-abcd', "+
		"l.token = 'x', "+
		"l.since = datetime() - duration('PT5M'), l.until = timestamp() + 40000, l.fence = l.fence + 1",
		map[string]any{"job": j.name()})
	start := time.Now()
	g.says("a lock that another machine holds", file, j)
	if spent := time.Since(start); spent > 30*time.Second { // the lock ends after 40
		r.t.Errorf("it took %s to say that the job is locked", spent)
	}
	g.says("the same with --wait=1s", file, j, "--wait=1s")
	release := time.AfterFunc(2*time.Second, func() {
		_, _ = r.query(context.Background(), "MATCH (l:LinchpinLock) SET l.token = null, l.until = null", nil)
	})
	defer release.Stop()
	g.says("the same with --wait, and released after two seconds", file, j, "--wait")
	if d := r.read(j).differ(want); d != "" {
		r.t.Error(d)
	}
}

// fullState runs with a state folder that is full: a small tmpfs, or, where none can be mounted, a limit on the size of
// files.
func (r *rig) fullState(g *golden, j job) {
	want := r.change()
	file := r.config(j, r.direct(), soon)
	small := filepath.Join(r.dir, "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		r.t.Fatal(err)
	}
	r.env["LINCHPIN_STATE"] = small
	if err := mountSmall(small, "16k"); err == nil {
		g.says("a state folder that is full", file, j)
		if err := syscall.Unmount(small, 0); err != nil {
			r.t.Error(err)
		}
	} else {
		r.t.Logf("no tmpfs can be mounted here (%v): files are limited to 8 KiB instead", err)
		limited := exec.Command("sh", "-c", `ulimit -f 16; exec "$@"`, "sh", r.program, "run", "--quiet", j.name(),
			"--config", file)
		limited.Dir, limited.Env = r.dir, r.environment()
		if out, err := limited.CombinedOutput(); err == nil || !strings.HasPrefix(string(out), "linchpin: ") {
			r.t.Errorf("%v: %s", err, out)
		}
	}
	delete(r.env, "LINCHPIN_STATE")
	for _, wrong := range r.afterRerun(j, r.run(file, j), want) {
		r.t.Error(wrong)
	}
}

// littleMemory asks for more than the server grants a transaction. Smaller batches would not help: it is one query.
func (r *rig) littleMemory(g *golden, j job) {
	file := r.config(j, r.direct(), soon)
	text, err := os.ReadFile(file)
	if err != nil {
		r.t.Fatal(err)
	}
	greedy := strings.Replace(string(text), "MATCH (n:V)",
		"UNWIND range(1, 300000) AS i WITH collect('text ' + i) AS all MATCH (n:V)", 1)
	if err := os.WriteFile(file, []byte(greedy), 0o600); err != nil {
		r.t.Fatal(err)
	}
	g.says("little memory for a transaction", file, j)
}
