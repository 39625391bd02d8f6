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

func TestHopsToEnds(t *testing.T) {
	for name, g := range map[string]*export.Graph{
		"undirected": graphtest.Ring(t, 300, 40), "long": graphtest.Ring(t, 600, 0), "in parts": scattered(t, 200),
		"directed": oneWay(t, 200, 300),
	} {
		hops, ends := hopsOf(g)
		for i, v := range ends {
			for u, want := range hopsByHand(rows{g.Offsets, g.Targets}, v) {
				if d := hops[u*Ends+i]; d != want {
					t.Fatalf("%s: from %d to %d: %d hops, want %d", name, u, v, d, want)
				}
			}
		}
	}
}

// hopsOf are the hops from each node to the ends of a graph, which it lists as well.
func hopsOf(g *export.Graph) (hops []uint8, ends []int32) {
	ends = endsOf(ByDegree(g))
	return HopsTo(g, ends, All(g)), ends
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
	order := clusters(r, shallowBall, 3)
	hops, ends := hopsOf(g)
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
	want := float64(levels) / float64((Ends-hubs)*len(order)/lanes)
	if got := (&splitting{hops: hops}).levelsIn(order, lanes); got != want {
		t.Errorf("%v levels, want %v", got, want)
	}
}

// TestSourcesOfABatchAreAlike: where paths lead through hubs, sources as far from these make batches; elsewhere they
// stay as they are.
func TestSourcesOfABatchAreAlike(t *testing.T) {
	for kind, hubs := range map[generate.Kind]bool{generate.BarabasiAlbert: true, generate.RMAT: true,
		generate.WattsStrogatz: false} {
		spec := generate.Spec{Kind: kind, Degree: 4, Seed: 1}
		if spec.Nodes = 1 << 15; kind == generate.RMAT {
			spec.Nodes, spec.Scale = 0, 13
		}
		g := made(t, spec)
		hops := HopsTo(g, endsOf(ByDegree(g)), Near(g))
		s := splitting{hops: hops}
		asGiven := All(g)
		places := Alike(hops, asGiven, SingleLanes, true)
		if slices.Equal(places, asGiven) == hubs {
			t.Errorf("%s: as given %v", kind, hubs)
		}
		if given, got := s.levelsIn(asGiven, SingleLanes), s.levelsIn(places, SingleLanes); hubs && got > 0.95*given {
			t.Errorf("%s: %.2f levels, %.2f as given", kind, got, given)
		}
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

// TestByDistances: sources are split by one distance after another, those at the same one stay as they are, whatever
// threads do.
func TestByDistances(t *testing.T) {
	const n = 5*8*splitApart + 17
	random := rand.New(rand.NewPCG(7, 1))
	hops := make([]uint8, n*Ends)
	for i := range hops {
		if e := i % Ends; e < 3 {
			hops[i] = uint8(random.IntN(2 + 3*e))
		}
	}
	s := splitting{hops: hops}
	var byHand func(sources []int32) []int32
	byHand = func(sources []int32) []int32 {
		which, differ := 0, false
		if len(sources) > splitLeaf {
			which, differ = s.widest(sources)
		}
		if !differ {
			return sources
		}
		at := map[uint8][]int32{}
		for _, v := range sources {
			d := s.of(v)[which]
			at[d] = append(at[d], v)
		}
		var out []int32
		for d := range farAway + 1 {
			out = append(out, byHand(at[uint8(d)])...)
		}
		return out
	}
	want, all := byHand(upTo(n)), runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	for _, threads := range []int{1, 8} {
		runtime.GOMAXPROCS(threads)
		if !slices.Equal(byDistances(hops), want) {
			t.Errorf("another order on %d threads", threads)
		}
	}
}
