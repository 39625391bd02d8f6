package plan

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan/looks"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// made generates a graph.
func made(t *testing.T, s generate.Spec) *export.Graph {
	t.Helper()
	snapshot, err := generate.Graph(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Graph
}

// asked are the features of a measure on a graph; the measure is the first one of its kind.
func asked(t *testing.T, g *export.Graph, kind kernels.Kind, r kernels.Request) *Features {
	t.Helper()
	for _, m := range kernels.Measures() {
		if m.Kind == kind {
			return Of(g, m, r, false)
		}
	}
	t.Fatalf("no measure of kind %d", kind)
	return nil
}

func machine() Machine { return Machine{Rates: H200(), Threads: 16, GPU: true, Warm: true} }

func TestFeaturesOfAGrid(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.Grid, Width: 40, Height: 30})
	f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true})
	if f.Nodes != 1200 || f.Arcs != 2*f.Edges || !f.All || f.Sources != 1200 {
		t.Errorf("%d nodes, %d edges, %d arcs, %d sources", f.Nodes, f.Edges, f.Arcs, f.Sources)
	}
	d := f.Degrees()
	if d.Branch != 1200-4 || d.Greatest != 4 || d.Leaves+d.Isolated != 0 {
		t.Errorf("degrees %+v", d)
	}
	if !f.Depth().Deep || f.Reach() != 1 || f.Nearness() != 1 || !f.ByHops() {
		t.Errorf("depth %+v, reach %g, nearness %g", f.Depth(), f.Reach(), f.Nearness())
	}
	if hub := f.Hub(); hub < f.MeanDegree() || hub > 4 {
		t.Errorf("hub %g, mean degree %g", hub, f.MeanDegree())
	}
}

func TestFeaturesOfSources(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.Grid, Width: 40, Height: 30})
	row := make([]int32, 40)
	for i := range row {
		row[i] = int32(i)
	}
	near := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: row}).Nearness()
	far := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: []int32{0, 600, 1100}}).Nearness()
	if near < 0.5 || far != 0 {
		t.Errorf("neighbours are %g near, nodes far apart %g", near, far)
	}
}

func TestReachCountsComponents(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.Grid, Width: 5, Height: 4, Copies: 10})
	if reach := looks.Reach(g); math.Abs(reach-0.1) > 1e-12 {
		t.Errorf("10 equal components: a search reaches %g of all nodes", reach)
	}
}

func TestWeightsAreClassed(t *testing.T) {
	s, err := generate.Graph(context.Background(), generate.Spec{Kind: generate.Grid, Width: 30, Height: 30})
	if err != nil {
		t.Fatal(err)
	}
	for kind, class := range map[generate.Weights]WeightClass{
		generate.OneWeights: Equal, generate.IntegerWeights: Ticks32, generate.RealWeights: Reals,
	} {
		w := weightsOf(generate.WithWeights(s, kind, 1).Graph, lengths.WholeTicks)
		if w.Class != class {
			t.Errorf("%v: class %d, not %d", kind, w.Class, class)
		}
	}
}

// TestFewSourcesNeedNoLook sees to it that the depth of a graph is not looked for where searches are done
// sooner, and that it is where they take long.
func TestFewSourcesNeedNoLook(t *testing.T) {
	for _, c := range []struct {
		spec    generate.Spec
		sources int
		looks   int
	}{
		{generate.Spec{Kind: generate.RMAT, Scale: 12, Degree: 16}, 3, 0},
		{generate.Spec{Kind: generate.Delaunay, Scale: 16}, 64, 0},
		{generate.Spec{Kind: generate.Delaunay, Scale: 18}, 64, 0},
		{generate.Spec{Kind: generate.Delaunay, Scale: 16}, 30_000, 1},
	} {
		g := made(t, c.spec)
		f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: order.All(g)[:c.sources]})
		depth, spread := f.lazy.depth, f.lazy.spread
		looks, spreads := 0, 0
		f.lazy.depth = sync.OnceValue(func() order.Depth { looks++; return depth() })
		f.lazy.spread = sync.OnceValue(func() float64 { spreads++; return spread() })
		ranked := Rank(Candidates(f, f.Guess(), Machine{Rates: H200(), Threads: 1, GPU: true, Warm: true}), nil, Free{})
		onGPU := slices.IndexFunc(ranked, func(c Candidate) bool { return c.Device == GPU })
		if first := ranked[onGPU]; c.looks == 0 && threadsPerNode[first.Engine] == 0 {
			t.Errorf("%v: %s was proposed for %d sources", c.spec, first.Engine, c.sources)
		}
		if looks != c.looks || f.surely != (looks > 0) {
			t.Errorf("%v, %d sources: looked at the depth %d times", c.spec, c.sources, looks)
		}
		if ranked[0].Device == GPU && spreads > c.looks {
			t.Errorf("%v, %d sources: looked at the spread of batches, which the GPU has not", c.spec, c.sources)
		}
	}
}

func TestRankPutsMisfitsLast(t *testing.T) {
	all := []Candidate{
		{Device: GPU, Engine: Deep, Seconds: 3, Why: "why"},
		{Device: GPU, Engine: Levels, Seconds: 1, Why: "why"},
		{Device: CPU, Engine: Plain, Seconds: 2, Why: "why"},
	}
	need := func(c Candidate) (host, device int64) {
		if c.Engine == Levels {
			return 0, 8e9
		}
		return 1e9, 1e9
	}
	ranked := Rank(all, need, Free{Host: 4e9, Device: 4e9})
	if ranked[0].Engine != Plain || ranked[1].Engine != Deep || ranked[2].Engine != Levels {
		t.Errorf("ranked %+v", ranked)
	}
	if want := "gpu, levels: why; about 1 s; needs 8 GB of device memory, 4 GB are free"; ranked[2].Line() != want {
		t.Errorf("%q, not %q", ranked[2].Line(), want)
	}
	if all[0].HostBytes != 0 {
		t.Error("Rank changed its argument")
	}
}

// TestEveryMeasureHasAWay predicts every measure with and without weights on a few graphs.
func TestEveryMeasureHasAWay(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.Grid, Width: 20, Height: 20}, {Kind: generate.RMAT, Scale: 8, Degree: 8},
		{Kind: generate.Grid, Width: 1, Height: 1},
	} {
		g := made(t, spec)
		for _, m := range kernels.Measures() {
			for _, weighted := range []bool{false, true} {
				r := kernels.Request{Nodes: true}
				r.Weighted = weighted && m.Weights != kernels.NoWeights
				f := Of(g, m, r, true)
				for _, c := range Rank(Candidates(f, f.Guess(), machine()), nil, Free{}) {
					if !(c.Seconds > 0) || math.IsInf(c.Seconds, 0) || !strings.Contains(c.Line(), "about") {
						t.Errorf("%s on %v: %+v", m.Name, spec, c)
					}
				}
			}
		}
	}
}

// TestEveryMeasureIsPredicted: each measure has a way on the CPU, and one on a device where its table names engines.
func TestEveryMeasureIsPredicted(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.RMAT, Scale: 8, Degree: 8})
	for _, m := range kernels.Measures() {
		f := Of(g, m, kernels.Request{Nodes: true}, false)
		byCPU, offered := 0, map[string]bool{ChainFolds: m.Chained}
		for _, name := range m.StrategiesFor(false) {
			offered[name] = true
		}
		var byGPU []string
		for _, c := range Candidates(f, f.Guess(), machine()) {
			switch {
			case c.Device == CPU:
				byCPU++
			case !offered[c.Engine]:
				t.Errorf("%s by %s, which the table of measures does not offer", m.Name, c.Engine)
			default:
				byGPU = append(byGPU, c.Engine)
			}
		}
		if byCPU == 0 || m.OnDevices() != (len(byGPU) > 0) {
			t.Errorf("%s: %d ways on the CPU, on a device %v", m.Name, byCPU, byGPU)
		}
	}
}

func TestTableOfRates(t *testing.T) {
	for _, e := range H200().Table() {
		if e.Value < 0 || e.Unit == "" || e.From == "" {
			t.Errorf("%s: %+v", e.Name, e.Rate)
		}
	}
	if n := len(H200().Table()); n < 80 {
		t.Errorf("%d rates", n)
	}
}

func TestCalibrationIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := made(t, generate.Spec{Kind: generate.RMAT, Scale: 10, Degree: 16})
	f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true})
	runs := 0
	measure := func(_ context.Context, on Device) (*Features, string, float64, error) {
		runs++
		engine := map[Device]string{GPU: Levels, CPU: Plain}[on]
		for _, c := range Candidates(f, f.Guess(), Machine{Rates: H200(), Threads: 1, GPU: true, Warm: true}) {
			if c.Device == on && c.Engine == engine && c.Reductions == nil {
				return f, engine, c.Cost.Prepare + 3*c.Cost.Search, nil
			}
		}
		return f, engine, 0, errors.New("no candidate")
	}
	device := gpu.Info{Name: "Test GPU/1", Driver: 13000}
	for range 2 {
		c, err := Calibrate(context.Background(), H200(), device, measure)
		if err != nil || math.Abs(c.Factors.Device-3) > 1e-9 || math.Abs(c.Factors.CPU-3) > 1e-9 {
			t.Fatalf("%+v, %v", c, err)
		}
	}
	if runs != 2 {
		t.Errorf("measured %d times, not twice: the second calibration is in the cache", runs)
	}
	device.Driver++
	if _, err := Calibrate(context.Background(), H200(), device, measure); err != nil || runs != 4 {
		t.Errorf("%d runs after another driver, %v", runs, err)
	}
}

func TestBrokenCalibrationIsMeasuredAgain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	device := gpu.Info{Name: "Test GPU", Driver: 1}
	path, err := cachePath(device)
	if err != nil {
		t.Fatal(err)
	}
	wild := Calibration{Device: device.Name, Driver: 1, Model: model, Factors: Factors{Device: math.MaxFloat64, CPU: 1}}
	if err := wild.save(path); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	fails := func(context.Context, Device) (*Features, string, float64, error) { return nil, "", 0, broken }
	if _, err := Calibrate(context.Background(), H200(), device, fails); !errors.Is(err, broken) {
		t.Errorf("%v; factors beyond all bounds were taken", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Calibrate(context.Background(), H200(), device, fails); !errors.Is(err, broken) {
		t.Errorf("%v; half a file was taken", err)
	}
}

// BenchmarkSample times what ranks the ways for random sources, the CPU among them: the least of the runs.
func BenchmarkSample(b *testing.B) {
	datasets.EachSample(b, func(b *testing.B, s *export.Snapshot) {
		m, _ := kernels.Lookup("betweenness")
		for _, sources := range []int{64, 1024} {
			r := kernels.Request{Nodes: true, Sources: kernels.DrawSources(s.Graph.N(), sources, 1)}
			b.Run(strconv.Itoa(sources), func(b *testing.B) {
				least := time.Hour
				for b.Loop() {
					start := time.Now()
					f := Of(s.Graph, m, r, false)
					Rank(Candidates(f, f.Guess(), machine()), nil, Free{})
					least = min(least, time.Since(start))
				}
				b.ReportMetric(1e3*least.Seconds(), "least-ms")
			})
		}
	}, "delaunay14", "rmat18-16", "rgg20")
}
