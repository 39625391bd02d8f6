package kernels

import "testing"

// TestShards: the shards of a run have each unit once.
func TestShards(t *testing.T) {
	for units := range 40 {
		for of := range 12 {
			next := 0
			for i := range max(of, 1) {
				first, last := Shard{i, of}.Part(units)
				if first != next || last < first {
					t.Fatalf("shard %d of %d of %d units is %d to %d, after %d", i, of, units, first, last, next)
				}
				next = last
			}
			if next != units {
				t.Fatalf("%d shards of %d units end at %d", of, units, next)
			}
		}
	}
}
