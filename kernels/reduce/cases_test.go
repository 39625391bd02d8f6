package reduce_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

func TestKnownScores(t *testing.T) {
	type edges = [][2]int32
	for _, c := range []struct {
		name       string
		s          sketch
		node, edge []float64
	}{
		{"no nodes", sketch{}, nil, nil},
		{"one node", sketch{n: 1}, []float64{0}, nil},
		{"a loop", sketch{n: 1, edges: edges{{0, 0}}}, []float64{0}, []float64{0}},
		{"three nodes alone", sketch{n: 3}, []float64{0, 0, 0}, nil},
		{"one edge", sketch{n: 2, edges: edges{{0, 1}}}, []float64{0, 0}, []float64{1}},
		{"a double edge and one", sketch{n: 3, edges: edges{{0, 1}, {1, 0}, {1, 2}}}, []float64{0, 1, 0}, []float64{1, 1, 2}},
		{"a longer parallel edge", sketch{n: 2, edges: edges{{0, 1}, {0, 1}}, weights: []float64{2, 3}}, []float64{0, 0},
			[]float64{1, 0}},
		{"triangle", sketch{n: 3, edges: edges{{0, 1}, {0, 2}, {1, 2}}}, []float64{0, 0, 0}, []float64{1, 1, 1}},
		{"triangle, one side double", sketch{n: 3, edges: edges{{0, 1}, {0, 1}, {0, 2}, {1, 2}}}, []float64{0, 0, 0},
			[]float64{.5, .5, 1, 1}},
		{"square", sketch{n: 4, edges: edges{{0, 1}, {0, 3}, {1, 2}, {2, 3}}}, []float64{.5, .5, .5, .5},
			[]float64{2, 2, 2, 2}},
		{"square, one side double", sketch{n: 4, edges: edges{{0, 1}, {0, 1}, {0, 3}, {1, 2}, {2, 3}}},
			[]float64{2. / 3, 2. / 3, 1. / 3, 1. / 3}, []float64{7. / 6, 7. / 6, 2, 2, 5. / 3}},
		{"star", sketch{n: 5, edges: edges{{0, 1}, {0, 2}, {0, 3}, {0, 4}}}, []float64{6, 0, 0, 0, 0}, []float64{4, 4, 4, 4}},
		{"a chord that is never used",
			sketch{n: 4, edges: edges{{0, 1}, {0, 2}, {1, 2}, {2, 3}}, weights: []float64{1, 9, 1, 1}},
			[]float64{0, 2, 2, 0}, []float64{3, 0, 4, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, off := range allSwitches() {
				o := reduce.Options{Switches: off}
				for _, o := range []reduce.Options{o, o.AllLarge()} {
					node, edge, _ := scores(t, c.s.graph(t), o)
					if d := max(difference(node, c.node), difference(edge, c.edge)); d > 1e-14 {
						t.Errorf("%+v: nodes %v, edges %v; want %v, %v", off, node, edge, c.node, c.edge)
					}
				}
			}
		})
	}
}

func TestLengthsFarApartAgreeWithDefinition(t *testing.T) {
	lengths := []float64{1, 3, 70_000, 3e7, 6e7, 1e9, 1e12}
	long := []float64{1, 1, 2e8, 2e8, 1<<32 + 1, 1e14} // some pass 32 bits, where few shortest paths do
	make := kinds()
	for _, name := range slices.Sorted(maps.Keys(make)) {
		for seed := range uint64(180) {
			r := rand.New(rand.NewPCG(seed, 12))
			s := make[name](r)
			s.weights = []float64{}
			for range s.edges {
				if seed%3 == 2 {
					s.weights = append(s.weights, long[r.Uint64N(uint64(len(long)))])
					continue
				}
				s.weights = append(s.weights, lengths[seed%2*3+r.Uint64N(1+seed%4)])
			}
			g := s.graph(t)
			node, edge := bruteForce(g)
			o := reduce.Options{Threads: 2}
			for _, o := range []reduce.Options{o, o.AllLarge()} {
				gotNode, gotEdge, _ := scores(t, g, o)
				if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-12 {
					t.Fatalf("%s, seed %d: off by %g\n%s", name, seed, d, describe(s))
				}
			}
		}
	}
}

// TestInvariants checks what no oracle is needed for: edge scores less node scores make the pairs, and edge scores
// times lengths make the distances, which are at least the pairs.
func TestInvariants(t *testing.T) {
	for name, g := range largerGraphs(t) {
		t.Run(name, func(t *testing.T) {
			node, edge, info := scores(t, g, reduce.Options{})
			sum := -float64(info.Pairs) / 2
			for _, x := range edge {
				sum += x
			}
			total := 0.0
			for _, x := range node {
				sum -= x
				total += x
			}
			if sum > 1e-9*total || sum < -1e-9*total {
				t.Errorf("edge scores less node scores differ from %d pairs by %g", info.Pairs/2, sum)
			}
		})
	}
}

func TestRatios(t *testing.T) {
	s := &sketch{n: 2}
	for range 3 {
		s.path(0, 1, 4)
	}
	s.path(0, 1, 2)
	s.path(0, 1, 2)
	s.add(0, 0)
	s.add(0, 2)
	s = withTrees(rand.New(rand.NewPCG(1, 1)), s, 7)
	_, _, got := scores(t, s.graph(t), reduce.Options{})
	want := reduce.Info{
		Nodes: 20, Edges: 25, Loops: 1, Parallel: 1, Folded: 7, Cores: 1, Branch: 2, Links: 1, Chains: 4,
		Inner: 11, Bundled: 1, SearchRatio: 2. / 500, DemandRatio: 24. / 500, BlockRatio: 208. / 500, Pairs: 380,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	_, _, got = scores(t, s.graph(t),
		reduce.Options{Switches: reduce.Switches{NoTrees: true, NoBlocks: true, NoChains: true}})
	if want := 20. * 23 / 500; got.WorkRatio() != want {
		t.Errorf("work ratio %g without reductions, want %g", got.WorkRatio(), want)
	}
}

func TestRefuses(t *testing.T) {
	undirected := (&sketch{n: 2, edges: [][2]int32{{0, 1}}}).graph(t)
	directed := &export.Graph{Directed: true, Offsets: []int64{0, 1, 1}, Targets: []int32{1}, EdgeCount: 1}
	for _, c := range []struct {
		name  string
		g     *export.Graph
		ticks []int64
		says  string
	}{
		{"directed", directed, nil, "directed"},
		{"too many edges", &export.Graph{Offsets: []int64{0}, EdgeCount: 1 << 30}, nil, "1073741824 edges are more than"},
		{"one tick", undirected, []int64{1}, "1 ticks for 2 arcs"},
		{"zero", undirected, []int64{0, 0}, "arc 0 is 0 ticks long"},
		{"negative", undirected, []int64{-1, -1}, "arc 0 is -1 ticks long"},
		{"too long", undirected, []int64{1 << 62, 1 << 62}, "may pass 2^62 ticks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reduce.New(context.Background(), c.g, reduce.Options{Ticks: c.ticks})
			if !errors.Is(err, reduce.ErrOptions) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestReturnsWhatIsAskedFor(t *testing.T) {
	g := (&sketch{n: 2, edges: [][2]int32{{0, 1}}}).graph(t)
	for _, r := range []kernels.Request{{Nodes: true}, {Edges: true}, {Nodes: true, Edges: true}} {
		r.Reduce = kernels.ReduceOn
		node, edge := betweenness(t, g, r)
		if (node != nil) != r.Nodes || (edge != nil) != r.Edges {
			t.Errorf("%+v: nodes %v, edges %v", r, node, edge)
		}
	}
}

func TestProgressEndsAtTotal(t *testing.T) {
	for name, g := range largerGraphs(t) {
		for _, memory := range []int64{0, 20000} {
			last, of := 0, -1
			o := reduce.Options{Threads: 2, Memory: memory, Progress: func(done, total int) {
				if done <= last || done > total || of >= 0 && total != of {
					t.Fatalf("%s: progress %d of %d after %d of %d", name, done, total, last, of)
				}
				last, of = done, total
			}}
			scores(t, g, o.AllLarge())
			if last != of {
				t.Errorf("%s, memory %d: progress ended at %d of %d", name, memory, last, of)
			}
		}
	}
}
