package heap

import (
	"math/bits"
	"slices"

	"golang.org/x/sys/cpu"
)

// Ring is a queue of buckets of nodes, of which as many as Size are in use at a time: a node that comes while bucket b
// is the current one comes into one of b to b+Size-1 (Dial, Algorithm 360: Shortest-path forest with topological
// ordering, CACM 1969). Rings of several threads have no cache lines in common.
type Ring struct {
	_    [2]cpu.CacheLinePad // processors fetch lines in pairs
	head []int32             // the first entry of each bucket, or -1
	used []uint64
	pool []ringEntry
}

type ringEntry struct{ node, next int32 }

// pairOfLines is two cache lines, in words.
const pairOfLines = 16

// NewRing returns a ring of at least so many buckets.
func NewRing(size uint64) *Ring {
	size = max(64, uint64(1)<<bits.Len64(size-1))
	r := &Ring{head: make([]int32, size), used: make([]uint64, size/64, max(size/64, pairOfLines))}
	r.Reset()
	return r
}

// Reset empties the ring.
func (r *Ring) Reset() {
	for i := range r.head {
		r.head[i] = -1
	}
	clear(r.used)
	r.pool = r.pool[:0]
}

// Push puts a node into a bucket.
func (r *Ring) Push(node int32, bucket uint64) {
	i := int(bucket) & (len(r.head) - 1)
	r.pool = append(r.pool, ringEntry{node, r.head[i]})
	r.head[i] = int32(len(r.pool) - 1)
	r.used[i/64] |= 1 << (i % 64)
}

// Take empties a bucket and returns its first entry, or -1.
func (r *Ring) Take(bucket uint64) int32 {
	i := int(bucket) & (len(r.head) - 1)
	e := r.head[i]
	r.head[i] = -1
	r.used[i/64] &^= 1 << (i % 64)
	return e
}

// Entry returns the node of an entry, and the entry after it in its bucket, or -1. Nodes that are pushed leave it as it
// is.
func (r *Ring) Entry(e int32) (node, next int32) { return r.pool[e].node, r.pool[e].next }

// Next returns the first bucket after at that has nodes. Where there is none, the ring is as new.
func (r *Ring) Next(at uint64) (bucket uint64, ok bool) {
	size := uint64(len(r.head))
	at++
	i := at & (size - 1)
	if word := r.used[i/64] >> (i % 64); word != 0 {
		return at + uint64(bits.TrailingZeros64(word)), true
	}
	at += 64 - i%64
	for range r.used {
		i = at & (size - 1)
		if word := r.used[i/64]; word != 0 {
			return at + uint64(bits.TrailingZeros64(word)), true
		}
		at += 64
	}
	r.pool = r.pool[:0]
	return 0, false
}

// KeepLast leaves the last of each node from a place in a list on: nodes of one bucket, which are few, and of which
// some came again.
func KeepLast(nodes []int32, first int) []int32 {
	some := nodes[first:]
	kept := len(some)
	for i := len(some) - 1; i >= 0; i-- {
		if v := some[i]; !slices.Contains(some[kept:], v) {
			kept--
			some[kept] = v
		}
	}
	return nodes[:first+copy(some, some[kept:])]
}
