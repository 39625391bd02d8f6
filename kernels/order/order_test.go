package order

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

func TestBatchOrderHasEveryNodeOnce(t *testing.T) {
	for _, g := range []*export.Graph{graphtest.Ring(t, 1, 0), graphtest.Ring(t, 2, 0), graphtest.Ring(t, 1000, 0),
		graphtest.Ring(t, 1000, 300), graphtest.Ring(t, 300, 6000), graphtest.Stars(t, 500)} {
		hops, _ := hopsOf(g)
		for kind, order := range map[string][]int32{
			"shallow": Nodes(g, false, 0, 64), "deep": Nodes(g, true, 0, DeepLanes), "deep, many lanes": Nodes(g, true, 0, 512),
			"alike": byDistances(hops),
		} {
			for i, v := range slices.Sorted(slices.Values(order)) {
				if int(v) != i {
					t.Fatalf("n %d, %s: node %d at %d of the sorted order", g.N(), kind, v, i)
				}
			}
			if len(order) != g.N() {
				t.Errorf("n %d, %s: %d nodes in the order", g.N(), kind, len(order))
			}
		}
	}
}

// TestBatchesAreNeighbours: on a ring, 32 sources in a row of the order lie within a few balls.
func TestBatchesAreNeighbours(t *testing.T) {
	g := graphtest.Ring(t, 6400, 0)
	order, _ := ByHops(g, nil, DepthOf(g), DeepLanes, CountsBalls)
	for first := 0; first+DeepLanes <= len(order); first += DeepLanes {
		batch := slices.Clone(order[first : first+DeepLanes])
		slices.Sort(batch)
		gap := 0 // the greatest stretch of the ring without a source of the batch
		for i, v := range batch {
			next := int(batch[(i+1)%len(batch)])
			gap = max(gap, (next-int(v)+g.N())%g.N())
		}
		if g.N()-gap > 4*DeepLanes {
			t.Fatalf("batch %v spans %d nodes of the ring", batch, g.N()-gap)
		}
	}
}

// TestNumbersOfNeighbours: rows stay as they are where neighbours have numbers next to one another, and only there.
func TestNumbersOfNeighbours(t *testing.T) {
	ring := generate.Spec{Kind: generate.WattsStrogatz, Nodes: 20_000, Degree: 10, Seed: 1}
	anywhere := generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 20_000, Degree: 4, Seed: 1}
	for _, c := range []struct {
		spec generate.Spec
		same bool
	}{{ring, true}, {anywhere, false}} {
		g := made(t, c.spec)
		nodes, _ := ByHops(g, All(g), DepthOf(g), SingleLanes, 1)
		if same := slices.Equal(nodes, All(g)); same != c.same {
			local := Locality(g, 0, lookedRows, Sector)
			t.Errorf("%s, locality %.2f: as they are: %t, want %t", c.spec.Kind, local, same, c.same)
		}
	}
}

// TestPulledDepth: a search that pulls levels with many arcs, and shares large levels among threads, finds what a plain
// one finds.
func TestPulledDepth(t *testing.T) {
	graphs := map[string]*export.Graph{
		"scattered": scattered(t, 3000), "mesh": mesh(t, 40), "stars": graphtest.Stars(t, 500), "large": mesh(t, 150),
		"shallow":  made(t, generate.Spec{Kind: generate.RMAT, Scale: 10, Degree: 8, Seed: 3}),
		"directed": oneWay(t, 500, 2000), "large levels": oneWay(t, 60_000, 300_000),
		"pulled by several": made(t, generate.Spec{Kind: generate.RMAT, Scale: 15, Degree: 4, Seed: 3}),
	}
	for name, g := range graphs {
		r := rows{g.Offsets, g.Targets}
		for start := int32(0); start < r.n(); start += max(37, r.n()/20) {
			want, wantEnd := plainDepth(r, start)
			if got, end := depthFrom(r, start, g.Directed); !slices.Equal(got, want) || end != wantEnd {
				t.Fatalf("%s, from %d: levels of %d nodes, the end %d; want %d, %d", name, start, got, end, want, wantEnd)
			}
		}
	}
}

// plainDepth is depthFrom, a level after the other.
func plainDepth(r rows, start int32) (sizes []int, end int32) {
	found := map[int32]bool{start: true}
	for level := []int32{start}; len(level) > 0; {
		sizes, end = append(sizes, len(level)), slices.Min(level)
		var next []int32
		for _, v := range level {
			for _, w := range r.row(v) {
				if !found[w] {
					found[w], next = true, append(next, w)
				}
			}
		}
		level = next
	}
	return sizes, end
}

func TestDeepness(t *testing.T) {
	if !DepthOf(graphtest.Ring(t, 5000, 0)).Deep {
		t.Error("a ring is not deep")
	}
	if d := DepthOf(graphtest.Ring(t, 5000, 20000)); d.Deep || d.Spread < 2 || d.Spread > 6 {
		t.Errorf("a random graph: %+v", d)
	}
	// The hub lies in the smaller component, which is shallow.
	const n, leaves = 3000, 500
	var r export.Rels
	for v := range int32(n) {
		r.Source, r.Target = append(r.Source, v), append(r.Target, (v+1)%n)
	}
	for leaf := range int32(leaves) {
		r.Source, r.Target = append(r.Source, n), append(r.Target, n+1+leaf)
	}
	if d := DepthOf(graphtest.Build(t, export.Undirected, n+1+leaves, r)); !d.Deep || d.Levels != n/2+1 || d.End >= n {
		t.Errorf("a ring beside a star: %+v", d)
	}
	if DepthOf(&export.Graph{Offsets: []int64{0}}).Deep {
		t.Error("a graph of no nodes is deep")
	}
}

// TestLikelyDepth: balls around a few nodes tell a mesh from a graph with short cuts, and about how deep it is.
func TestLikelyDepth(t *testing.T) {
	for name, c := range map[string]struct {
		g    *export.Graph
		deep bool
		// off is how many times too small or too large the estimate may be.
		off float64
	}{
		"mesh":        {mesh(t, 300), true, 2},
		"Delaunay":    {made(t, generate.Spec{Kind: generate.Delaunay, Scale: 15, Seed: 2}), true, 1.5},
		"geometric":   {made(t, generate.Spec{Kind: generate.Geometric, Scale: 16, Seed: 2}), true, 1.5},
		"road":        {made(t, generate.Spec{Kind: generate.Road, Width: 60, Height: 60, Seed: 2}), true, 2.5},
		"ring":        {graphtest.Ring(t, 5000, 0), true, 4},
		"random":      {graphtest.Ring(t, 60_000, 200_000), false, 1.5},
		"small world": {made(t, generate.Spec{Kind: generate.WattsStrogatz, Scale: 16, Degree: 10, Seed: 2}), false, 1.5},
		"attachment":  {made(t, generate.Spec{Kind: generate.BarabasiAlbert, Scale: 16, Degree: 4, Seed: 2}), false, 1.5},
		"shallow":     {made(t, generate.Spec{Kind: generate.RMAT, Scale: 15, Degree: 8, Seed: 3}), false, 1.5},
		"copies":      {made(t, generate.Spec{Kind: generate.ErdosRenyi, Copies: 30, Nodes: 200, Edges: 800}), false, 1.5},
		"stars":       {graphtest.Stars(t, 500), false, 1},
		"one node":    {graphtest.Build(t, export.Undirected, 1, export.Rels{}), false, 1},
		"no arcs":     {graphtest.Build(t, export.Undirected, 5000, export.Rels{}), false, 1},
		"no nodes":    {&export.Graph{Offsets: []int64{0}}, false, 1},
		"two parts": {graphtest.Build(t, export.Undirected, 4, export.Rels{Source: []int32{0, 2}, Target: []int32{1, 3}}),
			false, 1},
		"one way": {oneWay(t, 5000, 20_000), false, 2},
	} {
		d, whole := LikelyDepth(c.g), DepthOf(c.g)
		if d.Deep != c.deep || whole.Deep != c.deep || !d.Sound(c.g.N()) {
			t.Errorf("%s: %+v, of %+v", name, d, whole)
		}
		if low, high := float64(whole.Levels)/c.off, float64(whole.Levels)*c.off; float64(d.Levels) < low ||
			float64(d.Levels) > high {
			t.Errorf("%s: %d levels, of %d", name, d.Levels, whole.Levels)
		}
		if again := LikelyDepth(c.g); again != d {
			t.Errorf("%s: %+v, and then %+v", name, d, again)
		}
	}
}
