//go:build cuda || emulate

package hops

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
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// request asks for what a measure has, in the way number i.
func request(m kernels.Measure, i int, g enginetest.Named) kernels.Request {
	normalized := i%2 == 0
	r := kernels.Request{Nodes: true, Edges: true}
	if i%5 == 4 && g.Graph.N() > 3 {
		r.Sources, r.Scale = kernels.DrawSources(g.Graph.N(), g.Graph.N()/2, int64(i)), 2
	}
	for _, option := range m.Options {
		switch option {
		case "normalized":
			r.Normalized = &normalized
		case "variant":
			r.Variant = m.Variants[i%len(m.Variants)]
		}
	}
	if m.Check(r) != nil { // not for a sample, say
		r.Sources, r.Scale = nil, 0
	}
	return r
}

// check compares every measure of the closeness family, nodes and edges, with the CPU; and shards with the whole.
func check(t *testing.T, d gpu.OpenDevice, i int, g enginetest.Named, change func(*kernels.Request)) {
	t.Helper()
	for _, name := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
		m, _ := kernels.Lookup(name)
		r := request(m, i, g)
		change(&r)
		r.Reduce = kernels.ReduceOff // the totals are compared, too
		at := g.At(name, r)
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: name, Request: r}
		enginetest.Agree(t, d, at, task)
		want, err := cpu.Compute(t.Context(), m, g.Graph, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if got.Totals != want.Totals {
			t.Errorf("%s: totals %+v, want %+v", at, got.Totals, want.Totals)
		}
	}
}

func TestAgrees(t *testing.T) {
	d := devicetest.Open(t)
	all := func(*kernels.Request) {}
	graphs := append(enginetest.Nasty(t, false),
		enginetest.Named{Name: "grid", Graph: graphtest.Grid(t, int32(devicetest.Sized(60, 9)), false)},
		enginetest.Generated(t, "R-MAT",
			generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(12, 6), Degree: 16, Seed: 1}),
		enginetest.Generated(t, "Delaunay", generate.Spec{Kind: generate.Delaunay, Scale: devicetest.Sized(12, 6), Seed: 1}))
	var many []graphtest.Link // edges between the same two nodes
	for i := range int32(devicetest.Sized(200_000, 2_000)) {
		many = append(many, graphtest.Link{From: i % 7, To: i % 11, Weight: 1})
	}
	graphs = append(graphs, enginetest.Named{Name: "parallel edges", Graph: graphtest.Links(t, 12, false, false, many)})
	random := rand.New(rand.NewPCG(3, 6))
	for i := range devicetest.Sized(60, 3) {
		g := enginetest.Random(t, random, i, false)
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i), Graph: g})
	}
	restore, section := order.DistancesBalls, pairSection
	defer func() { order.DistancesBalls, pairSection = restore, section }()
	for i, g := range graphs {
		order.DistancesBalls = i % 2 * restore // 0 makes batches of sources that are alike
		pairSection = []int64{section, 1, 1 << 10}[i%3]
		check(t, d, i, g, all)
		checkBalls(t, d, g, i%4)
	}
}

// checkBalls compares volumes of radius and radius+3 with the CPU's, and shards with the whole.
func checkBalls(t *testing.T, d gpu.OpenDevice, g enginetest.Named, radius int) {
	t.Helper()
	m, _ := kernels.Lookup("volume")
	for _, radius := range []int{radius, radius + 3} {
		r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
		at := fmt.Sprintf("%s, radius %d", g.At(m.Name, r), radius)
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: m.Name, Request: r}
		enginetest.Agree(t, d, at, task)
		want, err := cpu.Compute(t.Context(), m, g.Graph, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 0 {
			t.Errorf("%s: %s", at, where)
		}
	}
}
