package flow_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// peerScores are what NetworkX computes, not normalised. A link is both ends, its weight, half of its current, and its
// resistance.
type peerScores struct {
	Betweenness, Closeness []float64
	Links                  [][5]float64
}

// TestNetworkX: 200 random graphs have NetworkX's scores to 1e-6, with weights and without, and so have their
// components.
func TestNetworkX(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 5))
	graphs := make([]*export.Graph, 200)
	for i := range graphs {
		graphs[i] = drawn(t, random, i)
	}
	for i, peer := range networkX(t, graphs) {
		agree(t, i, graphs[i], peer)
	}
}

// drawn draws a graph of up to 40 nodes: sparse or dense, connected or not, with parallel edges and self-loops.
func drawn(t *testing.T, random *rand.Rand, i int) *export.Graph {
	n := 2 + random.IntN(39)
	if i%4 == 3 {
		return graphtest.Random(t, random, n, false, true, true)
	}
	var links []graphtest.Link
	for v := 1; v < n && i%2 == 0; v++ { // a tree first
		links = append(links, graphtest.Link{From: int32(random.IntN(v)), To: int32(v), Weight: 0.1 + 3*random.Float64()})
	}
	for range random.IntN(2*n + 1) {
		links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)),
			Weight: 0.1 + 3*random.Float64()})
	}
	return graphtest.Links(t, n, false, true, links)
}

// agree compares all measures with NetworkX's.
func agree(t *testing.T, i int, g *export.Graph, peer peerScores) {
	t.Helper()
	no := false
	r := kernels.Request{Nodes: true, Edges: true}
	r.Weighted, r.Normalized = true, &no
	between := compute(t, "currentFlowBetweenness", g, r)
	same(t, i, "betweenness of nodes", between.Nodes, peer.Betweenness)
	r.Edges = false
	same(t, i, "closeness", compute(t, "currentFlowCloseness", g, r).Nodes, peer.Closeness)
	r.Edges, r.Normalized = true, nil
	resistance, spanning := compute(t, "effectiveResistance", g, r), compute(t, "spanningCentrality", g, r)

	want := [3][]float64{make([]float64, g.M()), make([]float64, g.M()), make([]float64, g.M())}
	at := map[[2]int32][5]float64{}
	for _, l := range peer.Links {
		at[[2]int32{int32(min(l[0], l[1])), int32(max(l[0], l[1]))}] = l
	}
	for v := range int32(g.N()) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			if l, ok := at[[2]int32{v, g.Targets[a]}]; ok {
				e, w := g.Edge(a), g.Weight(a)
				want[0][e], want[1][e], want[2][e] = 2*l[3]*w/l[2], l[4], l[4]*w
			}
		}
	}
	same(t, i, "betweenness of edges", between.Edges, want[0])
	same(t, i, "resistance of edges", resistance.Edges, want[1])
	same(t, i, "spanning centrality of edges", spanning.Edges, want[2])
}

func networkX(t *testing.T, graphs []*export.Graph) (out []peerScores) {
	t.Helper()
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has NetworkX (make test sets it; or use -short)")
	}
	type graph struct {
		N     int          `json:"n"`
		Edges [][3]float64 `json:"edges"`
	}
	var in []graph
	for _, g := range graphs {
		one := graph{g.N(), [][3]float64{}}
		weights := make([]float64, g.M())
		for a := range int64(g.Arcs()) {
			weights[g.Edge(a)] = g.Weight(a)
		}
		source, target := g.Ends()
		for e, w := range weights {
			one.Edges = append(one.Edges, [3]float64{float64(source[e]), float64(target[e]), w})
		}
		in = append(in, one)
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), python, "testdata/networkx_flow.py")
	command.Stdin, command.Stderr = bytes.NewReader(text), os.Stderr
	if text, err = command.Output(); err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
