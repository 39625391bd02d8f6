//go:build cuda || emulate

package small

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

var randomGraphs = flag.Int("graphs", devicetest.Sized(300, 4), "random graphs that the engine is compared on")

// TestSmall: shapes that break things, with short and long rows, from all sources or some.
func TestSmall(t *testing.T) {
	d := devicetest.Open(t)
	graphs := append(enginetest.Nasty(t, true), enginetest.WeightyShapes(t)...)
	random := rand.New(rand.NewPCG(17, 5))
	graphs = append(graphs, enginetest.Randoms(t, random, max(*randomGraphs/4, 3))...)
	taken := 0
	for i, g := range graphs {
		for _, measure := range []string{"betweenness", []string{"closeness", "harmonic", "graph", "eccentricity"}[i%4]} {
			m, _ := kernels.Lookup(measure)
			for _, r := range enginetest.Requests(m, i, g.Graph) {
				if devicetest.Emulated && g.Graph.N() > 100 && m.BySource {
					r.Sources, r.Scale = kernels.DrawSources(g.Graph.N(), 12, int64(i)), 0
				}
				notes := enginetest.CheckWeights(t, d, Engine{}, g.Name, g.Graph, measure, r)
				if strings.Contains(notes, "of shared memory") {
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

// TestShards: parts of whole blocks give the same bits as the whole, with masses and endpoints, and where sources fail
// in single precision.
func TestShards(t *testing.T) {
	d := devicetest.Open(t)
	for i, measure := range []string{"betweenness", "betweenness", "harmonic", "eccentricity"} {
		g := enginetest.Batches(t, i%2 == 1, true)
		r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: i == 0}, Nodes: true, Edges: true}
		if devicetest.Emulated {
			r.Sources = kernels.DrawSources(g.Graph.N(), 50, int64(i))
		}
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: measure, Request: r, Single: i == 0}
		enginetest.Agree(t, d, g.At(measure, r), task)
	}
	links := manifold(20, 4)
	for v := range int32(20) {
		links = append(links, graphtest.Link{From: 20, To: 21 + v, Weight: 1})
		links = append(links, graphtest.Link{From: 21 + v, To: 41 + v%3, Weight: 1})
	}
	g := enginetest.Named{Name: "counts of 33 bits", Graph: graphtest.Links(t, 44, false, true, links)}
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: "betweenness", Request: r, Single: true}
	enginetest.Agree(t, d, g.At("betweenness", r), task)
}

// manifold is a path of so many edges, each of them so many times.
func manifold(length int32, times int) (links []graphtest.Link) {
	for i := range length {
		for range times {
			links = append(links, graphtest.Link{From: i, To: i + 1, Weight: float64(1 + i%3)})
		}
	}
	return links
}

// TestCountsOfAnySize: counts that pass 32 bits are repeated in 64 bits, and those that pass that too are left.
func TestCountsOfAnySize(t *testing.T) {
	d := devicetest.Open(t)
	for length, leaves := range map[int32]bool{25: false, 80: true, 900: true} {
		g := graphtest.Links(t, int(length)+1, false, true, manifold(length, 4))
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
		r.Sources = []int32{0, 1, length / 2, length}
		name := fmt.Sprintf("a chain of %d fourfold edges", length)
		notes := enginetest.CheckWeights(t, d, Engine{}, name, g, "betweenness", r)
		if !strings.Contains(notes, "of shared memory") {
			t.Errorf("%d: %s", length, notes)
		}
		if strings.Contains(notes, "; 0 sources left") == leaves {
			t.Errorf("%d: %s", length, notes)
		}
	}
}

// TestFits: a source takes as much shared memory as its graph is large, and so do blocks take threads.
func TestFits(t *testing.T) {
	h200 := gpu.Info{SMs: 132, Threads: 2048, SharedBlock: 227 << 10, Free: 1 << 37}
	want := device.Want{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: true}
	for _, c := range []struct {
		nodes, edges    int64
		single          bool
		blocks, threads int // of a multiprocessor, of a block
	}{
		{34, 78, true, 5, 256},
		{3476, 25488, true, 4, 320},
		{3476, 25488, false, 3, 384},
		{7115, 100762, true, 2, 640},
		{7115, 100762, false, 1, 640},
		{40_000, 100_000, true, 0, 0},
		{1 << 16, 1, true, 0, 0},
	} {
		want.Single, want.Sources, want.Size = c.single, int(c.nodes), kernels.Size{Nodes: c.nodes, Edges: c.edges}
		got := fit(want, h200)
		if got.blocks != min(c.blocks*h200.SMs, int(c.nodes)) || got.threads != c.threads ||
			got.shared+staticShared > h200.SharedBlock {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	g := graphtest.Ring(t, 3000, 9000)
	for info, suits := range map[gpu.Info]bool{h200: true, {SMs: 132}: false} {
		j := &device.Job{Want: byWeights(g), Host: g}
		if got := (Engine{}).Suits(j, info); got != suits {
			t.Errorf("%+v: suits %t", info, got)
		}
		var unsuited *device.Unsuited
		if _, err := (Engine{}).Prepare(j, info, info.Free); errors.As(err, &unsuited) == suits {
			t.Errorf("%+v: %v", info, err)
		}
	}
	if hub := mostArcsIn(manyArcs(t)); hub != 70_000 {
		t.Errorf("%d arcs into the hub", hub)
	}
	if many := manyArcs(t); (Engine{}).Suits(&device.Job{Want: byWeights(many), Host: many}, h200) {
		t.Error("70,000 arcs into a node do not fit into 16 bits")
	}
}

// byWeights asks for betweenness by weights from all nodes.
func byWeights(g *export.Graph) device.Want {
	return device.Want{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: true, Sources: g.N(),
		Size: device.SizeOf(g)}
}

// manyArcs is a graph of 70,000 parallel arcs into one node.
func manyArcs(t testing.TB) *export.Graph {
	var links []graphtest.Link
	for i := range int32(70_000) {
		links = append(links, graphtest.Link{From: 1 + i%2, To: 0, Weight: float64(1 + i%2)})
	}
	return graphtest.Links(t, 3, true, true, links)
}

// TestEveryAllocationFails: whichever fails, the error reports it, all is freed, and there are few: each takes longer
// than the search of a source.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Links(t, 5, true, true, []graphtest.Link{
		{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 2}, {From: 0, To: 3, Weight: 1}, {From: 3, To: 2, Weight: 2},
		{From: 2, To: 4, Weight: 3},
	})
	const most = 8 // narrow ticks of either direction, arcs, sums, and four of a launch
	for _, measure := range []string{"betweenness", "closeness", "eccentricity"} {
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: measure, Request: r}
		const graph = 6 // offsets, targets and ticks, and those of the transpose
		for n := 1; ; n++ {
			_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
			if d.Ledger().Used != 0 {
				t.Fatalf("%s, allocation %d: %d bytes left", measure, n, d.Ledger().Used)
			}
			if err == nil {
				if n-1-graph > most {
					t.Errorf("%s: %d allocations", measure, n-1-graph)
				}
				break
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("%s, allocation %d: %v", measure, n, err)
			}
		}
	}
}

// TestMemory: what is planned is what is taken.
func TestMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := enginetest.Batches(t, true, true).Graph
	for _, measure := range []string{"betweenness", "closeness", "eccentricity"} {
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Sources: []int32{1, 5, 9}}
		d.Ledger().Peak = 0
		var j *device.Job
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: measure, Request: r,
			Change: func(of *device.Job) { j = of }}
		if _, err := enginetest.Compute(t.Context(), d, task); err != nil {
			t.Fatal(err)
		}
		bytes := fit(j.Want, d.Info()).bytes(j.Want)
		graph := device.GraphBytes(device.SizeOf(g), device.Parts{Edges: true, Ticks: true, Transpose: true})
		if most := bytes + graph; d.Ledger().Peak > most {
			t.Errorf("%s takes %d bytes of %d", measure, d.Ledger().Peak, most)
		}
		task.Free = bytes - 1
		var large *gpu.TooLarge
		if _, err := enginetest.Compute(t.Context(), d, task); !errors.As(err, &large) {
			t.Errorf("%s: %v", measure, err)
		}
	}
}
