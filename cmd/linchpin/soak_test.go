package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// soak is a service as a process of its own, beside a real Neo4j.
type soak struct {
	t       *testing.T
	server  *neo4jtest.Server
	file    string
	program string
	wrap    []string // a command that runs the program
	address string
	log     *os.File
	process *exec.Cmd
	began   time.Time // when the first process was ready
	every   []int     // seconds between two runs of job i; 0 for none
}

const soakToken = "soak-soak-soak-soak"

// TestSoak runs ten jobs, several runs a second, with random requests, reloads, restarts and one kill -9. At the end
// every due time has its record, no lock is left, and neither memory nor goroutines have grown. LINCHPIN_SOAK=10m makes
// it long.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	long := 30 * time.Second
	if text := os.Getenv("LINCHPIN_SOAK"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		long = d
	}
	s := newSoak(t)
	s.launch()
	s.began = time.Now()
	warm := s.gauges()
	end := s.began.Add(long)
	killed := false
	for round := 1; time.Now().Before(end) || s.succeeded() == 0 && time.Now().Before(end.Add(2*time.Minute)); round++ { // a busy machine gets longer
		time.Sleep(time.Duration(300+rand.N(700)) * time.Millisecond)
		switch {
		case !killed && time.Since(s.began) > long/2:
			killed = true
			s.kill()
			s.launch()
			warm = s.gauges()
		case round%25 == 0:
			s.terminate()
			s.launch()
			warm = s.gauges()
		case round%7 == 0:
			s.signal(syscall.SIGHUP)
		default:
			s.request(fmt.Sprintf("job%d", rand.N(len(s.every))))
		}
	}
	s.compareGauges(warm)
	s.terminate()
	if statuses := s.checkAccounts(); statuses["skipped"] == 0 {
		t.Errorf("no run was skipped: %v", statuses)
	}
	s.checkLocks()
}

// succeeded returns how many runs have succeeded.
func (s *soak) succeeded() int64 {
	s.t.Helper()
	row := s.server.Query(s.t, "MATCH (r:LinchpinRun {status: 'succeeded'}) RETURN count(*) AS n", nil)
	return row[0]["n"].(int64)
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	return newSoakOn(t, neo4jtest.Options{}, `username: ""`, 1, 2, 2, 3, 3, 4, 5, 0, 0, 0)
}

// newSoakOn starts a server and writes a config with these credentials and a job for each number of seconds.
func newSoakOn(t *testing.T, o neo4jtest.Options, credentials string, every ...int) *soak {
	t.Helper()
	s := &soak{t: t, server: neo4jtest.StartFor(t, o), every: every}
	s.server.Query(t, "UNWIND range(0, 299) AS i CREATE (:V {i: i})", nil)
	s.server.Query(t, "MATCH (a:V) UNWIND [1, 7, 31] AS k MATCH (b:V {i: (a.i + k) % 300}) CREATE (a)-[:E]->(b)", nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	l.Close()
	folder := t.TempDir()
	s.file = filepath.Join(folder, "linchpin.yml")
	if s.log, err = os.Create(filepath.Join(folder, "log")); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nneo4j: {uri: %q, %s}\nserve: {listen: %q, token: %s, grace: 3s, running: 4, cpu: 2, keep: 100000, pprof: true}\njobs:\n",
		s.server.URI(), credentials, s.address, soakToken)
	for i, every := range s.every {
		fmt.Fprintf(&b, "  - name: job%d\n", i)
		if every > 0 {
			fmt.Fprintf(&b, "    schedule: \"*/%d * * * * *\"\n    overlap: %s\n", every, []string{"skip", "queue", "cancel"}[i%3])
		} else if i == 9 {
			b.WriteString("    after: job6\n")
		}
		fmt.Fprintf(&b, "    graph: {nodes: [V], relationships: [{type: E, orientation: undirected}]}\n"+
			"    measures: [{measure: betweenness, nodes: bc%d, relationships: ebc%d}]\n    compute: {device: cpu, threads: 1}\n", i, i)
	}
	if err := os.WriteFile(s.file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.process != nil {
			_ = s.process.Process.Kill()
			_ = s.process.Wait()
		}
		if t.Failed() {
			text, _ := os.ReadFile(s.log.Name())
			t.Logf("the log ends:\n%s", text[max(0, len(text)-6000):])
		}
	})
	return s
}

// launch starts the service and waits until it is ready.
func (s *soak) launch() {
	s.t.Helper()
	program, err := buildLinchpin(s.t)
	if err != nil {
		s.t.Fatal(err)
	}
	s.program = program
	args := append(slices.Clone(s.wrap), program, "serve", "--config", s.file)
	s.process = exec.Command(args[0], args[1:]...)
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get("http://" + s.address + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(end) {
			s.t.Fatal("the service was never ready")
		}
	}
}

// buildLinchpin builds the program, once a test.
func buildLinchpin(t *testing.T) (string, error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("linchpin-soak-%d", os.Getpid()))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	t.Cleanup(func() { os.Remove(path) })
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
}

func (s *soak) signal(sig os.Signal) {
	if err := s.process.Process.Signal(sig); err != nil {
		s.t.Error(err)
	}
}

func (s *soak) terminate() {
	s.t.Helper()
	s.signal(syscall.SIGTERM)
	if err := s.process.Wait(); err != nil {
		s.t.Errorf("after SIGTERM: %v", err)
	}
	s.process = nil
}

func (s *soak) kill() {
	s.signal(syscall.SIGKILL)
	_ = s.process.Wait() // it was killed
	s.process = nil
}

func (s *soak) request(job string) {
	r, err := http.NewRequest("POST", "http://"+s.address+"/api/jobs/"+job+"/run", bytes.NewReader([]byte(`{"recompute":true}`)))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+soakToken)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer response.Body.Close()
	var given jobs.Answer
	if err := json.NewDecoder(response.Body).Decode(&given); err != nil || response.StatusCode != http.StatusAccepted {
		s.t.Errorf("%s: %s, %v", job, response.Status, err)
	}
}

// gauges returns the heap in use and the number of goroutines, after a moment of work and a collection.
func (s *soak) gauges() map[string]float64 {
	s.t.Helper()
	time.Sleep(2 * time.Second)
	r, err := http.NewRequest("GET", "http://"+s.address+"/debug/pprof/heap?gc=1", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+soakToken)
	if response, err := http.DefaultClient.Do(r); err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	return s.metrics()
}

// metrics returns what /metrics says, by name and labels.
func (s *soak) metrics() map[string]float64 {
	s.t.Helper()
	response, err := http.Get("http://" + s.address + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	out := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		var name string
		var value float64
		if n, _ := fmt.Sscan(line, &name, &value); n == 2 {
			out[name] = value
		}
	}
	return out
}

func (s *soak) compareGauges(warm map[string]float64) {
	s.t.Helper()
	now := s.gauges()
	s.t.Logf("heap %.1f -> %.1f MB, goroutines %.0f -> %.0f", warm["go_memstats_heap_alloc_bytes"]/1e6, now["go_memstats_heap_alloc_bytes"]/1e6,
		warm["go_goroutines"], now["go_goroutines"])
	if now["go_memstats_heap_alloc_bytes"] > 2*warm["go_memstats_heap_alloc_bytes"]+10e6 {
		s.t.Error("the heap has grown")
	}
	if now["go_goroutines"] > warm["go_goroutines"]+40 { // a run under way has some
		s.t.Error("goroutines have grown")
	}
	if late := now[`linchpin_scheduler_lag_seconds_bucket{le="+Inf"}`] - now[`linchpin_scheduler_lag_seconds_bucket{le="1"}`]; late > 0 {
		s.t.Errorf("%.0f runs were dispatched more than a second late", late)
	}
}

// checkAccounts looks for a record of every due time between the first start and the last stop, and
// returns how many there are by status.
func (s *soak) checkAccounts() map[any]int {
	s.t.Helper()
	statuses := map[any]int{}
	for i, every := range s.every {
		if every == 0 {
			continue
		}
		rows := s.server.Query(s.t, "MATCH (r:LinchpinRun {job: $job}) WHERE r.due IS NOT NULL "+
			"RETURN r.due AS due, coalesce(r.until, r.due) AS until, r.status AS status, coalesce(r.note, '') AS note, coalesce(r.error, '') AS error",
			map[string]any{"job": fmt.Sprint("job", i)})
		accounted, newest := map[int64]bool{}, int64(0)
		for _, row := range rows {
			statuses[row["status"]]++
			for at := row["due"].(time.Time).Unix(); at <= row["until"].(time.Time).Unix(); at++ {
				accounted[at] = true
				newest = max(newest, at)
			}
			if status := row["status"]; status != "succeeded" && row["note"] == "" && row["error"] == "" {
				s.t.Errorf("job%d, due %v: %v without a reason", i, row["due"], status)
			}
		}
		for at := s.began.Unix() + 1; at <= newest; at++ {
			if at%60%int64(every) == 0 && !accounted[at] {
				s.t.Errorf("job%d: nothing accounts for %s", i, time.Unix(at, 0).UTC().Format(time.TimeOnly))
			}
		}
		if age := time.Since(time.Unix(newest, 0)); age > time.Duration(every+10)*time.Second {
			s.t.Errorf("job%d: the newest due time is %s ago", i, age)
		}
	}
	s.t.Logf("records with a due time: %v", statuses)
	if statuses["succeeded"] == 0 {
		s.t.Errorf("records: %v", statuses)
	}
	return statuses
}

// checkLocks waits for the lease of the process that was killed to end; nobody else may have left one.
func (s *soak) checkLocks() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for {
		held := s.server.Query(s.t, "MATCH (l:LinchpinLock) WHERE l.until > timestamp() RETURN l.owner AS owner", nil)
		if len(held) == 0 {
			break
		}
		select {
		case <-ctx.Done():
			s.t.Fatalf("locks are left: %v", held)
		case <-time.After(time.Second):
		}
	}
	open := s.server.Query(s.t, "MATCH (r:LinchpinRun {status: 'running'}) RETURN r.id AS id, r.job AS job", nil)
	if len(open) > 3 { // those that the kill cut off; the next start closes them
		s.t.Errorf("%d records say running", len(open))
	}
}
