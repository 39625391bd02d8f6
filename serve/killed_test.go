//go:build unix

package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/fleet/node"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// processVariable names the config of a service that is a process of its own, which tests kill.
const processVariable = "LINCHPIN_TEST_SERVICE"

func TestMain(m *testing.M) {
	file := os.Getenv(processVariable)
	if file == "" {
		os.Exit(m.Run())
	}
	o, err := optionsOf(file, os.Stderr, coordinator.Options{Lease: 2 * time.Second, Target: 60 * time.Millisecond})
	if err == nil {
		err = Run(context.Background(), o)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// mortal is a service with nodes that is killed.
type mortal struct {
	*fixture
	server  *neo4jtest.Server
	process *exec.Cmd
}

// launch starts a process of the service with a state folder.
func (m *mortal) launch(state string) {
	m.t.Helper()
	listen := strings.TrimPrefix(m.url, "http://")
	job := strings.Replace(jobText("path", ""), "device: cpu,", "device: cpu, nodes: 1..,", 1)
	text := configText(m.server.URI(), fmt.Sprintf("listen: %q, token: %s", listen, token), job)
	m.write(strings.Replace(text, "state: state", fmt.Sprintf("state: %q", state), 1))
	m.process = exec.Command(os.Args[0])
	m.process.Env = append(os.Environ(), processVariable+"="+m.file)
	m.process.Stderr = m.log
	if err := m.process.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.await("ready", func() bool {
		r, err := http.Get(m.url + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
}

// kill kills the process.
func (m *mortal) kill() {
	_ = m.process.Process.Kill()
	_ = m.process.Wait() // it was killed
}

// done is the share of the run that is done, when it is at least so much; false where the run is over before.
func (m *mortal) done(least float64) (done float64, under bool) {
	m.t.Helper()
	begun := false
	m.await("done", func() bool {
		var state fleet.State
		if _, text := m.get("/api/fleet"); json.Unmarshal([]byte(text), &state) != nil {
			m.t.Fatal(text)
		}
		under = len(state.Runs) > 0
		if under {
			begun, done = true, state.Runs[0].Done
		}
		return begun && (!under || done >= least)
	})
	return done, under
}

// scores counts the nodes and relationships with the scores of a path of a length, and those with others. On a path,
// node i is on i(n-1-i) shortest paths, and the edge behind it on (i+1)(n-1-i).
func (m *mortal) scores(length int) (right, others int) {
	m.t.Helper()
	for _, q := range []string{
		"MATCH (v:V) WITH v.bc_path = toFloat(v.i * ($n - 1 - v.i)) AS same",
		"MATCH (a:V)-[e:E]->() WITH e.ebc_path = toFloat((a.i + 1) * ($n - 1 - a.i)) AS same",
	} {
		row := m.server.Query(m.t, q+" RETURN count(CASE WHEN same THEN 1 END) AS right, count(*) AS all",
			map[string]any{"n": length})[0]
		n, all := int(row["right"].(int64)), int(row["all"].(int64))
		right, others = right+n, others+all-n
	}
	return right, others
}

// all checks that all scores are those of a path of this length.
func (m *mortal) all(when string, length int) {
	m.t.Helper()
	if right, others := m.scores(length); others > 0 {
		m.t.Errorf("%s: %d scores are those of a path of %d nodes, %d are not", when, right, length, others)
	}
}

// TestTheServiceIsKilled kills the service in the middle of runs that nodes compute. The same service, and another one
// on another machine that has its folder of parts, go on with what is done. While nothing is written the old scores
// stay, all of them, and at the end all scores are those of the new graph.
func TestTheServiceIsKilled(t *testing.T) {
	const length = 6000
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	m := &mortal{server: fill(t, length), fixture: &fixture{
		t: t, url: "http://" + l.Addr().String(), file: filepath.Join(t.TempDir(), "linchpin.yml"), log: &lockedBuffer{},
	}}
	t.Cleanup(func() {
		m.kill()
		if t.Failed() {
			t.Log(m.log)
		}
	})
	one, another := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "state")
	m.launch(one)
	m.join(2)
	if run := m.ended(m.press("path")); run.Status != connector.Succeeded {
		t.Fatalf("%s %s", run.Status, run.Error)
	}
	m.all("before", length)
	m.server.Query(t, "MATCH (v:V {i: $last}) DETACH DELETE v", map[string]any{"last": length - 1})

	first := m.press("path")
	before, under := m.done(0.1)
	m.kill()
	if !under {
		t.Fatal("the run was over before the service could be killed")
	}
	m.all("after the first kill", length)

	m.launch(one)
	m.press("path")
	resumed, under := m.done(0)
	if resumed < before {
		t.Errorf("%.2f were done, and the service that was started again begins with %.2f", before, resumed)
	}
	if under {
		before, under = m.done(resumed + 0.1)
	}
	m.kill()
	if under {
		m.all("after the second kill", length)
	}
	if err := os.MkdirAll(another, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(another, "fleet"), os.DirFS(filepath.Join(one, "fleet"))); err != nil {
		t.Fatal(err)
	}
	m.launch(another)
	last := m.press("path")
	if resumed, _ = m.done(0); under && resumed < before {
		t.Errorf("%.2f were done, and the service with the copied folder begins with %.2f", before, resumed)
	}
	m.await("scores", func() bool { right, _ := m.scores(length - 1); return right > 4 }) // it writes
	m.kill()
	m.launch(another)
	run := m.ended(m.press("path"))
	if run.Status != connector.Succeeded {
		t.Fatalf("%s %s", run.Status, run.Error)
	}
	m.all("at the end", length-1)
	if r := m.ended(first); r.Status != connector.Failed {
		t.Errorf("a run that was killed while it computed: %s", r.Status)
	}
	if r := m.ended(last); r.Status != connector.Unfinished {
		t.Errorf("a run that was killed while it wrote: %s", r.Status)
	}
	if left, _ := os.ReadDir(filepath.Join(another, "fleet")); len(left) > 0 {
		t.Errorf("%d folders of parts are left", len(left))
	}
}

// join starts nodes, until the test ends.
func (m *mortal) join(count int) {
	for i := range count {
		o := m.joining(token, testProgram)
		o.Name, o.Grace = fmt.Sprint("node", i), time.Second
		ctx, leave := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- node.Run(ctx, o) }()
		m.t.Cleanup(func() {
			leave()
			if err := <-done; err != nil {
				m.t.Error(err)
			}
		})
	}
}
