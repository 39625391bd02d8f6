package jobs

import (
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// TestTrialTellsTheTime compares the time that a trial foretells with the processor time of the whole computation, on
// graphs of different kinds. Both are processor time, so that other programs hardly matter; the factor is larger than
// the estimate's aim of 2.
func TestTrialTellsTheTime(t *testing.T) {
	const factor = 3
	for name, spec := range map[string]generate.Spec{
		"random": {Kind: generate.ErdosRenyi, Nodes: 3000, Edges: 12000, Seed: 1, Weights: generate.IntegerWeights},
		"hubs":   {Kind: generate.RMAT, Nodes: 4096, Degree: 8, Seed: 1, Weights: generate.IntegerWeights},
		"grid":   {Kind: generate.Grid, Width: 55, Height: 55, Seed: 1, Weights: generate.IntegerWeights},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, m := range []config.Measure{{Measure: "betweenness", Nodes: "x"},
			{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: "x"}} {
			ps, err := passes([]config.Measure{m})
			if err != nil {
				t.Fatal(err)
			}
			c := config.Compute{Threads: 1}
			foretold, err := trial{s.Graph, 1, int64(s.Graph.N())}.seconds(t.Context(), ps[0], c, 0)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			begun := process.CPUTime()
			if _, err := cpu.Compute(t.Context(), ps[0].measure, s.Graph,
				engine.OnCPU(ps[0].measure, s.Graph, ps[0].request(c))); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			took := (process.CPUTime() - begun).Seconds()
			t.Logf("%s, %s, weighted %t: foretold %.2f s, took %.2f s", name, m.Measure, m.Weighted, foretold, took)
			if foretold > factor*took || took > factor*foretold {
				t.Errorf("%s, %s, weighted %t: foretold %.2f s, took %.2f s", name, m.Measure, m.Weighted, foretold, took)
			}
		}
	}
}

// TestProgressExtrapolates tells what is done once from what is done for each source.
func TestProgressExtrapolates(t *testing.T) {
	type report struct {
		at    time.Duration
		done  int
		total int
	}
	for name, c := range map[string]struct {
		threads float64
		reports []report
		ended   time.Duration
		want    float64
	}{
		"nothing done":             {1, nil, 0, 0},
		"plan, then a steady pace": {1, []report{{2 * time.Second, 1, 1001}, {3 * time.Second, 101, 1001}}, 0, 12},
		"two threads":              {2, []report{{0, 0, 1000}, {time.Second, 10, 1000}}, 0, 50},
		"one report":               {1, []report{{time.Second, 256, 1024}}, 0, 4},
		"ended early":              {2, []report{{time.Second, 1, 1000}, {3 * time.Second, 30, 1000}}, 5 * time.Second, 3},
	} {
		p := &progress{threads: c.threads}
		for _, r := range c.reports {
			p.report(r.at, r.done, r.total)
		}
		if c.ended > 0 {
			p.last, p.done = c.ended, true
		}
		if got := p.seconds(); got < 0.99*c.want || got > 1.01*c.want {
			t.Errorf("%s: %v s, want %v", name, got, c.want)
		}
	}
}

// TestLongEstimatesProposeASample: where a search from every node takes long, searches from some take less.
func TestLongEstimatesProposeASample(t *testing.T) {
	j := config.Job{Name: "j", Measures: []config.Measure{{Measure: "stress", Nodes: "x"}}}
	e := &Estimate{Estimate: connector.Estimate{Nodes: 2_000_000, Relationships: 8_000_000}, Seconds: map[string]float64{}}
	if err := e.timeCompute(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if e.Seconds["compute"] < longCompute || e.Sample == nil || e.Sample.Sources != 100_000 ||
		e.Sample.Seconds > e.Seconds["compute"]/5 {
		t.Errorf("%v s, sample %+v", e.Seconds["compute"], e.Sample)
	}
	small := &Estimate{Estimate: connector.Estimate{Nodes: 20, Relationships: 80}, Seconds: map[string]float64{}}
	if err := small.timeCompute(t.Context(), j); err != nil || small.Sample != nil || small.Seconds["compute"] <= 0 {
		t.Errorf("a small graph: %v, %+v", err, small)
	}
}

// TestLargeEstimatesOfOnePass: where a measure does not search from each node, its time grows with the size of the
// graph alone.
func TestLargeEstimatesOfOnePass(t *testing.T) {
	e := &Estimate{Estimate: connector.Estimate{Nodes: 20_000_000, Relationships: 80_000_000},
		Seconds: map[string]float64{}}
	for _, name := range []string{"degree", "pagerank", "components"} {
		j := config.Job{Name: "j", Measures: []config.Measure{{Measure: name, Nodes: "x"}}}
		if err := e.timeCompute(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		if s := e.Seconds["compute"]; s <= 0 || s > 600 {
			t.Errorf("%s of 100 million nodes and edges: %v s", name, s)
		}
	}
}
