package bench

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
)

// machine pretends to compute: a fixed preprocessing, then a time a source that is longer while it is not full.
type machine struct {
	preprocess, each float64
	busy             int // sources that fill it; fewer take as long
	runs             []int
	nodes            int
	fail             int // the run that fails, from 1
	strategy         string
}

func (m *machine) run(_ context.Context, sources []int32) (*engine.Outcome, error) {
	count := len(sources)
	if sources == nil {
		count = m.nodes
	}
	if m.runs = append(m.runs, count); len(m.runs) == m.fail {
		return nil, errors.New("broken")
	}
	return &engine.Outcome{Strategy: m.strategy, Preprocess: m.preprocess,
		Compute: m.preprocess + m.each*float64(max(count, m.busy))}, nil
}

func (m *machine) first(t *testing.T, sources int) *engine.Outcome {
	t.Helper()
	out, err := m.run(context.Background(), make([]int32, sources))
	if err != nil {
		t.Fatal(err)
	}
	m.runs = nil
	return out
}

func TestAllSourcesWhereThatIsShort(t *testing.T) {
	m := &machine{preprocess: 0.5, each: 1e-3, nodes: 10_000}
	x := &timer{Timing: Timing{2, 60}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 256), 256)
	if err != nil {
		t.Fatal(err)
	}
	if got.sources != 10_000 || len(m.runs) != 1 || got.seconds.Preprocess != 0.5 ||
		math.Abs(got.seconds.Compute-10.5) > 1e-9 {
		t.Errorf("%+v after %v", got.seconds, m.runs)
	}
}

func TestFewestBatchesThatTakeLongEnough(t *testing.T) {
	m := &machine{preprocess: 1, each: 1e-3, nodes: 1_000_000}
	x := &timer{Timing: Timing{2, 60}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 2000), 2000)
	if err != nil {
		t.Fatal(err)
	}
	if got.sources%deviceBatch != 0 || got.sources < 2000 || got.sources > 2500 || len(m.runs) != 1 {
		t.Errorf("%d sources after %v", got.sources, m.runs)
	}
	// Preprocessing pro rata: one second for a million sources.
	share := float64(got.sources) / 1e6
	if math.Abs(got.seconds.Preprocess-share) > 1e-12 ||
		math.Abs(got.seconds.Compute-float64(got.sources)*1e-3-share) > 1e-9 {
		t.Errorf("seconds %+v", got.seconds)
	}
}

func TestGrowsWhenTheCheckMisleads(t *testing.T) {
	// 8 sources take as long as 2000: the first estimate is 250 times too slow.
	m := &machine{each: 1e-4, busy: 2000, nodes: 1_000_000}
	x := &timer{Timing: Timing{2, 5}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 8), 8)
	if err != nil {
		t.Fatal(err)
	}
	if got.seconds.Compute < 2 || got.seconds.Compute > 4.5 {
		t.Errorf("%+v after %v", got.seconds, m.runs)
	}
	for i, count := range m.runs[1:] {
		if count > growth*m.runs[i]+deviceBatch || count <= m.runs[i] {
			t.Errorf("from %d to %d sources", m.runs[i], count)
		}
	}
}

// TestMaxBoundsSamples: no run is made longer than the longest for which all sources are taken.
func TestMaxBoundsSamples(t *testing.T) {
	m := &machine{each: 1e-3, nodes: 1_000_000}
	x := &timer{Timing: Timing{Min: 2, Max: 0.5}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 128), 128)
	if err != nil || got.seconds.Compute < 0.5 || got.seconds.Compute > 1.5 {
		t.Errorf("%+v after %v, %v", got.seconds, m.runs, err)
	}
}

// TestBatchesFillTheDevice: what a batch or two take says little of batched, so that the next run has one for every
// team.
func TestBatchesFillTheDevice(t *testing.T) {
	m := &machine{each: 1e-4, busy: 10_000, nodes: 1_000_000, strategy: batched}
	x := &timer{Timing: Timing{Min: 2, Max: 1}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 128), 128)
	if err != nil || got.sources != busy || len(m.runs) != 1 {
		t.Errorf("%d sources after %v, %v", got.sources, m.runs, err)
	}
	m.nodes, x.nodes = 2000, 2000
	if got, err := x.grow(context.Background(), &engine.Outcome{Strategy: batched, Compute: 1}, 128); err != nil ||
		got.sources != 2000 {
		t.Errorf("%d sources after %v, %v", got.sources, m.runs, err)
	}
}

func TestTurnsToAllSources(t *testing.T) {
	// The first estimate says 100 s for all, the truth is 1 s.
	m := &machine{each: 1e-4, busy: 800, nodes: 10_000}
	x := &timer{Timing: Timing{2, 5}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	got, err := x.grow(context.Background(), m.first(t, 8), 8)
	if err != nil {
		t.Fatal(err)
	}
	if got.sources != 10_000 {
		t.Errorf("%d sources after %v", got.sources, m.runs)
	}
}

func TestSlowCheckIsTheMeasurement(t *testing.T) {
	m := &machine{preprocess: 1, each: 0.03, nodes: 100_000}
	x := &timer{Timing: Timing{2, 60}, nodes: m.nodes, batch: deviceBatch, run: m.run}
	check := m.first(t, checkMost)
	got, err := x.after(context.Background(), check, checkMost)
	if err != nil || len(m.runs) != 0 || got.sources != checkMost || got.runs != 1 ||
		math.Abs(got.seconds.Compute-(0.03*checkMost+checkMost/1e5)) > 1e-9 {
		t.Errorf("%+v, %v after %v", got, err, m.runs)
	}
	// Not when it was short, on few sources, of batches, or when all sources take little enough.
	for name, try := range map[string]func() (timed, error){
		"few": func() (timed, error) { return x.after(context.Background(), m.first(t, 100), 100) },
		"short": func() (timed, error) {
			return (&timer{Timing: Timing{5, 60}, nodes: m.nodes, batch: deviceBatch, run: m.run}).after(context.Background(),
				check, checkMost)
		},
		"all": func() (timed, error) {
			return (&timer{Timing: Timing{2, 1e6}, nodes: m.nodes, batch: deviceBatch, run: m.run}).after(context.Background(),
				check, checkMost)
		},
		"batches": func() (timed, error) {
			c := *check
			c.Strategy = batched
			return x.after(context.Background(), &c, checkMost)
		},
	} {
		m.runs = nil
		if _, err := try(); err != nil || len(m.runs) != 1 {
			t.Errorf("%s: %d runs, %v", name, len(m.runs), err)
		}
	}
}

func TestPool(t *testing.T) {
	m := &machine{each: 1, nodes: 1 << 20}
	pool := make([]int32, 4096)
	for i := range pool {
		pool[i] = int32(i * 3)
	}
	x := &timer{Timing: Timing{2, 5}, nodes: m.nodes, pool: pool, batch: deviceBatch,
		run: func(ctx context.Context, sources []int32) (*engine.Outcome, error) {
			for _, s := range sources {
				if s%3 != 0 {
					t.Fatalf("source %d is not of the pool", s)
				}
			}
			return m.run(ctx, sources)
		}}
	got, err := x.grow(context.Background(), m.first(t, 8), 8)
	if err != nil || got.sources != deviceBatch {
		t.Errorf("%d sources, %v", got.sources, err)
	}
	x.Max = 1e6
	if got, err = x.grow(context.Background(), m.first(t, 8), 8); err != nil || got.sources != 4096 {
		t.Errorf("%d sources, %v", got.sources, err)
	}
}

func TestMedianOfShortRuns(t *testing.T) {
	times := []float64{0.24, 0.01, 0.02, 0.03, 0.03, 0.01, 0.02}
	calls := 0
	x := &timer{nodes: 10, run: func(context.Context, []int32) (*engine.Outcome, error) {
		calls++
		return &engine.Outcome{Compute: times[calls]}, nil
	}}
	got, err := x.repeat(context.Background(), nil, &engine.Outcome{Compute: times[0]})
	if err != nil || got.seconds.Compute != 0.02 || got.runs != 7 || got.sources != 10 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestVeryShortRunsAreRepeatedUntilTheDeviceIsAwake(t *testing.T) {
	for each, runs := range map[float64]int{0.004: 50, 0.00001: mostRepeats} {
		x := &timer{nodes: 10, run: func(context.Context, []int32) (*engine.Outcome,
			error) {
			return &engine.Outcome{Compute: each}, nil
		}}
		if got, err := x.repeat(context.Background(), nil, &engine.Outcome{Compute: each}); err != nil || got.runs != runs ||
			got.seconds.Compute != each {
			t.Errorf("%v s: %+v, %v", each, got, err)
		}
	}
}

func TestTimingFails(t *testing.T) {
	for fail := 1; fail <= 3; fail++ {
		m := &machine{each: 1e-7, nodes: 1000, fail: fail}
		x := &timer{Timing: Timing{2, 5}, nodes: m.nodes, batch: deviceBatch, run: m.run}
		if _, err := x.grow(context.Background(), &engine.Outcome{Compute: 1e-6}, 8); err == nil {
			t.Errorf("run %d failed without an error", fail)
		}
	}
}
