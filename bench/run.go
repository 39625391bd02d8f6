package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
)

// Engine computes tasks; *engine.Engine does.
type Engine interface {
	Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error)
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
	Out   string
	Retry bool
	// Known are other results files; what stands in them with status OK is not measured again either.
	Known       []string
	Environment Environment
	Clock       func() time.Time
	Log         func(line string)

	// references are those that earlier rounds were checked against.
	references map[string]map[question]*reference
}

// ErrBudget says that the time was spent before everything was measured.
var ErrBudget = errors.New("the time is spent")

// Run measures what of the suites does not stand in a results file yet, round by round, and in a round graph by graph
// in the order in which the suites first name them. It returns ErrBudget when time ran out, and an error when a
// measurement failed or was wrong; what it measured is recorded in any case. Nothing is measured when a graph is not to
// be had.
func (r *Runner) Run(ctx context.Context, suites ...Suite) error {
	groups, err := r.missing(suites)
	if err != nil || len(groups) == 0 {
		return err
	}
	for _, group := range groups {
		if err := r.Loader.Check(group[0].graph); err != nil {
			return err
		}
	}
	r.references = map[string]map[question]*reference{}
	tally := map[Status]int{}
	if r.Budget > 0 {
		bounded, cancel := context.WithTimeoutCause(ctx, r.Budget, ErrBudget)
		defer cancel()
		ctx = bounded
	}
	for _, group := range groups { // one after the other: to make a graph next to a measurement takes processors from it
		if err := r.measureAll(ctx, r.prepare(ctx, group), group, tally); err != nil {
			return err
		}
	}
	if bad := tally[Failed] + tally[Wrong]; bad > 0 {
		return fmt.Errorf("of %d measurements %d failed and %d were wrong; %s has the reasons", bad+tally[OK], tally[Failed],
			tally[Wrong], r.Out)
	}
	return nil
}

// missing returns the measurements of the suites that no results file has, by round and graph.
func (r *Runner) missing(suites []Suite) ([][]measurement, error) {
	done, err := r.done()
	if err != nil {
		return nil, err
	}
	var left []measurement
	skipped := 0
	for _, s := range suites {
		all, err := s.measurements()
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if record := m.record(); done[record.key()] {
				skipped++
				continue
			}
			left = append(left, m)
		}
	}
	if skipped > 0 {
		where := r.Out
		if len(r.Known) > 0 {
			where = "results"
		}
		r.Log(fmt.Sprintf("%d measurements stand in %s already", skipped, where))
	}
	return byGraph(left), nil
}

// done has the keys of what is not to be measured again.
func (r *Runner) done() (map[string]bool, error) {
	done := map[string]bool{}
	for _, path := range append([]string{r.Out}, r.Known...) {
		records, err := ReadRecords(path)
		if err != nil {
			return nil, err
		}
		for i := range records {
			done[records[i].key()] = done[records[i].key()] || records[i].settled() || path == r.Out && !r.Retry
		}
	}
	return done, nil
}

// measureAll measures a graph and records each result. What the end of the context cut short is not recorded.
func (r *Runner) measureAll(ctx context.Context, p *prepared, group []measurement, tally map[Status]int) error {
	for _, set := range rivals(group) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		records := r.measure(ctx, p, set)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i := range records {
			if err := appendRecord(r.Out, &records[i]); err != nil {
				return err
			}
			tally[records[i].Status]++
			r.Log(records[i].line())
		}
	}
	return nil
}
