package neo4j

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

func TestInWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for n := range 200 {
		low, step := random.Int64N(1<<40), 1+random.Int64N(1<<random.IntN(40))
		ids, want := make([]int64, n), make([]int32, n)
		for i, at := range random.Perm(n) {
			ids[i], want[i] = low+step*int64(at), int32(i)
		}
		shift := max(windowBits, bits.Len64(uint64(step*int64(max(n-1, 0))))-mostWindowBits)
		slices.SortStableFunc(want, func(i, j int32) int { return int((ids[i]-low)>>shift - (ids[j]-low)>>shift) })
		if got := inWindows(export.IDs{Ints: ids}); !slices.Equal(got, want) {
			t.Fatalf("%d ids, one in %d: %v, want %v", n, step, got, want)
		}
	}
	if got := inWindows(export.IDs{Texts: strings.Split("c b a", " ")}); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("texts: %v", got)
	}
}

// Every place is handed out once, whichever writer is fast and however parts shrink.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for n := range 300 {
		writers := 1 + random.IntN(5)
		b := &batch{size: 1 + random.IntN(2000)}
		for i := range writers {
			b.left = append(b.left, span{n * 50 * i / writers, n * 50 * (i + 1) / writers})
		}
		var all []span
		for {
			if random.IntN(9) == 0 {
				b.shrink(random.IntN(2000))
			}
			low, high := b.next(min(random.IntN(writers), random.IntN(writers)))
			if low == high {
				break
			}
			all = append(all, span{low, high})
		}
		slices.SortFunc(all, func(x, y span) int { return x.low - y.low })
		end := 0
		for _, s := range all {
			if s.low != end || s.high <= s.low {
				t.Fatalf("%v after %d", s, end)
			}
			end = s.high
		}
		if end != n*50 {
			t.Fatalf("%d of %d handed out: %v", end, n*50, all)
		}
	}
}
