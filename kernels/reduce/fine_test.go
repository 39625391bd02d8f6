package reduce_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// finely gives a sketch weights of 1 to 3 that often differ by 1e-15 alone, and a leaf so far away that 62 bits do not
// hold all digits: rounding then hides what differs by that.
func finely(r *rand.Rand, s *sketch) {
	s.add(r.IntN(s.n), s.n)
	s.n++
	s.weights = nil
	for range s.edges {
		s.weights = append(s.weights, float64(between(r, 1, 3))+float64(between(r, -2, 2))*1e-15)
	}
	s.weights[len(s.weights)-1] = 1e6 + 1e-9
}

// roundedOptions returns options for a graph whose lengths are to be rounded, or false where 62 bits hold them.
func roundedOptions(t *testing.T, g *export.Graph, o reduce.Options) (reduce.Options, bool) {
	t.Helper()
	l, err := lengths.New(context.Background(), g, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	fine, ok := l.(*lengths.WideTicks)
	if !ok {
		return o, false
	}
	o.Ticks, o.Fine = reductions.Rounded(g, fine), fine.Arc
	return o, true
}

// TestRoundedLengths compares what searches of rounded lengths find with exact searches of 128 bits.
func TestRoundedLengths(t *testing.T) {
	const graphsPerKind = 150
	kinds := kinds()
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(name, func(t *testing.T) {
			rounded := 0
			for seed := range uint64(graphsPerKind) {
				r := rand.New(rand.NewPCG(seed, 13))
				s := kinds[name](r)
				if s.n == 0 {
					continue
				}
				if seed%4 == 0 {
					s = withTrees(r, subdivide(r, s, 5, .3), 6)
				}
				disturb(r, s, seed%3 == 0, false)
				finely(r, s)
				if agreeRounded(t, s.graph(t), allSwitches()...) {
					rounded++
				}
			}
			if rounded < graphsPerKind/2 {
				t.Errorf("%d graphs needed rounding: the test has lost its point", rounded)
			}
		})
	}
}

// agreeRounded returns false where nothing is rounded.
func agreeRounded(t *testing.T, g *export.Graph, switches ...reduce.Switches) bool {
	t.Helper()
	node, edge := plain(t, g, nil)
	for _, off := range switches {
		o, ok := roundedOptions(t, g, reduce.Options{Switches: off, Threads: 2})
		if !ok {
			return false
		}
		for _, o := range []reduce.Options{o, o.AllLarge()} {
			gotNode, gotEdge, _, err := reduce.Betweenness(context.Background(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-10 {
				t.Fatalf("%+v: off by %g\nweights %v\nnodes %v, want %v\nedges %v, want %v", off, d, g.Weights, gotNode, node,
					gotEdge, edge)
			}
		}
	}
	return true
}

// TestRoundedLengthsOfRoads has lengths with all digits of float64, and of the sides and diagonals of squares.
func TestRoundedLengthsOfRoads(t *testing.T) {
	for name, weight := range map[string]func(r *rand.Rand) float64{
		"any":     func(r *rand.Rand) float64 { return 0.01 + r.Float64() },
		"squares": func(r *rand.Rand) float64 { return []float64{1, 1.4142135623730951}[r.IntN(2)] },
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 5))
			s := roadLike(r, 12, 12, .25, 5, 30)
			s.weights = nil
			for range s.edges {
				s.weights = append(s.weights, weight(r))
			}
			s.add(0, s.n)
			s.n++
			s.weights = append(s.weights, 1e5)
			if !agreeRounded(t, s.graph(t), reduce.Switches{}, reduce.Switches{NoBlocks: true},
				reduce.Switches{NoChains: true}) {
				t.Error("nothing needed rounding")
			}
		})
	}
}

// TestRoundedLengthsAreNotReused: a core is another one where its lengths differ by what rounding drops.
func TestRoundedLengthsAreNotReused(t *testing.T) {
	store := reuse.New(filepath.Join(t.TempDir(), "reuse.bin"), "test", 1<<20)
	planned := func(last float64) *reduce.Reduced {
		s := roadLike(rand.New(rand.NewPCG(5, 5)), 4, 4, .25, 5, 3)
		finely(rand.New(rand.NewPCG(6, 6)), s)
		s.weights[0] = last
		g := s.graph(t)
		o, ok := roundedOptions(t, g, reduce.Options{Threads: 1})
		if !ok {
			t.Fatal("nothing needed rounding")
		}
		r, err := reduce.New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := planned(2)
	first.Reuse(store)
	all := first.NewPartial()
	searched(t, first, 0, 1, all)
	first.KeepFlows(first.Flows(all))
	if err := errors.Join(store.Save(), store.Load()); err != nil {
		t.Fatal(err)
	}
	same, other := planned(2).Reuse(store), planned(2+1e-15).Reuse(store)
	if same.Blocks != same.Of || other.Blocks >= other.Of {
		t.Errorf("%+v of the same, and %+v of others", same, other)
	}
}
