//go:build cuda || emulate

package levels

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestAgrees compares scores of nodes and edges with the CPU's, and shards with the whole.
func TestAgrees(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 1))
	graphs := append(enginetest.Nasty(t, false), enginetest.Batches(t, false, false), enginetest.Batches(t, true, false))
	for i := range devicetest.Sized(100, 12) {
		graphs = append(graphs, enginetest.Named{Name: "random", Graph: enginetest.Random(t, random, i, false)})
	}
	restore := alikeFrom
	defer func() { alikeFrom = restore }()
	for i, g := range graphs {
		alikeFrom = float64(i/2%2) * restore
		r := kernels.Request{Params: kernels.Params{Endpoints: i%4 == 1}, Nodes: i%5 != 0, Edges: i%3 != 0 || i%5 == 0}
		if i%5 == 4 && g.Graph.N() > 3 {
			r.Sources = kernels.DrawSources(g.Graph.N(), g.Graph.N()/2, int64(i))
		}
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: "betweenness", Request: r, Single: i%2 == 0}
		enginetest.Agree(t, d, g.At("betweenness", r), task)
	}
}

// TestManyLists: a block lists the nodes that look for lanes several times per level, some with rows that it handles as
// a whole.
func TestManyLists(t *testing.T) {
	d := devicetest.Open(t)
	s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.RMAT, Scale: 14, Degree: 8, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if least := d.Info().SMs * blocksPerSM * batchedThreads; s.Graph.N() < 3*least && d.Info().SMs < 10 {
		t.Fatalf("%d nodes are fewer than three lists of %d blocks", s.Graph.N(), d.Info().SMs*blocksPerSM)
	}
	for _, single := range []bool{true, false} {
		r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(s.Graph.N(), 70, 3)}
		task := enginetest.Task{Engine: Engine{}, Graph: s.Graph, Measure: "betweenness", Request: r, Single: single}
		enginetest.Agree(t, d, "R-MAT", task)
	}
}
