//go:build cuda || emulate

package worker

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// withoutSmallForm has the test search small graphs in batches, by weights, as large ones are.
func withoutSmallForm(t *testing.T) {
	smallForm = false
	t.Cleanup(func() { smallForm = true })
}

// TestSmallForm: shapes that break things, with short and long rows, from all sources or some, in shared memory.
func TestSmallForm(t *testing.T) {
	d := devicetest.Open(t)
	graphs := append(nasty(t, true), weightyShapes(t)...)
	random := rand.New(rand.NewPCG(17, 5))
	for i := range max(*randomGraphs/4, 3) {
		graphs = append(graphs, named{fmt.Sprintf("random graph %d", i), randomGraph(t, random, i, true)})
	}
	taken := 0
	for i, g := range graphs {
		for _, measure := range []string{"betweenness", []string{"closeness", "harmonic", "graph", "eccentricity"}[i%4]} {
			m, _ := kernels.Lookup(measure)
			for _, r := range requests(m, i, g.graph) {
				if devicetest.Emulated && g.graph.N() > 100 && m.BySource {
					r.Sources, r.Scale = kernels.DrawSources(g.graph.N(), 12, int64(i)), 0
				}
				if notes := checkWeights(t, d, g.name, g.graph, measure, r); strings.Contains(notes, "of shared memory") {
					taken++
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if taken < len(graphs) {
		t.Errorf("%d of %d requests in shared memory", taken, 2*len(graphs))
	}
}

// TestSmallFormFits: a source takes as much shared memory as its graph is large, and so do blocks take threads.
func TestSmallFormFits(t *testing.T) {
	h200 := gpu.Info{SMs: 132, Threads: 2048, SharedBlock: 227 << 10, Free: 1 << 37}
	want := Want{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: true}
	for _, c := range []struct {
		nodes, edges    int64
		single          bool
		blocks, threads int // a multiprocessor, a block
	}{
		{34, 78, true, 5, 256}, {3476, 25488, true, 4, 320}, {3476, 25488, false, 3, 384}, {7115, 100762, true, 2, 640}, {7115, 100762, false, 1, 640}, {40_000, 100_000, true, 0, 0}, {1 << 16, 1, true, 0, 0},
	} {
		want.Single, want.Sources = c.single, int(c.nodes)
		got := fitSmall(kernels.Size{Nodes: c.nodes, Edges: c.edges}, want, h200)
		if got.blocks != min(c.blocks*h200.SMs, int(c.nodes)) || got.threads != c.threads || got.shared+smallStatic > h200.SharedBlock {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	g := graphtest.Ring(t, 3000, 9000)
	for info, want := range map[gpu.Info]string{h200: "batched", {SMs: 132}: "work-efficient-warp-4"} {
		j := &Job{Want: byWeights(g), Host: g, Sources: order.All(g)}
		if s, why, err := find(suited(Strategies(), "auto", j, info), "auto", j.Want, false, info); err != nil || s.Name() != want {
			t.Errorf("auto takes %v (%s, %v), want %s", s, why, err, want)
		}
	}
	if hub := mostArcsIn(manyArcs(t)); hub != 70_000 {
		t.Errorf("%d arcs into the hub", hub)
	}
}

// byWeights asks for betweenness by weights from all nodes.
func byWeights(g *export.Graph) Want {
	return Want{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: true, Sources: g.N(), Size: sizeOf(g)}
}

// manyArcs is a graph of 70,000 parallel arcs into one node.
func manyArcs(t testing.TB) *export.Graph {
	var links []graphtest.Link
	for i := range int32(70_000) {
		links = append(links, graphtest.Link{From: 1 + i%2, To: 0, Weight: float64(1 + i%2)})
	}
	return graphtest.Links(t, 3, true, true, links)
}
