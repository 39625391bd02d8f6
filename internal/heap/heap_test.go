package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPopsInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var q Heap[int]
		var keys []int
		for range random.IntN(300) {
			if len(keys) > 0 && random.IntN(3) == 0 {
				least := slices.Index(keys, slices.Min(keys))
				if e := q.Pop(); e.Key != keys[least] || int(e.At) != e.Key%7 {
					t.Fatalf("popped %+v, want %d", e, keys[least])
				}
				keys = slices.Delete(keys, least, least+1)
				continue
			}
			k := random.IntN(50)
			keys = append(keys, k)
			q.Push(Entry[int]{k, int32(k % 7)})
		}
		slices.Sort(keys)
		for _, k := range keys {
			if e := q.Pop(); e.Key != k {
				t.Fatalf("popped %d, want %d", e.Key, k)
			}
		}
		if len(q) != 0 {
			t.Fatalf("%d are left", len(q))
		}
	}
}
