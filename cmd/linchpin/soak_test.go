package main

import (
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
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// soak is a service as a process of its own, next to a real Neo4j.
type soak struct {
	t       *testing.T
	server  *neo4jtest.Server
	proxy   *faultproxy.Proxy // between the service and the server
	file    string
	program string
	wrap    []string // a command that runs the program
	address string
	log     *os.File
	process *exec.Cmd
	peak    int            // the most memory of any process so far, in bytes
	began   time.Time      // when the first process was ready
	every   []int          // seconds between two runs of job i; 0 for none
	counts  map[string]int // what was done to the service
}

const soakToken = "soak-soak-soak-soak"

// mostMemory is the resident memory that a service may reach, whatever is done to it.
const mostMemory = 100e6

// TestSoak runs ten jobs, several runs a second, while clients read slowly and try wrong tokens, the config is
// reloaded, the way to the database crawls, and the service and the database are killed. At the end every due time has
// its record, no lock is left, and memory stayed within its bound. LINCHPIN_SOAK=30m makes it long.
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
	fresh := s.gauges()
	s.awaitSuccess(s.began.Add(-time.Minute))
	s.makePast()
	stop := s.readSlowly()
	stalled := watchClock(t)
	s.trouble(long)
	s.proxy.Heal()
	stop()
	s.awaitStatus("/readyz", http.StatusOK)
	s.awaitMetric("linchpin_records_pending", func(n float64) bool { return n == 0 })
	s.compareGauges(fresh)
	s.checkLag(stalled())
	s.terminate()
	t.Logf("done to it: %v; at most %.1f MB", s.counts, float64(s.peak)/1e6)
	if s.peak > mostMemory {
		t.Errorf("the service took %d MB", s.peak/1e6)
	}
	if statuses := s.checkAccounts(); statuses["skipped"] == 0 {
		t.Errorf("no run was skipped: %v", statuses)
	}
	s.checkLocks()
}

// trouble makes trouble for so long, and of each kind at least once. The last process of the service lives for most of
// the time.
func (s *soak) trouble(long time.Duration) {
	begin := time.Now()
	restart, kill, outage := begin.Add(long/10), begin.Add(long/5), begin.Add(long*2/5)
	for round := 1; time.Since(begin) < long || round <= 10; {
		time.Sleep(time.Duration(300+rand.N(700)) * time.Millisecond)
		switch now := time.Now(); {
		case s.counts["restart"] == 0 && now.After(restart):
			s.terminate()
			s.launch()
			s.counts["restart"]++
		case s.counts["kill -9"] == 0 && now.After(kill):
			s.kill()
			s.launch()
			s.counts["kill -9"]++
		case now.After(outage):
			outage = now.Add(3 * time.Minute)
			s.killServer()
		default:
			s.annoy(round)
			round++
		}
		s.samplePeak()
	}
}

// annoy does what clients, operators and networks do.
func (s *soak) annoy(round int) {
	switch {
	case round%9 == 0:
		s.crawl(round)
	case round%9 == 4:
		s.proxy.Heal()
	case round%7 == 0:
		s.signal(syscall.SIGHUP)
		s.counts["reload"]++
	case round%5 == 0:
		s.tryWrongTokens()
	default:
		s.request(fmt.Sprintf("job%d", rand.N(len(s.every))))
		s.counts["request"]++
	}
}

// killServer kills the database and starts it again a moment later.
func (s *soak) killServer() {
	s.t.Helper()
	if err := s.server.Kill(); err != nil {
		s.t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	if err := s.server.Restart(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.counts["server kill"]++
}

// crawl makes the way to the database slow: each byte travels alone, or each message takes its time.
func (s *soak) crawl(round int) {
	if round%2 == 0 {
		s.proxy.Arm(faultproxy.Fault{Kind: faultproxy.Trickle})
	} else {
		s.proxy.Arm(faultproxy.Fault{Kind: faultproxy.Latency, For: 300 * time.Millisecond})
	}
	s.counts["crawl"]++
}

// tryWrongTokens sends more wrong tokens than an address may send.
func (s *soak) tryWrongTokens() {
	s.t.Helper()
	for range 10 {
		response := s.post("/api/jobs/job0/run", "not-the-token-of-the-service")
		if code := response.StatusCode; code != http.StatusUnauthorized && code != http.StatusTooManyRequests {
			s.t.Errorf("a wrong token: %s", response.Status)
		}
		response.Body.Close()
		s.counts["wrong token"]++
	}
}

// makePast copies the record of a run, so that there is much to read: a thousand records of the job "past".
func (s *soak) makePast() {
	s.t.Helper()
	s.server.Query(s.t,
		"MATCH (r:LinchpinRun {status: 'succeeded'}) WITH r LIMIT 1 UNWIND range(1, 1000) AS i CREATE (c:LinchpinRun) "+
			"SET c = r {.*, id: 'past' + i, job: 'past', started: r.started - duration({seconds: i})}", nil)
}

// readSlowly opens connections that ask for much and read nothing, again and again, until stop.
func (s *soak) readSlowly() (stop func()) {
	const readers = 200
	ctx, cancel := context.WithCancel(s.t.Context())
	var wait sync.WaitGroup
	for i := range readers {
		path := "/api/jobs/past/runs?limit=1000"
		switch {
		case i%10 == 1:
			path = "/api/events"
		case i%10 == 2:
			path = "/jobs/past"
		}
		wait.Go(func() {
			for ctx.Err() == nil {
				s.readNothing(ctx, path)
			}
		})
	}
	s.counts["slow reader"] = readers
	return func() { cancel(); wait.Wait() }
}

// readNothing asks for a path and holds the connection for up to a minute.
func (s *soak) readNothing(ctx context.Context, path string) {
	patience := time.Second // the service may be down
	if conn, err := net.Dial("tcp", s.address); err == nil {
		defer conn.Close()
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
		patience = time.Duration(10+rand.N(50)) * time.Second
	}
	select {
	case <-ctx.Done():
	case <-time.After(patience):
	}
}

// samplePeak reads the most memory that the process has had.
func (s *soak) samplePeak() {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		s.t.Log("the service's memory is not known:", err) // not on this system
		return
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kb int
	if _, err := fmt.Sscan(after, &kb); err != nil {
		s.t.Fatal(err)
	}
	s.peak = max(s.peak, kb<<10)
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	return newSoakOn(t, neo4jtest.Shared(t), `username: ""`, 1, 2, 2, 3, 3, 4, 5, 0, 0, 0)
}

// newSoakOn fills the server and writes a config with these credentials and a job for each number of seconds.
func newSoakOn(t *testing.T, server *neo4jtest.Server, credentials string, every ...int) *soak {
	t.Helper()
	s := &soak{t: t, server: server, every: every, counts: map[string]int{}}
	var err error
	if s.proxy, err = faultproxy.Start(fmt.Sprintf("127.0.0.1:%d", s.server.Port())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.proxy.Close)
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
	fmt.Fprintf(&b,
		"version: 1\nneo4j: {uri: %q, %s}\nserve: {listen: %q, token: %s, grace: 3s, running: 4, cpu: 2, keep: 100000, pprof: true}\njobs:\n",
		"bolt://"+s.proxy.Address(), credentials, s.address, soakToken)
	for i, every := range s.every {
		fmt.Fprintf(&b, "  - name: job%d\n", i)
		if every > 0 {
			fmt.Fprintf(&b, "    schedule: \"*/%d * * * * *\"\n    overlap: %s\n", every,
				[]string{"skip", "queue", "cancel"}[i%3])
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
	program, err := builtLinchpin()
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
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
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

// builtLinchpin is the program, which is built once. TestMain removes it.
var builtLinchpin = sync.OnceValues(func() (string, error) {
	path := builtPath()
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func builtPath() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("linchpin-soak-%d", os.Getpid()))
}

func (s *soak) signal(sig os.Signal) {
	if err := s.process.Process.Signal(sig); err != nil {
		s.t.Error(err)
	}
}

func (s *soak) terminate() {
	s.t.Helper()
	s.samplePeak()
	s.signal(syscall.SIGTERM)
	if err := s.process.Wait(); err != nil {
		s.t.Errorf("after SIGTERM: %v", err)
	}
	s.process = nil
}

func (s *soak) kill() {
	s.samplePeak()
	s.signal(syscall.SIGKILL)
	_ = s.process.Wait() // it was killed
	s.process = nil
}

func (s *soak) request(job string) {
	s.t.Helper()
	response := s.post("/api/jobs/"+job+"/run", soakToken)
	defer response.Body.Close()
	var given jobs.Answer
	if err := json.NewDecoder(response.Body).Decode(&given); err != nil || response.StatusCode != http.StatusAccepted {
		s.t.Errorf("%s: %s, %v", job, response.Status, err)
	}
}

// post asks for a run with a token.
func (s *soak) post(path, token string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest("POST", "http://"+s.address+path, strings.NewReader(`{"recompute":true}`))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return response
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

func (s *soak) compareGauges(fresh map[string]float64) {
	s.t.Helper()
	now := s.gauges()
	s.t.Logf("heap %.1f -> %.1f MB, goroutines %.0f -> %.0f", fresh["go_memstats_heap_alloc_bytes"]/1e6,
		now["go_memstats_heap_alloc_bytes"]/1e6, fresh["go_goroutines"], now["go_goroutines"])
	if now["go_memstats_heap_alloc_bytes"] > 2*fresh["go_memstats_heap_alloc_bytes"]+10e6 {
		s.t.Error("the heap has grown")
	}
	if now["go_goroutines"] > fresh["go_goroutines"]+40 { // a run under way has some
		s.t.Error("goroutines have grown")
	}
}

// checkLag looks for runs that were dispatched more than a second late. On a machine that kept this test waiting as
// well they say nothing of the service.
func (s *soak) checkLag(stalled time.Duration) {
	s.t.Helper()
	lags := s.metrics()
	late := lags[`linchpin_scheduler_lag_seconds_bucket{le="+Inf"}`] -
		lags[`linchpin_scheduler_lag_seconds_bucket{le="1"}`]
	s.t.Logf("%.0f runs were dispatched more than a second late; the machine kept this test waiting for up to %s",
		late, stalled)
	if late > 0 && stalled < 300*time.Millisecond {
		s.t.Errorf("%.0f runs were late", late)
	}
}

// watchClock returns a function that ends watching and returns the longest time for which this process was kept
// waiting.
func watchClock(t *testing.T) func() time.Duration {
	const tick = 50 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	longest := make(chan time.Duration, 1)
	go func() {
		most := time.Duration(0)
		for ctx.Err() == nil {
			before := time.Now()
			time.Sleep(tick)
			most = max(most, time.Since(before)-tick)
		}
		longest <- most
	}()
	return func() time.Duration { cancel(); return <-longest }
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
