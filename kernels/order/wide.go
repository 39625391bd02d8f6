package order

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// wideThreads is the most threads that share the levels of a search. A level of rgg20 has 1,300 nodes.
	wideThreads = 8
	// activeLooks is how many times a thread looks whether the others have come before it sleeps: for some microseconds.
	activeLooks = 10_000
)

// wideLevel is from how many nodes on threads share a level. Tests lower it.
var wideLevel = 512

// wideSearch is a search at levels of many nodes, which threads share. It finds nodes in the order in which one thread
// does: one that several nodes of a level have an arc to comes after the first of these. So these nodes claim it first,
// and then the one whose claim is left takes it.
type wideSearch struct {
	row func(at int32) []int32
	// found are the nodes in the order in which they are found. place is where a node is there, -1 before it is claimed,
	// and less while it is; see claimOf.
	found, place []int32
	// taken are the nodes of the next level, thread by thread; levels is where each that was searched from begins in
	// found.
	taken  [][]int32
	levels []int
	met    *barrier
}

// claimOf is the claim of the node at a place. Those of earlier places are greater.
func claimOf(place int) int32 { return -2 - int32(place) }

// run searches from the level that begins at lo and ends at hi on, until all of found is or a level has few nodes. It
// returns where that level begins and ends.
func (s *wideSearch) run(lo, hi int) (first, last int) {
	threads := min(wideThreads, runtime.GOMAXPROCS(0))
	s.taken, s.met = make([][]int32, threads), newBarrier(threads)
	var others sync.WaitGroup
	for thread := 1; thread < threads; thread++ {
		others.Go(func() { s.search(thread, lo, hi) })
	}
	first, last = s.search(0, lo, hi)
	others.Wait()
	return first, last
}

// search is run, by one of the threads.
func (s *wideSearch) search(thread, lo, hi int) (first, last int) {
	first, last = s.share(thread, lo, hi)
	for hi < len(s.found) && hi-lo >= wideLevel {
		if thread == 0 {
			s.levels = append(s.levels, lo)
		}
		for at := first; at < last; at++ {
			s.claim(at)
		}
		s.met.wait()
		mine := s.taken[thread][:0]
		for at := first; at < last; at++ {
			mine = s.take(at, mine)
		}
		s.taken[thread] = mine
		s.met.wait()
		lo, hi = hi, hi+s.count()
		first, last = s.share(thread, lo, hi)
		s.put(lo, first, last)
	}
	return lo, hi
}

// share is where a thread's part of a level begins and ends.
func (s *wideSearch) share(thread, lo, hi int) (first, last int) {
	return lo + (hi-lo)*thread/len(s.taken), lo + (hi-lo)*(thread+1)/len(s.taken)
}

// claim has the node at a place claim those that it leads to.
func (s *wideSearch) claim(at int) {
	mine := claimOf(at)
	for _, w := range s.row(s.found[at]) {
		was := atomic.LoadInt32(&s.place[w])
		for (was == -1 || was < mine) && !atomic.CompareAndSwapInt32(&s.place[w], was, mine) {
			was = atomic.LoadInt32(&s.place[w])
		}
	}
}

// take appends the nodes that the one at a place has claimed, each once.
func (s *wideSearch) take(at int, to []int32) []int32 {
	mine := claimOf(at)
	for _, w := range s.row(s.found[at]) {
		if atomic.LoadInt32(&s.place[w]) == mine {
			atomic.StoreInt32(&s.place[w], 0) // until it is put
			to = append(to, w)
		}
	}
	return to
}

// count is how many nodes all threads have taken.
func (s *wideSearch) count() (all int) {
	for _, part := range s.taken {
		all += len(part)
	}
	return all
}

// put puts the places from first to last of a level that begins at lo.
func (s *wideSearch) put(lo, first, last int) {
	for _, part := range s.taken {
		for i := max(first, lo); i < min(last, lo+len(part)); i++ {
			w := part[i-lo]
			s.found[i] = w
			atomic.StoreInt32(&s.place[w], int32(i))
		}
		lo += len(part)
	}
}

// barrier has threads wait for one another.
type barrier struct {
	threads     int32
	came, times atomic.Int32
	// mu guards times from those that wait for passed.
	mu     sync.Mutex
	passed *sync.Cond
}

func newBarrier(threads int) *barrier {
	b := &barrier{threads: int32(threads)}
	b.passed = sync.NewCond(&b.mu)
	return b
}

func (b *barrier) wait() {
	before := b.times.Load()
	if b.came.Add(1) == b.threads {
		b.came.Store(0)
		b.mu.Lock()
		b.times.Add(1)
		b.mu.Unlock()
		b.passed.Broadcast()
		return
	}
	for range activeLooks {
		if b.times.Load() != before {
			return
		}
	}
	b.mu.Lock()
	for b.times.Load() == before {
		b.passed.Wait()
	}
	b.mu.Unlock()
}
