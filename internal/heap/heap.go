// Package heap is a binary heap of numbered entries for searches, without the calls through an interface that
// container/heap makes for every comparison.
package heap

import "cmp"

// Entry is a node, or whatever At numbers, with the key that orders it.
type Entry[K cmp.Ordered] struct {
	Key K
	At  int32
}

// Heap has an entry of the least key at its top. A node may be in it more than once.
type Heap[K cmp.Ordered] []Entry[K]

// Push adds an entry.
func (q *Heap[K]) Push(e Entry[K]) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 && e.Key < h[(i-1)/2].Key {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = e
	*q = h
}

// Pop removes the top and returns it. The heap must not be empty.
func (q *Heap[K]) Pop() Entry[K] {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].Key < h[child].Key {
			child++
		}
		if h[child].Key >= last.Key {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	*q = h
	return top
}
