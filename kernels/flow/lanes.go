package flow

import (
	"context"
	"sync"
	"sync/atomic"
)

// load is the right-hand sides of a system, which are numbered from 0 on.
type load struct {
	count int
	// fill writes right-hand side i into lane k of b, which is 0.
	fill func(b []row, k, i int)
	// off is how much an error of solution i changes what is made of that, as a share of the most that this can be. It is
	// nil where the residual bounds it.
	off func(i int, wrong solution) float64
}

// crew are the solvers of a system, one per thread, and what all systems of a run tell.
type crew struct {
	*system
	solvers []*solver
	threads int
	report  *report
}

// report is what was solved, and the progress of that.
type report struct {
	mu          sync.Mutex
	done, total int
	progress    func(done, total int)
	iterations  int
	residual    float64
}

func newCrew(s *system, threads, count int, r *report) *crew {
	c := &crew{system: s, solvers: make([]*solver, min(threads, batches(count))), threads: threads, report: r}
	for i := range c.solvers {
		c.solvers[i] = newSolver(s)
	}
	return c
}

// batches is the number of batches that have so many right-hand sides.
func batches(count int) int { return (count + lanes - 1) / lanes }

// batch solves right-hand sides from first on. It returns how many it has solved.
func (c *crew) batch(ctx context.Context, s *solver, l load, first int) (int, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	count := min(lanes, l.count-first)
	clear(s.b)
	for k := range count {
		l.fill(s.b, k, first+k)
	}
	off := func() (most float64) {
		for k := 0; l.off != nil && k < count; k++ {
			most = max(most, l.off(first+k, solution{s.z, k}))
		}
		return most
	}
	if err := s.solve(ctx, off); err != nil {
		return 0, err
	}
	s.centre()
	c.report.solved(s, count)
	return count, nil
}

func (r *report) solved(s *solver, count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.iterations, r.residual = max(r.iterations, s.iterations), max(r.residual, s.residual)
	if r.done += count; r.progress != nil {
		r.progress(r.done, r.total)
	}
}

// more says that so many right-hand sides come in addition.
func (r *report) more(count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += count
}

// each solves all right-hand sides, and gives each solution to take, in no order and from several goroutines.
func (c *crew) each(ctx context.Context, l load, take func(i int, s *solver, found solution)) error {
	var next atomic.Int64
	errs := make([]error, len(c.solvers))
	var threads sync.WaitGroup
	for t, s := range c.solvers {
		threads.Go(func() {
			for errs[t] == nil {
				first := int(next.Add(1)-1) * lanes
				if first >= l.count {
					return
				}
				var count int
				if count, errs[t] = c.batch(ctx, s, l, first); errs[t] != nil {
					next.Store(int64(batches(l.count)))
				}
				for k := range count {
					take(first+k, s, solution{s.x, k})
				}
			}
		})
	}
	threads.Wait()
	return firstError(errs)
}

// inTurn solves all right-hand sides, and calls add after every few, from several goroutines for parts of so many
// things, with their solutions, in order. Sums that it adds them to have the same bits for any number of threads.
func (c *crew) inTurn(ctx context.Context, l load, things int, add func(part span, solved []solution)) error {
	for start := 0; start < l.count; start += len(c.solvers) * lanes {
		used := c.solvers[:min(len(c.solvers), batches(l.count-start))]
		errs, counts := make([]error, len(used)), make([]int, len(used))
		var threads sync.WaitGroup
		for t, s := range used {
			threads.Go(func() { counts[t], errs[t] = c.batch(ctx, s, l, start+t*lanes) })
		}
		threads.Wait()
		if err := firstError(errs); err != nil {
			return err
		}
		var solved []solution
		for t, s := range used {
			for k := range counts[t] {
				solved = append(solved, solution{s.x, k})
			}
		}
		for _, part := range parts(things, len(c.solvers)) {
			threads.Go(func() { add(part, solved) })
		}
		threads.Wait()
	}
	return nil
}

// solution is a lane of solutions.
type solution struct {
	x    []row
	lane int
}

func (s solution) at(place int32) float64 { return s.x[place][s.lane] }

// drop is the difference of the potentials at two places.
func (s solution) drop(ends [2]int32) float64 { return s.at(ends[0]) - s.at(ends[1]) }

// width is the difference of the highest and the lowest potential.
func (s solution) width() float64 {
	least, most := s.at(0), s.at(0)
	for p := range int32(len(s.x)) {
		least, most = min(least, s.at(p)), max(most, s.at(p))
	}
	return most - least
}

// span is from one number up to another one, which it leaves out.
type span struct{ first, last int }

// parts cuts numbers up to count into so many spans.
func parts(count, into int) []span {
	out := make([]span, into)
	for i := range out {
		out[i] = span{i * count / into, (i + 1) * count / into}
	}
	return out
}

func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
