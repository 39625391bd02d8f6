package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Engine computes tasks; *gpu.Engine does.
type Engine interface {
	Compute(ctx context.Context, t gpu.Task) (*gpu.Outcome, error)
}

// Runner measures suites.
type Runner struct {
	Engine Engine
	Loader *Loader
	Timing Timing
	// RunLimit ends a single run, which is then recorded as failed.
	RunLimit time.Duration
	// Budget is the time for everything; what is left then is measured when the same suite is run again. 0: no end.
	Budget time.Duration
	// Out is the results file. Measurements that stand in it are not made again, except, with Retry, those that failed.
	Out         string
	Retry       bool
	Environment Environment
	Clock       func() time.Time
	Log         func(line string)
}

// ErrBudget says that the time was spent before everything was measured.
var ErrBudget = errors.New("the time is spent")

// Run measures what of the suite does not stand in the results file yet. It returns ErrBudget when time ran out, and an
// error when a measurement failed or was wrong; what it measured is recorded in any case. Nothing is measured when a graph
// is not to be had.
func (r *Runner) Run(ctx context.Context, s Suite) error {
	groups, err := r.missing(s)
	if err != nil || len(groups) == 0 {
		return err
	}
	for _, group := range groups {
		if err := r.Loader.Check(group[0].graph); err != nil {
			return err
		}
	}
	tally := map[Status]int{}
	if r.Budget > 0 {
		bounded, cancel := context.WithTimeoutCause(ctx, r.Budget, ErrBudget)
		defer cancel()
		ctx = bounded
	}
	// The next graph is made while a device measures this one, but not while the CPU is measured.
	ahead := !anyOnCPU(groups)
	next := r.start(ctx, groups[0])
	for i, group := range groups {
		p := <-next
		if ahead && i+1 < len(groups) {
			next = r.start(ctx, groups[i+1])
		}
		if err := r.measureAll(ctx, p, group, tally); err != nil {
			return err
		}
		if !ahead && i+1 < len(groups) {
			next = r.start(ctx, groups[i+1])
		}
	}
	if bad := tally[Failed] + tally[Wrong]; bad > 0 {
		return fmt.Errorf("of %d measurements %d failed and %d were wrong; %s has the reasons", bad+tally[OK], tally[Failed], tally[Wrong], r.Out)
	}
	return nil
}

// missing returns the measurements of the suite that the results file does not have.
func (r *Runner) missing(s Suite) ([][]measurement, error) {
	groups, err := s.measurements()
	if err != nil {
		return nil, err
	}
	records, err := ReadRecords(r.Out)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for i := range records {
		done[records[i].key()] = !r.Retry || records[i].Status == OK
	}
	var out [][]measurement
	skipped := 0
	for _, group := range groups {
		var left []measurement
		for _, m := range group {
			if record := m.record(); done[record.key()] {
				skipped++
				continue
			}
			left = append(left, m)
		}
		if len(left) > 0 {
			out = append(out, left)
		}
	}
	if skipped > 0 {
		r.Log(fmt.Sprintf("%d measurements stand in %s already", skipped, r.Out))
	}
	return out, nil
}

func anyOnCPU(groups [][]measurement) bool {
	for _, group := range groups {
		for i := range group {
			if group[i].onCPU() {
				return true
			}
		}
	}
	return false
}

func (r *Runner) start(ctx context.Context, group []measurement) <-chan *prepared {
	out := make(chan *prepared, 1)
	go func() { out <- r.prepare(ctx, group) }()
	return out
}

// measureAll measures a graph and records each result. What the end of the context cut short is not recorded.
func (r *Runner) measureAll(ctx context.Context, p *prepared, group []measurement, tally map[Status]int) error {
	for i := range group {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		record := r.measure(ctx, p, &group[i])
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := appendRecord(r.Out, &record); err != nil {
			return err
		}
		tally[record.Status]++
		r.Log(record.line())
	}
	return nil
}
