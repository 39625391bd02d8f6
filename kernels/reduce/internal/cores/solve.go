package cores

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
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
	// Known has, by core, the values of the flows that need no search, and nil for others; nil for none.
	Known [][]float64
}

// knows reports whether the core of this number needs no search.
func (o Options) knows(number int) bool { return o.Known != nil && o.Known[number] != nil }

// RowBytes bounds the memory of rows in Solve for cores of so many nodes together.
func (o Options) RowBytes(nodes int64) int64 {
	each, all := rowBytes[int64](), int64(math.MaxInt64)
	if nodes < 1<<29 {
		all = each * nodes * nodes
	}
	return min(all, max(o.Memory, 2*each*nodes)) + int64(pieces.Threads(o.Threads))*min(all, smallCore)
}

// small reports whether one thread solves a core whole.
func (o Options) small(c *Core) bool {
	limit, n := o.Small, int64(len(c.Nodes))
	if limit == 0 {
		limit = smallCore
	}
	return n*n*rowBytes[int64]() <= limit
}

// Part returns which of so many units of work, all of which cost about the same, belong to a part of them.
type Part func(units int) (first, last int)

// Whole is all units.
func Whole(units int) (first, last int) { return 0, units }

// solving is one call of Solve.
type solving struct {
	run    *pieces.Run
	part   Part
	memory int64
	wide   atomic.Int64
}

// Solve searches a part of all cores and adds what the searches find to a partial result. It returns how many searches
// counted paths past the range of float64. Its error is the context's.
func Solve(ctx context.Context, all []Core, part Part, o Options, into *Partial) (wide int64, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	s := &solving{run: pieces.NewRun(stop, o.Threads, o.Progress), part: part, memory: o.Memory}
	var small []int
	var large []largeTask
	for i := range all {
		switch {
		case o.small(&all[i]):
			small = append(small, i)
		case !o.knows(i):
			large = append(large, largeTask{i, s.large(&all[i])})
		}
	}
	first, last := part(len(small))
	small = slices.DeleteFunc(small[first:last], o.knows) // after the cut: other parts may know less
	for _, i := range small {
		s.run.Expect(2*len(all[i].Nodes), all[i].LinkCount)
	}
	at := into.cut(all, o)
	s.run.Each(len(small), func(int) func(int) {
		return func(i int) {
			c := &all[small[i]]
			s.one(c, &at[small[i]].flow)
			s.run.Done(2*len(c.Nodes), c.LinkCount)
		}
	})
	for _, t := range large {
		if !stop.Stopped() {
			t.solve(into, &at[t.number])
		}
	}
	return s.wide.Load(), stop.Err()
}

// SolveOne returns the flow of one small core, on one thread.
func SolveOne(c *Core) Flow {
	s, flow := &solving{run: pieces.NewRun(&stopper.Stopper{}, 1, nil)}, c.NewFlow()
	s.one(c, &flow)
	return flow
}

// one solves a core on one thread, with the rows of all branch nodes in memory, into an empty flow.
func (s *solving) one(c *Core, flow *Flow) {
	if c.FitsInt32(s.run.Stopped) {
		oneAs[int32](c, s, flow)
	} else {
		oneAs[int64](c, s, flow)
	}
}

func oneAs[T Distance](c *Core, s *solving, flow *Flow) {
	p := NewProblem[T](c)
	search := NewSearch(p, s.run.Stopped)
	rows := make([]*Row[T], p.nodes())
	for a := range rows {
		rows[a] = NewRow[T](p.nodes())
		if !search.From(int32(a), rows[a]) {
			return
		}
		if rows[a].Exp != nil {
			s.wide.Add(1)
		}
	}
	d, b := NewDemand(p, flow, flow.Passes), NewBackward(p, s.run.Stopped, flow.Passes, flow.Through)
	for a := range int32(len(rows)) {
		d.Begin(a, rows[a])
		halves := p.Halves(a)
		for i := range halves {
			if s.run.Stopped() {
				return
			}
			d.Half(&halves[i], rows[halves[i].To()])
		}
		d.Finish()
		b.From(rows[a], d.D)
	}
}
