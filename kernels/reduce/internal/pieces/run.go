// Package pieces works on many small pieces: with several threads, and in slices that are made once and used many
// times, so that a piece costs no allocation.
package pieces

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Run is one computation. Its items may come in several calls of Each.
type Run struct {
	stop     *stopper.Stopper
	threads  int
	progress func(done, total int)

	// total is the number of sources that progress counts. work is what all of them cost: a source of a small core costs
	// next to nothing.
	total int
	work  float64

	mu       sync.Mutex
	done     float64 // of the work
	reported int
}

// NewRun returns a run on so many threads, 0 for all. progress may be nil; it is called from one goroutine at a time.
func NewRun(stop *stopper.Stopper, threads int, progress func(done, total int)) *Run {
	return &Run{stop: stop, threads: Threads(threads), progress: progress}
}

// Threads returns the number of threads that a request for so many means: 0 is all.
func Threads(requested int) int {
	if requested > 0 {
		return requested
	}
	return runtime.GOMAXPROCS(0)
}

// Threads returns the number of threads of the run.
func (r *Run) Threads() int { return r.threads }

// Stopped reports whether the run was stopped. Loops ask it now and then.
func (r *Run) Stopped() bool { return r.stop.Stopped() }

// Each calls what newWorker returns for 0..count-1, from as many goroutines as there are threads, until the run is
// stopped. Workers are numbered from 0.
func (r *Run) Each(count int, newWorker func(worker int) func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range min(r.threads, count) {
		wait.Go(func() {
			work := newWorker(worker)
			for i := next.Add(1) - 1; i < int64(count) && !r.stop.Stopped(); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	wait.Wait()
}

// Expect announces so many sources, each of which costs so much.
func (r *Run) Expect(sources, each int) {
	r.total += sources
	r.work += float64(sources) * float64(each)
}

// Done reports that so many sources are done, each of which cost so much.
func (r *Run) Done(sources, each int) {
	if r.progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += float64(sources) * float64(each)
	if done := int(math.Round(r.done / r.work * float64(r.total))); done > r.reported {
		r.reported = done
		r.progress(done, r.total)
	}
}
