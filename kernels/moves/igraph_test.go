package moves_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
)

const (
	// most is how far below igraph's modularity ours may lie, relative.
	most = 0.005
	// seeds is how many results are compared by their median, of both.
	seeds = 9
)

// TestModularityNextToIgraph: the median modularity is that of igraph, or less by at most 0.5 %, on graphs of five
// families.
func TestModularityNextToIgraph(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has igraph (make test sets it; or use -short)")
	}
	graphs := map[string]*export.Graph{}
	for _, s := range []generate.Spec{
		{Kind: generate.RMAT, Scale: 12, Degree: 8}, {Kind: generate.Delaunay, Nodes: 3000},
		{Kind: generate.WattsStrogatz, Nodes: 3000},
		{Kind: generate.Grid, Width: 50, Height: 40}, {Kind: generate.Geometric, Nodes: 3000},
	} {
		s.Seed = 1
		made, err := generate.Graph(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		graphs[string(s.Kind)] = made.Graph
	}
	compareWithIgraph(t, python, graphs)
}

// TestModularityOfDataNextToIgraph is the same for graphs that do not ship.
func TestModularityOfDataNextToIgraph(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" || testing.Short() {
		t.Skip("LINCHPIN_PEER_PYTHON is not set")
	}
	graphs := map[string]*export.Graph{}
	for _, name := range []string{
		"karate", "lesmis", "power", "ca-GrQc-lcc", "facebook_combined", "as-caida20071105",
	} {
		graphs[name] = dataset(t, name)
	}
	compareWithIgraph(t, python, graphs)
}

func compareWithIgraph(t *testing.T, python string, graphs map[string]*export.Graph) {
	t.Helper()
	for graph, g := range graphs {
		theirs := igraphModularity(t, python, g)
		for _, name := range []string{"louvain", "leiden"} {
			var ours []float64
			for seed := range int64(seeds) {
				o := options()
				o.Seed = seed + 1
				found, err := searches()[name](t.Context(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				ours = append(ours, found.Modularity)
			}
			slices.Sort(ours)
			t.Logf("%s of %s (%d nodes, %d edges): %.4f, igraph %.4f", name, graph, g.N(), g.M(), ours[seeds/2], theirs[name])
			if ours[seeds/2] < (1-most)*theirs[name] {
				t.Errorf("%s of %s: modularity %.4f, and %.4f with igraph", name, graph, ours[seeds/2], theirs[name])
			}
		}
	}
}

// igraphModularity is the median modularity of igraph's Louvain and Leiden.
func igraphModularity(t *testing.T, python string, g *export.Graph) (found map[string]float64) {
	t.Helper()
	source, target := g.Ends()
	edges := make([][2]int32, g.M())
	for e := range edges {
		edges[e] = [2]int32{source[e], target[e]}
	}
	var in bytes.Buffer
	if err := json.NewEncoder(&in).Encode(map[string]any{"n": g.N(), "edges": edges}); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), python, "testdata/igraph_modularity.py")
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}
