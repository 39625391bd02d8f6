//go:build cuda || emulate

package small

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
	random := rand.New(rand.NewPCG(21, 5))
	graphs := append(enginetest.Nasty(t, true), enginetest.Batches(t, false, true), enginetest.Batches(t, true, true))
	for i := range devicetest.Sized(100, 8) {
		if i%4 != 3 { // exact in 128 bits only; see TestDoubtful
			graphs = append(graphs, enginetest.Named{Name: "random", Graph: enginetest.Random(t, random, i, true)})
		}
	}
	measures := []string{"betweenness", "closeness", "harmonic", "eccentricity"}
	for i, g := range graphs {
		measure := measures[i%len(measures)]
		for _, measure := range []string{"betweenness", measure} {
			r := kernels.Request{Nodes: i%5 != 0, Edges: i%3 != 0 || i%5 == 0}
			r.Weighted, r.Endpoints = true, measure == "betweenness" && i%4 == 1
			if i%5 == 4 && g.Graph.N() > 3 {
				r.Sources = kernels.DrawSources(g.Graph.N(), g.Graph.N()/2, int64(i))
			}
			task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: measure, Request: r, Single: i%2 == 0}
			enginetest.Agree(t, d, g.At(measure, r), task)
		}
	}
}
