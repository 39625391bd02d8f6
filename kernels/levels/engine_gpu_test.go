//go:build cuda || emulate

package levels

import (
	"math/rand/v2"
	"testing"

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
	for i, g := range graphs {
		r := kernels.Request{Params: kernels.Params{Endpoints: i%4 == 1}, Nodes: i%5 != 0, Edges: i%3 != 0 || i%5 == 0}
		if i%5 == 4 && g.Graph.N() > 3 {
			r.Sources = kernels.DrawSources(g.Graph.N(), g.Graph.N()/2, int64(i))
		}
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: "betweenness", Request: r, Single: i%2 == 0}
		enginetest.Agree(t, d, g.At("betweenness", r), task)
	}
}
