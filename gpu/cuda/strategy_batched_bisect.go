package cuda

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// bisect orders the nodes by halves of halves, so that any run of consecutive nodes lies close together: a part is cut across
// its longest way, in the order of a search from one end of it, down to parts of leaf nodes. Cuts lie at multiples of leaf.
func bisect(g rows, leaf int) []int32 {
	n := int(g.n())
	b := &bisection{g: g, leaf: leaf, part: make([]int32, n), order: make([]int32, n), queue: make([]int32, n)}
	for i := range b.order {
		b.order[i] = int32(i)
	}
	b.threads.add = make(chan struct{}, runtime.GOMAXPROCS(0)-1)
	b.split(0, n)
	b.threads.Wait()
	return b.order
}

// bisection is a bisect at work. A part is a range of the order, and its name is where it begins.
type bisection struct {
	g    rows
	leaf int
	// part of a node; the complement of its name while a search has found the node. Threads of other parts look at it.
	part, order, queue []int32
	threads            struct {
		sync.WaitGroup
		add chan struct{}
	}
}

// splitApart is the size of parts from which on the halves are split side by side.
const splitApart = 4096

func (b *bisection) split(lo, hi int) {
	for hi-lo > b.leaf {
		b.search(lo, hi, b.order[lo])
		b.search(lo, hi, b.order[hi-1]) // the last that a search finds is an end
		middle := lo + ((hi-lo)/2+b.leaf-1)/b.leaf*b.leaf
		for _, v := range b.order[middle:hi] {
			atomic.StoreInt32(&b.part[v], int32(middle))
		}
		b.half(lo, middle)
		lo = middle
	}
}

// half splits a half, by a thread of its own where one is free.
func (b *bisection) half(lo, hi int) {
	if hi-lo >= splitApart {
		select {
		case b.threads.add <- struct{}{}:
			b.threads.Go(func() {
				b.split(lo, hi)
				<-b.threads.add
			})
			return
		default:
		}
	}
	b.split(lo, hi)
}

// search puts the part into the order of searches, the first from start.
func (b *bisection) search(lo, hi int, start int32) {
	name := int32(lo)
	queue, next := b.queue[lo:lo:hi], lo
	for {
		atomic.StoreInt32(&b.part[start], ^name)
		at := len(queue)
		queue = append(queue, start)
		for ; at < len(queue); at++ {
			for _, w := range b.g.row(queue[at]) {
				if atomic.LoadInt32(&b.part[w]) == name {
					atomic.StoreInt32(&b.part[w], ^name)
					queue = append(queue, w)
				}
			}
		}
		for next < hi && b.part[b.order[next]] != name {
			next++
		}
		if next == hi {
			break
		}
		start = b.order[next]
	}
	for _, v := range queue {
		atomic.StoreInt32(&b.part[v], name)
	}
	copy(b.order[lo:hi], queue)
}
