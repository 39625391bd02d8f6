//go:build cuda || emulate

package worker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// checkHops compares every measure of the closeness family, nodes and edges, with the CPU; and a second run bit by bit.
func checkHops(t *testing.T, d gpu.OpenDevice, i int, g named, change func(*kernels.Request)) {
	t.Helper()
	for _, name := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
		m, _ := kernels.Lookup(name)
		for _, r := range requests(m, i, g.graph) {
			change(&r)
			r.Reduce = kernels.ReduceOff // the totals are compared, too
			at := fmt.Sprintf("%s of %s (n %d, m %d, directed %t)", name, g.name, g.graph.N(), g.graph.M(), g.graph.Directed)
			want, err := cpu.Compute(t.Context(), m, g.graph, r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := onDevice(t.Context(), d, g.graph, name, r, "batched", false)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
				if difference, where := worst(part[0], part[1]); difference > 1e-9 {
					t.Errorf("%s: %s (%s)", at, where, got.note)
				}
			}
			if got.Totals != want.Totals {
				t.Errorf("%s: totals %+v, want %+v", at, got.Totals, want.Totals)
			}
			again, err := onDevice(t.Context(), d, g.graph, name, r, "batched", false)
			if err != nil || !sameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
		}
	}
}

func generated(t *testing.T, name string, spec generate.Spec) named {
	t.Helper()
	s, err := generate.Graph(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return named{name, s.Graph}
}

func TestBatchedHops(t *testing.T) {
	d := devicetest.Open(t)
	all := func(*kernels.Request) {}
	graphs := append(nasty(t, false), named{"grid", graphtest.Grid(t, int32(devicetest.Sized(60, 9)), false)},
		generated(t, "R-MAT", generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(12, 6), Degree: 16, Seed: 1}),
		generated(t, "Delaunay", generate.Spec{Kind: generate.Delaunay, Scale: devicetest.Sized(12, 6), Seed: 1}))
	random := rand.New(rand.NewPCG(3, 6))
	for i := range devicetest.Sized(60, 3) {
		graphs = append(graphs, named{fmt.Sprintf("random graph %d", i), randomGraph(t, random, i, false)})
	}
	restore, section := order.AlikeWork, hopSection
	defer func() { order.AlikeWork, hopSection = restore, section }()
	for i, g := range graphs {
		order.AlikeWork = int64(i%2) * restore // 0 orders sources by hubs
		hopSection = []int64{section, 1, 1 << 10}[i%3]
		checkHops(t, d, i, g, all)
		checkBalls(t, d, g, i%4)
	}
}

// checkBalls compares volumes of radius and radius+3 with the CPU's, and a second run bit by bit.
func checkBalls(t *testing.T, d gpu.OpenDevice, g named, radius int) {
	t.Helper()
	m, _ := kernels.Lookup("volume")
	for _, radius := range []int{radius, radius + 3} {
		r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
		at := fmt.Sprintf("volumes of radius %d of %s (n %d, m %d, directed %t)", radius, g.name, g.graph.N(), g.graph.M(), g.graph.Directed)
		want, err := cpu.Compute(t.Context(), m, g.graph, r)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := onDevice(t.Context(), d, g.graph, m.Name, r, "batched", false)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if difference, where := worst(got.Nodes, want.Nodes); difference > 0 {
				t.Errorf("%s: %s", at, where)
			}
		}
	}
}

// TestBatchedHopsInTurns: shallow graphs with more levels than marks can tell, whose ends are few.
func TestBatchedHopsInTurns(t *testing.T) {
	d := devicetest.Open(t)
	restore := hopSection
	defer func() { hopSection = restore }()
	random := rand.New(rand.NewPCG(9, 4))
	for i, tail := range []int32{3, 4, 5, 6, 8, 9, 13} {
		hopSection = []int64{restore, 1 << 9}[i%2]
		leaves := int32(devicetest.Sized(2000, 200))
		if tail == 9 {
			leaves = 3500 // teams of one block
		}
		n := leaves + 1 + 3*tail
		var links []graphtest.Link
		for v := int32(1); v <= leaves; v++ {
			links = append(links, graphtest.Link{From: 0, To: v, Weight: 1})
			if tail != 9 {
				links = append(links, graphtest.Link{From: v, To: random.Int32N(leaves + 1), Weight: 1})
			}
		}
		for v := leaves + 1; v < n; v++ {
			before := v - 1
			if (v-leaves-1)%tail == 0 {
				before = random.Int32N(leaves + 1)
			}
			links = append(links, graphtest.Link{From: before, To: v, Weight: 1})
		}
		checkHops(t, d, i, named{fmt.Sprintf("hub with tails of %d", tail), graphtest.Links(t, int(n), false, false, links)}, func(r *kernels.Request) { r.Edges = true })
	}
}

// TestBatchedHopsOfLargeGraphs: sources far apart, sources all along a path, hubs in either direction.
func TestBatchedHopsOfLargeGraphs(t *testing.T) {
	d := devicetest.Open(t)
	var path, star []graphtest.Link
	n := devicetest.Sized(100_000, 700)
	for i := int32(1); i < int32(n); i++ {
		path, star = append(path, graphtest.Link{From: i - 1, To: i, Weight: 1}), append(star, graphtest.Link{From: 0, To: i, Weight: 1}, graphtest.Link{From: i, To: 1, Weight: 1})
	}
	for i, g := range []named{
		{"path", graphtest.Links(t, n, false, false, path)},
		{"star", graphtest.Links(t, n, true, false, star)},
		{"grid", graphtest.Grid(t, int32(devicetest.Sized(520, 20)), false)},
		generated(t, "R-MAT", generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(16, 8), Degree: 48, Seed: 42}),
	} {
		checkHops(t, d, i, g, func(r *kernels.Request) { r.Sources = kernels.DrawSources(g.graph.N(), 40, 1) })
	}
}
