package communities

import (
	"sync"
	"sync/atomic"
)

// worker is the memory that the update of one row takes, and sums of what it changes. Each is used by one goroutine at
// a time.
type worker struct {
	unit    float64
	acc     []int64 // by edge of the block
	mark    []uint8
	next    []int32 // the node after each in its level
	head    []int32 // the first node of each level, or -1
	queue   []int32
	orphans []int32
	pool    []entry
	dist    any    // a row of distances, where none are stored
	flow    []flow // and of flows
	nodes   int64  // visited
	far     bool   // a number of paths is too great for float64
}

// flows returns memory for a row of flows.
func (w *worker) flows(n int) []flow {
	if len(w.flow) < n {
		w.flow = make([]flow, n)
	}
	return w.flow
}

// entry is a node that awaits a level, and the next entry of that level.
type entry struct{ node, next int32 }

// Marks of nodes while a row is updated.
const (
	changed uint8 = 1 << iota // the number of paths changes, or the distance
	orphan                    // the distance changes
	queued                    // the share is to be computed again
)

// fit makes the worker large enough for a block.
func (w *worker) fit(b *block) {
	for len(w.acc) < len(b.edges) {
		w.acc = append(w.acc, 0)
	}
	for len(w.mark) < len(b.node) {
		w.mark = append(w.mark, 0)
		w.next = append(w.next, -1)
	}
	for len(w.head) < len(b.node)+2 {
		w.head = append(w.head, -1)
	}
}

// push puts a node into a level.
func (w *worker) push(v int32, level int) {
	w.next[v] = w.head[level]
	w.head[level] = v
}

// fewSources are not worth a second goroutine.
const fewSources = 128

// overSources calls do for each of so many sources of a block, on as many threads as pay, and adds what they changed to
// the block's sums. After a stop the sums are of no use.
func (c *cutter) overSources(b *block, sources int, do func(w *worker, i int)) {
	threads := min(len(c.workers), sources/fewSources+1)
	for _, w := range c.workers[:threads] {
		w.fit(b)
	}
	if threads == 1 {
		for i := 0; i < sources && !c.stop.Stopped(); i++ {
			do(c.workers[0], i)
		}
	} else {
		c.inChunks(c.workers[:threads], sources, do)
	}
	for _, w := range c.workers[:threads] {
		for e, x := range w.acc[:len(b.edges)] {
			b.sums[e] += x
		}
		clear(w.acc[:len(b.edges)])
	}
}

func (c *cutter) inChunks(workers []*worker, sources int, do func(w *worker, i int)) {
	const chunk = 16
	var next atomic.Int64
	var done sync.WaitGroup
	for _, w := range workers {
		done.Go(func() {
			for first := int(next.Add(chunk)) - chunk; first < sources && !c.stop.Stopped(); first = int(next.Add(chunk)) -
				chunk {
				for i := first; i < min(first+chunk, sources); i++ {
					do(w, i)
				}
			}
		})
	}
	done.Wait()
}
