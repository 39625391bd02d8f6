package serve

import (
	"strings"
	"testing"
)

func TestReload(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	f.write(configText(server.URI(), "token: "+token, jobText("a", ""), jobText("b", "    schedule: nonsense\n")))
	f.reload <- struct{}{}
	f.await("refused", func() bool { return strings.Contains(f.log.String(), "the config was not reloaded") })
	if status, text := f.get("/readyz"); status != 200 || !strings.Contains(text, "the config on disk is invalid") {
		t.Errorf("%d %s", status, text)
	}
	f.reloads(configText(server.URI(), "token: "+token, jobText("a", ""), jobText("b", "    schedule: \"@daily\"\n")),
		"config reloaded")
	if _, text := f.get("/api/jobs"); !strings.Contains(text, `"name":"b"`) {
		t.Errorf("no job b in %s", text)
	}
	if _, text := f.get("/readyz"); strings.Contains(text, "invalid") {
		t.Errorf("still %s", text)
	}
}

// The age of the last success is that of jobs that are there, and known of those that come.
func TestReloadMindsTheMetricsOfJobs(t *testing.T) {
	server := fill(t, 20)
	both := configText(server.URI(), "token: "+token, jobText("a", ""), jobText("b", ""))
	f := start(t, both).ready()
	f.ended(f.press("b"))
	known := func() bool {
		_, text := f.get("/metrics")
		return strings.Contains(text, `linchpin_last_success_timestamp_seconds{job="b"}`)
	}
	f.await("b's success", known)
	f.reloads(configText(server.URI(), "token: "+token, jobText("a", "")), "config reloaded")
	if known() {
		t.Error("b is gone, and its age goes on")
	}
	f.reloads(both, "config reloaded")
	if !known() {
		t.Error("b is back, and nobody knows its last success")
	}
}

// reloads writes another config and waits until the log says what became of it.
func (f *fixture) reloads(text, said string) {
	f.t.Helper()
	before := strings.Count(f.log.String(), said)
	f.write(text)
	f.reload <- struct{}{}
	f.await(said, func() bool { return strings.Count(f.log.String(), said) > before })
}

// inLine says whether the job's run waits for those of other jobs.
func (f *fixture) inLine(job string) (under, waits bool) {
	f.t.Helper()
	for _, st := range f.states() {
		if st.Name == job && st.Active != nil {
			return true, st.Active.InLine
		}
	}
	return false, false
}

// A reload changes limits, profiles and the connection while a run is under way, which goes on; and it says what it
// cannot change.
func TestReloadAppliesWhatItCan(t *testing.T) {
	server := fill(t, 4000)
	list := []string{jobText("a", ""), jobText("b", "")}
	f := start(t, configText(server.URI(), "token: "+token+", running: 1", list...)).ready()
	a := f.press("a")
	f.await("a's run is under way", func() bool { under, waits := f.inLine("a"); return under && !waits })
	b := f.press("b")
	if _, waits := f.inLine("b"); !waits {
		t.Fatal("b does not wait for a")
	}
	elsewhere := strings.Replace(server.URI(), "127.0.0.1", "localhost", 1)
	f.reloads(configText(elsewhere, "token: "+token+", running: 2, cpu: 2, pprof: true, traces: \"http://127.0.0.1:1\"",
		list...), "config reloaded")
	f.await("b's run begins", func() bool { under, waits := f.inLine("b"); return !under || !waits })
	if under, _ := f.inLine("a"); !under {
		t.Error("a's run was over before b's began: nothing was shown")
	}
	if log := f.log.String(); !strings.Contains(log, "connected with the new settings of neo4j") ||
		strings.Contains(log, "after a restart only") {
		t.Errorf("the log: %s", log)
	}
	if status, _ := f.get("/debug/pprof/"); status != 200 {
		t.Errorf("profiles: %d", status)
	}
	for _, id := range []string{a, b} {
		if run := f.ended(id); run.Status != "succeeded" {
			t.Errorf("%s: %s %s", run.Job, run.Status, run.Error)
		}
	}
	f.reloads(configText(elsewhere, "token: "+token+"x, listen: \"127.0.0.1:1\"", list...), "after a restart only")
	if !strings.Contains(f.log.String(), "setting=serve.listen") {
		t.Error("the log does not say what needs a restart")
	}
	if status, _ := f.get("/debug/pprof/"); status != 404 {
		t.Errorf("profiles are on still: %d", status)
	}
	if status, _, _ := f.send("POST", "/api/jobs/a/cancel", nil, bearer); status != 401 {
		t.Errorf("the old token counts still: %d", status)
	}
}

// A config whose database does not answer is refused as a whole.
func TestReloadRefusesADatabaseThatDoesNotAnswer(t *testing.T) {
	server := fill(t, 20)
	f := start(t, configText(server.URI(), "token: "+token, jobText("a", ""))).ready()
	f.reloads(configText("bolt://127.0.0.1:1", "token: "+token, jobText("a", ""), jobText("b", "")),
		"the config was not reloaded")
	if !strings.Contains(f.log.String(), "with the new settings of neo4j: cannot reach Neo4j at bolt://127.0.0.1:1") {
		t.Errorf("the log: %s", f.log)
	}
	if _, waits := f.inLine("b"); waits || len(f.states()) != 1 {
		t.Error("the jobs of the refused config are there")
	}
	if run := f.ended(f.press("a")); run.Status != "succeeded" {
		t.Errorf("%s %s", run.Status, run.Error)
	}
}
