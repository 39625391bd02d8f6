package reduce

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// smallCore is the most memory, in bytes, that the rows of a core take for one thread to solve it whole.
const smallCore = 4 << 20

// run is one search of all cores.
type run struct {
	options *Options
	stop    *stopper.Stopper
	threads int
	wide    atomic.Int64

	// total is the number of sources that progress is told in, work what all of them cost: a source of a small core costs
	// next to nothing.
	total int
	work  float64

	mu   sync.Mutex
	done float64 // of the work
	told int
}

// Search computes the flows of all cores on the CPU. Its error is the context's.
func (r *Reduced) Search(ctx context.Context) ([]Flow, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	run := &run{options: &r.options, stop: stop, threads: r.options.threads()}
	limit := r.options.smallCore
	if limit == 0 {
		limit = smallCore
	}
	var small, large []int
	for i := range r.Cores {
		n := len(r.Cores[i].Nodes)
		run.plan(2*n, r.Cores[i].LinkCount)
		if int64(n)*int64(n)*rowBytes[int64]() <= limit {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	flows := make([]Flow, len(r.Cores))
	run.parallel(len(small), func(int) func(int) {
		return func(i int) {
			c := &r.Cores[small[i]]
			flows[small[i]] = solve(c, run)
			run.progress(2*len(c.Nodes), c.LinkCount)
		}
	})
	for _, i := range large {
		if !stop.Stopped() {
			flows[i] = run.large(&r.Cores[i])
		}
	}
	r.Info.Wide += run.wide.Load()
	return flows, stop.Err()
}

// parallel calls what newWorker returns for 0..count-1, from as many goroutines as there are threads, until the run is
// stopped. Workers are numbered from 0.
func (r *run) parallel(count int, newWorker func(worker int) func(i int)) {
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

// plan announces so many sources that cost so much each.
func (r *run) plan(sources, each int) {
	r.total += sources
	r.work += float64(sources) * float64(each)
}

// progress tells that so many sources are done, each of which cost so much.
func (r *run) progress(sources, each int) {
	if r.options == nil || r.options.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += float64(sources) * float64(each)
	if done := int(math.Round(r.done / r.work * float64(r.total))); done > r.told {
		r.told = done
		r.options.Progress(done, r.total)
	}
}

// solve computes the flow of a core on one thread, with the rows of all branch nodes in memory.
func solve(c *Core, r *run) Flow {
	if c.FitsInt32(r.stop.Stopped) {
		return solveAs[int32](c, r)
	}
	return solveAs[int64](c, r)
}

func solveAs[T Distance](c *Core, r *run) Flow {
	p, flow := NewProblem[T](c), c.NewFlow()
	s := NewSearch(p, r.stop.Stopped)
	rows := make([]*Row[T], p.nodes())
	for a := range rows {
		rows[a] = NewRow[T](p.nodes())
		if !s.From(int32(a), rows[a]) {
			return flow
		}
		if rows[a].Exp != nil {
			r.wide.Add(1)
		}
	}
	d, b := NewDemand(p, &flow, flow.Passes), NewBackward(p, r.stop.Stopped, flow.Passes, flow.Through)
	for a := range int32(len(rows)) {
		d.Begin(a, rows[a])
		halves := p.Halves(a)
		for i := range halves {
			if r.stop.Stopped() {
				return flow
			}
			d.Half(&halves[i], rows[halves[i].To()])
		}
		d.Finish()
		b.From(rows[a], d.D)
	}
	return flow
}

// solve scores a core while planning.
func (p *planner) solve(c *Core) {
	flow := solve(c, &run{stop: &stopper.Stopper{}})
	c.score(&flow, p.node, p.edge)
}
