package peers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// agreement is the relative difference allowed. It holds for graphs whose sums of weights are exact in float64, which
// is how the peers compare lengths; decimals such as 0.1, whose ties they miss, are left to the exact oracle.
const agreement = 1e-9

// graph is one line of input for peers.py.
type graph struct {
	N        int      `json:"n"`
	Directed bool     `json:"directed"`
	Weighted bool     `json:"weighted"`
	Simple   bool     `json:"simple"`
	Edges    [][3]any `json:"edges"`
}

type scores struct {
	Nodes []float64 `json:"nodes"`
	Edges []float64 `json:"edges"`
}

// randomGraph draws 2 to 60 nodes and up to 4n edges; half the graphs have parallel edges and self-loops.
func randomGraph(seed uint64) graph {
	r := rand.New(rand.NewPCG(seed, 2026))
	g := graph{N: 2 + r.IntN(59), Directed: r.IntN(2) == 0, Weighted: r.IntN(2) == 0, Simple: r.IntN(2) == 0,
		Edges: [][3]any{}}
	seen := map[[2]int]bool{}
	for range r.IntN(4*g.N + 1) {
		u, v := r.IntN(g.N), r.IntN(g.N)
		if !g.Directed && u > v {
			u, v = v, u
		}
		if g.Simple && (u == v || seen[[2]int{u, v}]) {
			continue
		}
		seen[[2]int{u, v}] = true
		w := 1.0
		if g.Weighted {
			w = float64(1+r.IntN(16)) / 8
		}
		g.Edges = append(g.Edges, [3]any{u, v, w})
	}
	return g
}

// build makes the graph as a connector would, by way of ids. edgeOf has the edge index of each input edge.
func build(t *testing.T, in graph) (g *export.Graph, edgeOf []int32) {
	t.Helper()
	rels := export.Rels{Weights: []float64{}}
	for _, e := range in.Edges {
		rels.Source, rels.Target = append(rels.Source, int32(e[0].(int))), append(rels.Target, int32(e[1].(int)))
		rels.Weights = append(rels.Weights, e[2].(float64))
	}
	s := graphtest.Snapshot(t, graphtest.Orientation(in.Directed), in.N, rels)
	edgeOf = make([]int32, len(in.Edges))
	for i, e := range s.Rels.Edges {
		edgeOf[s.Rels.Positions[i]] = e
	}
	return s.Graph, edgeOf
}

// requests are our measures under the names of peers.py.
func requests() map[string]struct {
	measure string
	params  kernels.Params
} {
	yes, no := true, false
	type request = struct {
		measure string
		params  kernels.Params
	}
	return map[string]request{
		"betweenness":              {"betweenness", kernels.Params{}},
		"betweenness normalized":   {"betweenness", kernels.Params{Normalized: &yes}},
		"betweenness endpoints":    {"betweenness", kernels.Params{Endpoints: true}},
		"closeness":                {"closeness", kernels.Params{}},
		"closeness wassermanFaust": {"closeness", kernels.Params{Variant: kernels.WassermanFaust}},
		"harmonic":                 {"harmonic", kernels.Params{}},
		"harmonic sum":             {"harmonic", kernels.Params{Normalized: &no}},
		"eccentricity":             {"eccentricity", kernels.Params{}},
		"degree":                   {"degree", kernels.Params{}},
		"strength":                 {"strength", kernels.Params{}},
	}
}

// peerPython returns the Python that has the peers' packages.
func peerPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		t.Fatal("LINCHPIN_PEER_PYTHON names no Python with NetworkX, igraph and NetworKit: run `make peers`, or test " +
			"with -short")
	}
	return python
}

func TestPeersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the comparison with other programs")
	}
	python := peerPython(t)
	const graphs = 300
	var input bytes.Buffer
	lines := json.NewEncoder(&input)
	for seed := range uint64(graphs) {
		if err := lines.Encode(randomGraph(seed)); err != nil {
			t.Fatal(err)
		}
	}
	script := exec.CommandContext(t.Context(), python, "peers.py")
	script.Stdin = &input
	var complaint bytes.Buffer
	script.Stderr = &complaint
	output, err := script.Output()
	if err != nil {
		t.Fatalf("%s peers.py: %v\n%s", python, err, complaint.String())
	}
	found := bufio.NewScanner(bytes.NewReader(output))
	found.Buffer(nil, 1<<24)
	found.Scan()
	t.Log(found.Text())
	compared := map[string]int{}
	for seed := range uint64(graphs) {
		if !found.Scan() {
			t.Fatalf("peers.py answers for %d of %d graphs\n%s", seed, graphs, complaint.String())
		}
		var theirs map[string]scores
		if err := json.Unmarshal(found.Bytes(), &theirs); err != nil {
			t.Fatal(err)
		}
		compare(t, seed, theirs, compared)
	}
	t.Log(compared)
	for _, peer := range []string{"igraph betweenness", "networkx betweenness", "networkit betweenness"} {
		if compared[peer] < graphs/3 {
			t.Errorf("%s is compared on %d graphs only", peer, compared[peer])
		}
	}
}

func compare(t *testing.T, seed uint64, theirs map[string]scores, compared map[string]int) {
	t.Helper()
	in := randomGraph(seed)
	g, edgeOf := build(t, in)
	known := requests()
	for key, want := range theirs {
		_, name, _ := strings.Cut(key, " ")
		ask, ok := known[name]
		if !ok {
			t.Fatalf("peers.py has %q, which no measure of ours answers", key)
		}
		m, _ := kernels.Lookup(ask.measure)
		r := kernels.Request{Params: ask.params, Nodes: true, Edges: want.Edges != nil}
		r.Weighted = in.Weighted && m.Weights == kernels.OptionalWeights
		got, err := cpu.Compute(context.Background(), m, g, r)
		if err != nil {
			t.Fatalf("graph %d, %s: %v", seed, key, err)
		}
		compared[key]++
		for v, x := range want.Nodes {
			differ(t, seed, key+" of node", v, got.Nodes[v], x)
		}
		for i, x := range want.Edges {
			differ(t, seed, key+" of edge", i, got.Edges[edgeOf[i]], x)
		}
		if len(want.Nodes) != in.N || want.Edges != nil && len(want.Edges) != len(in.Edges) {
			t.Fatalf("graph %d, %s: scores for %d nodes and %d edges", seed, key, len(want.Nodes), len(want.Edges))
		}
	}
}

func differ(t *testing.T, seed uint64, what string, i int, ours, theirs float64) {
	t.Helper()
	// Their float64 sums leave traces such as 1e-17 where the score is 0.
	if d := math.Abs(ours - theirs); !(d <= agreement*max(math.Abs(ours), math.Abs(theirs)) || d < 1e-12) {
		t.Errorf("graph %d, %s %d: we say %v, they say %v", seed, what, i, ours, theirs)
	}
}
