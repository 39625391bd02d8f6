package hierarchy

import (
	"cmp"
	"math/bits"
)

// pair are two groups between which there are edges, as they were at some time.
type pair struct {
	a, b             int32 // places
	nameA, nameB     int32 // nameA is the lower one
	links            int64
	degreeA, degreeB int64
}

// compare orders pairs: the greater affinity first, then the lower numbers. It is exact.
func (p pair) compare(q pair) int {
	mine, other := product(p.links, q.degreeA, q.degreeB), product(q.links, p.degreeA, p.degreeB)
	for i := range mine {
		if c := cmp.Compare(other[i], mine[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(p.nameA, q.nameA), cmp.Compare(p.nameB, q.nameB))
}

// product multiplies three numbers; the highest 64 bits come first.
func product(x, y, z int64) [3]uint64 {
	high, low := bits.Mul64(uint64(x), uint64(y))
	carry, lowest := bits.Mul64(low, uint64(z))
	highest, middle := bits.Mul64(high, uint64(z))
	middle, more := bits.Add64(middle, carry, 0)
	return [3]uint64{highest + more, middle, lowest}
}

// pairs is a heap with the pair that merges next at its top.
type pairs []pair

func (p pairs) Len() int           { return len(p) }
func (p pairs) Less(i, k int) bool { return p[i].compare(p[k]) < 0 }
func (p pairs) Swap(i, k int)      { p[i], p[k] = p[k], p[i] }

// Push implements heap.Interface.
func (p *pairs) Push(x any) { *p = append(*p, x.(pair)) }

// Pop implements heap.Interface.
func (p *pairs) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
