package engine

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels/profile"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// testMachine uses this test binary as the worker, with short limits.
func testMachine(mode string) *machine {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := &client.Client{
		Program: self, Env: append(os.Environ(), fakeEnv+"="+mode, "GORACE=atexit_sleep_ms=0"),
		Limits: client.Limits{Start: time.Minute, Silence: 3 * time.Second, Stall: 5 * time.Second,
			Leave: 200 * time.Millisecond},
	}
	return &machine{client: c}
}

// testTask asks for the betweenness of a graph of two triangles that share node 2.
func testTask(p Policy) Task {
	g := &export.Graph{
		Offsets: []int64{0, 2, 4, 8, 10, 12}, EdgeCount: 6,
		Targets: []int32{1, 2, 0, 2, 0, 1, 3, 4, 2, 4, 2, 3},
		Edges:   []int32{0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5},
	}
	return Task{
		Measure: "betweenness", Request: kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff}, Device: p,
		Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: []int64{10, 20, 30, 40, 50}}},
	}
}

func TestWorkerComputes(t *testing.T) {
	for _, mode := range []string{"good", "chatty", "crash-after-result", "lingers", "grandchild"} {
		t.Run(mode, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			task := testTask(GPU)
			var progress []int
			task.Request.Progress = func(done, total int) { progress = append(progress, done, total) }
			start := time.Now()
			out, err := (&Engine{device: testMachine(mode)}).Compute(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			want := []float64{0, 0, 4, 0, 0}
			if d := cmp.Diff(want, out.Scores.Nodes); d != "" {
				t.Errorf("node scores: %s", d)
			}
			if d := cmp.Diff([]float64{1, 3, 3, 3, 3, 1}, out.Scores.Edges); d != "" {
				t.Errorf("edge scores: %s", d)
			}
			if !(out.Start > 0 && out.Start < out.Elapsed && out.Elapsed <= time.Since(start).Seconds()) {
				t.Errorf("%g s to the first kernel of %g s", out.Start, out.Elapsed)
			}
			out.Scores, out.Start, out.Elapsed = nil, 0, 0
			if d := cmp.Diff(&Outcome{Device: "Fake 9000", Strategy: "imagined", Reason: "asked for", Preprocess: 0.5,
				Compute: 1, PeakDevice: 77}, out); d != "" {
				t.Errorf("outcome: %s", d)
			}
			if d := cmp.Diff([]int{5, 5}, progress); d != "" {
				t.Errorf("progress: %s", d)
			}
			mustBeEmpty(t, os.Getenv("TMPDIR"))
		})
	}
}

// TestWorkerPlansAgain: a worker that gives up a way tells of the next, which the outcome names.
func TestWorkerPlansAgain(t *testing.T) {
	out, err := (&Engine{device: testMachine("planned-again")}).Compute(t.Context(), testTask(GPU))
	if err != nil || out.Strategy != "imagined next" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWorkerTakesSources(t *testing.T) {
	task := testTask(GPU)
	task.Request.Sources, task.Request.Scale = []int32{4, 0}, 2.5
	out, err := (&Engine{device: testMachine("good")}).Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	want, err := (&Engine{}).Compute(t.Context(), func() Task { c := task; c.Device = CPU; return c }())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Scores.Nodes, out.Scores.Nodes); d != "" {
		t.Error(d)
	}
}

// TestProfileComesBack: a profile is what the worker says, and of the one kind of task that kernels count for.
func TestProfileComesBack(t *testing.T) {
	e := &Engine{device: testMachine("good")}
	task := testTask(GPU)
	task.Profile = true
	if _, err := e.Compute(t.Context(), task); err == nil ||
		!strings.Contains(err.Error(), "profiles are of node scores") {
		t.Errorf("edges, auto, double: %v", err)
	}
	task.Request.Edges, task.Strategy, task.Precision = false, "batched", kernels.Single
	out, err := e.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&profile.Profile{Seconds: 1, Forward: 0.5, Batches: 3, Bytes: 1 << 40}, out.Profile); d != "" {
		t.Error(d)
	}
}

// faults are all the ways in which a worker may go wrong, and the Reason that each must become.
var faults = map[string]protocol.Reason{
	"no-hello": protocol.TimedOut, "silent": protocol.TimedOut, "stall": protocol.TimedOut,
	"never-reads": protocol.TimedOut, "no-driver": protocol.NoDriver, "old-driver": protocol.NoDriver,
	"other-library": protocol.BrokenWorker, "no-device": protocol.NoDevice,
	"other-version": protocol.BadWorker, "newer-hello": protocol.BadWorker,
	"exit-1": protocol.Crashed, "crash": protocol.Crashed, "panic": protocol.Crashed, "killed": protocol.Crashed,
	"half-a-result": protocol.Protocol, "no-result": protocol.Crashed,
	"begins-with-result": protocol.Protocol, "rubbish": protocol.Protocol, "long-line": protocol.Protocol,
	"endless-line": protocol.Protocol, "flood": protocol.Protocol,
	"impossible-progress": protocol.Protocol, "unknown-reason": protocol.Protocol, "closes-pipe": protocol.Protocol,
	"out-of-memory": protocol.OutOfMemory, "nan": protocol.BadScores, "off-by-one": protocol.BadScores,
	"too-long": protocol.BadScores, "too-short": protocol.BadScores,
}

func TestFaultsBecomeReasons(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := os.Getenv("TMPDIR")
	t.Run("all", func(t *testing.T) {
		for mode, want := range faults {
			t.Run(mode, func(t *testing.T) {
				t.Parallel()
				c := testMachine(mode)
				if mode == "no-hello" {
					c.client.Limits.Start = 300 * time.Millisecond
				}
				e := &Engine{device: c}
				_, err := e.Compute(context.Background(), testTask(GPU))
				got, detail := ReasonOf(err)
				if got != want || detail == "" || strings.Contains(err.Error(), "\n") {
					t.Errorf("device gpu: reason %q, want %q, in one line: %v", got, want, err)
				}
				var missing *Unavailable
				if errors.As(err, &missing) != want.Missing() {
					t.Errorf("%T for %s", err, want)
				}
			})
		}
	})
	mustBeEmpty(t, dir)
}

func TestAutoFallsBack(t *testing.T) {
	for mode, want := range map[string]protocol.Reason{"no-driver": protocol.NoDriver, "stall": protocol.TimedOut,
		"crash": protocol.Crashed, "off-by-one": protocol.BadScores, "rubbish": protocol.Protocol} {
		out, err := onSlowCPU(testMachine(mode)).Compute(t.Context(), testTask(Auto))
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if out.Device != "cpu" || out.Fallback != want || strings.Contains(out.Reason, string(want)+":") {
			t.Errorf("%s: device %q, fallback %q, reason %q", mode, out.Device, out.Fallback, out.Reason)
		}
		if out.Scores.Nodes[2] != 4 {
			t.Errorf("%s: scores %v", mode, out.Scores.Nodes)
		}
	}
}

// TestFaultOfTheTask: what the CPU could not compute either does not fall back, and the error is the task's own.
func TestFaultOfTheTask(t *testing.T) {
	_, err := onSlowCPU(testMachine("bad-task")).Compute(t.Context(), testTask(Auto))
	if err == nil || err.Error() != "stress overflows float64; use log" {
		t.Errorf("%v", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	c := testMachine("stall")
	c.client.Limits.Stall = time.Minute
	start := time.Now()
	_, err := onSlowCPU(c).Compute(ctx, testTask(Auto))
	if r, _ := ReasonOf(err); r != protocol.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if took := time.Since(start); took > 30*time.Second { // the limit is a minute
		t.Errorf("took %v to cancel", took)
	}
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	c := testMachine("stall")
	c.client.Limits.Stall = time.Minute
	_, err := onSlowCPU(c).Compute(ctx, testTask(Auto))
	if r, _ := ReasonOf(err); r != protocol.TimedOut {
		t.Errorf("%v", err)
	}
}

func TestNoWorker(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("LINCHPIN_WORKER", "")
	_, err := NewEngine(1).Compute(t.Context(), testTask(GPU))
	if r, _ := ReasonOf(err); r != protocol.NoWorker {
		t.Errorf("%v", err)
	}
	file := t.TempDir() + "/worker"
	t.Setenv("LINCHPIN_WORKER", file)
	if _, err = client.Find(); err == nil {
		t.Error("a worker that is not there was found")
	}
	if r, _ := ReasonOf(err); r != protocol.BrokenWorker {
		t.Errorf("a worker that is named and not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = client.Find(); err == nil {
		t.Error("a file that cannot be run was found")
	}
	if err := os.Chmod(file, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = NewEngine(1).Compute(t.Context(), testTask(GPU))
	if r, _ := ReasonOf(err); r != protocol.BrokenWorker {
		t.Errorf("a file that is no program: %v", err)
	}
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestOtherGraphsHaveOtherFingerprints changes one thing of a graph at a time.
func TestOtherGraphsHaveOtherFingerprints(t *testing.T) {
	seen := map[uint32]string{}
	for name, change := range map[string]func(*export.Graph){
		"same":    func(*export.Graph) {},
		"target":  func(g *export.Graph) { g.Targets[0]++ },
		"offset":  func(g *export.Graph) { g.Offsets[1]++ },
		"edge":    func(g *export.Graph) { g.Edges[0]++ },
		"weights": func(g *export.Graph) { g.Weights = make([]float64, g.Arcs()) },
		"rests":   func(g *export.Graph) { g.Rests = make([]float64, g.Arcs()) },
		"edges":   func(g *export.Graph) { g.Edges = nil },
		"way":     func(g *export.Graph) { g.Directed = true },
		"count":   func(g *export.Graph) { g.EdgeCount++ },
	} {
		g := testTask(CPU).Snapshot.Graph
		change(g)
		if other, ok := seen[protocol.Fingerprint(g)]; ok {
			t.Errorf("%s and %s", name, other)
		}
		seen[protocol.Fingerprint(g)] = name
	}
	if name := seen[protocol.Fingerprint(testTask(CPU).Snapshot.Graph)]; name != "same" {
		t.Errorf("the fingerprint of an equal graph is that of %q", name)
	}
}

func TestOutputIsPassedOn(t *testing.T) {
	var out strings.Builder
	c := testMachine("crash")
	c.client.Output = &out
	if _, err := (&Engine{device: c}).Compute(t.Context(), testTask(GPU)); err == nil ||
		out.String() != "fatal: something broke\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}
