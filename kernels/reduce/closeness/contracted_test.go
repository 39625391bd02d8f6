package closeness

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestContractKeepsDistances contracts random graphs and finds all distances from those between branch nodes, by hand.
func TestContractKeepsDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 17))
	inner, rings, loops, parallel := 0, 0, 0, 0
	for i := range 600 {
		g := randomForest(t, random, 1+random.IntN(30), i)
		if i%2 == 0 {
			g = foldTrees(g, g.Weights, Sum, g.N()).Graph
		}
		want := allDistances(g)
		c := Contract(g)
		if err := c.Graph.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(c.Branch)+len(c.Inner) != g.N() {
			t.Fatalf("graph %d: %d branch nodes and %d inner nodes of %d", i, len(c.Branch), len(c.Inner), g.N())
		}
		between := allDistances(c.Graph)
		from := func(v int32) []float64 { // branch nodes, and which node v is
			row := make([]float64, len(c.Branch))
			for b := range row {
				row[b] = want[v][c.Branch[b]]
			}
			return row
		}
		for a, u := range c.Branch {
			for b, d := range from(u) {
				if d != between[a][b] {
					t.Fatalf("graph %d: branch nodes %d and %d are %g apart, want %g", i, a, b, between[a][b], d)
				}
			}
		}
		for k := range c.Chains {
			chain := &c.Chains[k]
			nodes, at := c.Of(chain)
			inner += len(nodes)
			switch {
			case chain.U != chain.V:
			case g.Degree(c.Branch[chain.U]) == 2:
				rings++
			default:
				loops++
			}
			if chain.U != chain.V && between[chain.U][chain.V] < float64(chain.Length) {
				parallel++
			}
			for j, v := range nodes {
				for b, d := range from(v) {
					byU, byV := float64(at[j])+between[chain.U][b], float64(chain.Length-at[j])+between[chain.V][b]
					if between[chain.U][b] < 0 {
						byU, byV = -1, -1
					}
					if d != min(byU, byV) {
						t.Fatalf("graph %d, node %d: branch node %d is %g or %g away, want %g", i, v, b, byU, byV, d)
					}
				}
			}
		}
	}
	if inner < 1000 || rings < 10 || loops < 10 || parallel < 10 {
		t.Errorf("%d inner nodes, %d rings, %d loops, %d chains that are no shortest path", inner, rings, loops, parallel)
	}
}

// TestContractRefusesLongChains: none is longer than MostContracted.
func TestContractRefusesLongChains(t *testing.T) {
	g := randomForest(t, rand.New(rand.NewPCG(1, 1)), 30, 3)
	for a := range g.Weights {
		g.Weights[a] = MostContracted
	}
	if _, arcs := CountBranches(g); arcs == int64(g.Arcs()) {
		t.Fatal("no chains")
	}
	if Contract(g) != nil {
		t.Error("contracted")
	}
}

// TestFoldContracted compares folds over chains with those by hand, of whole numbers, and for several numbers of
// threads and parts.
func TestFoldContracted(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 27))
	chains := 0
	for i := range 800 {
		g := randomForest(t, random, 1+random.IntN(60), i)
		if i%3 == 0 {
			g = randomRoads(t, random)
		}
		for _, fold := range []Fold{Sum, Greatest} {
			trees := foldTrees(g, g.Weights, fold, g.N())
			c := Contract(trees.Graph)
			if !c.Fits(trees) {
				t.Fatal("does not fit")
			}
			chains += len(c.Chains)
			want, counts := byHand(trees, fold)
			for _, threads := range []int{1, 3} {
				folds, sums, err := foldInParts(t.Context(), trees, c, threads, 1+i%4*(threads/2))
				if err != nil || !slices.Equal(folds, want) || !slices.Equal(sums, counts) {
					t.Fatalf("graph %d (n %d, m %d), fold %d: %v, %v; want %v, %v; %v",
						i, g.N(), g.M(), fold, folds, sums, want, counts, err)
				}
			}
		}
	}
	if chains < 2000 {
		t.Errorf("%d chains", chains)
	}
}

// foldInParts searches in so many parts, and returns what Trees.Unfold takes.
func foldInParts(ctx context.Context, t *Trees, c *Contracted, threads, parts int) (folds, sums []float64, err error) {
	f := FoldContracted(t, c)
	found := make([]float64, f.Folds())
	for i := range parts {
		part := func(units int) (first, last int) { return i * units / parts, (i + 1) * units / parts }
		if err := f.Search(ctx, part, threads, nil, found); err != nil {
			return nil, nil, err
		}
	}
	folds, sums = f.Unfold(found)
	return folds, sums, nil
}

// randomRoads has parallel chains and loops between few branch nodes.
func randomRoads(t *testing.T, random *rand.Rand) *export.Graph {
	t.Helper()
	r := export.Rels{Weights: []float64{}}
	join := func(v, w, length int) {
		r.Source, r.Target = append(r.Source, int32(v)), append(r.Target, int32(w))
		r.Weights = append(r.Weights, float64(length))
	}
	n := 1 + random.IntN(5)
	for range 1 + random.IntN(8) {
		at, end := random.IntN(n), random.IntN(min(n, 5))
		for range random.IntN(12) {
			join(at, n, 1+random.IntN(3))
			at, n = n, n+1
		}
		join(at, end, 1+random.IntN(9))
	}
	return graphtest.Build(t, export.Undirected, n, r)
}

// TestFoldContractedStops with the cause.
func TestFoldContractedStops(t *testing.T) {
	why := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	g := randomRoads(t, rand.New(rand.NewPCG(1, 2)))
	trees := foldTrees(g, g.Weights, Sum, g.N())
	stop(why)
	if _, _, err := foldInParts(ctx, trees, Contract(trees.Graph), 2, 1); !errors.Is(err, why) {
		t.Error(err)
	}
}
