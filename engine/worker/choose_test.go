package worker

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// h200 is the device that the rates of the cost model were measured on.
func h200() gpu.Info {
	return gpu.Info{Name: "NVIDIA H200", SMs: 132, L2: 50 << 20, SharedBlock: 227 << 10}
}

// madeGraph generates a graph.
func madeGraph(t *testing.T, s generate.Spec) *export.Graph {
	t.Helper()
	snapshot, err := generate.Graph(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Graph
}

// some are nodes in equal steps.
func some(first, step, count int) []int32 {
	out := make([]int32, count)
	for i := range out {
		out[i] = int32(first + i*step)
	}
	return out
}

func TestAutoTakesWhatSuits(t *testing.T) {
	road := madeGraph(t, generate.Spec{Kind: generate.Grid, Width: 300, Height: 250})
	strip := madeGraph(t, generate.Spec{Kind: generate.Grid, Width: 600, Height: 100})
	broad := madeGraph(t, generate.Spec{Kind: generate.RMAT, Scale: 15, Degree: 16})
	plain := madeGraph(t, generate.Spec{Kind: generate.Grid, Width: 700, Height: 500})
	random, large := graphtest.Ring(t, 2000, 8000), graphtest.Ring(t, 30_000, 150_000)
	for _, c := range []struct {
		name, measure string
		graph         *export.Graph
		sources       []int32 // nil for all
		want          string
	}{
		{"a road", "betweenness", road, nil, "deep"},
		{"a random graph", "betweenness", random, nil, "levels"},
		{"a larger random graph", "betweenness", large, nil, "levels"},
		// of caidaRouterLevel 6.2 ms, one by one 7.4 (note 078)
		{"ten sources of a larger random graph", "betweenness", large, some(0, 500, 10), "levels"},
		{"450 sources of a larger random graph", "betweenness", large, some(0, 20, 450), "levels"},
		{"a third of a larger random graph", "betweenness", large, some(0, 3, 10_000), "levels"},
		{"a third of a road", "betweenness", road, some(0, 3, 25_000), "work-efficient"},
		// 7.3 ms of kron16 on an H200, by warps of 8 threads 13.0
		{"ten sources of a broad graph", "betweenness", broad, some(0, 500, 10), "levels"},
		{"450 sources of a random graph", "betweenness", random, some(0, 4, 450), "work-efficient"},
		{"a band", "betweenness", strip, nil, "work-efficient"}, // 0.38 s on an H100, in batches 0.62
		{"a sample of a band", "betweenness", strip, some(0, 50, 100), "work-efficient"},
		{"neighbours in a large road", "betweenness", plain, some(0, 1, 300_000), "deep"},
		{"closeness of a road", "closeness", road, nil, "hops"},
		{"closeness of a sample of a road", "closeness", road, some(0, 7, 5000), "work-efficient"},
		{"harmonic centrality of a sample of a band", "harmonic", strip, some(0, 50, 100), "work-efficient"},
		{"one batch of a band", "betweenness", strip, some(2000, 1, 100), "work-efficient"},
		{"harmonic centrality of a third of a broad graph", "harmonic", broad, some(0, 3, 10_000), "hops"},
	} {
		task := ordered(t, c.graph, protocol.Order{Measure: c.measure, Nodes: true, Strategy: auto})
		j := task.job
		if c.sources != nil {
			j.Sources, j.Request.Sources, j.All, j.Want.Sources = c.sources, c.sources, false, len(c.sources)
		}
		engines, why, err := task.choose(&j, h200())
		if err != nil || engines[0].Name() != c.want || !strings.Contains(why, "about") {
			t.Errorf("%s: %s (%s, %v), want %s", c.name, engines[0].Name(), why, err, c.want)
		}
	}
}

// TestMeasuredFeaturesAreTaken: the worker looks at no graph that was looked at, and refuses features of another graph.
func TestMeasuredFeaturesAreTaken(t *testing.T) {
	g := graphtest.Ring(t, 2000, 8000)
	of := func(m *plan.Measured) *plan.Features {
		task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: auto, Measured: m})
		return task.choiceOf(&task.job, h200()).Features
	}
	plain, reach := of(nil), 0.25
	told := plan.Measured{Degrees: &plan.Degrees{Greatest: 7}, Depth: &order.Depth{Levels: 1500, Found: 9}, Reach: &reach}
	f := of(&told)
	if f.Degrees() != *told.Degrees || f.Depth() != *told.Depth || f.Reach() != reach || f.Locality() != plain.Locality() {
		t.Errorf("%+v", f.Measured())
	}
	task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: auto, Measured: &told})
	if task.job.Depth() != *told.Depth {
		t.Errorf("the job is %+v deep", task.job.Depth())
	}
	few := task.job
	few.Sources, few.All = few.Sources[:1500], false
	if f := task.choiceOf(&few, h200()).Features; f.Reach() == reach {
		t.Error("features of a job from other sources")
	}
	told.Depth = &order.Depth{Levels: 3, End: 2000}
	o := protocol.Order{Kind: protocol.OrderCompute, Measure: "betweenness", Nodes: true, Measured: &told}
	if _, err := newTask(o, g, Engines(), func(int, int) {}); err == nil {
		t.Error("there is no node 2000")
	}
}

// TestRatesAreReadOnce: rates come with the order, or from the user's cache, once for a device.
func TestRatesAreReadOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	d, info := &desk{}, h200()
	w := work{rates: d.ratesOf}
	if got := w.ratesOf(info).Factors.Device; got != 1 {
		t.Errorf("factor %g", got)
	}
	faster := plan.H200()
	faster.Factors.Device = 0.5
	calibration := faster.Calibration(info)
	w.order.Calibration = &calibration
	if got := w.ratesOf(info).Factors.Device; got != 0.5 {
		t.Errorf("factor %g of the order", got)
	}
	d.rates = faster
	w.order.Calibration = nil
	if got := w.ratesOf(info).Factors.Device; got != 0.5 {
		t.Errorf("factor %g, read again", got)
	}
}

// TestAutoTakesTheNextThatFits: with too little memory for batches, auto searches one by one; with none for that, it
// says what the best would need.
func TestAutoTakesTheNextThatFits(t *testing.T) {
	g := graphtest.Ring(t, 9000, 30000)
	for free, want := range map[int64]string{1 << 30: "levels", reserve + 3<<20: "work-efficient", reserve + 1<<20: ""} {
		d := newFake(t)
		d.About.Free = free
		task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: "auto"})
		planned, stop := "", errors.New("planned")
		_, err := task.compute(t.Context(), d, 1, func(p protocol.Planned) error {
			planned = p.Strategy
			return stop
		})
		var tooLarge *gpu.TooLarge
		switch {
		case want == "" && !(errors.As(err, &tooLarge) && tooLarge.What == "levels"):
			t.Errorf("%d bytes: %v, want what levels needs", free, err)
		case want != "" && (err != stop || planned != want):
			t.Errorf("%d bytes: %s, %v; want %s", free, planned, err, want)
		}
	}
}

// TestAutoBatchesLargeBalls: volumes are batched where a ball holds much of the graph.
func TestAutoBatchesLargeBalls(t *testing.T) {
	random, road := graphtest.Ring(t, 5000, 20000), graphtest.Ring(t, 5000, 0)
	deep := madeGraph(t, generate.Spec{Kind: generate.Grid, Width: 100, Height: 100})
	for _, c := range []struct {
		graph  *export.Graph
		radius int
		want   string
	}{
		{random, 2, "volume-bitmap"}, {random, 6, "hops"}, {road, 6, "volume-bitmap"}, {deep, 150, "hops"},
	} {
		task := ordered(t, c.graph, protocol.Order{
			Measure: "volume", Params: kernels.Params{Radius: &c.radius}, Nodes: true, Strategy: "auto",
		})
		engines, why, err := task.choose(&task.job, h200())
		if err != nil || engines[0].Name() != c.want {
			t.Errorf("radius %d of %d edges: %v (%s, %v), want %s", c.radius, c.graph.M(), engines, why, err, c.want)
		}
	}
}

func TestProgressGoesOnwards(t *testing.T) {
	var told []int
	report := onwards(func(done int) { told = append(told, done) })
	for _, done := range []int{3, 7, 7, 5, 6, 9} {
		report(done)
	}
	if !slices.Equal(told, []int{3, 7, 9}) {
		t.Errorf("told %v", told)
	}
}
