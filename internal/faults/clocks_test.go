package faults

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	runs "github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// host runs jobs by a clock of its own.
type host struct {
	*runs.Runner
	ahead time.Duration
}

// silent reports to nobody.
type silent struct{}

func (silent) Begin(string, runs.Step)       {}
func (silent) Progress(int64, int64, string) {}
func (silent) End(string)                    {}
func (silent) Note(string)                   {}
func (silent) Warn(string)                   {}

func (r *rig) host(ahead time.Duration) *host {
	r.t.Helper()
	now := func() time.Time { return time.Now().Add(ahead) }
	db, err := neo4j.Open(r.t.Context(), neo4j.Options{URI: r.direct(), Database: "neo4j", Now: now})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { db.Close(context.Background()) })
	return &host{&runs.Runner{
		Database: db, Engine: engine.NewEngine(1), Reporter: silent{}, State: r.t.TempDir(), Host: ahead.String(),
		Version: "test", Now: now,
		Memory: func() (int64, error) { return 1 << 33, nil },
	}, ahead}
}

// clocked is the job under one of two settings, whose scores differ by a factor.
func clocked(mode string, normalized bool) config.Job {
	j := config.DefaultJob()
	j.Name = "faults-" + mode
	j.Graph.NodeQuery = "MATCH (n:V) RETURN id(n)"
	rel := config.DefaultRelationship()
	rel.Type = "E"
	j.Graph.Relationships = []config.Relationship{rel}
	j.Measures = []config.Measure{{Measure: "betweenness", Nodes: mode + "_bc", Relationships: mode + "_ebc",
		Params: kernels.Params{Normalized: &normalized}}}
	j.Compute.Device, j.Compute.Threads, j.Write.Mode, j.Write.Batch = "cpu", 1, mode, 100
	return j
}

// TestClocks runs jobs from hosts whose clocks are hours apart, one after the other or at the same time. After each,
// the database holds the scores of the settings that the published run had, a run by these settings is unchanged on
// every host, and one by the others is not.
func TestClocks(t *testing.T) {
	cases, seed := form(t, 6)
	r := newRig(t, seed)
	var hosts []*host
	for _, ahead := range []time.Duration{0, time.Hour, -time.Hour, 26 * time.Hour} {
		hosts = append(hosts, r.host(ahead))
	}
	for i := range cases {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) { r.in(t).clocks(jobs[i%len(jobs)], hosts) })
	}
	r.drop(jobs)
}

// clocks runs the job on two hosts, and then by the settings that are published and by the others.
func (r *rig) clocks(j job, hosts []*host) {
	r.t.Helper()
	if r.rng.IntN(3) == 0 {
		r.change()
	}
	var two sync.WaitGroup
	order := r.rng.Perm(len(hosts))
	for i, h := range []*host{hosts[order[0]], hosts[order[1]]} {
		normalized, delay := r.rng.IntN(2) == 0, time.Duration(r.rng.Int64N(int64(time.Second)))
		two.Go(func() {
			time.Sleep(time.Duration(i) * delay)
			if _, err := h.Run(r.t.Context(), clocked(j.mode, normalized), runs.Options{Wait: time.Minute}); err != nil {
				r.t.Errorf("host %s: %v", h.ahead, err)
			}
		})
	}
	two.Wait()
	is := r.isNormalized(j)
	for _, step := range []struct{ normalized, unchanged bool }{{is, true}, {!is, false}, {!is, true}} {
		h := hosts[r.rng.IntN(len(hosts))]
		result, err := h.Run(r.t.Context(), clocked(j.mode, step.normalized), runs.Options{})
		if err != nil || result.Unchanged != step.unchanged {
			r.t.Errorf("host %s: unchanged %t, want %t, %v", h.ahead, result.Unchanged, step.unchanged, err)
		}
		if got := r.isNormalized(j); got != step.normalized {
			r.t.Errorf("host %s: the scores are normalized: %t, want %t", h.ahead, got, step.normalized)
		}
	}
	r.history(j)
}

// isNormalized compares the scores that the job shows with those of the model, and says which of the two settings they
// are of.
func (r *rig) isNormalized(j job) bool {
	r.t.Helper()
	want, n := r.model.scores(), 0.0
	for range want.nodes {
		n++
	}
	shown := r.read(j)
	plain := shown.differ(want)
	for i := range want.nodes {
		want.nodes[i] /= (n - 1) * (n - 2)
	}
	for k := range want.arcs {
		want.arcs[k] /= n * (n - 1)
	}
	normalized := shown.differ(want)
	if (plain == "") == (normalized == "") {
		r.t.Fatalf("scores of neither settings: %s; %s", plain, normalized)
	}
	return normalized == ""
}

// history looks at the times of the job's records: they go by the server's clock, and what was published is the newest
// success.
func (r *rig) history(j job) {
	r.t.Helper()
	now := r.now()
	for _, row := range r.cypher("MATCH (r:LinchpinRun {job: $job}) RETURN r.started", map[string]any{"job": j.name()}) {
		if ahead := row[0].(time.Time).Sub(now); ahead > 10*time.Minute {
			r.t.Errorf("a run starts in %s", ahead)
		}
	}
	rows := r.cypher("MATCH (j:LinchpinJob {name: $job}) MATCH (r:LinchpinRun {job: $job, status: $succeeded}) "+
		"RETURN j.run, r.id ORDER BY r.started DESC LIMIT 1",
		map[string]any{"job": j.name(), "succeeded": string(connector.Succeeded)})
	if rows[0][0] != rows[0][1] {
		r.t.Errorf("run %v is published, and the newest success is %v", rows[0][0], rows[0][1])
	}
}
