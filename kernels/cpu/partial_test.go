package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// inShards computes a measure in parts, whose partial results are joined after they went through bytes.
func inShards(t *testing.T, m kernels.Measure, g *export.Graph, r kernels.Request, shards int) *kernels.Scores {
	t.Helper()
	all := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
	for i := range shards {
		part := all.Empty()
		r.Threads = 1 + (shards+i)%3
		if err := Partial(t.Context(), m, g, r, kernels.Shard{Index: i, Of: shards}, part); err != nil {
			t.Fatal(err)
		}
		data, err := part.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read kernels.Partial
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if err := all.Join(&read); err != nil {
			t.Fatal(err)
		}
	}
	out := &kernels.Scores{}
	if err := finish(m, g, r, all, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func bitsOf(scores []float64) []uint64 {
	out := make([]uint64, len(scores))
	for i, x := range scores {
		out[i] = math.Float64bits(x)
	}
	return out
}

// TestShards: every measure that is a sum over sources has the same bits in 1, 2, 3 and 8 shards, on any number of threads, and as
// the plain computation.
func TestShards(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 3))
	for i := range 40 {
		n, weighted := 2+random.IntN(300), i%2 == 1
		var links []graphtest.Link
		for range random.IntN(4*n + 1) {
			w := float64(1 + random.IntN(9))
			if i%4 == 3 {
				w = random.Float64()
			}
			links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: w})
		}
		g := graphtest.Links(t, n, i%3 == 0, weighted, links)
		for _, m := range kernels.Measures() {
			if m.Kind != kernels.Dependencies && m.Kind != kernels.FoldedDistances && m.Kind != kernels.PathCounts {
				continue
			}
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Threads: 2}
			if i%5 == 0 {
				r.Sources = kernels.DrawSources(n, (n+1)/2, int64(i))
			}
			want, err := Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, shards := range []int{1, 2, 3, 8} {
				got := inShards(t, m, g, r, shards)
				at := fmt.Sprintf("graph %d, %s in %d shards", i, m.Name, shards)
				if !slices.Equal(bitsOf(got.Nodes), bitsOf(want.Nodes)) || !slices.Equal(bitsOf(got.Edges), bitsOf(want.Edges)) {
					t.Fatalf("%s: other bits", at)
				}
				if got.Totals.Pairs != want.Totals.Pairs {
					t.Fatalf("%s: %d pairs, not %d", at, got.Totals.Pairs, want.Totals.Pairs)
				}
			}
		}
	}
}
