package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The kinds of kill.
const (
	killUs     = "kill -9 of linchpin"
	killServer = "kill -9 of the server, which stays away"
	killBack   = "kill -9 of the server, which comes back"
)

// restart is how long a run tries again while the server comes back.
const restart = time.Minute

// lease is how long a run keeps its lock, at the least, while the server is away.
const lease = 30 * time.Second

// TestKills ends linchpin, or the server, at a random moment of a run, as a power cut would.
func TestKills(t *testing.T) {
	cases, seed := form(t, 20)
	r := newRigApart(t, seed)
	for _, j := range jobs {
		r.first(j)
	}
	usual := 500 * time.Millisecond // of a run; the last one tells
	outcomes := table{}
	for i := range cases {
		kind := killUs
		// These come last: a run costs many times more on a server that has just started.
		if i >= cases-serverKills(cases) {
			kind = []string{killServer, killBack}[i%2]
		}
		j := jobs[i%len(jobs)]
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			step, outcome, rerun := r.in(t).kill(j, kind, usual)
			outcomes.count(kind, step, outcome)
			usual = rerun
		})
	}
	t.Logf("kills, seed %d, %d looks of readers\n%s", seed, *r.looks, outcomes)
	r.drop(jobs)
}

// serverKills returns how many of the cases kill the server, which takes seconds to start again.
func serverKills(cases int) int {
	if cases <= 20 {
		return cases / 5
	}
	return cases / 4
}

// kill changes the graph, runs the job, kills one of the two within the usual time of a run, and runs the job again. It
// returns the step that the run was in, by its record, how it ended, and how long the rerun took.
func (r *rig) kill(j job, kind string, usual time.Duration) (step, outcome string, rerun time.Duration) {
	want := r.change()
	since, before := r.now(), r.read(j)
	reader := r.watch(j, r.shown[j.name()], want)
	patience := soon
	if kind == killBack {
		patience = restart
	}
	after := time.Duration(r.rng.Int64N(int64(usual)))
	e, late := r.killDuring(j, kind, after, patience)
	if late { // the run had ended: that was no kill
		r.report("too late", append(r.afterRerun(j, e, want), reader.end()...))
		return r.kill(j, kind, e.spent)
	}
	what := fmt.Sprintf("%s: %s after %s: exit status %d after %.1f s: %s", j.name(), kind, after, e.status,
		e.spent.Seconds(), e.stderr)
	step = r.stepOf(j, since)
	wrong := r.afterFault(j, e, since, before, want)
	switch {
	case kind != killBack || e.status == 0:
	// killed before the first contact, which is not waited for
	case strings.HasPrefix(e.stderr, "linchpin: cannot reach Neo4j"):
	case e.away > lease && strings.Contains(e.stderr, "the lock on the job was lost"): // on a busy machine
	default:
		wrong = append(wrong, fmt.Sprintf("the run should have gone on when the server was back, after %s", e.away))
	}
	again := r.run(r.config(j, r.direct(), retry), j)
	wrong = append(wrong, r.afterRerun(j, again, want)...)
	r.report(what, append(wrong, reader.end()...))
	if outcome = fmt.Sprintf("exit %d", e.status); e.status < 0 {
		outcome = "killed"
	}
	return step, outcome, again.spent
}

// killDuring runs the job and kills one of the two after the time. The server is there again when it returns. A run
// that has ended before is late.
func (r *rig) killDuring(j job, kind string, after, patience time.Duration) (e ended, late bool) {
	cmd, stderr := r.command(r.config(j, r.direct(), patience), "run", "--quiet", j.name())
	start := time.Now()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	end := make(chan ended, 1)
	go func() { end <- r.wait(cmd, stderr, start) }()
	select {
	case e := <-end:
		return e, true
	case <-time.After(after):
	}
	if kind == killUs {
		_ = cmd.Process.Kill()
		e := <-end
		return e, e.status >= 0
	}
	if err := r.server.Kill(); err != nil {
		r.t.Fatal(err)
	}
	if kind == killBack {
		killed := time.Now()
		r.restart()
		away := time.Since(killed)
		e := <-end
		e.away = away
		return e, false
	}
	e = <-end
	r.restart()
	return e, false
}

func (r *rig) restart() {
	r.t.Helper()
	if err := r.server.Restart(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// stepOf is the step that the run's record names: none before the job is locked.
func (r *rig) stepOf(j job, since time.Time) string {
	r.t.Helper()
	rows := r.cypher("MATCH (r:LinchpinRun {job: $job}) WHERE r.started >= $since RETURN r.step "+
		"ORDER BY r.started DESC LIMIT 1",
		map[string]any{"job": j.name(), "since": since.UTC()})
	if len(rows) == 0 {
		return "before its record"
	}
	return fmt.Sprint(rows[0][0])
}
