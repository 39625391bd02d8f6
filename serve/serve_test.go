package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

func TestWhoMayDoWhat(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	as := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	for name, c := range map[string]struct {
		method, path, body string
		change             func(*http.Request)
		status             int
	}{
		"no token":        {"POST", "/api/jobs/a/run", "", nil, 401},
		"no such job":     {"POST", "/api/jobs/b/run", "", bearer, 404},
		"a job that runs": {"POST", "/api/jobs/a/run", "{}", bearer, 202},
		"the scheme in small": {"POST", "/api/jobs/a/run", "{}",
			func(r *http.Request) { r.Header.Set("Authorization", "bearer "+token) }, 202},
		"unknown key": {"POST", "/api/jobs/a/run", `{"recompte": true}`, bearer, 400},
		"two values":  {"POST", "/api/jobs/a/run", `{} {}`, bearer, 400},
		"a huge body": {"POST", "/api/jobs/a/run", `{"recompute": ` + strings.Repeat(" ", 1<<20) + "true}",
			bearer, 413},
		"another site's page": {"POST", "/api/jobs/a/run", "",
			func(r *http.Request) { bearer(r); r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another origin": {"POST", "/api/jobs/a/run", "",
			func(r *http.Request) { bearer(r); r.Header.Set("Origin", "https://evil.example") }, 403},
		"a name that is not ours": {"GET", "/", "", func(r *http.Request) { r.Host = "evil.example" }, 421},
		"localhost":               {"GET", "/", "", func(r *http.Request) { r.Host = "localhost:80" }, 200},
		"nothing there":           {"GET", "/nowhere", "", nil, 404},
		"a limit too high":        {"GET", "/api/jobs/a/runs?limit=1000000", "", nil, 400},
		"no such run":             {"GET", "/api/runs/x", "", nil, 404},
		"GET does not start":      {"GET", "/api/jobs/a/run", "", bearer, 404},
		"pprof is off":            {"GET", "/debug/pprof/", "", bearer, 404},
	} {
		t.Run(name, func(t *testing.T) {
			status, text, header := f.send(c.method, c.path, strings.NewReader(c.body), c.change)
			if status != c.status {
				t.Errorf("%d, want %d: %s", status, c.status, text)
			}
			if csp := header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") ||
				strings.Contains(csp, "unsafe") {
				t.Errorf("policy %q", csp)
			}
		})
	}
	// A body without a length is cut off all the same.
	status, _, _ := f.send("POST", "/api/jobs/a/run", io.LimitReader(spaces{}, 1<<20), bearer)
	if status != 413 {
		t.Errorf("a long body of unknown length: %d", status)
	}
	if _, text, _ := f.send("POST", "/api/jobs/a/run", nil,
		as("wrong wrong wrong")); !strings.Contains(text, "this is not the token") {
		t.Errorf("a wrong token: %s", text)
	}
	for range wrongTokens + 3 {
		status, _, _ = f.send("POST", "/api/jobs/a/run", nil, as("wrong wrong wrong"))
	}
	if status != 429 {
		t.Errorf("after many wrong tokens: %d", status)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadingBehindTheToken(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token+", read: token, pprof: true", jobText("a", ""))).ready()
	for _, path := range []string{"/", "/jobs/a", "/api/jobs", "/api/events", "/metrics", "/debug/pprof/"} {
		if status, _, _ := f.send("GET", path, nil, nil); status != 401 {
			t.Errorf("%s without a token: %d", path, status)
		}
	}
	for _, path := range []string{"/", "/jobs/a", "/api/jobs", "/metrics", "/debug/pprof/"} {
		if status, _ := f.get(path); status != 200 {
			t.Errorf("%s with the token: %d", path, status)
		}
	}
	form := func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }
	if status, _, _ := f.send("POST", "/login", strings.NewReader("token=wrong"), form); status != 401 {
		t.Errorf("login with a wrong token: %d", status)
	}
	status, _, header := f.send("POST", "/login", strings.NewReader("token="+token), form)
	cookie := header.Get("Set-Cookie")
	if status != 303 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") ||
		strings.Contains(cookie, token) {
		t.Fatalf("login: %d, %q", status, cookie)
	}
	value, _, _ := strings.Cut(cookie, ";")
	if status, _, _ := f.send("GET", "/api/jobs", nil, func(r *http.Request) {
		r.Header.Set("Cookie", value)
	}); status != 200 {
		t.Errorf("with the cookie: %d", status)
	}
	if status, _, _ := f.send("GET", "/api/jobs", nil, func(r *http.Request) {
		r.Header.Set("Cookie", value[:len(value)-3]+"abc")
	}); status != 401 {
		t.Errorf("with a forged cookie: %d", status)
	}
}

func TestRunOnRequestIsRecordedAndShown(t *testing.T) {
	server := fill(t, 60)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""), jobText("b", "    after: a\n"))).ready()
	r, err := http.NewRequestWithContext(t.Context(), "GET", f.url+"/api/events?job=a", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	id := f.press("a")
	kinds := map[string]int{}
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			if kinds[kind]++; kind == "ended" {
				break
			}
		}
	}
	if kinds["started"] != 1 || kinds["step"] != 4 || kinds["progress"] == 0 || kinds["stepDone"] != 4 {
		t.Errorf("events %v", kinds)
	}
	run := f.ended(id)
	if run.Status != connector.Succeeded || run.Trigger != "request" || len(run.Scores) != 2 || run.Gteps <= 0 ||
		run.ReadRate <= 0 || run.WriteRate <= 0 || run.SnapshotBytes < 1000 {
		t.Fatalf("%+v", run)
	}
	if top := run.Scores[0].Top[0]; top.Name != "node 29" && top.Name != "node 30" || top.Score != 29*30 {
		t.Errorf("top %+v", top)
	}
	if top := run.Scores[1].Top[0]; top.Source != "node 29" || top.Target != "node 30" || top.Score != 900 {
		t.Errorf("top relationship %+v", top)
	}
	f.await("b ran after a", func() bool { // to its end: what it writes would meet the next statement
		_, text := f.get("/api/jobs/b/runs")
		return strings.Contains(text, `"after run `+id) && strings.Contains(text, `"status":"succeeded"`)
	})
	server.Query(t, "MATCH (a:V {i: 0}), (b:V {i: 40}) CREATE (a)-[:E]->(b)", nil)
	second := f.ended(f.press("a"))
	if rank := second.Scores[0].Rank; rank == nil || *rank > .999 || len(second.Scores[0].Movers) == 0 ||
		second.Scores[0].Compared != 60 {
		t.Errorf("compared: %+v", second.Scores[0])
	}
	for path, holds := range map[string]string{"/": `href="/jobs/a"`, "/jobs/a": id, "/runs/" + second.ID: "node 40",
		"/runs/" + id: " read/s, ", "/runs/" + id + "?": "<dt>Way</dt><dd>betweenness: cpu, "} {
		if status, text := f.get(path); status != 200 || !strings.Contains(text, holds) {
			t.Errorf("%s: %d, without %s", path, status, holds)
		}
	}
}

// TestWarningsAreShown reads a relationship that ends outside of the graph.
func TestWarningsAreShown(t *testing.T) {
	server := fill(t, 6)
	server.Query(t, "MATCH (v:V {i: 5}) CREATE (v)-[:E]->(:W)", nil)
	told := filepath.Join(t.TempDir(), "told")
	hook := fmt.Sprintf("hooks: [{on: [warning], exec: [/bin/sh, -c, 'cat > %s']}]", told)
	f := start(t, configText(server.URI(), "token: "+token+", "+hook, jobText("path", ""))).ready()
	run := f.ended(f.press("path"))
	const warning = "1 relationship left out: to nodes outside the graph"
	if run.Status != connector.Succeeded || !slices.Equal(run.Warnings, []string{warning}) {
		t.Errorf("the record says %s, %q", run.Status, run.Warnings)
	}
	for path, want := range map[string][]string{
		"/api/runs/" + run.ID: {`"status":"succeeded"`, `"state":"succeeded with warnings"`},
		"/api/jobs":           {`"state":"succeeded with warnings"`},
		"/runs/" + run.ID:     {"<li>" + warning + "</li>", ">succeeded with warnings<"},
		"/jobs/path":          {warning, ">succeeded with warnings<"},
		"/":                   {">succeeded with warnings<"},
		"/metrics": {`linchpin_run_warnings{job="path"} 1`,
			`linchpin_runs_total{job="path",status="succeeded"} 1`},
	} {
		for _, part := range want {
			f.await(fmt.Sprintf("%s had %q", path, part), func() bool {
				_, text := f.get(path)
				return strings.Contains(text, part)
			})
		}
	}
	f.await("told of", func() bool {
		text, err := os.ReadFile(told)
		return err == nil && strings.Contains(string(text), `"event":"warning"`) && strings.Contains(string(text), warning)
	})
	if !strings.Contains(f.log.String(), "level=WARN msg=warning job=path") {
		t.Error("the log has no warning")
	}
	server.Query(t, "MATCH (v:V) WHERE v.i > 1 DETACH DELETE v", nil)
	if run := f.ended(f.press("path")); run.Status != connector.Failed ||
		!strings.Contains(run.Error, "limits.maxShrink") {
		t.Errorf("shrunken, and the record says %s, %q", run.Status, run.Error)
	}
	_, text, _ := f.send(http.MethodPost, "/api/jobs/path/run", strings.NewReader(`{"ignoreLimits": true}`), bearer)
	var given jobs.Answer
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		t.Fatal(err)
	}
	if run := f.ended(given.Run); run.State() != connector.SucceededWithWarnings {
		t.Errorf("allowed, and the record says %s, %q", run.State(), run.Error)
	}
}

func TestMetricsPassTheLinter(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", "    schedule: \"* * * * * *\"\n"))).ready()
	f.await("a scheduled run", func() bool {
		_, text := f.get("/api/jobs/a/runs")
		return strings.Contains(text, `"trigger":"schedule"`)
	})
	f.await("a second one", func() bool {
		_, text := f.get("/metrics")
		return strings.Contains(text, `linchpin_runs_total{job="a",status="succeeded"}`)
	})
	_, text := f.get("/metrics")
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", err, problems)
	}
	for _, name := range []string{"run_duration_seconds_bucket", "relationships_read_total", "compute_gteps",
		"last_success_timestamp_seconds", "scheduler_lag_seconds_bucket", "database_up 1", "entities_written_total",
		"step_duration_seconds_sum", "build_info"} {
		if !strings.Contains(text, "linchpin_"+name) {
			t.Errorf("no linchpin_%s", name)
		}
	}
}

func TestWaitsForTheDatabase(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // nothing answers here
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	f := start(t, configText("bolt://"+address, "token: "+token, jobText("a", "")))
	if status, _ := f.get("/healthz"); status != 200 {
		t.Errorf("/healthz: %d", status)
	}
	f.await("a reason", func() bool {
		status, text := f.get("/readyz")
		return status == 503 && strings.Contains(text, "cannot reach Neo4j")
	})
	if status, text := f.get("/"); status != 200 || !strings.Contains(text, "The database does not answer") {
		t.Errorf("page: %d", status)
	}
	for _, path := range []string{"/api/jobs/a/run", "/api/jobs/a/cancel"} {
		if status, text, _ := f.send("POST", path, nil, bearer); status != 503 ||
			!strings.Contains(text, "the database has not answered yet") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if !strings.Contains(f.log.String(), "waiting for the database") {
		t.Error("the log does not say so")
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := config.Default()
	c.Serve.Listen = l.Addr().String()
	err = Run(t.Context(), Options{Config: &c, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "serve.listen") ||
		!strings.Contains(err.Error(), "address already in use") {
		t.Errorf("got %v", err)
	}
}

func TestHooks(t *testing.T) {
	server := fill(t, 20)
	type call struct{ event, signature, timestamp, body string }
	calls, fails := make(chan call, 10), 2
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if fails--; fails >= 0 {
			w.WriteHeader(500)
			return
		}
		var report Report
		if err := json.Unmarshal(body, &report); err != nil {
			t.Error(err)
		}
		calls <- call{report.Event, r.Header.Get("Linchpin-Signature"), r.Header.Get("Linchpin-Timestamp"), string(body)}
	}))
	defer hook.Close()
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the server would not notice that the client gave up
		<-r.Context().Done()
	}))
	defer hang.Close()
	folder := t.TempDir()
	secret, out := filepath.Join(folder, "key"), filepath.Join(folder, "out")
	if err := os.WriteFile(secret, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := start(t, configText(server.URI(),
		fmt.Sprintf("token: %s, hooks: [{on: [success], url: %q, timeout: 300ms}, {on: [success], url: %q, secretFile: %q}, {on: [success], exec: [sh, -c, %q]}]",
			token, hang.URL, hook.URL, secret, "cat > "+out), jobText("a", ""))).ready()
	f.ended(f.press("a"))
	select {
	case c := <-calls:
		at, err := strconv.ParseInt(c.timestamp, 10, 64)
		if err != nil {
			t.Error(err)
		}
		if want := "sha256=" + Sign("sesame", at, []byte(c.body)); c.signature != want || c.event != "success" {
			t.Errorf("%s, signature %s, want %s", c.event, c.signature, want)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the webhook was not called again after failures")
	}
	f.await("the command ran", func() bool {
		b, _ := os.ReadFile(out)
		return strings.Contains(string(b), `"event":"success"`)
	})
}

// The log says at once why a hook fails, also when the service ends before the next call, and shows no keys in
// addresses.
func TestFailingHooksAreLogged(t *testing.T) {
	var log strings.Builder
	h := newHooks(slog.New(slog.NewTextHandler(&log, nil)), newMetrics("test"))
	h.observe(jobs.Event{Kind: jobs.Ended, Record: &connector.Run{Job: "a", Status: connector.Failed,
		Error: "compute: boom"}}, config.Serve{Hooks: []config.Hook{
		{On: []string{"failure"}, URL: "http://127.0.0.1:1/services/hunter2?key=hunter3", Timeout: time.Second},
		{On: []string{"failure"}, Exec: []string{"/nowhere/page-me"}, Timeout: time.Second},
	}})
	h.close()
	for _, want := range []string{"http://127.0.0.1:1 ", "connection refused",
		"/nowhere/page-me: no such file", "is called again"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in the log", want)
		}
	}
	if strings.Contains(log.String(), "hunter") || strings.Contains(log.String(), "context canceled") {
		t.Error("a key, or no reason, in the log")
	}
	if t.Failed() {
		t.Log(log.String())
	}
}

// A hook that always fails holds up no other, however many of its calls wait to be made again.
func TestFailingHooksHoldUpNoOther(t *testing.T) {
	const ends = 20
	calls := make(chan struct{}, ends)
	good := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls <- struct{}{} }))
	defer good.Close()
	h := newHooks(slog.New(slog.DiscardHandler), newMetrics("test"))
	defer h.close()
	c := config.Serve{Hooks: []config.Hook{
		{On: []string{"failure"}, URL: "http://127.0.0.1:1/", Timeout: time.Second},
		{On: []string{"failure"}, URL: good.URL, Timeout: time.Minute},
	}}
	for range ends {
		h.observe(jobs.Event{Kind: jobs.Ended, Record: &connector.Run{Job: "a", Status: connector.Failed}}, c)
	}
	late := time.After(time.Minute) // a call that fails is made again for minutes
	for n := range ends {
		select {
		case <-calls:
		case <-late:
			t.Fatalf("%d of %d calls", n, ends)
		}
	}
}

// A command that takes too long ends with all that it has started.
func TestHooksThatHangLeaveNothing(t *testing.T) {
	left := filepath.Join(t.TempDir(), "left")
	h := newHooks(slog.New(slog.DiscardHandler), newMetrics("test"))
	err := h.once(config.Hook{Exec: []string{"sh", "-c", `(sleep 1; touch "$0") & wait`, left},
		Timeout: 200 * time.Millisecond}, nil)
	if err == nil || err.Error() != "it took longer than 200ms" {
		t.Errorf("got %v", err)
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(left); err == nil {
		t.Error("the command's child outlived it")
	}
	h.close()
}

func TestDocsNameEveryMetric(t *testing.T) {
	docs, err := os.ReadFile("../docs/service.md")
	if err != nil {
		t.Fatal(err)
	}
	m := newMetrics("test")
	m.watch(&Service{})
	all := make(chan *prometheus.Desc, 1000)
	m.registry.Describe(all)
	close(all)
	for d := range all {
		_, name, ours := strings.Cut(d.String(), `fqName: "linchpin_`)
		name, _, _ = strings.Cut(name, `"`)
		if ours && !strings.Contains(string(docs), "`"+name+"`") {
			t.Errorf("docs/service.md does not name linchpin_%s", name)
		}
	}
}

// Of a command's output the end alone is kept, and told.
func TestHooksThatSayMuch(t *testing.T) {
	h := newHooks(slog.New(slog.DiscardHandler), newMetrics("test"))
	defer h.close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := h.once(config.Hook{Exec: []string{"sh", "-c", "head -c 100000000 /dev/zero; echo; echo the end; exit 3"},
		Timeout: time.Minute}, nil)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.HasPrefix(err.Error(), "exit status 3: ") || !strings.HasSuffix(err.Error(), "\nthe end") ||
		len(err.Error()) > 600 {
		t.Errorf("got %.100q", fmt.Sprint(err))
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 50e6 {
		t.Errorf("%d bytes for the output", grown)
	}
}

func TestWhatHooksAreToldOf(t *testing.T) {
	low, high := .5, .95
	for name, c := range map[string]struct {
		run  connector.Run
		want string
	}{
		"failed":     {connector.Run{Status: connector.Failed}, "failure"},
		"unfinished": {connector.Run{Status: connector.Unfinished}, "failure"},
		"cancelled":  {connector.Run{Status: connector.Cancelled}, ""},
		"the same": {connector.Run{Status: connector.Succeeded, Scores: []connector.ScoreSummary{{Rank: &high}, {}}},
			"success"},
		"warned": {connector.Run{Status: connector.Succeeded, Warnings: []string{"3 relationships left out: of weight 0"}},
			"success warning"},
		"drifted": {connector.Run{Status: connector.Succeeded, Scores: []connector.ScoreSummary{{Rank: &high}, {Rank: &low}}},
			"success drift"},
	} {
		var got []string
		for _, r := range reports(c.run, .9) {
			got = append(got, r.Event)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTracesReachACollector(t *testing.T) {
	server := fill(t, 20)
	spans := make(chan string, 100)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		spans <- r.URL.Path + " " + string(body) // protobuf keeps names as they are
	}))
	defer collector.Close()
	f := start(t, configText(server.URI(), fmt.Sprintf("token: %s, traces: %q", token, collector.URL),
		jobText("a", ""))).ready()
	f.ended(f.press("a"))
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	all := ""
	for len(spans) > 0 {
		all += <-spans
	}
	for _, name := range []string{"/v1/traces", "run a", "export", "compute", "write", "linchpin.reason"} {
		if !strings.Contains(all, name) {
			t.Errorf("no %q among the spans", name)
		}
	}
}

// What a collector does not take is told in the log, in its form.
func TestTracesThatCannotBeSent(t *testing.T) {
	var log lockedBuffer
	traces, err := newTraces(t.Context(), "http://127.0.0.1:1/", "test", slog.New(slog.NewJSONHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	traces.observe(jobs.Event{Kind: jobs.Started, Job: "a", Run: "1"})
	traces.observe(jobs.Event{Kind: jobs.Ended, Job: "a", Run: "1", Record: &connector.Run{}})
	traces.close(t.Context())
	if text := log.String(); !strings.Contains(text, `"msg":"traces could not be sent"`) ||
		!strings.Contains(text, "127.0.0.1:1/v1/traces") {
		t.Errorf("log: %s", text)
	}
}

// Two services on one database never run a job at the same time: the lock decides.
func TestTwoServicesOneDatabase(t *testing.T) {
	server := fill(t, 300)
	every := jobText("a", "    schedule: \"* * * * * *\"\n")
	one := start(t, configText(server.URI(), "token: "+token, every)).ready()
	two := start(t, configText(server.URI(), "token: "+token, every)).ready()
	// A record says running or unfinished only while its run holds the lock.
	succeeded := func() int64 {
		row := server.Query(t, "MATCH (r:LinchpinRun {job: 'a', status: 'succeeded'}) RETURN count(*) AS n", nil)
		return row[0]["n"].(int64)
	}
	pace := time.NewTicker(time.Second / changesPerSecond) // more are refused
	defer pace.Stop()
	for deadline := time.Now().Add(time.Minute); succeeded() < 5 && time.Now().Before(deadline); {
		<-pace.C
		one.press("a")
		two.press("a")
		for range 60 {
			going := server.Query(t,
				"MATCH (r:LinchpinRun {job: 'a'}) WHERE r.status IN ['running', 'unfinished'] RETURN r.id AS id", nil)
			if len(going) > 1 {
				t.Fatalf("at the same time: %v", going)
			}
		}
	}
	if err := two.stop(); err != nil {
		t.Error(err)
	}
	if err := one.stop(); err != nil {
		t.Error(err)
	}
	if n := succeeded(); n < 5 {
		t.Errorf("%d runs succeeded", n)
	}
	held := server.Query(t, "MATCH (l:LinchpinLock) WHERE l.until IS NOT NULL RETURN l.owner", nil)
	if len(held) > 0 {
		t.Errorf("locks are left: %v", held)
	}
	left := server.Query(t, "MATCH (r:LinchpinRun) WHERE r.status IN ['running', 'unfinished'] RETURN r.id", nil)
	if len(left) > 0 {
		t.Errorf("records are left open: %v", left)
	}
}

// A watchdog gets its food, and the start and the end are told.
func TestSystemd(t *testing.T) {
	server := fill(t, 20)
	socket := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "200000")
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	f.reload <- struct{}{}
	f.await("reloaded", func() bool { return strings.Contains(f.log.String(), "config reloaded") })
	all, b := "", make([]byte, 4096)
	if err := l.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	readTo := func(state string) {
		for !strings.Contains(all, state) {
			n, err := l.Read(b)
			if err != nil {
				return
			}
			all += string(b[:n]) + "\n"
		}
	}
	readTo("WATCHDOG=1")
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	readTo("STOPPING=1")
	for _, state := range []string{"STATUS=waiting", "READY=1", "WATCHDOG=1",
		"RELOADING=1\nMONOTONIC_USEC=", "STOPPING=1"} {
		if !strings.Contains(all, state) {
			t.Errorf("no %s in %q", state, all)
		}
	}
}

func TestSlowListenerIsCutOff(t *testing.T) {
	h := newHub()
	l := h.listen()
	for range mostBehind + 1 {
		h.publish(jobs.Event{Kind: jobs.Advanced, Job: "a"})
	}
	n := 0
	for range l.events {
		n++
	}
	if n != mostBehind {
		t.Errorf("%d events", n)
	}
	h.leave(l)
	for range mostListeners {
		h.listen()
	}
	if h.listen() != nil {
		t.Error("a listener too many")
	}
}
