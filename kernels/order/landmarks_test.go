package order

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// hopsByHand are the hops from each node to v along its arcs, farAway for none or more.
func hopsByHand(g rows, v int32) []uint8 {
	hops := make([]uint8, g.n())
	for i := range hops {
		hops[i] = farAway
	}
	hops[v] = 0
	for changed := true; changed; {
		changed = false
		for u := range g.n() {
			for _, w := range g.row(u) {
				if hops[w] < farAway-1 && hops[u] > hops[w]+1 {
					hops[u], changed = hops[w]+1, true
				}
			}
		}
	}
	return hops
}

func TestDistancesToLandmarks(t *testing.T) {
	for name, g := range map[string]*export.Graph{
		"undirected": graphtest.Ring(t, 300, 40), "long": graphtest.Ring(t, 600, 0), "in parts": scattered(t, 200), "directed": oneWay(t, 200, 300),
	} {
		r := rows{g.Offsets, g.Targets}
		ends := landmarksOf(r)
		got := distancesTo(r, ends)
		for i, v := range ends {
			for u, want := range hopsByHand(r, v) {
				if d := got.of(int32(u))[i]; d != want {
					t.Fatalf("%s: from %d to %d: %d hops, want %d", name, u, v, d, want)
				}
			}
		}
	}
}

// oneWay is a graph of n nodes and m arcs at random.
func oneWay(t *testing.T, n, m int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var r export.Rels
	for range m {
		r.Source, r.Target = append(r.Source, int32(random.IntN(n))), append(r.Target, int32(random.IntN(n)))
	}
	return graphtest.Build(t, export.Natural, n, r)
}

// TestLevelsOfBatches: the levels of a batch at a probe, counted from searches of one another's making.
func TestLevelsOfBatches(t *testing.T) {
	g := scattered(t, 300)
	r := rows{g.Offsets, g.Targets}
	order, ends := clusters(r, shallowBall, 3), landmarksOf(r)
	const lanes = 50
	levels := 0
	for _, v := range ends[hubs:] {
		hops := hopsByHand(r, v)
		for b := 0; b < len(order); b += lanes {
			met := map[uint8]bool{}
			for _, u := range order[b : b+lanes] {
				if hops[u] != farAway {
					met[hops[u]] = true
				}
			}
			levels += len(met)
		}
	}
	want := float64(levels) / float64((Landmarks-hubs)*len(order)/lanes)
	if got := levelsIn(distancesTo(r, ends), order, lanes); got != want {
		t.Errorf("%v levels, want %v", got, want)
	}
}

// TestSourcesOfABatchAreAlike: where paths lead through hubs, sources as far from these make batches; elsewhere neighbours.
func TestSourcesOfABatchAreAlike(t *testing.T) {
	for kind, hubs := range map[generate.Kind]bool{generate.BarabasiAlbert: true, generate.RMAT: true, generate.WattsStrogatz: false} {
		spec := generate.Spec{Kind: kind, Degree: 4, Seed: 1}
		if spec.Nodes = 1 << 15; kind == generate.RMAT {
			spec.Nodes, spec.Scale = 0, 13
		}
		g := made(t, spec)
		r := rows{g.Offsets, g.Targets}
		near := clusters(r, shallowBall, 3)
		to := distancesTo(r, landmarksOf(r))
		order := alike(to, near, SingleLanes)
		if slices.Equal(near, order) == hubs {
			t.Errorf("%s: balls %v", kind, !hubs)
		}
		if balls, got := levelsIn(to, near, SingleLanes), levelsIn(to, order, SingleLanes); hubs && got > 0.95*balls {
			t.Errorf("%s: %.2f levels, %.2f by balls", kind, got, balls)
		}
	}
}

func TestLandmarkOrderIsThatOfAnyNumberOfThreads(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	g := made(t, generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 50_000, Degree: 3, Seed: 1})
	r := rows{g.Offsets, g.Targets}
	runtime.GOMAXPROCS(1)
	order := clusters(r, shallowBall, 3)
	want := alike(distancesTo(r, landmarksOf(r)), order, SingleLanes)
	runtime.GOMAXPROCS(8)
	if !slices.Equal(want, alike(distancesTo(r, landmarksOf(r)), order, SingleLanes)) {
		t.Error("another order with more threads")
	}
}

func made(t *testing.T, spec generate.Spec) *export.Graph {
	t.Helper()
	s, err := generate.Graph(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}

// TestByDistances: nodes are split by one distance after another, those at the same one stay as they are.
func TestByDistances(t *testing.T) {
	const n = 5*8*splitApart + 17
	random := rand.New(rand.NewPCG(7, 1))
	to := make(hopsTo, n*Landmarks)
	for i := range to {
		if l := i % Landmarks; l < 3 {
			to[i] = uint8(random.IntN(2 + 3*l))
		}
	}
	order := make([]int32, n)
	for i, v := range random.Perm(n) {
		order[i] = int32(v)
	}
	widest := splitting{distances: to}
	var byHand func(nodes []int32) []int32
	byHand = func(nodes []int32) []int32 {
		which, differ := 0, false
		if len(nodes) > SingleLanes {
			which, differ = widest.widest(nodes)
		}
		if !differ {
			return nodes
		}
		at := map[uint8][]int32{}
		for _, v := range nodes {
			d := to.of(v)[which]
			at[d] = append(at[d], v)
		}
		var out []int32
		for d := range farAway + 1 {
			out = append(out, byHand(at[uint8(d)])...)
		}
		return out
	}
	if want := byHand(order); !slices.Equal(byDistances(to, order, SingleLanes), want) {
		t.Error("another order")
	}
}
