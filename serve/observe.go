package serve

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// observe passes on what happens to jobs: to the page, the metrics, the traces, the hooks and the log.
func (s *Service) observe(e jobs.Event) {
	s.hub.publish(e)
	s.metrics.observe(e)
	if e.Kind == jobs.Ended && !hasJob(s.config.Load(), e.Job) { // its run went on after a reload
		s.metrics.forget(e.Job)
	}
	s.traces.Load().observe(e)
	s.hooks.observe(e, s.config.Load().Serve)
	s.requests.hear(e)
	s.log(e)
}

func (s *Service) log(e jobs.Event) {
	level, args := slog.LevelInfo, []any{"job", e.Job, "run", e.Run, "trigger", string(e.Trigger)}
	switch e.Kind {
	case jobs.Advanced, jobs.Stepped:
		level = slog.LevelDebug
		args = append(args, "step", string(e.Step))
	case jobs.StepDone:
		args = append(args, "step", string(e.Step), "result", e.Text)
	case jobs.Ended, jobs.WasSkipped, jobs.WasMissed:
		args = append(args, "status", e.Record.State(), "seconds", total(e.Record.Seconds))
		if e.Record.Note != "" {
			args = append(args, "note", e.Record.Note)
		}
		if e.Record.Status == connector.Failed || e.Record.Status == connector.Unfinished {
			level = slog.LevelError
			args = append(args, "error", e.Record.Error)
		} else if e.Record.State() == connector.SucceededWithWarnings {
			level = slog.LevelWarn
			args = append(args, "warnings", e.Record.Warnings)
		}
	case jobs.Noted, jobs.Warned, jobs.Retrying:
		level = slog.LevelWarn
		args = append(args, "text", e.Text)
	case jobs.Clock, jobs.Idle:
		return // said already, or not worth a line
	}
	s.o.Logger.Log(context.Background(), level, string(e.Kind), args...)
}

func total(seconds map[string]float64) float64 {
	sum := 0.0
	for _, s := range seconds {
		sum += s
	}
	return sum
}

func hasJob(c *config.Config, job string) bool {
	return slices.ContainsFunc(c.Jobs, func(j config.Job) bool { return j.Name == job })
}

// loadLast fetches how the last run of each job ended, so that the page and the metrics know what was before this
// process. Pages that are open learn of it.
func (s *Service) loadLast(ctx context.Context, list []config.Job) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, j := range list {
		if s.loadJob(ctx, s.database(), j.Name) == nil {
			s.hub.wasRead(j.Name)
		}
	}
	s.hub.publish(jobs.Event{Kind: jobs.Idle})
}

func (s *Service) loadJob(ctx context.Context, db Database, job string) error {
	run, err := db.LastRun(ctx, job)
	if err != nil {
		return err
	}
	if run == nil {
		run = s.newest(ctx, job) // it never ran, but was skipped or missed
	}
	if run != nil {
		s.hub.remember(*run)
	}
	scored, err := db.LastSuccess(ctx, job)
	if scored != nil {
		s.metrics.success(*scored)
		s.hub.rememberScores(*scored)
	}
	return err
}

// newest returns the newest record of a job, or nil.
func (s *Service) newest(ctx context.Context, job string) *connector.Run {
	ids, err := s.runIDs(ctx, job, 1)
	if err != nil || len(ids) == 0 {
		return nil
	}
	runs, err := s.runs(ctx, ids)
	if err != nil || len(runs) == 0 {
		return nil
	}
	return &runs[0]
}
