package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/samples"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// TestDistances: rows and summaries of a device, of the CPU, and of the CPU after a device that fails, are the same.
func TestDistances(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		var want [][]float64
		for mode, policy := range map[string]Policy{"good": GPU, "crash": Auto, "too-short": Auto, "no-driver": CPU} {
			task := testTask(policy)
			if task.Request.Weighted = weighted; weighted {
				task.Snapshot.Graph.Weights = []float64{1, 2, 1, 1, 2, 1, 3, 1, 3, 1, 1, 1}
			}
			s := newSession(testMachine(mode))
			var rows [][]float64
			out, err := s.Distances(t.Context(), task, func(source int32, d []float64) error {
				rows = append(rows, append([]float64{float64(source)}, d...))
				return nil
			})
			if err != nil || len(rows) != 5 || (out.Device == "cpu") == (mode == "good") {
				t.Fatalf("%s: %d rows, %+v, %v", mode, len(rows), out, err)
			}
			if want == nil {
				want = rows
			}
			if d := cmp.Diff(want, rows); d != "" {
				t.Errorf("%s: %s", mode, d)
			}
			got, _, err := s.SummarizeDistances(t.Context(), task)
			all, cpuErr := distances.Summarize(t.Context(), task.Snapshot.Graph, task.Request)
			if cpuErr == nil { // the searches do not count them
				all.Components, all.LargestComponent = search.Components(task.Snapshot.Graph)
			}
			if d := cmp.Diff(all, got); d != "" || err != nil || cpuErr != nil {
				t.Errorf("%s: %s %v %v", mode, d, err, cpuErr)
			}
			s.Close()
		}
	}
	task := testTask(GPU)
	task.Strategy = "batched"
	if _, err := (&Engine{}).Distances(t.Context(), task, nil); err == nil {
		t.Error("distances by a strategy of betweenness alone")
	}
}

// TestAdaptive: a device's sample is that of the CPU.
func TestAdaptive(t *testing.T) {
	a := adaptive.Sample{C: 0.5, Seed: 4, Nodes: []int32{2, 3}}
	for mode, policy := range map[string]Policy{"good": GPU, "crash": Auto, "nan": Auto, "no-driver": CPU} {
		task := testTask(policy)
		task.Request.Edges = false
		want, taken, err := samples.Adaptive(t.Context(), task.Snapshot.Graph, task.Request, a)
		if err != nil {
			t.Fatal(err)
		}
		out, got, err := (&Engine{device: testMachine(mode)}).Adaptive(t.Context(), task, a)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if d := cmp.Diff(want.Nodes, out.Scores.Nodes) + cmp.Diff(taken, got); d != "" {
			t.Errorf("%s: %s", mode, d)
		}
	}
	task := testTask(GPU)
	if _, _, err := (&Engine{device: testMachine("good")}).Adaptive(t.Context(), task, a); err == nil {
		t.Error("an adaptive sample of edges")
	}
}
