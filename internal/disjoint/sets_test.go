package disjoint

import (
	"math/rand/v2"
	"testing"
)

// TestSets compares random joins with labels that are written anew at every join.
func TestSets(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(60)
		s, label, count := New(n), make([]int32, n), n
		for v := range label {
			label[v] = int32(v)
		}
		for range n {
			a, b := int32(r.IntN(n)), int32(r.IntN(n))
			from, to, root := label[b], label[a], s.Find(a)
			if joined := s.Join(a, b); joined != (from != to) || s.Find(b) != root {
				t.Fatalf("seed %d: %d and %d: %t, root %d", seed, a, b, joined, s.Find(b))
			}
			if from != to {
				count--
			}
			for v := range label {
				if label[v] == from {
					label[v] = to
				}
			}
			for v := range label {
				if (s.Find(int32(v)) == s.Find(a)) != (label[v] == to) || s.Count != count {
					t.Fatalf("seed %d: %d sets, not %d, or %d is in another one", seed, s.Count, count, v)
				}
			}
		}
	}
}
