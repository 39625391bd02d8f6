//go:build cuda || emulate

package hops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// topRequest asks for the highest scores of a measure in the way number i.
func topRequest(measure string, i, count int) kernels.Request {
	normalized := i%2 == 0
	r := kernels.Request{Nodes: true, Params: kernels.Params{Top: &count}}
	if measure == "harmonic" {
		r.Normalized = &normalized
	} else {
		r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i/2%3]
	}
	return r
}

// checkTop compares the highest scores with those of the CPU, bit by bit, also in shards, of which the first does it
// all.
func checkTop(t *testing.T, d gpu.OpenDevice, i int, g enginetest.Named, count int) {
	t.Helper()
	measures := []string{"closeness", "harmonic"}
	if devicetest.Emulated { // which is slow
		measures = measures[i%2:][:1]
	}
	for _, measure := range measures {
		m, _ := kernels.Lookup(measure)
		r := topRequest(measure, i, count)
		at := fmt.Sprintf("top %d of %s", count, g.At(measure, r))
		want, err := cpu.Compute(t.Context(), m, g.Graph, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, shards := range []int{0, 3}[:1+i%2] {
			got, err := enginetest.Compute(t.Context(), d,
				enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: measure, Request: r, Shards: shards})
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if got.Kept != want.Kept {
				t.Fatalf("%s keeps %d nodes, want %d", at, got.Kept, want.Kept)
			}
			for v, x := range got.Nodes {
				if math.Float64bits(x) != math.Float64bits(want.Nodes[v]) && !(math.IsNaN(x) && math.IsNaN(want.Nodes[v])) {
					t.Fatalf("%s in %d shards: node %d has %v, want %v", at, shards, v, x, want.Nodes[v])
				}
			}
		}
	}
}

// TestTop finds the highest scores of random graphs and of those where all tie, with and without direction.
func TestTop(t *testing.T) {
	d := devicetest.Open(t)
	graphs := append(enginetest.Nasty(t, false),
		enginetest.Named{Name: "grid", Graph: graphtest.Grid(t, int32(devicetest.Sized(60, 9)), false)},
		enginetest.Named{Name: "ring", Graph: graphtest.Ring(t, devicetest.Sized(9000, 600), 0)},
		enginetest.Named{Name: "stars", Graph: graphtest.Stars(t, devicetest.Sized(9000, 700))},
		enginetest.Named{Name: "nodes without edges", Graph: graphtest.Links(t, 5, true, false, nil)},
		enginetest.Generated(t, "R-MAT",
			generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(14, 8), Degree: 16, Seed: 1}),
		enginetest.Generated(t, "Delaunay", generate.Spec{Kind: generate.Delaunay, Scale: devicetest.Sized(12, 6), Seed: 1}))
	random := rand.New(rand.NewPCG(60, 26))
	for i := range devicetest.Sized(90, 15) {
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
			Graph: enginetest.Random(t, random, i, false)})
	}
	for i, g := range graphs {
		if g.Graph.N() > 0 {
			checkTop(t, d, i, g, []int{1, 10, g.Graph.N(), 1 + random.IntN(g.Graph.N())}[i%4])
		}
	}
}
