package structure

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// scored are the scores of a peer.
type scored struct{ Nodes, Edges []float64 }

// TestPeers: NetworkX and igraph have the same scores on 200 random graphs and the nasty ones, on one thread and on
// several.
func TestPeers(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has NetworkX and igraph (make test sets it; or use -short)")
	}
	graphs := append(nasty(t), random(t, 200)...)
	for i, want := range peerScores(t, python, graphs) {
		g, compared := graphs[i], 0
		for _, m := range measures(g) {
			variants := m.Variants
			if variants == nil {
				variants = []string{""}
			}
			for k, variant := range variants {
				name := m.Name
				if k > 0 {
					name += " " + variant
				}
				compare(t, g, m, variant, want[name])
				compared++
			}
		}
		if compared != len(want) {
			t.Fatalf("graph %d: %d measures compared of %d", i, compared, len(want))
		}
	}
}

// measures lists those of this package that a graph has.
func measures(g *export.Graph) (out []kernels.Measure) {
	for _, m := range kernels.Measures() {
		if _, ok := finders()[m.Kind]; ok && m.CheckGraph(g) == nil {
			out = append(out, m)
		}
	}
	return out
}

func compare(t *testing.T, g *export.Graph, m kernels.Measure, variant string, want scored) {
	t.Helper()
	r := kernels.Request{Params: kernels.Params{Variant: variant}, Nodes: true, Edges: m.Edge != ""}
	for _, threads := range []int{1, 3} {
		nodes, edges, err := Find(t.Context(), m, g, r, threads)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-11*max(1, math.Abs(b)) }
		if !slices.EqualFunc(nodes, want.Nodes, near) || !slices.EqualFunc(edges, want.Edges, near) {
			source, target := g.Ends()
			t.Fatalf("%s %s on %d threads, of %d nodes and edges %v %v:\nnodes %v\nwant  %v\nedges %v\nwant  %v",
				m.Name, variant, threads, g.N(), source, target, nodes, want.Nodes, edges, want.Edges)
		}
		if err := check.Scores(m, g, r, &kernels.Scores{Nodes: nodes, Edges: edges}); err != nil {
			t.Fatal(err)
		}
	}
}

func peerScores(t *testing.T, python string, graphs []*export.Graph) []map[string]scored {
	t.Helper()
	var in, out bytes.Buffer
	for _, g := range graphs {
		source, target := g.Ends()
		edges := make([][2]int32, g.M())
		for e := range edges {
			edges[e] = [2]int32{source[e], target[e]}
		}
		line := map[string]any{"n": g.N(), "directed": g.Directed, "edges": edges}
		if err := json.NewEncoder(&in).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), python, "testdata/structures.py")
	command.Stdin, command.Stdout, command.Stderr = &in, &out, os.Stderr
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	scores := make([]map[string]scored, len(graphs))
	for i := range scores {
		if err := json.Unmarshal(first(&out), &scores[i]); err != nil {
			t.Fatal(err)
		}
	}
	return scores
}

// first takes a line.
func first(b *bytes.Buffer) []byte {
	line, err := b.ReadBytes('\n')
	if err != nil {
		return nil
	}
	return line
}

// random are graphs of up to 40 nodes, sparse and dense, of which a third are directed, with parallel edges and
// self-loops.
func random(t *testing.T, count int) (graphs []*export.Graph) {
	r := rand.New(rand.NewPCG(27, 1))
	for i := range count {
		n := 2 + r.IntN(39)
		var links []graphtest.Link
		for range r.IntN(1 + n*(1+r.IntN(6))/2) {
			links = append(links, graphtest.Link{From: r.Int32N(int32(n)), To: r.Int32N(int32(n)), Weight: 1})
		}
		graphs = append(graphs, graphtest.Links(t, n, i%3 == 2, false, links))
	}
	return graphs
}

// nasty are graphs of one kind of trouble each, directed and not.
func nasty(t *testing.T) (graphs []*export.Graph) {
	path, star, complete := []graphtest.Link{}, []graphtest.Link{}, []graphtest.Link{}
	for v := range int32(11) {
		path = append(path, graphtest.Link{From: v, To: v + 1, Weight: 1})
		star = append(star, graphtest.Link{From: 11, To: v, Weight: 1})
		for w := range v {
			complete = append(complete, graphtest.Link{From: v, To: w, Weight: 1})
		}
	}
	loop := graphtest.Link{From: 3, To: 3, Weight: 1}
	back := graphtest.Link{From: 11, To: 0, Weight: 1}
	for _, links := range [][]graphtest.Link{
		nil, {loop}, {loop, loop}, {path[0], path[0]}, {path[0], {From: 1, To: 0, Weight: 1}, path[1]}, path,
		append(slices.Clone(path), back), star, append(slices.Clone(star), star...), complete,
		append(slices.Clone(complete), loop, back, loop), append(slices.Clone(path), star...),
		append(slices.Clone(path[:5]), path[7:]...), append(slices.Clone(complete), path...), graphtest.GridLinks(3),
		graphtest.GridLinks(2),
	} {
		for _, directed := range []bool{false, true} {
			graphs = append(graphs, graphtest.Links(t, 12, directed, false, links))
		}
	}
	graphs = append(graphs, graphtest.Links(t, 200, false, false, fan(200)))
	return append(graphs, graphtest.Links(t, 0, false, false, nil), graphtest.Links(t, 1, false, false, nil),
		graphtest.Links(t, 1, true, false, nil))
}

// fan is a strip of triangles with a node that neighbours all others. Its edges are peeled few at a time, from rows
// that are long.
func fan(n int32) (links []graphtest.Link) {
	for v := int32(1); v < n; v++ {
		links = append(links, graphtest.Link{From: 0, To: v, Weight: 1})
		for w := v + 1; w < min(v+3, n); w++ {
			links = append(links, graphtest.Link{From: v, To: w, Weight: 1})
		}
	}
	return links
}
