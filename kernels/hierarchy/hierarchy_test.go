package hierarchy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// naive looks at all pairs of groups before every merge, in fractions, and counts their edges anew.
func naive(g *export.Graph, of []int32, count int) (merges []Merge) {
	of = slices.Clone(of)
	source, target := g.Ends()
	for next := int32(count); ; next++ {
		links, degrees := map[[2]int32]int64{}, map[int32]int64{}
		for e := range source {
			a, b := of[source[e]], of[target[e]]
			degrees[a]++
			degrees[b]++
			if a != b {
				links[[2]int32{min(a, b), max(a, b)}]++
			}
		}
		var best *big.Rat
		var merge Merge
		for p, n := range links {
			x := big.NewRat(n*2*int64(g.M()), degrees[p[0]]*degrees[p[1]])
			order := 1
			if best != nil {
				order = x.Cmp(best)
			}
			if order > 0 || order == 0 && (p[0] < merge.A || p[0] == merge.A && p[1] < merge.B) {
				affinity, _ := x.Float64()
				best, merge = x, Merge{A: p[0], B: p[1], Links: n, Affinity: affinity}
			}
		}
		if best == nil {
			return merges
		}
		merges = append(merges, merge)
		for v := range of {
			if of[v] == merge.A || of[v] == merge.B {
				of[v] = next
			}
		}
	}
}

// TestOf compares hierarchies of random graphs, of groups of one node and of more, with naive ones.
func TestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 7))
	for i := range 400 {
		g := graphtest.Random(t, r, 1+r.IntN(24), i%2 == 0, i%3 == 0, i%5 == 0)
		count := 1 + r.IntN(g.N())
		of := make([]int32, g.N())
		for v := range of {
			of[v] = int32(v % count)
		}
		h, want := Of(g, of, count), naive(g, of, count)
		if len(h.Merges) != len(want) {
			t.Fatalf("graph %d: %d merges, want %d", i, len(h.Merges), len(want))
		}
		for k, m := range h.Merges {
			if w := want[k]; m.A != w.A || m.B != w.B || m.Links != w.Links ||
				math.Abs(m.Affinity-w.Affinity) > 1e-12*w.Affinity {
				t.Fatalf("graph %d, merge %d: %+v, want %+v", i, k, m, w)
			}
		}
		checkShape(t, h, g.N())
	}
}

// checkShape holds a hierarchy to what is true of any: sizes add up to the nodes, and no merge has more affinity than
// those below.
func checkShape(t *testing.T, h *Hierarchy, nodes int) {
	t.Helper()
	sum := int64(0)
	for i, parent := range parents(h) {
		if parent < 0 {
			sum += h.Sizes[i]
			continue
		}
		if below := i - h.Groups; below >= 0 && h.Merges[int(parent)-h.Groups].Affinity > h.Merges[below].Affinity*(1+1e-12) {
			t.Fatalf("group %d has more affinity than its part %d", parent, i)
		}
	}
	if sum != int64(nodes) {
		t.Fatalf("trees have %d nodes of %d", sum, nodes)
	}
}

// TestOrderBeyond64Bits: pairs compare right where products pass 64 and 128 bits.
func TestOrderBeyond64Bits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	affinity := func(p pair) *big.Rat {
		return new(big.Rat).SetFrac(big.NewInt(p.links), new(big.Int).Mul(big.NewInt(p.degreeA), big.NewInt(p.degreeB)))
	}
	for range 2000 {
		draw := func() int64 { return 1 + r.Int64N(1<<(1+r.IntN(62))) }
		p, q := pair{links: draw(), degreeA: draw(), degreeB: draw()}, pair{links: draw(), degreeA: draw(), degreeB: draw()}
		if got, want := p.compare(q), affinity(q).Cmp(affinity(p)); got != want {
			t.Fatalf("%+v, %+v: %d, want %d", p, q, got, want)
		}
	}
}

// TestParts: groups that no edge joins stay apart.
func TestParts(t *testing.T) {
	g := graphtest.Links(t, 5, false, false, []graphtest.Link{{From: 0, To: 1}, {From: 2, To: 3}})
	h := Of(g, []int32{0, 1, 2, 3, 4}, 5)
	if len(h.Merges) != 2 || !slices.Equal(parents(h), []int32{5, 5, 6, 6, -1, -1, -1}) {
		t.Errorf("%+v %v", h.Merges, parents(h))
	}
}

// parents are the groups that groups merge into; -1 for the root of a tree.
func parents(h *Hierarchy) []int32 {
	out := make([]int32, len(h.Sizes))
	for i := range out {
		out[i] = -1
	}
	for i, m := range h.Merges {
		out[m.A], out[m.B] = int32(h.Groups+i), int32(h.Groups+i)
	}
	return out
}
