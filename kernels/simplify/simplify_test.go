package simplify

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// reachable computes by a flood which nodes edges connect: the least node of each one's part.
func reachable(g *export.Graph, keep []bool) []int32 {
	label := make([]int32, g.N())
	for v := range label {
		label[v] = int32(v)
	}
	source, target := g.Ends()
	for changed := true; changed; {
		changed = false
		for e := range source {
			a, b := source[e], target[e]
			if keep[e] && label[a] != label[b] {
				least := min(label[a], label[b])
				label[a], label[b], changed = least, least, true
			}
		}
	}
	return label
}

func all(m int) []bool { return slices.Repeat([]bool{true}, m) }

func count(keep []bool) (n int) {
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// randomScores has many ties.
func randomScores(r *rand.Rand, m int) []float64 {
	out := make([]float64, m)
	for e := range out {
		out[e] = float64(r.IntN(8))
	}
	return out
}

// TestEdges holds random graphs to the definition: the count, no dropped edge before a kept one, connection, and the
// greatest sum of any spanning forest (by Prim's algorithm).
func TestEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	for i := range 400 {
		g := graphtest.Random(t, r, 1+r.IntN(30), i%2 == 0, i%3 == 0, false)
		if g.M() == 0 {
			continue
		}
		scores, share := randomScores(r, g.M()), float64(1+r.IntN(100))/100
		target := max(1, int(math.Round(share*float64(g.M()))))
		keep, err := Edges(g, scores, Rule{Share: share})
		if err != nil || count(keep) != target {
			t.Fatalf("graph %d: %d of %d edges kept for the share %v, want %d (%v)", i, count(keep), g.M(), share, target, err)
		}
		for e := range keep {
			for d := range keep {
				if keep[e] && !keep[d] && (scores[d] > scores[e] || scores[d] == scores[e] && d < e) {
					t.Fatalf("graph %d: edge %d is kept and %d is not", i, e, d)
				}
			}
		}
		keep, _ = Edges(g, scores, Rule{Share: share, Connected: true})
		trees, weight := prim(g, scores)
		if count(keep) != max(target, trees) || !slices.Equal(reachable(g, keep), reachable(g, all(g.M()))) {
			t.Fatalf("graph %d: connected, %d edges kept, want %d", i, count(keep), max(target, trees))
		}
		if _, kept := prim(g.With(keep), pick(scores, keep)); kept != weight {
			t.Fatalf("graph %d: the forest kept has the score %v, want %v", i, kept, weight)
		}
	}
}

func pick(scores []float64, keep []bool) (out []float64) {
	for e, k := range keep {
		if k {
			out = append(out, scores[e])
		}
	}
	return out
}

// prim returns the number of edges and the score of a maximum spanning forest.
func prim(g *export.Graph, scores []float64) (edges int, sum float64) {
	source, target := g.Ends()
	in := make([]bool, g.N())
	for root := range in {
		for in[root] = true; ; edges++ {
			best, end := -1, int32(0)
			for e := range source {
				a, b := source[e], target[e]
				if in[a] != in[b] && (best < 0 || scores[e] > scores[best]) {
					best, end = e, a
					if in[a] {
						end = b
					}
				}
			}
			if best < 0 {
				break
			}
			in[end], sum = true, sum+scores[best]
		}
	}
	return edges, sum
}

// TestThreshold: scores that reach it are kept, also by rounding alone.
func TestThreshold(t *testing.T) {
	g := graphtest.Grid(t, 3, false)
	scores := []float64{3, 1, math.Nextafter(2, 0), 2, 0, math.Nextafter(2, 3), 1.9999, 5, 2, 0, 0, 0}
	for threshold, want := range map[float64][]int{2: {0, 2, 3, 5, 7, 8}, 5: {7}, 3: {0, 7}} {
		keep, err := Edges(g, scores, Rule{Threshold: &threshold})
		var got []int
		for e, k := range keep {
			if k {
				got = append(got, e)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("threshold %v keeps %v, want %v (%v)", threshold, got, want, err)
		}
	}
	high := 6.0
	_, err := Edges(g, scores, Rule{Threshold: &high, Connected: true})
	if e := (*ThresholdError)(nil); !errors.As(err, &e) || e.Highest != 5 {
		t.Errorf("%v", err)
	}
	low := 0.0
	if keep, err := Nodes([]float64{0, 0}, Rule{Threshold: &low}); err != nil || count(keep) != 2 {
		t.Errorf("threshold 0 keeps %v (%v)", keep, err)
	}
}

// TestNodes: nodes of the highest scores, with the edges between them, and the nodes of edges.
func TestNodes(t *testing.T) {
	g := graphtest.Grid(t, 3, false) // 0-1-2, 3-4-5, 6-7-8 and columns
	keep, err := Nodes([]float64{0, 2, 0, 2, 4, 2, 0, 2, 0}, Rule{Share: 0.3})
	if err != nil || !slices.Equal(keep, []bool{false, true, false, true, true, false, false, false, false}) {
		t.Fatalf("%v %v", keep, err)
	}
	edges := Between(g, keep)
	source, target := g.Ends()
	for e, k := range edges {
		if k != (keep[source[e]] && keep[target[e]]) {
			t.Errorf("edge %d between %d and %d: %t", e, source[e], target[e], k)
		}
	}
	if got := Touched(g, edges); count(edges) != 2 || !slices.Equal(got, keep) {
		t.Errorf("%d edges touch %v", count(edges), got)
	}
}
