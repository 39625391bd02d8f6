package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Step is a part of a run.
type Step string

// The steps, in order. Each but plan and check leaves something on disk that the next can start from. A run of a file
// loads it in place of an export.
const (
	Load    Step = "load"
	Export  Step = "export"
	Plan    Step = "plan"
	Compute Step = "compute"
	Check   Step = "check"
	// Output writes the files that take scores, under temporary names. They get their own once the scores are published.
	Output Step = "output"
	Write  Step = "write"
)

// ParseFrom returns the step to resume from; "" is Export.
func ParseFrom(name string) (Step, error) {
	switch s := Step(name); s {
	case "":
		return Export, nil
	case Export, Compute, Write:
		return s, nil
	}
	return "", fmt.Errorf("--from %s: a run can start from %s", name,
		strings.Join([]string{"export", "compute", "write"}, ", "))
}

// Steps does the steps of one run, one after another.
type Steps struct {
	// Of names the job or the file to the reporter.
	Of       string
	Reporter Reporter
	// Now returns the time; time.Now outside tests.
	Now func() time.Time
	// Seconds is how long each step took.
	Seconds map[string]float64
}

// Do does a step, which returns one line on what it did. Once ctx has ended, no step begins.
func (s *Steps) Do(ctx context.Context, step Step, do func(context.Context) (string, error)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.Reporter.Begin(s.Of, step)
	start := s.Now()
	summary, err := do(ctx)
	s.Seconds[string(step)] = s.Now().Sub(start).Seconds()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
			err = cause
		}
		s.Reporter.End(BadEnd(err))
		return err
	}
	s.Reporter.End(summary)
	return nil
}

// BadEnd is what a Reporter is given as the summary of a step that ended with an error: one that was interrupted did
// not fail.
func BadEnd(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return "failed"
}
