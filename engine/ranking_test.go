package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// spider is a graph of legs chains of the given length that meet in one node: almost all of it folds away.
func spider(t *testing.T, legs, length int) *export.Snapshot {
	t.Helper()
	b := export.NewBuilder(export.Group{Orientation: export.Undirected, Parallel: export.Keep})
	ids := make([]int64, 1+legs*length)
	for i := range ids {
		ids[i] = int64(i)
	}
	b.AddNodes(ids)
	var r export.Rels
	for leg := range legs {
		for i := range length {
			v := int32(1 + leg*length + i)
			from := v - 1
			if i == 0 {
				from = 0
			}
			r.Source, r.Target = append(r.Source, from), append(r.Target, v)
		}
	}
	if err := b.AddRelationships(r); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAutoPrefersTheReducedCPU(t *testing.T) {
	tree := spider(t, 10, 1200)
	tangle, err := generate.Graph(t.Context(),
		generate.Spec{Kind: generate.ErdosRenyi, Nodes: 12_000, Edges: 60_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	stop := &Outcome{Device: "Fake 9000"}
	for _, c := range []struct {
		name     string
		snapshot *export.Snapshot
		change   func(*Task)
		runner   stubRunner
		device   string
		reason   string
	}{
		{"a tree", tree, func(*Task) {}, stubRunner{out: stop}, "cpu", "the CPU is faster here: about "},
		{"a tree, without a device", tree, func(*Task) {}, stubRunner{err: refuse(protocol.NoDriver, "none")}, "cpu",
			"no GPU on this machine: none"},
		{"a tree, on the GPU", tree, func(t *Task) { t.Device = GPU }, stubRunner{out: stop}, "Fake 9000", ""},
		{"a tree, a strategy asked for", tree, func(t *Task) { t.Strategy = "batched" }, stubRunner{out: stop},
			"Fake 9000", ""},
		{"a tree, not reduced", tree, func(t *Task) { t.Request.Reduce = kernels.ReduceOff }, stubRunner{out: stop},
			"Fake 9000", ""},
		{"a tree, from two sources", tree, func(t *Task) { t.Request.Sources = []int32{1, 2} }, stubRunner{out: stop}, "cpu",
			"the CPU is faster here: about "},
		{"a tree, from many sources", tree, func(t *Task) { t.Request.Sources = order.All(tree.Graph)[:9000] },
			stubRunner{out: stop}, "Fake 9000", ""},
		{"two sources, on the GPU", tree, func(t *Task) { t.Device, t.Request.Sources = GPU, []int32{1, 2} },
			stubRunner{out: stop}, "Fake 9000", ""},
		{"a tangle", tangle, func(*Task) {}, stubRunner{out: stop}, "Fake 9000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := Task{Measure: "betweenness", Request: kernels.Request{Nodes: true, Threads: 2}, Snapshot: c.snapshot,
				Device: Auto, Strategy: "auto"}
			c.change(&task)
			out, err := (&Engine{device: &c.runner}).Compute(t.Context(), task)
			if err != nil || out.Device != c.device || !strings.HasPrefix(out.Reason, c.reason) {
				t.Errorf("%+v, %v; want %s, %q", out, err, c.device, c.reason)
			}
		})
	}
}

// TestPlanIsHandedOn: the CPU computes by the plan that auto was decided by.
func TestPlanIsHandedOn(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	task := Task{Measure: m.Name, Request: kernels.Request{Nodes: true}, Snapshot: spider(t, 10, 1200)}
	r := (&Engine{device: &stubRunner{}}).rank(t.Context(), m, task, freeMemory())
	r.settle(t.Context(), m, task, freeMemory())
	if _, prefers := r.choice.PrefersCPU(r.Ways); r.made == nil || !prefers {
		t.Fatalf("plan %v, prefers the CPU: %t; %s", r.made, prefers, r.Ways[0].Line())
	}
	task.Ranking = r
	about := r.made.About
	out, err := computeCPU(t.Context(), m, task, because{})
	if err != nil || out.Scores.Reduction != about {
		t.Errorf("%+v, %v; want scores by %+v", out, err, about)
	}
	if out.Compute < about.Seconds {
		t.Errorf("%g s of computing, %g of them planning", out.Compute, about.Seconds)
	}
	again, err := computeCPU(t.Context(), m, task, because{})
	if err != nil || !slices.Equal(again.Scores.Nodes, out.Scores.Nodes) {
		t.Errorf("a second run: %+v, %v", again, err)
	}
}

// TestRankKnowsReductions: without a GPU, a ranking knows what reductions leave, not an estimate by degrees, and hands
// its plan on.
func TestRankKnowsReductions(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	task := Task{Measure: m.Name, Request: kernels.Request{Nodes: true}, Snapshot: spider(t, 10, 1200), Device: CPU}
	r, err := (&Engine{device: &stubRunner{}}).Rank(t.Context(), task, freeMemory())
	if err != nil || !r.choice.Left().Planned || r.made == nil {
		t.Fatalf("%+v, %v; want what a plan leaves", r, err)
	}
	task.Ranking = r
	about := r.made.About
	if out, err := computeCPU(t.Context(), m, task, because{}); err != nil || out.Scores.Reduction != about {
		t.Errorf("%+v, %v; want scores by %+v", out, err, about)
	}
}

// TestExactInsteadOfASample: a sample that is not reduced may take longer than exact scores, which is said, of samples
// that were drawn.
func TestExactInsteadOfASample(t *testing.T) {
	tree := spider(t, 10, 1200)
	for name, c := range map[string]struct {
		sources int
		change  func(*Task)
		said    bool
	}{
		"half of all nodes": {6000, func(*Task) {}, true},
		"a few":             {60, func(*Task) {}, false},
		"named nodes":       {6000, func(task *Task) { task.Request.Scale = 1 }, false},
		"never reduced":     {6000, func(task *Task) { task.Request.Reduce = kernels.ReduceOff }, false},
	} {
		task := Task{Measure: "betweenness", Snapshot: tree, Device: CPU}
		task.Request.Nodes, task.Request.Threads = true, 1
		task.Request.Sources, task.Request.Scale = kernels.Sample(tree.Graph.N(), c.sources, 1)
		c.change(&task)
		r, err := NewEngine(1).Rank(t.Context(), task, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.HasPrefix(r.Instead, "betweenness: exact scores of all nodes would take about "); said != c.said {
			t.Errorf("%s: %q", name, r)
		}
	}
}

// TestReckoning: a road network is the CPU's where it has many threads, the device's where it has one.
func TestReckoning(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	task := Task{Measure: m.Name, Request: kernels.Request{Nodes: true, Threads: 64}, Snapshot: spider(t, 40, 2500)}
	first := func(left float64) *Ranking {
		r := (&Engine{device: &stubRunner{}}).rank(t.Context(), m, task, freeMemory())
		r.choice.Know(plan.Reductions{Union: 1, Trees: 1, Search: left, Planned: true, By: plan.CPU})
		r.order(m, task, freeMemory())
		return r
	}
	if r := first(0.01); r.Ways[0].Device != plan.CPU {
		t.Errorf("64 threads: %s", r.Ways[0].Line())
	}
	task.Request.Threads = 1
	if r := first(0.02); r.Ways[0].Device != plan.GPU {
		t.Errorf("one thread: %s", r.Ways[0].Line())
	}
	// Where nothing is left out, a device searches all of it.
	if r, less := first(1), first(0.02); r.Ways[0].Seconds < 2*less.Ways[0].Seconds {
		t.Errorf("nothing is left out: %s", r.Ways[0].Line())
	}
}

// TestReductionsThatPay: of an R-MAT graph with 16 draws a node trees and blocks are taken and chains are not, whose
// searches one by one take longer than batches. Nothing is taken of a Barabasi-Albert graph, which has neither trees
// nor chains.
func TestReductionsThatPay(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	for _, c := range []struct {
		spec  generate.Spec
		taken []string
	}{
		{generate.Spec{Kind: generate.RMAT, Scale: 13, Degree: 16, Seed: 1}, []string{"trees"}},
		{generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 5000, Degree: 8, Seed: 1}, nil},
		{generate.Spec{Kind: generate.Road, Width: 40, Height: 40, Probability: 0.62, Seed: 1},
			[]string{"trees", "blocks", "chains"}},
	} {
		s, err := generate.Graph(t.Context(), c.spec)
		if err != nil {
			t.Fatal(err)
		}
		task := Task{Measure: m.Name, Request: kernels.Request{Nodes: true}, Snapshot: s, Device: CPU}
		made, err := reductions.PlanBetweenness(t.Context(), s.Graph, hostRanking(m, task).onCPU(task.Request))
		if err != nil {
			t.Fatal(err)
		}
		if about := made.About; about == nil && c.taken != nil || about != nil && !slices.Equal(about.Taken, c.taken) {
			t.Errorf("%s: %+v", c.spec.Kind, about)
		}
	}
}

// TestMemoryOfTheCPURefusesNoGPU: a task that does not fit the CPU is left to a GPU, if its policy allows one.
func TestMemoryOfTheCPURefusesNoGPU(t *testing.T) {
	task := Task{Measure: "betweenness", Request: kernels.Request{Nodes: true, Threads: 64}, Snapshot: spider(t, 10, 1200)}
	const little = 20 << 20
	for policy, fits := range map[Policy]bool{Auto: true, GPU: true, CPU: false} {
		task.Device = policy
		r, err := (&Engine{device: &stubRunner{}}).Rank(t.Context(), task, little)
		if err != nil {
			t.Fatal(err)
		}
		if first := r.First(); (first != nil) != fits || fits && first.Device != plan.GPU {
			t.Errorf("%s: %s", policy, r)
		}
	}
}

// TestRankingNamesBytes: every way says what it needs, and a strategy that was asked for comes first.
func TestRankingNamesBytes(t *testing.T) {
	task := Task{Measure: "betweenness", Request: kernels.Request{Nodes: true}, Snapshot: spider(t, 10, 1200),
		Strategy: "hybrid"}
	r, err := (&Engine{device: &stubRunner{}}).Rank(t.Context(), task, freeMemory())
	if err != nil || r.Ways[0].Engine != "hybrid" || r.Ways[0].Device != plan.GPU {
		t.Errorf("%s, %v", r, err)
	}
	task.Strategy = "auto"
	if r, err = (&Engine{device: &stubRunner{}}).Rank(t.Context(), task, freeMemory()); err != nil {
		t.Fatal(err)
	}
	devices := map[plan.Device]int{}
	for _, c := range r.Ways {
		devices[c.Device]++
		if c.HostBytes <= 0 || (c.DeviceBytes > 0) != (c.Device == plan.GPU) || c.Misfit != "" {
			t.Errorf("%+v", c)
		}
	}
	if devices[plan.CPU] != 2 || devices[plan.GPU] < 3 || len(r.Lines()) != len(r.Ways) {
		t.Errorf("%v: %s", devices, r)
	}
}

// TestRankingIsHandedOn: a worker is told the features and the rates that the ways were ranked by, if any were.
func TestRankingIsHandedOn(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	task := Task{Measure: m.Name, Request: kernels.Request{Nodes: true}, Snapshot: spider(t, 10, 1200)}
	files, err := client.NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer files.Remove()
	order := func(kind string) protocol.Order {
		o := protocol.Order{Version: protocol.ProtocolVersion, Kind: kind, Measure: m.Name}
		if err := fillIn(&o, task, nil, files); err != nil {
			t.Fatal(err)
		}
		line, err := protocol.Encode(o)
		if err == nil {
			o, err = protocol.DecodeOrder(line)
		}
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := order(protocol.OrderCompute); o.Measured != nil || o.Calibration != nil {
		t.Errorf("nothing was ranked: %+v", o)
	}
	task.Ranking = (&Engine{device: &stubRunner{}}).rank(t.Context(), m, task, freeMemory())
	o := order(protocol.OrderCompute)
	f := task.Ranking.choice.Features
	if !cmp.Equal(*o.Measured, f.Measured()) || *o.Measured.Depth != f.Depth() || *o.Measured.Degrees != f.Degrees() {
		t.Errorf("%+v", o.Measured)
	}
	r, ok := plan.By(o.Calibration, task.Ranking.info)
	if want := task.Ranking.choice.Machine.Rates; !ok || !cmp.Equal(r, want) {
		t.Error(cmp.Diff(r, want))
	}
	if _, ok := plan.By(o.Calibration, DeviceInfo{Name: "another device"}); ok {
		t.Error("rates of another device")
	}
	if o := order(protocol.OrderDistances); o.Measured != nil {
		t.Errorf("distances are of other sources: %+v", o)
	}
}

// TestFailedCalibrationIsNotRepeated: the rates are then those of the table, and that is kept.
func TestFailedCalibrationIsNotRepeated(t *testing.T) {
	info := DeviceInfo{Name: "Fake with other rates", SMs: 66, Driver: 1}
	c := testMachine("crash")
	r := (&Engine{device: c}).rates(t.Context(), info)
	if r.Factors.Device != 1 || r.Shape.SMs != 66 {
		t.Errorf("%+v, %+v", r.Factors, r.Shape)
	}
	kept, ok := plan.Cached(info)
	if !ok || kept.Failed == "" {
		t.Errorf("%+v, %t", kept, ok)
	}
}
