package closeness

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestTreesLeadBack folds trees of random graphs, searches what is left by hand, and compares with all distances: sums
// and greatest are the same bits, for lengths are whole numbers.
func TestTreesLeadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 22))
	folded, forests := 0, 0
	for i := range 400 {
		g := randomForest(t, random, 1+random.IntN(40), i)
		d := allDistances(g)
		for _, fold := range []Fold{Sum, Greatest} {
			trees := foldTrees(g, g.Weights, fold, g.N())
			if err := trees.Graph.Validate(); err != nil {
				t.Fatal(err)
			}
			folds, sums := byHand(trees, fold)
			all, reached := trees.Unfold(folds, sums)
			for v, row := range d {
				want, count := 0.0, 0.0
				for w, x := range row {
					if w == v || x < 0 {
						continue
					}
					count++
					if fold == Sum {
						want += x
					} else {
						want = max(want, x)
					}
				}
				if all[v] != want || reached[v] != count {
					t.Fatalf("graph %d, fold %d, node %d: %v from %v, want %v from %v", i, fold, v, all[v], reached[v], want, count)
				}
			}
			folded += trees.Folded()
			if trees.Graph.N() == 0 && trees.Folded() > 0 {
				forests++
			}
		}
	}
	if folded < 2000 || forests < 20 {
		t.Errorf("%d nodes were folded, %d graphs left nothing", folded, forests)
	}
}

// randomForest is a graph of trees, some of which have more edges, loops and parallel edges; whole weights.
func randomForest(t *testing.T, random *rand.Rand, n, i int) *export.Graph {
	t.Helper()
	r := export.Rels{Weights: []float64{}}
	join := func(v, w int) {
		r.Source, r.Target = append(r.Source, int32(v)), append(r.Target, int32(w))
		r.Weights = append(r.Weights, float64(1+random.IntN(9)))
	}
	for v := 1; v < n; v++ {
		if random.IntN(8) > 0 {
			join(v, random.IntN(v))
		}
		for i%4 > 0 && random.IntN(3*(i%4)) == 0 {
			join(v, random.IntN(v+1))
		}
	}
	return graphtest.Build(t, export.Undirected, n, r)
}

// allDistances is Floyd and Warshall's algorithm; -1 is no path.
func allDistances(g *export.Graph) [][]float64 {
	d := make([][]float64, g.N())
	for v := range d {
		d[v] = make([]float64, g.N())
		for w := range d {
			d[v][w] = -1
		}
		d[v][v] = 0
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			if w := g.Targets[a]; int(w) != v && (d[v][w] < 0 || g.Weights[a] < d[v][w]) {
				d[v][w] = g.Weights[a]
			}
		}
	}
	for k := range d {
		for v := range d {
			for w := range d {
				if d[v][k] >= 0 && d[k][w] >= 0 && (d[v][w] < 0 || d[v][k]+d[k][w] < d[v][w]) {
					d[v][w] = d[v][k] + d[k][w]
				}
			}
		}
	}
	return d
}

// byHand is what an engine does.
func byHand(t *Trees, fold Fold) (folds, sums []float64) {
	d := allDistances(t.Graph)
	folds, sums = make([]float64, len(d)), make([]float64, len(d))
	for a, row := range d {
		for w, x := range row {
			if a == w || x < 0 {
				continue
			}
			sums[w] += t.Omega[a]
			if fold == Sum {
				folds[w] += t.Omega[a]*x + t.Inside[a]
			} else {
				folds[w] = max(folds[w], x+t.Inside[a])
			}
		}
	}
	return folds, sums
}
