package serve

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// quick looks for requests often, so that tests need not wait.
const quick = "token: " + token + ", requests: {every: 100ms}"

// asks runs a statement and waits until no request is left without an answer; it returns what the requests say.
func (f *fixture) asks(server *neo4jtest.Server, statement string) []map[string]any {
	f.t.Helper()
	server.Query(f.t, statement, nil)
	return f.answers(server)
}

func (f *fixture) answers(server *neo4jtest.Server) []map[string]any {
	f.t.Helper()
	f.await("answered", func() bool {
		return len(server.Query(f.t,
			"MATCH (r:LinchpinRequest) WHERE NOT coalesce(r.state IN ['succeeded', 'failed', 'refused'], false) "+
				"RETURN r LIMIT 1", nil)) == 0
	})
	return server.Query(f.t,
		"MATCH (r:LinchpinRequest) RETURN r.state AS state, r.run AS run, r.error AS error, r.note AS note, "+
			"r.request AS request, r.finished >= r.received AS ordered, r.service AS service", nil)
}

func TestRequestInCypher(t *testing.T) {
	server := fill(t, 40)
	f := start(t, configText(server.URI(), quick, jobText("hubs", ""))).ready()
	const again = "MERGE (r:LinchpinRequest {job: 'hubs'}) REMOVE r.state"
	first := f.asks(server, "MERGE (r:LinchpinRequest {job: 'hubs'}) SET r.by = '<b>amy</b>'")
	if len(first) != 1 || first[0]["state"] != "succeeded" || first[0]["ordered"] != true || first[0]["error"] != nil ||
		first[0]["service"] != nil {
		t.Fatalf("answer %v", first)
	}
	run := f.ended(first[0]["run"].(string))
	if run.Trigger != "cypher" || run.Request != first[0]["request"] || run.AskedBy != "<b>amy</b>" ||
		run.Status != "succeeded" {
		t.Errorf("record %+v", run)
	}
	if _, page := f.get("/runs/" + run.ID); !strings.Contains(page, "cypher, &lt;b&gt;amy&lt;/b&gt;") ||
		!strings.Contains(page, run.Request) {
		t.Errorf("the page does not say who asked: %s", page)
	}
	second := f.asks(server, again)
	if len(second) != 1 || second[0]["state"] != "succeeded" || second[0]["note"] != "unchanged since the last run" ||
		second[0]["run"] == run.ID {
		t.Errorf("asked again: %v", second)
	}
	third := f.asks(server, "MATCH (r:LinchpinRequest {job: 'hubs'}) SET r.recompute = true REMOVE r.state")
	if third[0]["state"] != "succeeded" || third[0]["note"] != nil ||
		f.ended(third[0]["run"].(string)).Status != "succeeded" {
		t.Errorf("recompute: %v", third)
	}
	if _, text := f.get("/metrics"); !strings.Contains(text, `linchpin_requests_total{state="succeeded"} 3`) ||
		!strings.Contains(text, "linchpin_requests_open 0") {
		t.Errorf("metrics: %s", text)
	}
	if locks := server.Query(t, "MATCH (l:LinchpinLock) WHERE l.name STARTS WITH ':' RETURN l.name", nil); len(locks) > 0 {
		t.Errorf("leases are left: %v", locks)
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	server := fill(t, 10)
	f := start(t, configText(server.URI(), quick, jobText("hubs", ""))).ready()
	cases := map[string]string{
		"{}":                                   "property job must be the name of a job, as a text (example: {job: 'hubs'})",
		"{job: 5}":                             "property job must be the name of a job, as a text (example: {job: 'hubs'})",
		"{job: ['hubs']}":                      "property job must be the name of a job, as a text (example: {job: 'hubs'})",
		"{job: 'hubbs'}":                       `unknown job "hubbs": did you mean "hubs"?`,
		"{job: 'hubs', recompte: true}":        `unknown property "recompte": did you mean "recompute"?`,
		"{job: 'hubs', recompute: 'yes'}":      "property recompute must be true or false",
		"{job: 'hubs', recompute: [true]}":     "property recompute must be true or false",
		"{job: 'hubs', ignoreLimits: 1}":       "property ignoreLimits must be true or false",
		"{job: 'hubs', by: date()}":            "property by must be a text",
		"{job: 'hubs', state: 'again', id: 7}": `unknown property "id": one of job, recompute, ignoreLimits, by`,
	}
	for properties := range cases {
		server.Query(t, "CREATE (r:LinchpinRequest "+properties+")", nil)
	}
	got := map[any]int{}
	for _, r := range f.answers(server) {
		if r["state"] != "refused" || r["run"] != nil || r["ordered"] != true {
			t.Errorf("answer %v", r)
		}
		got[r["error"]]++
	}
	want := map[any]int{}
	for _, text := range cases {
		want[text]++
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answers %v, want %v", got, want)
	}
	if runs := server.Query(t, "MATCH (r:LinchpinRun) RETURN r", nil); len(runs) > 0 {
		t.Errorf("runs %v", runs)
	}
}

func TestTenThousandRequests(t *testing.T) {
	server := fill(t, 40)
	f := start(t, configText(server.URI(), quick, jobText("a", ""), jobText("b", ""))).ready()
	server.Query(t,
		"UNWIND range(1, 10000) AS i CREATE (:LinchpinRequest {job: ['a', 'b'][i % 2], recompute: true, by: 'user ' + i})",
		nil)
	begun := time.Now()
	f.await("taken", func() bool {
		_, text := f.get("/metrics")
		return !strings.Contains(text, "linchpin_requests_open 0\n")
	})
	if status, _ := f.get("/readyz"); status != http.StatusOK {
		t.Errorf("not ready meanwhile: %d", status)
	}
	answers := f.answers(server)
	t.Logf("10,000 requests were answered in %s", time.Since(begun).Round(time.Millisecond))
	runs := map[any]int{}
	for _, r := range answers {
		if r["state"] != "succeeded" {
			t.Fatalf("answer %v", r)
		}
		runs[r["run"]]++
	}
	if len(answers) != 10_000 || len(runs) > 6 {
		t.Errorf("%d answers by %d runs: %v", len(answers), len(runs), runs)
	}
	begun = time.Now()
	db, err := open(t.Context(), &config.Config{Neo4j: config.Neo4j{URI: server.URI(), Database: "neo4j"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	for range 10 {
		if now, err := db.RequestsNow(t.Context()); err != nil || now.New || len(now.Taken) > 0 {
			t.Fatal(now, err)
		}
	}
	t.Logf("a look at 10,000 answered requests takes %s", (time.Since(begun) / 10).Round(10*time.Microsecond))
	if removed, err := db.PruneRequests(t.Context(), 0); removed != 10_000 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
}

// Of two services on one database each request is taken by one, and each knows the jobs of its own config alone.
func TestTwoServicesTakeEachRequestOnce(t *testing.T) {
	server := fill(t, 40)
	text := func(own string) string {
		return configText(server.URI(), "token: "+token+", requests: {every: 300ms}", jobText("both", ""), jobText(own, ""))
	}
	f, g := start(t, text("one")).ready(), start(t, text("two")).ready()
	answers := f.asks(server,
		"UNWIND range(1, 30) AS i CREATE (:LinchpinRequest {job: ['both', 'one', 'two'][i % 3], recompute: true})")
	for _, r := range answers {
		if r["state"] != "succeeded" {
			t.Errorf("answer %v", r)
		}
	}
	counts := server.Query(t,
		"MATCH (r:LinchpinRequest) WITH r.request AS id, collect(DISTINCT r.run) AS runs RETURN max(size(runs)) AS most", nil)
	if counts[0]["most"] != int64(1) {
		t.Errorf("requests that were taken together have several runs: %v", counts)
	}
	if wrong := server.Query(t, "MATCH (n:LinchpinRun {trigger: 'cypher', status: 'succeeded'}) "+
		"WHERE NOT EXISTS { MATCH (r:LinchpinRequest {run: n.id}) } RETURN n.id", nil); len(wrong) > 0 {
		t.Errorf("runs that nobody asked for: %v", wrong)
	}
	_ = g
}

// What a service has taken that was killed is taken by the next one. One that lives on another host keeps its own.
func TestRequestsOfServicesThatAreGone(t *testing.T) {
	server := fill(t, 20)
	server.Query(t,
		"CREATE (:LinchpinRequest {job: 'hubs', state: 'running', service: 'ended', request: 'x/hubs', run: 'lost'}), "+
			"(:LinchpinLock {name: ':requests/ended', token: 'ended', until: timestamp() - 1, host: 'elsewhere'}), "+
			"(:LinchpinRequest {job: 'hubs', state: 'running', service: 'done', request: 'y/hubs', run: 'won'}), "+
			"(:LinchpinRun {id: 'won', job: 'hubs', status: 'succeeded', finished: datetime()}), "+
			"(:LinchpinRequest {job: 'hubs', state: 'waiting'}), "+
			"(:LinchpinRequest {job: 'hubs', state: 'running', service: 'lives', request: 'z/hubs'}), "+
			"(:LinchpinLock {name: ':requests/lives', token: 'lives', until: timestamp() + 600000, host: 'elsewhere'})", nil)
	f := start(t, configText(server.URI(), quick, jobText("hubs", ""))).ready()
	f.await("taken over", func() bool {
		return len(server.Query(t, "MATCH (r:LinchpinRequest {state: 'succeeded'}) RETURN r", nil)) == 3
	})
	rows := server.Query(t,
		"MATCH (r:LinchpinRequest) RETURN r.state AS state, r.service AS service, r.run AS run ORDER BY state, run", nil)
	if rows[0]["service"] != "lives" || rows[0]["state"] != "running" {
		t.Errorf("the one that lives: %v", rows[0])
	}
	won := 0
	for _, r := range rows[1:] {
		if r["run"] == "lost" || r["run"] == nil {
			t.Errorf("answer %v", r)
		}
		if r["run"] == "won" {
			won++
		}
	}
	if won != 1 {
		t.Errorf("the run that had succeeded answers %d requests: %v", won, rows)
	}
}

// A request may be deleted or asked again while it is served; the run goes on, and what was asked again gets another
// one.
func TestRequestsThatChangeWhileTheyAreServed(t *testing.T) {
	server := fill(t, 3000)
	f := start(t, configText(server.URI(), quick, jobText("hubs", ""))).ready()
	server.Query(t, "CREATE (:LinchpinRequest {job: 'hubs', recompute: true, by: 'deleted'}), "+
		"(:LinchpinRequest {job: 'hubs', recompute: true, by: 'again'})", nil)
	f.await("running", func() bool {
		return len(server.Query(t, "MATCH (r:LinchpinRequest {state: 'running'}) RETURN r", nil)) == 2
	})
	first := server.Query(t, "MATCH (r:LinchpinRequest {by: 'again'}) RETURN r.run AS run", nil)[0]["run"]
	server.Query(t, "MATCH (r:LinchpinRequest {by: 'deleted'}) DELETE r", nil)
	server.Query(t, "MATCH (r:LinchpinRequest) REMOVE r.state", nil)
	answers := f.answers(server)
	if len(answers) != 1 || answers[0]["state"] != "succeeded" || answers[0]["run"] == first {
		t.Errorf("answers %v, first run %v", answers, first)
	}
	if run := f.ended(first.(string)); run.Status != "succeeded" {
		t.Errorf("first run %+v", run)
	}
	if log := f.log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "cannot be taken") {
		t.Error(log)
	}
}

// A reload turns requests off and on. Those that nobody answers stay as they are, also when the service is stopped.
func TestRequestsTurnedOff(t *testing.T) {
	server := fill(t, 20)
	off := "token: " + token + ", requests: {enabled: false, every: 100ms}"
	f := start(t, configText(server.URI(), off, jobText("hubs", ""))).ready()
	server.Query(t, "CREATE (:LinchpinRequest {job: 'hubs'})", nil)
	f.ended(f.press("hubs"))
	time.Sleep(300 * time.Millisecond) // several looks' time
	if rows := server.Query(t, "MATCH (r:LinchpinRequest) RETURN keys(r) AS keys",
		nil); fmt.Sprint(rows[0]["keys"]) != "[job]" {
		t.Errorf("requests are off: %v", rows)
	}
	f.write(configText(server.URI(), quick, jobText("hubs", "")))
	f.reload <- struct{}{}
	if answers := f.answers(server); answers[0]["state"] != "succeeded" {
		t.Errorf("requests are on: %v", answers)
	}
}

// A service that is stopped leaves what it has not answered to the next one.
func TestStoppedServiceLeavesRequests(t *testing.T) {
	server := fill(t, 3000)
	f := start(t, configText(server.URI(), quick+", grace: 0s", jobText("hubs", ""))).ready()
	server.Query(t, "CREATE (:LinchpinRequest {job: 'hubs'})", nil)
	f.await("running", func() bool {
		return len(server.Query(t, "MATCH (r:LinchpinRequest {state: 'running'}) RETURN r", nil)) == 1
	})
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	rows := server.Query(t, "MATCH (r:LinchpinRequest) RETURN r.state AS state, r.service AS service", nil)
	if rows[0]["state"] != nil || rows[0]["service"] != nil {
		t.Fatalf("left: %v", rows)
	}
	g := start(t, configText(server.URI(), quick, jobText("hubs", ""))).ready()
	if answers := g.answers(server); answers[0]["state"] != "succeeded" {
		t.Errorf("after the restart: %v", answers)
	}
}
