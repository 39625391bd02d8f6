package serve

import (
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestARunUnderWayTakesItsAge: the seconds of the steps that are done say nothing of the step that it is in.
func TestARunUnderWayTakesItsAge(t *testing.T) {
	now := time.Date(2026, 3, 1, 4, 0, 17, 0, time.UTC)
	started := now.Add(-17 * time.Second)
	run := func(status connector.RunStatus, finished time.Time) connector.Run {
		return connector.Run{Status: status, Started: started, Finished: finished,
			Seconds: map[string]float64{"export": 2.14}}
	}
	for _, c := range []struct {
		run  connector.Run
		want string
	}{
		{run(connector.Running, time.Time{}), "17 s so far"},
		{run(connector.Unfinished, time.Time{}), "17 s so far"},
		{run(connector.Unfinished, now), "2.14 s"},
		{run(connector.Succeeded, now), "2.14 s"},
		{connector.Run{Status: connector.Skipped, Started: started, Finished: now}, ""},
	} {
		if got := took(c.run, now); got != c.want {
			t.Errorf("%s, finished %s: took %q, want %q", c.run.Status, c.run.Finished, got, c.want)
		}
	}
	if chart := durationChart([]connector.Run{run(connector.Running, time.Time{})}, func(connector.Run) string {
		return ""
	}); chart != "" {
		t.Errorf("the chart draws a run under way as one that is done: %s", chart)
	}
}

// TestTheHubKeepsASkipUntilARun: a job that was skipped did something, but how its last run ended matters more.
func TestTheHubKeepsASkipUntilARun(t *testing.T) {
	h := newHub()
	for i, c := range []struct {
		kind   jobs.EventKind
		status connector.RunStatus
		want   connector.RunStatus
	}{
		{jobs.WasMissed, connector.Missed, connector.Missed},
		{jobs.WasSkipped, connector.Skipped, connector.Skipped},
		{jobs.Ended, connector.Succeeded, connector.Succeeded},
		{jobs.WasSkipped, connector.Skipped, connector.Succeeded},
		{jobs.Ended, connector.Failed, connector.Failed},
	} {
		h.publish(jobs.Event{Kind: c.kind, Job: "j", Record: &connector.Run{Job: "j", Status: c.status}})
		if _, last := h.of("j"); last == nil || last.Status != c.want {
			t.Errorf("after event %d, %s: last is %+v, want %s", i, c.kind, last, c.want)
		}
	}
}

// TestASkippedJobIsShownAsSkipped looks at a job whose predecessor failed, before and after a restart of the service.
func TestASkippedJobIsShownAsSkipped(t *testing.T) {
	server := fill(t, 5)
	broken := strings.Replace(jobText("a", ""), "[V]", "[Nowhere]", 1)
	text := configText(server.URI(), "token: "+token, broken, jobText("b", "    after: a\n"))
	f := start(t, text).ready()
	f.press("a")
	shown := func(f *fixture) func() bool {
		return func() bool {
			_, page := f.get("/")
			_, b, _ := strings.Cut(page, `href="/jobs/b"`)
			return strings.Contains(b, "skipped") && !strings.Contains(b, "never ran")
		}
	}
	f.await("shown as skipped", shown(f))
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	again := start(t, text).ready()
	again.await("shown as skipped after a restart", shown(again))
}

// TestGroupsAreShownBySize: the pages list the largest groups of a measure that numbers them, and rank nothing.
func TestGroupsAreShownBySize(t *testing.T) {
	server := fill(t, 9)
	server.Query(t, "MATCH (:V {i: 5})-[e:E]->(:V {i: 6}) DELETE e", nil)
	job := strings.Replace(jobText("a", ""), "measures: [", "measures: [{measure: components, nodes: part}, ", 1)
	f := start(t, configText(server.URI(), "token: "+token, job)).ready()
	one := f.ended(f.press("a"))
	server.Query(t, "MATCH (:V {i: 1})-[e:E]->(:V {i: 2}) DELETE e", nil)
	two := f.ended(f.press("a"))
	if s := two.Scores[0]; s.Groups == nil || s.Groups.Count != 3 || s.Rank != nil || len(s.Movers) > 0 {
		t.Fatalf("%+v", s)
	}
	f.await("shown", func() bool { // its record is there a moment before its service knows
		_, text := f.get("/")
		return strings.Contains(text, "3 groups of nodes")
	})
	for path, holds := range map[string][]string{
		"/": {"<li>group 1 <b>4</b></li><li>group 2 <b>3</b></li><li>group 0 <b>2</b></li>",
			"3 groups of nodes in <code>part</code>, and 2 more scores"},
		"/jobs/a": {"<h3>Largest groups</h3>", `<th scope="row">1</th><td class="right">4</td>`,
			"<dt>Groups</dt><dd>3</dd>"},
		"/runs/" + one.ID: {`<th scope="row">0</th><td class="right">6</td>`},
		"/jobs/a/compare?a=" + one.ID + "&b=" + two.ID: {"part: largest group", "part: groups"},
	} {
		_, text := f.get(path)
		for _, want := range holds {
			if !strings.Contains(text, want) {
				t.Errorf("%s: without %s", path, want)
			}
		}
		if strings.Contains(text, "Highest <code>part</code>") {
			t.Errorf("%s ranks numbers of groups", path)
		}
	}
}
