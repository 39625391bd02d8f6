package plan

import (
	"cmp"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestShortSamplesAreNotWeighed: one way is proposed, the fastest on an H200 by docs/notes/090, 093, 094 and
// 096 to 100. The depth of the graph is not looked for. Where that matters, or is known, ways are weighed.
func TestShortSamplesAreNotWeighed(t *testing.T) {
	known := Measured{Depth: &order.Depth{Levels: 40, Found: 4096}}
	near := 0.5
	local := Measured{Locality: &near}
	star := generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 20_000, Degree: 1}
	for _, c := range []struct {
		spec     generate.Spec
		sources  int
		measured Measured
		want     string // "" where ways are weighed
	}{
		{generate.Spec{Kind: generate.Delaunay, Scale: 12}, 64, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.Delaunay, Scale: 12}, 64, known, ""},
		{generate.Spec{Kind: generate.Delaunay, Scale: 12}, 1024, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.Delaunay, Scale: 12}, 2000, Measured{}, ""},
		{generate.Spec{Kind: generate.Delaunay, Scale: 16}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.Delaunay, Scale: 16}, 10, Measured{}, ""},
		{generate.Spec{Kind: generate.Delaunay, Scale: 16}, 1024, Measured{}, ""},
		{generate.Spec{Kind: generate.Road, Width: 84, Height: 84}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.RMAT, Scale: 10, Degree: 16}, 64, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.RMAT, Scale: 12, Degree: 16}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.RMAT, Scale: 12, Degree: 16}, 20, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.RMAT, Scale: 12, Degree: 16}, 1024, Measured{}, Levels},
		{generate.Spec{Kind: generate.RMAT, Scale: 12, Degree: 16}, 1025, Measured{}, ""},
		{generate.Spec{Kind: generate.RMAT, Scale: 14, Degree: 16}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.RMAT, Scale: 14, Degree: 16}, 200, Measured{}, Levels},
		{generate.Spec{Kind: generate.RMAT, Scale: 15, Degree: 16}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.RMAT, Scale: 15, Degree: 16}, 200, Measured{}, ""},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 8000, Edges: 200_000}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 8000, Edges: 200_000}, 1024, Measured{}, Levels},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 16_000, Edges: 200_000}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 16_000, Edges: 200_000}, 1024, Measured{}, Levels},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 16_000, Edges: 480_000}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 8000, Edges: 126_000}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 4000, Edges: 50_000}, 64, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.ErdosRenyi, Nodes: 4000, Edges: 50_000}, 1024, Measured{}, Levels},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 4000, Degree: 24, Probability: 0.3}, 1024, Measured{}, Levels},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 4000, Degree: 24, Probability: 0.1}, 1024, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 8000, Degree: 60, Probability: 0.0005}, 1024, Measured{},
			OneByOne4},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 8000, Degree: 50, Probability: 0.01}, 64, Measured{},
			OneByOne4},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 16_000, Degree: 60, Probability: 0.03}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 6000, Degree: 40, Probability: 0.01}, 1024, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 8000, Degree: 50, Probability: 0.0005}, 64, Measured{},
			OneByOne4},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 1 << 14, Degree: 20, Probability: 0.01}, 64, Measured{},
			OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 12_000, Degree: 30, Probability: 0.05}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 6000, Degree: 80, Probability: 0.03}, 64, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 12_000, Degree: 30, Probability: 0.05}, 1024, Measured{},
			OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 16_000, Degree: 60, Probability: 0.05}, 1024, Measured{},
			Levels},
		{generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 1 << 16, Degree: 4}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 1 << 17, Degree: 2}, 64, Measured{}, Levels},
		{generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 1 << 17, Degree: 2}, 64, local, OneByOne},
		{generate.Spec{Kind: generate.Geometric, Scale: 14}, 64, Measured{}, OneByOne4},
		{generate.Spec{Kind: generate.Delaunay, Scale: 14}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 1 << 14, Degree: 10}, 64, Measured{}, OneByOne},
		{generate.Spec{Kind: generate.WattsStrogatz, Nodes: 1 << 12, Degree: 10}, 64, Measured{}, OneByOne4},
		{star, 64, Measured{}, OneByOne},
	} {
		g := made(t, c.spec)
		f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: order.All(g)[:c.sources]})
		f.Use(c.measured)
		ways := Candidates(f, f.Guess(), Machine{Rates: H200(), GPU: true, Warm: true})
		switch {
		case c.want == "" && len(ways) == 1, c.want != "" && (len(ways) != 1 || ways[0].Engine != c.want):
			t.Errorf("%+v, %d sources: %+v", c.spec, c.sources, ways)
		case c.want != "" && (f.measured.Depth != nil || f.measured.Likely != nil || ways[0].Seconds <= 0):
			t.Errorf("%+v, %d sources: %+v after looks", c.spec, c.sources, ways)
		}
	}
	if ways := Candidates(asked(t, made(t, star), kernels.Dependencies, kernels.Request{Nodes: true, Sources: []int32{1}}),
		Reductions{}, Machine{Rates: H200(), Threads: 1, GPU: true, Warm: true}); len(ways) < 2 {
		t.Errorf("next to the CPU: %+v", ways)
	}
}

// TestPartsThatLieApart: on a chain of dense parts, a batch comes to a node at many levels, so few sources are searched
// from one by one. For more of them the depth is looked at, and says so. One dense R-MAT is searched in batches.
func TestPartsThatLieApart(t *testing.T) {
	parts := made(t, generate.Spec{Kind: generate.RMAT, Scale: 9, Degree: 32, Copies: 24, Seed: 1})
	small := chained(t, made(t, generate.Spec{Kind: generate.RMAT, Scale: 10, Degree: 32, Copies: 7, Seed: 1}), 7)
	chain, one := chained(t, parts, 24), made(t, generate.Spec{Kind: generate.RMAT, Scale: 13, Degree: 32, Seed: 1})
	for _, c := range []struct {
		g       *export.Graph
		sources int
		want    string
		looks   bool
	}{
		{chain, 64, OneByOne4, false}, {chain, 1024, OneByOne, false}, {chain, 1200, OneByOne, true},
		{small, 64, OneByOne4, false}, {small, 1024, OneByOne4, false},
		{one, 64, Levels, false}, {one, 1024, Levels, false}, {one, 1200, Levels, false},
	} {
		r := kernels.Request{Nodes: true, Sources: kernels.DrawSources(c.g.N(), c.sources, 1)}
		f := asked(t, c.g, kernels.Dependencies, r)
		first := Rank(Candidates(f, f.Guess(), Machine{Rates: H200(), GPU: true, Warm: true}), nil, Free{})[0]
		if first.Engine != c.want || f.surely != c.looks {
			t.Errorf("%d nodes, %d sources: %s, and a look at the depth: %t", c.g.N(), c.sources, first.Line(), f.surely)
		}
	}
}

// TestNumbersAsFirstSeen: in a file of edges, the neighbours of the first node are the next ones. That few rows are
// close there says nothing of the graph, which is shallow.
func TestNumbersAsFirstSeen(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.BarabasiAlbert, Nodes: 16_000, Degree: 12}, {Kind: generate.RMAT, Scale: 13, Degree: 32, Seed: 1},
	} {
		g := firstSeen(t, made(t, spec))
		f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: order.All(g)[:64]})
		if ways := Candidates(f, f.Guess(), Machine{Rates: H200(), GPU: true, Warm: true}); ways[0].Engine != Levels {
			t.Errorf("%+v: %+v", spec, ways)
		}
	}
}

// firstSeen is a graph whose nodes are numbered in the order in which a file of its edges names them.
func firstSeen(t *testing.T, g *export.Graph) *export.Graph {
	t.Helper()
	number, numbered := make([]int32, g.N()), int32(0)
	see := func(v int32) {
		if number[v] == 0 {
			numbered++
			number[v] = numbered
		}
	}
	type edge struct{ source, target int32 }
	var edges []edge
	for v := range int32(g.N()) {
		see(v)
		for _, w := range g.Row(v) {
			see(w)
			if v < w {
				edges = append(edges, edge{min(number[v], number[w]) - 1, max(number[v], number[w]) - 1})
			}
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target))
	})
	source, target := make([]int32, len(edges)), make([]int32, len(edges))
	for i, e := range edges {
		source[i], target[i] = e.source, e.target
	}
	out, err := export.NewUndirected(g.N(), source, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// chained is a graph of so many parts of as many nodes each, with an edge from the last node of each to the next node.
func chained(t *testing.T, g *export.Graph, parts int) *export.Graph {
	t.Helper()
	var source, target []int32
	each := int32(g.N() / parts)
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			if v < w {
				source, target = append(source, v), append(target, w)
			}
		}
		if v%each == each-1 && int(v)+1 < g.N() { // after the edges of this node
			source, target = append(source, v), append(target, v+1)
		}
	}
	out, err := export.NewUndirected(g.N(), source, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
