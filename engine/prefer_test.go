package engine

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
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
	tangle, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.ErdosRenyi, Nodes: 12_000, Edges: 60_000, Seed: 1})
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
		{"a tree, without a device", tree, func(*Task) {}, stubRunner{err: refuse(protocol.NoDriver, "none")}, "cpu", "no GPU on this machine: none"},
		{"a tree, on the GPU", tree, func(t *Task) { t.Device = GPU }, stubRunner{out: stop}, "Fake 9000", ""},
		{"a tree, a strategy asked for", tree, func(t *Task) { t.Strategy = "batched" }, stubRunner{out: stop}, "Fake 9000", ""},
		{"a tree, not reduced", tree, func(t *Task) { t.Request.Reduce = kernels.ReduceOff }, stubRunner{out: stop}, "Fake 9000", ""},
		{"a tree, from some sources", tree, func(t *Task) { t.Request.Sources = []int32{1, 2} }, stubRunner{out: stop}, "Fake 9000", ""},
		{"a tangle", tangle, func(*Task) {}, stubRunner{out: stop}, "Fake 9000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := Task{Measure: "betweenness", Request: kernels.Request{Nodes: true}, Snapshot: c.snapshot, Device: Auto, Strategy: "auto"}
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
	for _, runner := range []stubRunner{{}, {err: refuse(protocol.NoDriver, "none")}} {
		e := Engine{device: &runner}
		plan, _, prefers := e.prefersCPU(t.Context(), m, task)
		if plan == nil || prefers != (runner.err == nil) {
			t.Fatalf("with a device that says %v: plan %v, prefers %t", runner.err, plan, prefers)
		}
		m, _ := kernels.Lookup(task.Measure)
		out, err := computeCPU(t.Context(), m, task, plan, because{})
		if err != nil || out.Scores.Reduction != plan.About {
			t.Errorf("%+v, %v; want scores by %+v", out, err, plan.About)
		}
		if out.Compute < plan.About.Seconds {
			t.Errorf("%g s of computing, %g of them planning", out.Compute, plan.About.Seconds)
		}
	}
}

// TestReckoning: a road network is the CPU's where it has many threads, the device's where it has one.
func TestReckoning(t *testing.T) {
	task := Task{Snapshot: spider(t, 40, 2500)}
	const left = 0.02
	if cpu, device := reckon(task, left, 64); cpu >= device {
		t.Errorf("64 threads: %g s on the CPU, %g s on the device", cpu, device)
	}
	if cpu, device := reckon(task, left, 1); cpu <= device {
		t.Errorf("one thread: %g s on the CPU, %g s on the device", cpu, device)
	}
	// Where nothing is left out, a device searches all of it.
	task.Request.Weighted = true
	if _, device := reckon(task, 1, 1); device < 1e10/weightedRate {
		t.Errorf("by weights: %g s on the device", device)
	}
}
