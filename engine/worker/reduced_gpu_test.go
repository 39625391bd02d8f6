//go:build cuda || emulate

package worker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestReducedGraphs reduces graphs with trees, bridges and parallel edges, searches what is left by every strategy for
// hops, and compares with a search of the whole graph on the CPU.
func TestReducedGraphs(t *testing.T) {
	long(t)
	d := devicetest.Open(t)
	m, _ := kernels.Lookup("betweenness")
	graphs := append(enginetest.Nasty(t, false), enginetest.Generated(t, "road",
		generate.Spec{Kind: generate.Road, Width: devicetest.Sized(30, 6), Height: devicetest.Sized(30, 6), Seed: 1}),
		enginetest.Generated(t, "R-MAT",
			generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(11, 6), Degree: 3, Seed: 1}))
	random := rand.New(rand.NewPCG(8, 4))
	for i := range devicetest.Sized(60, 2) {
		var r export.Rels
		n := 2 + random.IntN(devicetest.Sized(300, 25))
		for v := 1; v < n; v++ {
			r.Source, r.Target = append(r.Source, int32(random.IntN(v))), append(r.Target, int32(v))
			for random.IntN(3) == 0 {
				r.Source, r.Target = append(r.Source, int32(random.IntN(v+1))), append(r.Target, int32(v))
			}
		}
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
			Graph: graphtest.Build(t, export.Undirected, n+i%4, r)})
	}
	taken := 0
	for i, g := range graphs {
		if g.Graph.Directed {
			continue
		}
		r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Endpoints: i%3 == 0}}
		want, err := cpu.Compute(t.Context(), m, g.Graph, r)
		if err != nil {
			t.Fatal(err)
		}
		r.Reduce = kernels.ReduceOn
		for _, strategy := range []string{"batched", "work-efficient", "edge-parallel",
			"vertex-pull", "hybrid", "vertex-warp-8"} {
			for single, bound := range map[bool]float64{false: 1e-9, true: 1e-5} {
				at := fmt.Sprintf("%s (n %d, m %d), %s, single %t", g.Name, g.Graph.N(), g.Graph.M(), strategy, single)
				got, err := onDevice(t.Context(), d, g.Graph, m.Name, r, strategy, single)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				if got.Reduction != nil && len(got.Reduction.Taken) > 0 {
					taken++
				}
				for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
					if difference, where := enginetest.Worst(part[0], part[1]); difference > bound {
						t.Errorf("%s: %s", at, where)
					}
				}
				if got.Totals.Pairs != want.Totals.Pairs {
					t.Errorf("%s: %d pairs, want %d", at, got.Totals.Pairs, want.Totals.Pairs)
				}
				again, err := onDevice(t.Context(), d, g.Graph, m.Name, r, strategy, single)
				if err != nil || !sameBits(again, got) {
					t.Errorf("%s: other bits the second time, %v", at, err)
				}
			}
		}
	}
	if taken < devicetest.Sized(600, 80) {
		t.Errorf("only %d runs on reduced graphs", taken)
	}
}
