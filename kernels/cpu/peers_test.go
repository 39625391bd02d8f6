package cpu

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

// peerCase is a graph with a choice of pairs, for peers.py.
type peerCase struct {
	N        int        `json:"n"`
	Edges    [][2]int32 `json:"edges"`
	Weights  []float64  `json:"weights"`
	Directed bool       `json:"directed"`
	Weighted bool       `json:"weighted"`
	Sources  []int32    `json:"sources"`
	Targets  []int32    `json:"targets"`
	Within   float64    `json:"within"`
	Demand   []float64  `json:"demand"`
	graph    *export.Graph
}

// peerScores are what NetworkX and igraph find.
type peerScores struct {
	Nodes, Normalized, Edges, Harmonic, Percolation                          []float64
	Igraph, IgraphEdges, Cutoff, EdgeCutoff, ClosenessCutoff, HarmonicCutoff []float64
}

// peerCases are graphs without parallel edges and self-loops. Weights are whole numbers, so that peers tell ties as
// linchpin does.
func peerCases(t *testing.T) []peerCase {
	out := make([]peerCase, 60)
	for i := range out {
		random := rand.New(rand.NewPCG(uint64(i), 48))
		c := peerCase{N: 5 + random.IntN(40), Directed: i%2 == 0, Weighted: i%3 == 0, Within: float64(1 + random.IntN(4))}
		plain := graphtest.Random(t, random, c.N, c.Directed, false, false)
		c.Edges, c.Weights = make([][2]int32, plain.M()), make([]float64, plain.M())
		for e := range c.Weights {
			if c.Weights[e] = 1; c.Weighted {
				c.Weights[e] = float64(1 + random.IntN(5))
			}
		}
		if c.Weighted {
			c.Within *= 3
		}
		c.graph = graphtest.Weighing(plain, func(e int32) float64 { return c.Weights[e] })
		source, target := c.graph.Ends()
		for e := range c.Edges {
			c.Edges[e] = [2]int32{source[e], target[e]}
		}
		c.Sources, c.Targets = kernels.DrawSources(c.N, 1+random.IntN(c.N), 1),
			kernels.DrawSources(c.N, 2+random.IntN(c.N-2), 2)
		for range c.N {
			c.Demand = append(c.Demand, float64(1+random.IntN(9))/10)
		}
		out[i] = c
	}
	return out
}

func askPeers(t *testing.T, cases []peerCase) (out []peerScores) {
	t.Helper()
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has networkx and igraph (make test sets it; or use -short)")
	}
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), python, "peers.py")
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPairsOfPeers: NetworkX's subset functions (of edges with all nodes as targets), harmonic centrality and
// percolation, and igraph's sources, targets and cutoff, find the same scores.
func TestPairsOfPeers(t *testing.T) {
	cases := peerCases(t)
	for i, want := range askPeers(t, cases) {
		c, g := cases[i], cases[i].graph
		all := kernels.Request{Params: kernels.Params{Weighted: c.Weighted}, Nodes: true, Edges: true}
		sets, within, from := all, all, all
		sets.Sources, sets.Pairs = c.Sources, &kernels.Pairs{Targets: c.Targets}
		from.Sources, from.Edges = c.Sources, false
		within.Pairs = &kernels.Pairs{Within: c.Within}
		got := compute(t, g, "betweenness", sets)
		same(t, "NetworkX's subset of node", got.Nodes, want.Nodes)
		same(t, "igraph's sources and targets of edge", got.Edges, want.IgraphEdges)
		from.Edges = true
		same(t, "NetworkX's subset of edge", compute(t, g, "betweenness", from).Edges, want.Edges)
		from.Edges = false
		same(t, "igraph's sources and targets of node", got.Nodes, want.Igraph)
		yes, no := true, false
		sets.Normalized = &yes
		same(t, "NetworkX's normalized subset of node", compute(t, g, "betweenness", sets).Nodes, want.Normalized)
		got = compute(t, g, "betweenness", within)
		same(t, "igraph's cutoff of node", got.Nodes, want.Cutoff)
		same(t, "igraph's cutoff of edge", got.Edges, want.EdgeCutoff)
		same(t, "igraph's cutoff of closeness", compute(t, g, "closeness", within).Nodes, want.ClosenessCutoff)
		within.Normalized, from.Normalized = &no, &no
		same(t, "igraph's cutoff of harmonic", compute(t, g, "harmonic", within).Nodes, want.HarmonicCutoff)
		same(t, "NetworkX's harmonic", compute(t, g, "harmonic", from).Nodes, want.Harmonic)
		same(t, "NetworkX's percolation", percolation(t, g, all, c.Demand), want.Percolation)
		if t.Failed() {
			t.Fatalf("graph %d: n %d, m %d, directed %t, weighted %t", i, g.N(), g.M(), c.Directed, c.Weighted)
		}
	}
}

// percolation makes NetworkX's percolation centrality of betweenness with a demand of sources: its sums are of ordered
// pairs, and it divides by (n-2) times the demand of all other nodes.
func percolation(t *testing.T, g *export.Graph, r kernels.Request, demand []float64) []float64 {
	t.Helper()
	total := 0.0
	for _, x := range demand {
		total += x
	}
	r.Pairs = &kernels.Pairs{Demand: &kernels.Demand{Sources: demand}}
	out := compute(t, g, "betweenness", r).Nodes
	for v := range out {
		out[v] /= halving(g) * float64(g.N()-2) * (total - demand[v])
	}
	return out
}
