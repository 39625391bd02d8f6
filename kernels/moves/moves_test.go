package moves_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/moves"
)

// seeded are the measures of the package.
func seeded() (out []kernels.Measure) {
	for _, m := range kernels.Measures() {
		if m.Kind.Seeded() {
			out = append(out, m)
		}
	}
	return out
}

// plain is the modularity of groups, from a matrix of weights: the sum over pairs of nodes in one group of the weight
// between them less what chance would put there (Newman and Girvan 2004).
func plain(g *export.Graph, of []int32, weighted bool) float64 {
	matrix, ends, total := make([][]float64, g.N()), make([]float64, g.N()), 0.0
	for v := range matrix {
		matrix[v] = make([]float64, g.N())
	}
	for v := range int32(g.N()) {
		for i, w := range g.Row(v) {
			x := 1.0
			if weighted {
				x = g.Weight(g.Offsets[v] + int64(i))
			}
			matrix[v][w] += x
			ends[v] += x
			total += x
			if g.Directed {
				matrix[w][v] += x
				ends[w] += x
				total += x
			}
		}
	}
	q := 0.0
	for v := range matrix {
		for w := range matrix {
			if total > 0 && of[v] == of[w] {
				q += matrix[v][w]/total - ends[v]/total*ends[w]/total
			}
		}
	}
	return q
}

// TestGroups: on random graphs, groups pass the checks of every run, their modularity is that of a matrix, and those of
// Louvain and Leiden are no worse than each node alone.
func TestGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 3))
	for i := range 200 {
		g := graphtest.Random(t, random, 1+random.IntN(60), i%2 == 0, i%3 == 0, i%5 != 0)
		for _, m := range seeded() {
			r := kernels.Request{Params: kernels.Params{Weighted: i%4 != 0}, Nodes: true, Edges: true, Seed: int64(i),
				Threads: 1 + i%3}
			s, err := cpu.Compute(t.Context(), m, g, r)
			if err == nil {
				err = check.Scores(m, g, r, s)
			}
			if err != nil {
				t.Fatalf("graph %d: %v", i, err)
			}
			q := plain(g, s.Grouping.Of, r.Weighted)
			if math.Abs(q-s.Grouping.Modularity) > 1e-12 {
				t.Errorf("graph %d, %s: modularity %v, want %v", i, m.Name, s.Grouping.Modularity, q)
			}
			if m.Kind == kernels.Labels {
				continue
			}
			if least := plain(g, alone(g.N()), r.Weighted); q < least-1e-12 {
				t.Errorf("graph %d, %s: modularity %v, and %v with each node alone", i, m.Name, q, least)
			}
		}
	}
}

func alone(n int) []int32 {
	of := make([]int32, n)
	for v := range of {
		of[v] = int32(v)
	}
	return of
}

// TestBest: of small graphs, Louvain and Leiden often find the groups of the highest modularity of all, which are known
// by trying all.
func TestBest(t *testing.T) {
	random, hits := rand.New(rand.NewPCG(27, 4)), map[string]int{}
	const graphs = 100
	for i := range graphs {
		g := graphtest.Random(t, random, 2+random.IntN(6), false, i%3 == 0, true)
		best := bestOf(g, make([]int32, g.N()), 0, 0)
		for _, name := range []string{"louvain", "leiden"} {
			o := options()
			o.Weighted = true
			found, err := searches()[name](t.Context(), g, o)
			if err != nil || found.Modularity > best+1e-12 {
				t.Fatalf("graph %d, %s: modularity %v of at most %v, %v", i, name, found.Modularity, best, err)
			}
			if found.Modularity > best-1e-12 {
				hits[name]++
			}
		}
	}
	if hits["louvain"] < 85 || hits["leiden"] < 90 {
		t.Errorf("the best of %d graphs: %v", graphs, hits)
	}
}

// bestOf is the highest modularity of all groupings that begin as of does for the first nodes, in so many groups.
func bestOf(g *export.Graph, of []int32, first int, groups int32) float64 {
	if first == len(of) {
		return plain(g, of, true)
	}
	best := math.Inf(-1)
	for c := range groups + 1 {
		of[first] = c
		best = max(best, bestOf(g, of, first+1, max(groups, c+1)))
	}
	return best
}

// TestLabelsAreSettled: when label propagation is done, each node has a label that no other label exceeds among its
// neighbours.
func TestLabelsAreSettled(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 5))
	for i := range 100 {
		g := graphtest.Random(t, random, 2+random.IntN(80), false, i%3 == 0, true)
		o := options()
		o.Weighted, o.Iterations, o.Seed = true, 1000, int64(i)
		found, err := moves.LabelPropagation(t.Context(), g, o)
		if err != nil || found.Left != 0 {
			t.Fatalf("graph %d: %d nodes left, %v", i, found.Left, err)
		}
		for v := range int32(g.N()) {
			weight, most := map[int32]float64{}, 0.0
			for k, w := range g.Row(v) {
				if w != v {
					weight[found.Of[w]] += g.Weight(g.Offsets[v] + int64(k))
					most = max(most, weight[found.Of[w]])
				}
			}
			if weight[found.Of[v]] != most {
				t.Errorf("graph %d: node %d has a label of weight %v, and another one has %v", i, v, weight[found.Of[v]], most)
			}
		}
	}
}

// TestPlanted: groups that are plain to see are found by all three, by hops and by strengths.
func TestPlanted(t *testing.T) {
	var links []graphtest.Link
	for v := range int32(40) {
		for u := range v {
			if u/8 == v/8 {
				links = append(links, graphtest.Link{From: u, To: v, Weight: 5})
			}
		}
	}
	for c := range int32(5) {
		links = append(links, graphtest.Link{From: 8 * c, To: (8*c + 9) % 40, Weight: 1})
	}
	want := make([]int32, 40)
	for v := range want {
		want[v] = int32(v / 8)
	}
	for _, directed := range []bool{false, true} {
		g := graphtest.Links(t, 40, directed, true, links)
		for name, search := range searches() {
			for _, weighted := range []bool{false, true} {
				o := options()
				o.Weighted = weighted
				found, err := search(t.Context(), g, o)
				if err != nil || !slices.Equal(found.Of, want) || found.Count != 5 || found.Components != 1 {
					t.Errorf("%s, directed %t, weighted %t: %+v, %v", name, directed, weighted, found, err)
				}
			}
		}
	}
}

// TestWeightsAreStrengths: a ring of six nodes falls where its weak edges are.
func TestWeightsAreStrengths(t *testing.T) {
	var links []graphtest.Link
	for v := range int32(6) {
		links = append(links, graphtest.Link{From: v, To: (v + 1) % 6, Weight: []float64{10, 10, 1}[v%3]})
	}
	g := graphtest.Links(t, 6, false, true, links)
	for name, search := range searches() {
		o := options()
		o.Weighted = true
		if found, err := search(t.Context(), g, o); err != nil || !slices.Equal(found.Of, []int32{0, 0, 0, 1, 1, 1}) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// TestUnitOfWeights: groups do not depend on the unit of the weights, however small or large it is.
func TestUnitOfWeights(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(2, 7)), 300, false, true, true)
	for name, search := range searches() {
		o := options()
		o.Weighted = true
		first, err := search(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float64{0x1p-900, 0x1p900} {
			scaled := graphtest.Weighing(g, func(e int32) float64 { return weightOf(g, e) * unit })
			if again, err := search(t.Context(), scaled, o); err != nil || !slices.Equal(again.Of, first.Of) ||
				again.Modularity != first.Modularity {
				t.Errorf("%s: other groups where a unit is %g: %v", name, unit, err)
			}
		}
		huge := graphtest.Weighing(g, func(int32) float64 { return math.MaxFloat64 })
		if _, err := search(t.Context(), huge, o); err == nil || !strings.Contains(err.Error(), "use larger units") {
			t.Errorf("%s: weights whose sum overflows: %v", name, err)
		}
	}
}

func weightOf(g *export.Graph, edge int32) float64 {
	return g.Weight(int64(slices.Index(g.Edges, edge)))
}

// TestSeedAndThreads: groups depend on the seed, and on nothing else.
func TestSeedAndThreads(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(5, 5)), 30000, false, true, true)
	for name, search := range searches() {
		seen := map[float64]bool{}
		for seed := range int64(3) {
			var first *moves.Found
			for _, threads := range []int{1, 2, 7} {
				o := options()
				o.Seed, o.Threads, o.Weighted = seed, threads, true
				found, err := search(t.Context(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = found
				}
				if !slices.Equal(found.Of, first.Of) || found.Modularity != first.Modularity {
					t.Errorf("%s: %d threads find other groups", name, threads)
				}
			}
			seen[first.Modularity] = true
		}
		if len(seen) != 3 {
			t.Errorf("%s: 3 seeds have %d modularities", name, len(seen))
		}
	}
}

// TestOptions: the finest level has the most groups, and so has a high resolution; one iteration leaves label
// propagation unsettled.
func TestOptions(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(6, 5)), 2000, false, false, false)
	for _, name := range []string{"louvain", "leiden"} {
		count := func(change func(o *moves.Options)) int {
			o := options()
			change(&o)
			found, err := searches()[name](t.Context(), g, o)
			if err != nil || found.Levels > o.Levels {
				t.Fatal(found, err)
			}
			return found.Count
		}
		all := count(func(*moves.Options) {})
		if one := count(func(o *moves.Options) { o.Levels = 1 }); one <= all {
			t.Errorf("%s: %d groups on one level, %d on all", name, one, all)
		}
		if fine := count(func(o *moves.Options) { o.Gamma = 20 }); fine <= all {
			t.Errorf("%s: %d groups with gamma 20, %d with 1", name, fine, all)
		}
	}
	o := options()
	o.Iterations = 1
	if found, err := moves.LabelPropagation(t.Context(), g, o); err != nil || found.Left == 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestCheckFindsWrongGroups: no run writes groups that are not what the measure promises.
func TestCheckFindsWrongGroups(t *testing.T) {
	// Two triangles that share no edge, and an edge between them.
	var links []graphtest.Link
	for _, ends := range [][2]int32{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}} {
		links = append(links, graphtest.Link{From: ends[0], To: ends[1], Weight: 1})
	}
	g := graphtest.Links(t, 6, false, false, links)
	for _, m := range seeded() {
		for name, spoil := range map[string]func(s *kernels.Scores){
			"a node":            func(s *kernels.Scores) { s.Nodes[3] = 7 },
			"a group":           func(s *kernels.Scores) { s.Grouping.Of[3] = -1 },
			"the count":         func(s *kernels.Scores) { s.Grouping.Count++ },
			"an edge":           func(s *kernels.Scores) { s.Edges[0] = 1 - s.Edges[0] },
			"the modularity":    func(s *kernels.Scores) { s.Grouping.Modularity += 1e-6 },
			"no group of nodes": func(s *kernels.Scores) { s.Grouping.Of = nil },
		} {
			r := kernels.Request{Nodes: true, Edges: true, Threads: 1}
			s, err := cpu.Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			spoil(s)
			if err := check.Scores(m, g, r, s); err == nil {
				t.Errorf("%s: %s is wrong, and Check finds nothing", m.Name, name)
			}
		}
	}
	leiden, _ := kernels.Lookup("leiden")
	apart := kernels.NewGrouping(g, []float64{0, 0, 1, 1, 1, 0}, false) // node 5 has no edge to nodes 0 and 1
	err := check.Scores(leiden, g, kernels.Request{}, &kernels.Scores{Grouping: apart})
	if err == nil || !strings.Contains(err.Error(), "connect 3 parts") {
		t.Errorf("a group in two parts: %v", err)
	}
}

// TestSmallGraphs: no nodes, no edges, loops only, and an interrupted search.
func TestSmallGraphs(t *testing.T) {
	for name, search := range searches() {
		for _, directed := range []bool{false, true} {
			for n, links := range [][]graphtest.Link{{}, {}, {}, {{From: 1, To: 1, Weight: 2}}} {
				found, err := search(t.Context(), graphtest.Links(t, n, directed, true, links), options())
				if err != nil || !slices.Equal(found.Of, alone(n)) || found.Count != n || found.Components != n ||
					found.Modularity != 0 {
					t.Errorf("%s of %d nodes and %d edges: %+v, %v", name, n, len(links), found, err)
				}
			}
		}
		cause := errors.New("the user said stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if _, err := search(ctx, graphtest.Grid(t, 5, false), options()); !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
