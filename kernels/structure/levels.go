package structure

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// scanPart is the number of things that a thread looks at at a time.
const scanPart = 1 << 14

// siftPart is the number of things whose find a thread collects before it hands them over.
const siftPart = 1 << 10

// levels are things that are peeled by their counts, the least first, as PKC does (Kabir and Madduri, "Parallel k-core
// Decomposition on Multicore Platforms", 2017): at each level all threads look for those of that count. What is peeled
// lowers the counts of others, down to the level and no further.
type levels struct {
	level int32
	// counts are those of each thing in what is left. Of things that are peeled it is their level.
	counts []int32
	// left has the things over the level, as of the last scan, and found those of the level.
	left, found []int32
	mu          sync.Mutex
	least       int32
	kept        []span
}

// span is a piece of left.
type span struct{ first, last int }

// newLevels returns the levels of counts. The first scan is for the least count.
func newLevels(counts []int32) *levels {
	l := &levels{counts: counts, left: make([]int32, len(counts))}
	if len(counts) > 0 {
		l.level = slices.Min(counts)
	}
	for i := range l.left {
		l.left[i] = int32(i)
	}
	return l
}

// scan finds what is on the level, or on the next one that has anything.
func (l *levels) scan(threads int) {
	l.found, l.kept, l.least = l.found[:0], l.kept[:0], math.MaxInt32
	inparts.On(threads, scanPart, len(l.left), func(_, first, last int) { l.sift(first, last) })
	l.pack()
	if len(l.found) == 0 && len(l.left) > 0 {
		l.level = l.least
		l.scan(threads)
	}
}

// sift moves what is over the level to the front of a piece of left, and adds what is on the level to found.
func (l *levels) sift(first, last int) {
	least, end := int32(math.MaxInt32), first
	var found [siftPart]int32
	for at := first; at < last; at += siftPart {
		count := 0
		for _, v := range l.left[at:min(at+siftPart, last)] { // without a branch: what comes is as good as random
			d := l.counts[v]
			l.left[end], found[count] = v, v
			if d == l.level {
				count++
			}
			if d > l.level {
				end++
			} else {
				d = math.MaxInt32
			}
			least = min(least, d)
		}
		if count > 0 {
			l.mu.Lock()
			l.found = append(l.found, found[:count]...)
			l.mu.Unlock()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept, l.least = append(l.kept, span{first, end}), min(l.least, least)
}

// pack closes the gaps of left.
func (l *levels) pack() {
	slices.SortFunc(l.kept, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	end := 0
	for _, s := range l.kept {
		end += copy(l.left[end:], l.left[s.first:s.last])
	}
	l.left = l.left[:end]
}
