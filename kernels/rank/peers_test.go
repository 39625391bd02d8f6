package rank

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// peerGraph is a graph as peers.py reads it: each arc with its weight.
type peerGraph struct {
	N        int       `json:"n"`
	From     []int32   `json:"from"`
	To       []int32   `json:"to"`
	Weights  []float64 `json:"weights"`
	Sources  []int32   `json:"sources"`
	Alpha    float64   `json:"alpha"`
	Weighted bool      `json:"weighted"`
}

// TestPeers: NetworkX and igraph have the same scores of 200 random graphs. Eigenvectors are compared where there is
// one.
func TestPeers(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has igraph and NetworkX (make test sets it; or use -short)")
	}
	random := rand.New(rand.NewPCG(27, 6))
	graphs, asked := make([]*export.Graph, 200), make([]peerGraph, 200)
	for i := range graphs {
		n := 2 + random.IntN(40)
		g := graphtest.Random(t, random, n, i%2 == 0, true, i%3 == 0)
		graphs[i], asked[i] = g, peerGraph{N: n, Sources: kernels.DrawSources(n, 1+random.IntN(n), int64(i)),
			Weighted: i%4 < 2}
		asked[i].Alpha = 0.5 / (1 + most(g, asked[i].Weighted))
		for u := range int32(n) {
			for k := g.Offsets[u]; k < g.Offsets[u+1]; k++ {
				asked[i].From, asked[i].To = append(asked[i].From, u), append(asked[i].To, g.Targets[k])
				asked[i].Weights = append(asked[i].Weights, g.Weight(k))
			}
		}
	}
	compared := map[string]int{}
	for i, scores := range fromPeers(t, python, asked) {
		for name, want := range scores {
			if want == nil {
				continue
			}
			compared[name]++
			m, r := asPeer(t, name, asked[i])
			got, _, err := Compute(context.Background(), m, graphs[i], r, 2)
			if err != nil {
				t.Errorf("graph %d, %s: %v", i, name, err)
				continue
			}
			if off := apart(got, want); !(off <= 1e-8) {
				t.Errorf("graph %d of %d nodes, directed %t, %s: %g apart", i, asked[i].N, graphs[i].Directed, name, off)
			}
		}
	}
	for name, least := range map[string]int{"networkx pagerank": 200, "igraph pagerank": 200, "networkx personalized": 200,
		"igraph personalized": 200, "networkx katz": 200, "networkx eigenvector": 80,
		"networkx authorities": 100, "networkx hubs": 100} {
		if compared[name] < least {
			t.Errorf("%s of only %d graphs", name, compared[name])
		}
	}
	t.Log(compared)
}

// most is the largest sum of weights that enter a node.
func most(g *export.Graph, weighted bool) (most float64) {
	for _, row := range dense(g, weighted) {
		most = max(most, total(row))
	}
	return most
}

// asPeer is the measure and the request that have the scores of a peer.
func asPeer(t *testing.T, name string, of peerGraph) (kernels.Measure, kernels.Request) {
	r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: of.Weighted}}
	tiny := 1e-13
	switch name {
	case "networkx katz":
		r.Alpha = &of.Alpha
		return measure(t, "katz"), r
	case "networkx eigenvector":
		return measure(t, "eigenvector"), r
	case "networkx authorities":
		return measure(t, "hits"), r
	case "networkx hubs":
		r.Variant = kernels.Hubs
		return measure(t, "hits"), r
	case "networkx personalized", "igraph personalized":
		r.Sources = of.Sources
	}
	r.Variant, r.Residual = kernels.Probability, &tiny
	return measure(t, "pagerank"), r
}

func fromPeers(t *testing.T, python string, graphs []peerGraph) (out []map[string][]float64) {
	input, err := json.Marshal(graphs)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "testdata/peers.py")
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &out); err != nil || len(out) != len(graphs) {
		t.Fatalf("%d answers, %v", len(out), err)
	}
	for _, scores := range out {
		for name, x := range scores {
			for _, y := range x {
				if math.IsNaN(y) {
					t.Fatal(name)
				}
			}
		}
	}
	return out
}
