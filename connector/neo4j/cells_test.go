package neo4j

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// relationshipsOf is a batch of m relationships, by source, whose ids are a permutation.
func relationshipsOf(r *rand.Rand, n, m, size, writers int, ends func() (a, b int)) *batch {
	from := make([][]int32, n)
	for range m {
		a, b := ends()
		from[a] = append(from[a], int32(b))
	}
	s := &export.Snapshot{Graph: &export.Graph{Offsets: make([]int64, n+1)}}
	for _, targets := range from {
		s.Rels.Offsets = append(s.Rels.Offsets, int64(len(s.Rels.Targets)))
		s.Rels.Targets = append(s.Rels.Targets, targets...)
	}
	s.Rels.Offsets = append(s.Rels.Offsets, int64(m))
	for _, id := range r.Perm(m) {
		s.Rels.IDs.Ints = append(s.Rels.IDs.Ints, int64(id))
	}
	b := &batch{writer: &writer{snapshot: s}, on: connector.OnRelationships, ids: s.Rels.IDs, size: size, held: make([]cell, writers)}
	b.sort()
	return b
}

func TestCellsHaveEveryRelationshipOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct {
		name       string
		n, m, size int
		ends       func(n int) (a, b int)
		together   float64 // the greatest share of parts that have a node in common with another writer's
	}{
		{"random", 3000, 60_000, 500, func(n int) (int, int) { return r.IntN(n), r.IntN(n) }, 0.2},
		{"near", 3000, 60_000, 500, func(n int) (int, int) { a := r.IntN(n); return a, (a + r.IntN(9)) % n }, 0.2},
		{"skewed", 3000, 60_000, 500, func(n int) (int, int) { return min(r.IntN(n), r.IntN(n), r.IntN(n)), r.IntN(1 + r.IntN(n)) }, 0.3},
		{"star", 3000, 60_000, 500, func(n int) (int, int) { return 0, r.IntN(n) }, 1},
		{"one node", 1, 5000, 100, func(int) (int, int) { return 0, 0 }, 1},
		{"two nodes", 2, 5000, 100, func(int) (int, int) { return r.IntN(2), r.IntN(2) }, 1},
		{"few", 10, 40, 100, func(n int) (int, int) { return r.IntN(n), r.IntN(n) }, 1},
		{"none", 10, 0, 100, nil, 1},
	} {
		for _, writers := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprintf("%s, %d writers", c.name, writers), func(t *testing.T) {
				b := relationshipsOf(r, c.n, c.m, c.size, writers, func() (int, int) { return c.ends(c.n) })
				seen := make([]int, c.m)
				parts, together := 0, 0
				for busy := r.Perm(writers); len(busy) > 0; {
					i := r.IntN(len(busy))
					low, high := b.next(busy[i])
					if low == high {
						busy = slices.Delete(busy, i, i+1)
						continue
					}
					if high-low > c.size {
						t.Errorf("a part of %d", high-low)
					}
					for _, place := range b.order[low:high] {
						seen[place]++
					}
					parts++
					if meetsOther(b, busy[i]) {
						together++
					}
				}
				if i := slices.IndexFunc(seen, func(n int) bool { return n != 1 }); i >= 0 {
					t.Errorf("relationship %d was handed out %d times", i, seen[i])
				}
				if !slices.IsSorted(b.sortedIDs().Ints) {
					t.Error("ids that are not sorted")
				}
				if share := float64(together) / float64(parts); writers > 1 && share > c.together {
					t.Errorf("%d of %d parts have a node in common with another writer's", together, parts)
				}
			})
		}
	}
}

// meetsOther looks at the ends themselves of what a writer has, in place of the ranges that next goes by.
func meetsOther(b *batch, writer int) bool {
	mine := endsOf(b, b.held[writer])
	for w, x := range b.held {
		if w == writer {
			continue
		}
		for v := range endsOf(b, x) {
			if mine[v] {
				return true
			}
		}
	}
	return false
}

func endsOf(b *batch, x cell) map[int32]bool {
	ends := map[int32]bool{}
	for _, i := range b.order[x.low:x.high] {
		ends[b.sources[i]], ends[b.writer.snapshot.Rels.Targets[i]] = true, true
	}
	return ends
}

func TestTournament(t *testing.T) {
	for parts := 2; parts <= 12; parts += 2 {
		met := map[[2]int]bool{}
		pairs := tournament(parts)
		for _, p := range pairs {
			met[[2]int{min(p[0], p[1]), max(p[0], p[1])}] = true
		}
		if all := parts * (parts + 1) / 2; len(pairs) != all || len(met) != all {
			t.Errorf("%d parts: %d pairs, %d of them different, want %d", parts, len(pairs), len(met), all)
		}
		for round := range slices.Chunk(pairs[:parts*(parts-1)/2], parts/2) {
			once := map[int]bool{}
			for _, p := range round {
				once[p[0]], once[p[1]] = true, true
			}
			if len(once) != parts {
				t.Errorf("%d parts: a round of %v", parts, round)
			}
		}
	}
}
