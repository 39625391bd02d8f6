//go:build cuda || emulate

package weighted

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

var randomGraphs = flag.Int("graphs", devicetest.Sized(300, 4), "random graphs that the engine is compared on")

// eachRequest compares betweenness, stress and one measure of the closeness family of each graph with the CPU's, and
// reports what of which graph came with which notes.
func eachRequest(t *testing.T, d gpu.Device, graphs []enginetest.Named, report func(of, notes string)) {
	t.Helper()
	for i, g := range graphs {
		measures := []string{"betweenness", "stress", []string{"closeness", "harmonic", "graph", "eccentricity"}[i%4]}
		if devicetest.Emulated && testing.Short() {
			measures = slices.Delete(measures, i%3, i%3+1) // two of the three
		}
		for _, measure := range measures {
			m, _ := kernels.Lookup(measure)
			r := enginetest.Request(m, i, g.Graph)
			if devicetest.Emulated && g.Graph.N() > 100 && m.BySource {
				r.Sources, r.Scale = kernels.DrawSources(g.Graph.N(), 40, int64(i)), 0
			}
			report(measure+" of "+g.Name, enginetest.CheckWeights(t, d, Engine{}, g.Name, g.Graph, measure, r))
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestWeights(t *testing.T) {
	d := devicetest.Open(t)
	graphs := append(enginetest.Nasty(t, true), enginetest.WeightyShapes(t)...)
	random := rand.New(rand.NewPCG(3, 5))
	for i := range max(*randomGraphs/4, 3) {
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
			Graph: enginetest.Random(t, random, i, true)})
	}
	refused := 0
	eachRequest(t, d, graphs, func(of, notes string) {
		if notes == "refused" {
			t.Log(of)
			refused++
		}
	})
	t.Logf("%d graphs, %d requests refused because only 128 bits hold their lengths", len(graphs), refused)
}

// TestManyBatches: each of 8 shards has batches of its own.
func TestManyBatches(t *testing.T) {
	d := devicetest.Open(t)
	for i, measure := range []string{"betweenness", "stress", "closeness", "harmonic", "eccentricity"} {
		g := enginetest.Batches(t, i%2 == 1, true)
		r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: i == 0}, Nodes: true, Edges: i != 2}
		if devicetest.Emulated {
			r.Sources = kernels.DrawSources(g.Graph.N(), 8*weightedLanes, int64(i))
		}
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: measure, Request: r, Single: i == 0}
		enginetest.Agree(t, d, g.At(measure, r), task)
	}
}
