package cpu

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// edited is a graph whose nodes and edges come and go. Nodes have numbers of their own, whose order they keep in the
// graph.
type edited struct {
	nodes map[int32]bool
	next  int32
	edges []edge
}

// blocky is a string of small random blocks, with trees.
func blocky(r *rand.Rand) *edited {
	e := &edited{nodes: map[int32]bool{}}
	e.add(r)
	for range 2 + r.IntN(5) {
		e.block(r, e.pick(r), 3+r.IntN(5))
		e.grow(r)
	}
	return e
}

func weightOf(r *rand.Rand) float64 { return float64(1+r.IntN(6)) / 2 }

// add adds a node, often with a gap before its number.
func (e *edited) add(r *rand.Rand) int32 {
	v := e.next
	e.next += 1 + int32(r.IntN(2))
	e.nodes[v] = true
	return v
}

// block adds a cycle through a node, with chords.
func (e *edited) block(r *rand.Rand, at int32, size int) {
	all := []int32{at}
	for range size - 1 {
		all = append(all, e.add(r))
	}
	for i, v := range all {
		e.edges = append(e.edges, edge{v, all[(i+1)%size], weightOf(r)})
	}
	for range r.IntN(size) {
		e.edges = append(e.edges, edge{all[r.IntN(size)], all[r.IntN(size)], weightOf(r)})
	}
}

func (e *edited) grow(r *rand.Rand) {
	at := e.pick(r)
	e.edges = append(e.edges, edge{at, e.add(r), weightOf(r)})
}

func (e *edited) pick(r *rand.Rand) int32 {
	all := slices.Sorted(maps.Keys(e.nodes))
	return all[r.IntN(len(all))]
}

// edit inserts, deletes or weighs an edge, or has a node come or go.
func (e *edited) edit(r *rand.Rand) {
	any := r.IntN(max(1, len(e.edges)))
	switch what := r.IntN(7); {
	case what == 0:
		e.edges = append(e.edges, edge{e.pick(r), e.pick(r), weightOf(r)})
	case what == 1:
		e.grow(r)
	case what == 2:
		e.add(r)
	case len(e.edges) == 0:
	case what == 3:
		e.edges = slices.Delete(e.edges, any, any+1)
	case what == 4:
		e.edges[any].weight = weightOf(r)
	case what == 5:
		e.edges = append(e.edges, e.edges[any])
	case len(e.nodes) > 1:
		v := e.pick(r)
		delete(e.nodes, v)
		e.edges = slices.DeleteFunc(e.edges, func(x edge) bool { return x.from == v || x.to == v })
	}
}

func (e *edited) graph(t testing.TB) *export.Graph { return e.oriented(t, false) }

func (e *edited) oriented(t testing.TB, directed bool) *export.Graph {
	index := map[int32]int32{}
	for i, v := range slices.Sorted(maps.Keys(e.nodes)) {
		index[v] = int32(i)
	}
	edges := slices.Clone(e.edges)
	for i, x := range edges {
		edges[i].from, edges[i].to = index[x.from], index[x.to]
	}
	return build(t, len(e.nodes), directed, edges)
}

// reusing computes betweenness with the store at path, and replaces it.
func reusing(t testing.TB, g *export.Graph, r kernels.Request, path string) *kernels.Scores {
	t.Helper()
	return again(t, g, "betweenness", r, path)
}

// again is reusing of any measure.
func again(t testing.TB, g *export.Graph, measure string, r kernels.Request, path string) *kernels.Scores {
	t.Helper()
	r.Reuse = reuse.New(path, "test", 1<<30)
	if err := r.Reuse.Load(); err != nil {
		t.Fatal(err)
	}
	got := compute(t, g, measure, r)
	if err := r.Reuse.Save(); err != nil {
		t.Fatal(err)
	}
	return got
}

// anew computes betweenness with a store that knows nothing.
func anew(t testing.TB, g *export.Graph, r kernels.Request) *kernels.Scores {
	t.Helper()
	return fromNothing(t, g, "betweenness", r)
}

// fromNothing is anew of any measure.
func fromNothing(t testing.TB, g *export.Graph, measure string, r kernels.Request) *kernels.Scores {
	t.Helper()
	r.Reuse = reuse.New("", "test", 1<<30)
	return compute(t, g, measure, r)
}

// TestReuseGivesTheSameBits: after each edit, a run that reuses what the one before it found has the bits of a full
// run.
func TestReuseGivesTheSameBits(t *testing.T) {
	path, reused, searched := filepath.Join(t.TempDir(), "reuse.bin"), int64(0), int64(0)
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 26))
		e := blocky(random)
		r := kernels.Request{Nodes: true, Edges: true, Reduce: "on", Threads: 1 + int(seed%3)}
		r.Weighted, r.Endpoints = seed%2 == 1, seed%5 == 1
		if seed%7 == 1 {
			r.Reduce = "trees,blocks"
		}
		for range 4 {
			g := e.graph(t)
			want, got := anew(t, g, r), reusing(t, g, r, path)
			if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
				t.Fatalf("seed %d: other bits than those of a full run\n%v\n%v", seed, got, want)
			}
			if found := got.Reduction.Reused; found != nil {
				reused, searched = reused+found.Blocks, searched+found.Of-found.Blocks
			}
			e.edit(random)
		}
	}
	if t.Logf("%d blocks reused, %d searched", reused, searched); 2*reused < searched {
		t.Errorf("%d blocks reused, %d searched", reused, searched)
	}
}

// TestReuseInBatches: blocks that are searched side by side from many sources at a time are reused too, under auto,
// which takes them for their reuse alone, with the bits of a full run. Other threads find the same bits.
func TestReuseInBatches(t *testing.T) {
	path, batches := filepath.Join(t.TempDir(), "reuse.bin"), 0
	var all reuse.Amount
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 27))
		e := blocky(random)
		e.block(random, e.pick(random), 20)
		r := kernels.Request{
			Nodes: true, Edges: seed%3 > 0, Threads: 1 + int(seed%4), MostInBlocks: 1e-9,
			Params: kernels.Params{Endpoints: seed%5 == 1},
		}
		for range 4 {
			g := e.graph(t)
			want, got := anew(t, g, r), reusing(t, g, r, path)
			if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
				t.Fatalf("seed %d: other bits than those of a full run\n%v\n%v", seed, got, want)
			}
			plain := compute(t, g, "betweenness", kernels.Request{Nodes: true, Edges: r.Edges, Params: r.Params, Reduce: "off"})
			same(t, "node", got.Nodes, plain.Nodes)
			same(t, "edge", got.Edges, plain.Edges)
			if found := got.Reduction.Reused; found != nil {
				all.Blocks, all.Of = all.Blocks+found.Blocks, all.Of+found.Of
			}
			if inBatches(t, g, r) {
				batches++
			}
			r.Threads = 1 + (r.Threads+1)%4
			e.edit(random)
		}
	}
	if t.Logf("%d of 600 runs in batches, %v", batches, &all); batches < 200 || 3*all.Blocks < all.Of {
		t.Error("too few")
	}
}

// inBatches reports whether a request is searched in batches of blocks.
func inBatches(t *testing.T, g *export.Graph, r kernels.Request) bool {
	t.Helper()
	r.Reuse = reuse.New("", "test", 0)
	m, _ := kernels.Lookup("betweenness")
	run, err := Prepare(context.Background(), m, g, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, ok := run.problem.(*reducedBatches)
	return ok
}

// TestReuseOfLargeBlocks: also blocks that all threads search together are reused, with the bits of a full run, in any
// number of shards.
func TestReuseOfLargeBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(26, 1))
	e := blocky(random)
	for range 2 {
		at, first := e.pick(random), e.next
		e.block(random, at, 700)
		for range 900 {
			e.edges = append(e.edges, edge{first + random.Int32N(600), first + random.Int32N(600), weightOf(random)})
		}
		for i := range e.edges {
			for _, v := range []*int32{&e.edges[i].from, &e.edges[i].to} {
				if !e.nodes[*v] {
					*v = at
				}
			}
		}
	}
	path := filepath.Join(t.TempDir(), "reuse.bin")
	r := kernels.Request{Nodes: true, Edges: true, Reduce: "on", Params: kernels.Params{Weighted: true}}
	reusing(t, e.graph(t), r, path)
	for i := range 3 {
		e.edges[len(e.edges)-1].weight += 0.5 // in the second
		g := e.graph(t)
		want := anew(t, g, r)
		r.Reuse = reuse.New(path, "test", 1<<30)
		if err := r.Reuse.Load(); err != nil {
			t.Fatal(err)
		}
		m, _ := kernels.Lookup("betweenness")
		got, err := InShards(context.Background(), m, g, r, nil, 1+i)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
			t.Fatalf("%d shards: other bits than those of a full run", 1+i)
		}
		if found := got.Reduction.Reused; found.Of-found.Blocks != 1 || found.Work < 0.2 {
			t.Fatalf("after a change in one block: %v", found)
		}
		if err := r.Reuse.Save(); err != nil {
			t.Fatal(err)
		}
		r.Reuse = nil
	}
}

// TestReuseIsForAllPairs: elsewhere the store is left alone.
func TestReuseIsForAllPairs(t *testing.T) {
	store := reuse.New(filepath.Join(t.TempDir(), "reuse.bin"), "test", 1<<30)
	mixed, three := graphtest.Subdivided(t, 60, 2, 6), 3
	for _, c := range []struct {
		measure string
		g       *export.Graph
		r       kernels.Request
	}{
		{"betweenness", mixed, kernels.Request{Sources: []int32{1, 2}}},
		{"closeness", mixed, kernels.Request{Sources: []int32{1, 2}}},
		{"closeness", mixed, kernels.Request{Params: kernels.Params{Top: &three}}},
		{"stress", mixed, kernels.Request{}},
	} {
		c.r.Nodes, c.r.Reuse = true, store
		if got := compute(t, c.g, c.measure, c.r); got.Reduction != nil && got.Reduction.Reused != nil {
			t.Errorf("%s: %v", c.measure, got.Reduction.Reused)
		}
	}
}

// towns are some rings with chords, of which most are a part of their own.
func towns(r *rand.Rand) *edited {
	e := &edited{nodes: map[int32]bool{}}
	for range 3 + r.IntN(3) {
		at := e.add(r)
		e.block(r, at, 64+r.IntN(20))
		for range r.IntN(12) {
			e.grow(r)
		}
	}
	for range 5 {
		e.block(r, e.add(r), 3)
	}
	return e
}

// TestReuseOfComponents: after each edit, a run that reuses components has the bits of a full run, and scores are those
// of a run without a store.
func TestReuseOfComponents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reuse.bin")
	measures, all := []string{"betweenness", "closeness", "harmonic", "eccentricity", "graph"}, reuse.Tally{}
	for seed := range uint64(70) {
		random := rand.New(rand.NewPCG(seed, 28))
		e, measure := towns(random), measures[seed%5]
		directed := measure == "betweenness" || seed%2 == 0
		r := kernels.Request{Nodes: seed%7 > 0, Edges: seed%3 > 0 || seed%7 == 0, Threads: 1 + int(seed%3)}
		r.Weighted = seed%4 > 1
		r.Endpoints = measure == "betweenness" && seed%5 == 0
		for range 4 {
			g := e.oriented(t, directed)
			if seed%8 > 5 { // that no sum in ticks holds
				for k := range g.Weights {
					g.Weights[k] *= math.Pi
				}
			}
			want, got := fromNothing(t, g, measure, r), again(t, g, measure, r, path)
			if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
				t.Fatalf("seed %d, %s: other bits than those of a full run\n%v\n%v", seed, measure, got, want)
			}
			plain := compute(t, g, measure, r)
			same(t, "node", got.Nodes, plain.Nodes)
			same(t, "edge", got.Edges, plain.Edges)
			found := got.Reduction.Reused
			for i := range found.Of {
				all.Add(i < found.Blocks, 1, 1)
			}
			e.edit(random)
		}
	}
	if found := all.Amount(); found.Work < 0.5 {
		t.Errorf("%v", &found)
	}
}

// TestReuseOfWhatDidNotChange: after each edit, a run that searches only what changed has the bits of a full run. By
// hops these are the bits of a run without a store, and by weights they differ by rounding. Nodes are told apart by
// their numbers or, in some runs, by names; wrong ones change nothing but the time.
func TestReuseOfWhatDidNotChange(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		few, parts := 0, 0
		for seed := range uint64(500) {
			found := editing(t, seed, weighted)
			few, parts = few+found.few, parts+found.parts
		}
		if t.Logf("weighted %t: of 2500 runs, %d searched only what changed, and %d only some components", weighted, few,
			parts); few < 500 || parts < 20 {
			t.Error("too few")
		}
	}
}

// reused counts the runs that searched only what changed, and those that searched only some components.
type reused struct{ few, parts int }

// editing makes runs of closeness on a graph that is edited in between.
func editing(t *testing.T, seed uint64, weighted bool) (all reused) {
	t.Helper()
	path, random := filepath.Join(t.TempDir(), "reuse.bin"), rand.New(rand.NewPCG(seed, 29))
	e := blocky(random)
	if seed%8 == 0 {
		e = towns(random)
	}
	measure := []string{"closeness", "harmonic"}[seed%2]
	r := kernels.Request{Nodes: true, Threads: 1 + int(seed%3), Reduce: []string{"", "on", "off"}[seed/2%3],
		Params: kernels.Params{Weighted: weighted}}
	for i := range 5 {
		g := e.oriented(t, seed%4 > 1)
		if seed%3 == 1 { // tenths, which float64 does not hold
			for k := range g.Weights {
				g.Weights[k] /= 5
			}
		}
		r.Reuse = reuse.New(path, "test", 1<<30)
		if err := r.Reuse.Load(); err != nil {
			t.Fatal(err)
		}
		r.Reuse.Names = e.names(random, seed)
		got := compute(t, g, measure, r)
		if err := r.Reuse.Save(); err != nil {
			t.Fatal(err)
		}
		want, plain := fromNothing(t, g, measure, r), compute(t, g, measure, kernels.Request{Nodes: true, Params: r.Params})
		if !slices.Equal(got.Nodes, want.Nodes) || !weighted && !slices.Equal(got.Nodes, plain.Nodes) ||
			got.Totals != want.Totals {
			t.Fatalf("seed %d, %s, weighted %t: other bits than those of a full run\n%v\n%v\n%v", seed, measure, weighted, got,
				want, plain)
		}
		same(t, "node", got.Nodes, plain.Nodes)
		switch found := got.Reduction.Reused; {
		case i == 0 && (found.Blocks > 0 || found.Kind != "node"):
			t.Fatalf("the first run reuses %v", found)
		case found.Kind == "component" && found.Blocks > 0:
			all.parts++
		case found.Work > 0:
			all.few++
		}
		e.edit(random)
	}
	return all
}

// names are the numbers of all nodes, none, or wrong ones, by the seed.
func (e *edited) names(random *rand.Rand, seed uint64) (out []int64) {
	for v := range e.nodes {
		out = append(out, int64(v))
	}
	switch slices.Sort(out); seed % 5 {
	case 0:
		return nil
	case 1:
		random.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], 7 })
	}
	return out
}
