package cores

import (
	"sync"
	"unsafe"

	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// rowBytes is the memory of a row with exponents, for each branch node.
func rowBytes[T Distance]() int64 { return int64(unsafe.Sizeof(T(0))) + 8 + 4 + 4 }

// fineBytes is that of fine distances.
const fineBytes = 16

// chunkSources is how many sources a thread handles between two merges of its sums. It must not depend on the number of
// threads or of parts, or the sums of a chunk would.
const chunkSources = 16

// largeTask is a part of the core of this number, ready to be solved.
type largeTask struct {
	number int
	solve  func(into *Partial, at *inCore)
}

// large prepares the part of a core that all threads solve together.
func (s *solving) large(c *Core) func(into *Partial, at *inCore) {
	if c.FitsInt32(s.run.Stopped) {
		return newLargeCore[int32](c, s).solve
	}
	return newLargeCore[int64](c, s).solve
}

// largeCore is a core in search by several threads. Searches from the ends of chains leave rows, which all sources of a
// batch read; other sources are searched from when their turn comes.
type largeCore[T Distance] struct {
	all      *solving
	run      *pieces.Run // of all
	p        *Problem[T]
	capacity int     // rows of a batch
	batches  []batch // the part's
	at       *inCore
	into     *Partial
	merging  sync.Mutex // of into
	slot     []int32    // row of each branch node, or -1
	rows     []*Row[T]
	workers  []*worker[T]
}

// worker is what one goroutine needs.
type worker[T Distance] struct {
	search   *Search[T]
	demand   *Demand[T]
	backward *Backward[T]
	row      *Row[T] // of a source that has none in the batch
	passed   []float64
	through  []float64
}

func newLargeCore[T Distance](c *Core, s *solving) *largeCore[T] {
	l := &largeCore[T]{all: s, run: s.run, p: NewProblem[T](c), slot: make([]int32, len(c.Nodes))}
	for v := range l.slot {
		l.slot[v] = -1
	}
	n := int64(l.p.nodes())
	each := rowBytes[T]()
	if c.Fine != nil {
		each += fineBytes
	}
	l.capacity = int(max(2, min(s.memory/(each*n), n)))
	l.batches = partOf(l.p, l.capacity, s.part)
	for i := range l.batches {
		l.run.Expect(2*len(l.batches[i].sources), c.LinkCount)
	}
	return l
}

// begin makes what threads need.
func (l *largeCore[T]) begin(into *Partial, at *inCore) {
	l.into, l.at = into, at
	c := l.p.core
	for range l.run.Threads() {
		w := &worker[T]{passed: make([]float64, len(c.Nodes)), through: make([]float64, c.LinkCount)}
		w.search, w.row = NewSearch(l.p, l.run.Stopped), NewRow[T](len(c.Nodes))
		w.demand = NewDemand(l.p, &at.flow, w.passed)
		w.backward = NewBackward(l.p, l.run.Stopped, w.passed, w.through)
		l.workers = append(l.workers, w)
	}
}

func (l *largeCore[T]) solve(into *Partial, at *inCore) {
	if len(l.batches) == 0 {
		return
	}
	l.begin(into, at)
	for _, b := range l.batches {
		if l.run.Stopped() {
			return
		}
		if len(b.rows) > l.capacity {
			l.hub(b.sources[0], l.capacity)
			continue
		}
		l.fill(b.rows, len(b.sources))
		l.sources(b.sources)
		l.forget(b.rows)
	}
}

// fill searches from the given branch nodes and keeps their rows. The first so many count as progress.
func (l *largeCore[T]) fill(nodes []int32, counted int) {
	for len(l.rows) < len(nodes) {
		l.rows = append(l.rows, NewRow[T](l.p.nodes()))
	}
	for i, v := range nodes {
		l.slot[v] = int32(i)
	}
	l.run.Each(len(nodes), func(worker int) func(int) {
		return func(i int) {
			l.searchFrom(l.workers[worker], nodes[i], l.rows[i])
			if i < counted {
				l.run.Done(1, l.p.core.LinkCount)
			}
		}
	})
}

func (l *largeCore[T]) forget(nodes []int32) {
	for _, v := range nodes {
		l.slot[v] = -1
	}
}

func (l *largeCore[T]) searchFrom(w *worker[T], a int32, r *Row[T]) {
	if w.search.From(a, r) && r.Exp != nil {
		l.all.wide.Add(1)
	}
}

// sources computes demand and backward pass of each source.
func (l *largeCore[T]) sources(sources []int32) {
	chunks := (len(sources) + chunkSources - 1) / chunkSources
	l.run.Each(chunks, func(worker int) func(int) {
		w := l.workers[worker]
		return func(i int) {
			for _, a := range sources[i*chunkSources : min((i+1)*chunkSources, len(sources))] {
				if !l.run.Stopped() {
					l.source(w, a)
				}
			}
			l.merge(w)
		}
	})
}

func (l *largeCore[T]) source(w *worker[T], a int32) {
	ra := w.row
	if l.slot[a] >= 0 {
		ra = l.rows[l.slot[a]]
	} else {
		l.searchFrom(w, a, ra)
		l.run.Done(1, l.p.core.LinkCount)
	}
	w.demand.Begin(a, ra)
	halves := l.p.Halves(a)
	for i := range halves {
		if l.run.Stopped() {
			return
		}
		w.demand.Half(&halves[i], l.rows[l.slot[halves[i].To()]])
	}
	w.demand.Finish()
	w.backward.From(ra, w.demand.D)
	l.run.Done(1, l.p.core.LinkCount)
}

// hub handles a source whose chains lead to more nodes than there is room for rows: these get rows in turns.
func (l *largeCore[T]) hub(a int32, capacity int) {
	w := l.workers[0]
	l.searchFrom(w, a, w.row)
	w.demand.Begin(a, w.row)
	halves := l.p.Halves(a)
	for lo := 0; lo < len(halves) && !l.run.Stopped(); {
		var others []int32
		hi := lo
		for ; hi < len(halves) && len(others) < capacity; hi++ {
			if v := halves[hi].To(); v != a && l.slot[v] < 0 {
				l.slot[v] = 0
				others = append(others, v)
			}
		}
		l.fill(others, 0)
		for i := lo; i < hi && !l.run.Stopped(); i++ {
			rb := w.row
			if v := halves[i].To(); v != a {
				rb = l.rows[l.slot[v]]
			}
			w.demand.Half(&halves[i], rb)
		}
		l.forget(others)
		lo = hi
	}
	w.demand.Finish()
	w.backward.From(w.row, w.demand.D)
	l.merge(w)
	l.run.Done(2, l.p.core.LinkCount)
}

// merge moves the sums of a worker into the partial result.
func (l *largeCore[T]) merge(w *worker[T]) {
	l.merging.Lock()
	defer l.merging.Unlock()
	l.into.Passes.MoveTo(l.at.first, w.passed)
	l.into.Through.MoveTo(l.at.link, w.through)
}
