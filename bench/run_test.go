package bench

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/profile"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
)

// fakeEngine computes on the CPU and calls it a device. Some strategies misbehave.
type fakeEngine struct {
	calls map[string]int
	order []string // of the calls, by strategy
	stop  func()   // called by the strategy vertex-warp-4
}

func (e *fakeEngine) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	e.calls[t.Strategy]++
	e.order = append(e.order, t.Strategy)
	spec, _ := kernels.Lookup(t.Measure)
	scores, err := cpu.Compute(ctx, spec, t.Snapshot.Graph, t.Request)
	if err != nil {
		return nil, err
	}
	count := len(t.Request.Sources)
	if t.Request.Sources == nil {
		count = t.Snapshot.Graph.N()
	}
	out := &engine.Outcome{Scores: scores, Device: "NVIDIA Test", Strategy: t.Strategy, Compute: 0.2 + float64(count)*1e-3,
		Preprocess: 0.1, PeakDevice: 7}
	if t.Profile {
		out.Profile = &profile.Profile{Batches: int64(count)}
	}
	if t.Device == engine.CPU {
		out.Device, out.Strategy = "cpu", "cpu"
		return out, nil
	}
	switch t.Strategy {
	case "vertex-parallel":
		scores.Nodes[5] *= 1 + 1e-6
	case "edge-parallel":
		scores.Nodes[5] = math.NaN()
	case "work-efficient":
		return nil, errors.New("out-of-memory: it needs more than there is")
	case "vertex-pull":
		out.Device, out.Reason = "cpu", "not-on-gpu: no such kernel"
	case "vertex-warp-4":
		e.stop()
	case "vertex-warp-8":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return out, nil
}

func testRunner(t *testing.T) (*Runner, *fakeEngine) {
	t.Helper()
	e := &fakeEngine{calls: map[string]int{}}
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	return &Runner{
		Engine: e, Loader: &Loader{Cache: filepath.Join(dir, "cache")}, Timing: Timing{2, 60},
		Out:         filepath.Join(dir, "out.jsonl"),
		Environment: Environment{Host: "test"}, Clock: func() time.Time { return now },
		Log: func(line string) { t.Log(line) },
	}, e
}

func testSuite(strategies ...string) Suite {
	return Suite{Name: "test", Precisions: []string{Double}, Cases: []Case{
		{Graph: "delaunay10", Measure: "betweenness", Strategies: strategies},
	}}
}

// runAndRead runs the suite and returns everything recorded. The run must say so when something of it went wrong.
func runAndRead(t *testing.T, r *Runner, s Suite) []Record {
	t.Helper()
	before, err := ReadRecords(r.Out)
	if err != nil {
		t.Fatal(err)
	}
	rerr := r.Run(context.Background(), s)
	records, err := ReadRecords(r.Out)
	if err != nil {
		t.Fatal(err)
	}
	bad := false
	for _, x := range records[len(before):] {
		bad = bad || x.Status != OK
	}
	if !r.Retry && bad != (rerr != nil) {
		t.Fatalf("got %v for %+v", rerr, records)
	}
	return records
}

func TestRunRecords(t *testing.T) {
	r, e := testRunner(t)
	records := runAndRead(t, r, testSuite("hybrid", "vertex-parallel", "edge-parallel", "work-efficient", "vertex-pull",
		CPU))
	want := []struct {
		strategy string
		status   Status
		reason   string
	}{
		{"hybrid", OK, ""}, {"vertex-parallel", Wrong, "differs"}, {"edge-parallel", Wrong, "not finite"},
		{"work-efficient", Failed, "out-of-memory"}, {"vertex-pull", Failed, "ran on the CPU: not-on-gpu"}, {CPU, OK, ""},
	}
	if len(records) != len(want) {
		t.Fatalf("%d records", len(records))
	}
	for i, w := range want {
		got := records[i]
		if got.Strategy != w.strategy || got.Status != w.status || !strings.Contains(got.Reason, w.reason) {
			t.Errorf("%+v; want %+v", got, w)
		}
		if got.Status != OK && (got.GTEPS != 0 || got.Seconds.Compute != 0 || e.calls[w.strategy] > 1) {
			t.Errorf("%s was timed", w.strategy)
		}
	}
	first := records[0]
	if first.Nodes != 1024 || first.Sources != 1024 || !first.Finite || first.CheckedError != 0 ||
		first.CheckedSources != 1024 || first.Runs != 1 || first.Depth == 0 {
		t.Errorf("%+v", first)
	}
	seconds := 0.2 + 1.024
	if math.Abs(first.Seconds.Compute-seconds) > 1e-9 ||
		math.Abs(first.GTEPS-1024*float64(first.Edges)/seconds/1e9) > 1e-12 {
		t.Errorf("%g s, %g GTEPS", first.Seconds.Compute, first.GTEPS)
	}
	if first.Device != "NVIDIA Test" || first.Host != "test" || first.Date != "2026-11-21T08:00:00Z" ||
		first.PeakDevice != 7 {
		t.Errorf("%+v", first)
	}
	if e.calls["hybrid"] != 1 {
		t.Errorf("hybrid ran %d times; the check was on all sources", e.calls["hybrid"])
	}
}

func TestSingleMayBeOffByMore(t *testing.T) {
	r, _ := testRunner(t)
	s := testSuite("vertex-parallel")
	s.Precisions = []string{Single}
	if got := runAndRead(t, r, s)[0]; got.Status != OK || got.CheckedError < 0.9e-6 || got.CheckedError > 1.1e-6 {
		t.Errorf("%+v", got)
	}
}

func TestResume(t *testing.T) {
	r, e := testRunner(t)
	runAndRead(t, r, testSuite("hybrid", "work-efficient"))
	records := runAndRead(t, r, testSuite("hybrid", "work-efficient", "sampling"))
	if len(records) != 3 || e.calls["hybrid"] != 1 || e.calls["work-efficient"] != 1 || e.calls["sampling"] != 1 {
		t.Errorf("%d records, calls %v", len(records), e.calls)
	}
	r.Retry = true
	if records = runAndRead(t, r, testSuite("hybrid", "work-efficient")); len(records) != 3 || e.calls["hybrid"] != 1 ||
		e.calls["work-efficient"] != 2 {
		t.Errorf("%d records, calls %v", len(records), e.calls)
	}
}

func TestInterrupted(t *testing.T) {
	r, e := testRunner(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e.stop = cancel
	if err := r.Run(ctx, testSuite("hybrid", "vertex-warp-4", "sampling")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if records, err := ReadRecords(r.Out); err != nil || len(records) != 1 || e.calls["sampling"] != 0 {
		t.Errorf("%d records, %v; what was cut short is not recorded", len(records), err)
	}
}

func TestBudget(t *testing.T) {
	r, _ := testRunner(t)
	r.Budget = 300 * time.Millisecond
	if err := r.Run(context.Background(), testSuite("hybrid", "vertex-warp-8", "sampling")); !errors.Is(err, ErrBudget) {
		t.Errorf("got %v", err)
	}
	if records, err := ReadRecords(r.Out); err != nil || len(records) > 1 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

func TestRunLimit(t *testing.T) {
	r, _ := testRunner(t)
	r.RunLimit = 3 * time.Second // the CPU behind hybrid takes a tenth of that
	records := runAndRead(t, r, testSuite("vertex-warp-8", "hybrid"))
	if len(records) != 2 || records[0].Status != Failed ||
		!strings.Contains(records[0].Reason, "stopped after 3s on all sources") || records[1].Status != OK {
		t.Errorf("%+v", records)
	}
}

func TestGraphThatCannotBeMade(t *testing.T) {
	r, e := testRunner(t)
	r.Loader.Data = t.TempDir()
	writeZipped(t, filepath.Join(r.Loader.Data, "power.csv.gz"), "src,dst\n0,7\n")
	s := Suite{Name: "test", Precisions: []string{Double}, Cases: []Case{
		{Graph: "power", Measure: "betweenness", Strategies: []string{"hybrid"}},
		{Graph: "kron10", Measure: "closeness", Strategies: []string{"hybrid"}},
	}}
	records := runAndRead(t, r, s)
	if len(records) != 2 || records[0].Status != Failed || !strings.Contains(records[0].Reason, `node "7"`) ||
		records[1].Status != OK || e.calls["hybrid"] != 1 {
		t.Errorf("%+v", records)
	}
}

func TestGraphThatIsNotThere(t *testing.T) {
	r, e := testRunner(t)
	s := Suite{Name: "test", Precisions: []string{Double}, Cases: []Case{
		{Graph: "kron10", Measure: "closeness", Strategies: []string{"hybrid"}},
		{Graph: "power", Measure: "betweenness", Strategies: []string{"hybrid"}},
	}}
	if err := r.Run(context.Background(), s); err == nil ||
		!strings.Contains(err.Error(), "graph power is read from a file") {
		t.Errorf("got %v", err)
	}
	if records, err := ReadRecords(r.Out); err != nil || len(records) != 0 || e.calls["hybrid"] != 0 {
		t.Errorf("%+v, %v; nothing is measured when a graph is missing", records, err)
	}
}

func TestVolumeIsMeasuredWhole(t *testing.T) {
	r, e := testRunner(t)
	radius := 1
	records := runAndRead(t, r, Suite{Name: "test", Precisions: []string{Double}, Cases: []Case{
		{Graph: "ba-1000-2", Measure: "volume", Radius: &radius, Strategies: []string{"volume-lists", CPU}},
	}})
	for _, got := range records {
		if got.Status != OK || got.Sources != 1000 || got.GTEPS != 0 || *got.Radius != 1 {
			t.Errorf("%+v", got)
		}
	}
	if e.calls["volume-lists"] != 1 {
		t.Errorf("%d runs", e.calls["volume-lists"])
	}
}

func TestProbe(t *testing.T) {
	e := &fakeEngine{calls: map[string]int{}}
	if device, _, err := Probe(context.Background(), e, engine.Auto); err != nil || device != "NVIDIA Test" {
		t.Errorf("%q, %v", device, err)
	}
	if device, _, err := Probe(context.Background(), e, engine.CPU); err != nil || device != "cpu" {
		t.Errorf("%q, %v", device, err)
	}
	got := testSuite("hybrid", "sampling").OnCPU()
	if len(got.Cases) != 1 || len(got.Cases[0].Strategies) != 1 || got.Cases[0].Strategies[0] != CPU {
		t.Errorf("%+v", got)
	}
}

// TestSuitesTogether: suites are measured graph by graph, what another file has is left out, and Left says how much
// that is.
func TestSuitesTogether(t *testing.T) {
	r, e := testRunner(t)
	first := Suite{Name: "first", Precisions: []string{Double}, Cases: []Case{
		{Graph: "er-30-60", Measure: "betweenness", Strategies: []string{"hybrid"}},
		{Graph: "er-40-60", Measure: "betweenness", Strategies: []string{"hybrid"}},
	}}
	second := Suite{Name: "second", Precisions: []string{Double},
		Cases: []Case{{Graph: "er-30-60", Measure: "closeness", Strategies: []string{"hybrid"}}}}
	known := Record{Suite: "first", Graph: "er-40-60", Nodes: 40, Sources: 40, Measure: "betweenness", Strategy: "hybrid",
		Precision: Double, Status: OK}
	wrong := Record{Suite: "second", Graph: "er-30-60", Measure: "closeness", Strategy: "hybrid", Precision: Double,
		Status: Wrong}
	r.Known = []string{filepath.Join(t.TempDir(), "known.jsonl")}
	for _, record := range []Record{known, wrong} {
		if err := appendRecord(r.Known[0], &record); err != nil {
			t.Fatal(err)
		}
	}
	left, err := r.Left(first, second)
	if err != nil || len(left) != 2 || left[0].Lines != 1 || left[1].Lines != 1 || left[1].Unknown != 1 ||
		left[0].Seconds <= 0 {
		t.Errorf("%+v, %v", left, err)
	}
	if err := r.Run(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	records, err := ReadRecords(r.Out)
	if err != nil || len(records) != 2 || records[0].Suite != "first" || records[1].Suite != "second" ||
		records[1].Graph != "er-30-60" {
		t.Errorf("%+v, %v", records, err)
	}
	if e.calls["hybrid"] == 0 {
		t.Error("nothing was measured")
	}
	if left, err = r.Left(first, second); err != nil || left[0].Lines+left[1].Lines > 0 {
		t.Errorf("%+v left, %v", left, err)
	}
}

// TestProfilesAreRecorded: of the run that was timed, on a device.
func TestProfilesAreRecorded(t *testing.T) {
	r, _ := testRunner(t)
	s := testSuite(batched, CPU)
	s.Cases[0].Profile = true
	for _, x := range runAndRead(t, r, s) {
		if onDevice := x.Strategy == batched; onDevice != (x.Profile != nil) || onDevice &&
			x.Profile.Batches != int64(x.Sources) {
			t.Errorf("%s, %d sources: %+v", x.Strategy, x.Sources, x.Profile)
		}
	}
}

// TestRounds: what is most wanted is measured first, of every graph, and a graph that comes again is checked against
// the same scores.
func TestRounds(t *testing.T) {
	r, _ := testRunner(t)
	s := Suite{Name: "rounds", Precisions: []string{Double}, Cases: []Case{
		{Graph: "er-30-60", Measure: "betweenness", Strategies: []string{"sampling"}, Round: 1},
		{Graph: "er-30-60", Measure: "betweenness", Strategies: []string{"hybrid"}},
		{Graph: "er-40-60", Measure: "betweenness", Strategies: []string{"hybrid"}},
	}}
	if err := r.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	records, err := ReadRecords(r.Out)
	var got []string
	for _, x := range records {
		got = append(got, x.Graph+" "+x.Strategy)
	}
	if want := []string{"er-30-60 hybrid", "er-40-60 hybrid", "er-30-60 sampling"}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("measured %q, %v; want %q", got, err, want)
	}
	if of := r.references["er-30-60"]; len(of) != 1 || records[2].CheckedSources == 0 {
		t.Errorf("%d references, %+v", len(of), records[2])
	}
}

// TestTurns: strategies are checked, and then run by turns on sources drawn at random. One that is wrong is not timed.
func TestTurns(t *testing.T) {
	r, e := testRunner(t)
	s := testSuite("hybrid", "vertex-parallel", "sampling")
	s.Cases[0].Drawn = 10 // which take 0.21 s
	for _, x := range runAndRead(t, r, s) {
		if x.Strategy == "vertex-parallel" {
			if x.Status != Wrong || x.Runs != 0 {
				t.Errorf("%+v", x)
			}
		} else if x.Status != OK || x.Sources != 10 || x.Runs != repeats || math.Abs(x.Seconds.Compute-0.21) > 1e-9 {
			t.Errorf("%+v", x)
		}
	}
	want := append([]string{"hybrid", "vertex-parallel", "sampling"}, slices.Repeat([]string{"hybrid", "sampling"},
		repeats)...)
	if !slices.Equal(e.order, want) {
		t.Errorf("ran %q", e.order)
	}
}

// TestGuess: a measurement is a check and a run of the length that Timing asks for.
func TestGuess(t *testing.T) {
	x := Timing{Min: 2, Max: 60}
	for _, c := range []struct {
		old  Record
		want float64
	}{
		{Record{}, overhead + 2*2},
		{Record{Sources: 10, Nodes: 100, Seconds: Seconds{Compute: 4}}, overhead + 2*40},
		{Record{Sources: 10, Nodes: 1000, Seconds: Seconds{Compute: 4}}, overhead + 2*2},
		{Record{Sources: 10, Nodes: 10, Seconds: Seconds{Compute: 1e-3}}, overhead + 2*repeats*short},
	} {
		if got := x.guess(c.old); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %g s, want %g", c.old, got, c.want)
		}
	}
}
