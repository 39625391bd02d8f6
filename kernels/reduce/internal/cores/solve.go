package cores

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/parallel"
)

// smallCore is the most memory, in bytes, that the rows of a core take for one thread to solve it whole.
const smallCore = 4 << 20

// Options say how to solve cores.
type Options struct {
	Threads int // 0 for all
	// Memory bounds, in bytes, the rows that are held at a time. Rows that one source cannot do without are held in any
	// case.
	Memory int64
	// Progress may be nil. It is called from one goroutine at a time.
	Progress func(done, total int)
	// Small is the most memory of rows for one thread to solve a core whole; 0 for the default. Tests lower it.
	Small int64
}

// RowBytes bounds the memory of rows in Solve for cores of so many nodes together.
func (o Options) RowBytes(nodes int64) int64 {
	each, all := rowBytes[int64](), int64(math.MaxInt64)
	if nodes < 1<<29 {
		all = each * nodes * nodes
	}
	return min(all, max(o.Memory, 2*each*nodes)) + int64(parallel.Threads(o.Threads))*min(all, smallCore)
}

// solving is one call of Solve.
type solving struct {
	run    *parallel.Run
	memory int64
	wide   atomic.Int64
}

// Solve returns the flows of all cores, and how many searches counted paths past the range of float64. Its error is the
// context's.
func Solve(ctx context.Context, all []Core, o Options) (flows []Flow, wide int64, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	s := &solving{run: parallel.NewRun(stop, o.Threads, o.Progress), memory: o.Memory}
	limit := o.Small
	if limit == 0 {
		limit = smallCore
	}
	var small, large []int
	for i := range all {
		n := len(all[i].Nodes)
		s.run.Expect(2*n, all[i].LinkCount)
		if int64(n)*int64(n)*rowBytes[int64]() <= limit {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	flows = make([]Flow, len(all))
	s.run.Each(len(small), func(int) func(int) {
		return func(i int) {
			c := &all[small[i]]
			flows[small[i]] = s.one(c)
			s.run.Done(2*len(c.Nodes), c.LinkCount)
		}
	})
	for _, i := range large {
		if !stop.Stopped() {
			flows[i] = s.large(&all[i])
		}
	}
	return flows, s.wide.Load(), stop.Err()
}

// SolveOne returns the flow of one small core, on one thread.
func SolveOne(c *Core) Flow {
	s := &solving{run: parallel.NewRun(&stopper.Stopper{}, 1, nil)}
	return s.one(c)
}

// one solves a core on one thread, with the rows of all branch nodes in memory.
func (s *solving) one(c *Core) Flow {
	if c.FitsInt32(s.run.Stopped) {
		return oneAs[int32](c, s)
	}
	return oneAs[int64](c, s)
}

func oneAs[T Distance](c *Core, s *solving) Flow {
	p, flow := NewProblem[T](c), c.NewFlow()
	search := NewSearch(p, s.run.Stopped)
	rows := make([]*Row[T], p.nodes())
	for a := range rows {
		rows[a] = NewRow[T](p.nodes())
		if !search.From(int32(a), rows[a]) {
			return flow
		}
		if rows[a].Exp != nil {
			s.wide.Add(1)
		}
	}
	d, b := NewDemand(p, &flow, flow.Passes), NewBackward(p, s.run.Stopped, flow.Passes, flow.Through)
	for a := range int32(len(rows)) {
		d.Begin(a, rows[a])
		halves := p.Halves(a)
		for i := range halves {
			if s.run.Stopped() {
				return flow
			}
			d.Half(&halves[i], rows[halves[i].To()])
		}
		d.Finish()
		b.From(rows[a], d.D)
	}
	return flow
}
