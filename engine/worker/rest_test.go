package worker

import (
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestRest: what batches leave of all nodes is searched level by level where it is much; what they leave of a sample
// one by one.
func TestRest(t *testing.T) {
	g, info := graphtest.Ring(t, 3000, 0), (&idleDevice{}).Info()
	sources := filepath.Join(t.TempDir(), "sources")
	left := make([]int32, 1000)
	for i := range left {
		left[i] = int32(3 * i)
	}
	if err := protocol.WriteNodes(sources, left); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "levels", sources: "work-efficient"} {
		task := ordered(t, g, protocol.Order{Strategy: "deep", Measure: "betweenness", Nodes: true, Sources: path,
			Reduce: kernels.ReduceOff})
		for w, err := range task.ways(t.Context(), info) {
			if err == nil {
				err = w.prepare(task, info)
			}
			if err != nil {
				t.Fatal(err)
			}
			rest, err := w.forRest(w.rest[0], left, info)
			if err != nil {
				t.Fatal(err)
			}
			if got := rest.engine.Name(); got != want {
				t.Errorf("sources %q: the rest goes to %s, not %s", path, got, want)
			}
			break
		}
	}
}

// TestNamesNeedNoRanking: a strategy by name without reductions does not look at the graph to rank ways.
func TestNamesNeedNoRanking(t *testing.T) {
	for _, name := range []string{"work-efficient", "levels", auto} {
		task := ordered(t, graphtest.Ring(t, 300, 50),
			protocol.Order{Strategy: name, Measure: "betweenness", Nodes: true, Reduce: kernels.ReduceOff})
		for _, err := range task.ways(t.Context(), (&idleDevice{}).Info()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if ranked := task.choice != nil; ranked != (name == auto) {
			t.Errorf("%s: ranked %t", name, ranked)
		}
	}
}
