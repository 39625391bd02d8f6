package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRing: nodes come out of the buckets that they went into, bucket after bucket, and the ring is as new after the
// last.
func TestRing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []uint64{1, 64, 100, 5000} {
		r := NewRing(size)
		for range 20 {
			var want, got []uint64
			put := func(bucket uint64) {
				r.Push(int32(bucket), bucket)
				want = append(want, bucket)
			}
			put(0)
			for at, more := uint64(0), true; more; at, more = r.Next(at) {
				for e := r.Take(at); e >= 0; {
					var v int32
					v, e = r.Entry(e)
					got = append(got, uint64(v))
					for len(want) < 300 && random.IntN(3) > 0 {
						put(at + 1 + random.Uint64N(max(size-1, 1)))
					}
				}
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("size %d: %v, want %v", size, got, want)
			}
		}
	}
}
