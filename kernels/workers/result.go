package workers

import (
	"sync"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Joiner is a Worker that needs no turn to merge: Merge may be called in any order, and of several workers at a time.
// Join ends its work, once, one at a time over all workers; the result has the same bits whatever their order.
type Joiner interface {
	Worker
	Join() error
}

// Results are what Joiners add to, in place of one partial result: sums of their own where these are small, which no
// other processor writes to, and else those of all, one at a time. The first worker adds to those of all in any case:
// it may be the only one.
type Results struct {
	all   *kernels.Partial
	adds  sync.Mutex // to all
	apart bool
	given bool // to the first worker
}

// NewResults returns those of a partial result of sums of nodes and edges.
func NewResults(all *kernels.Partial) *Results {
	return &Results{all: all, apart: OwnBytes(int64(all.Nodes.Len()+all.Edges.Len())) > 0}
}

// Shared returns those of a partial result that all workers add to.
func Shared(all *kernels.Partial) *Results { return &Results{all: all} }

// sumBytes are those of an exact sum, mostOwn those of all sums of a worker of its own.
const sumBytes, mostOwn = 24, 64 << 20

// OwnBytes is the memory that a worker takes for so many sums of its own; 0 where it adds to those of all.
func OwnBytes(sums int64) int64 {
	if sums*sumBytes > mostOwn {
		return 0
	}
	return sums * sumBytes
}

// Result is that of one worker.
type Result struct {
	of  *Results
	own *kernels.Partial // nil where it adds to the one of all
}

// One returns the result of a worker.
func (r *Results) One() *Result {
	r.adds.Lock()
	first := !r.given
	r.given = true
	r.adds.Unlock()
	if r.apart && !first {
		return &Result{of: r, own: r.all.Empty()}
	}
	return &Result{of: r}
}

// Add has sums moved into the result.
func (r *Result) Add(move func(into *kernels.Partial)) {
	if r.own != nil {
		move(r.own)
		return
	}
	r.of.adds.Lock()
	defer r.of.adds.Unlock()
	move(r.of.all)
}

// Join adds the worker's own result to that of all.
func (r *Result) Join() error {
	if r.own == nil {
		return nil
	}
	own := r.own
	r.own = nil
	r.of.adds.Lock()
	defer r.of.adds.Unlock()
	return r.of.all.Join(own)
}
