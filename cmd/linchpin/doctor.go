package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

// finding is one thing that doctor looked at.
type finding struct {
	What string `json:"what"`
	// Level is ok, warning or failed.
	Level  string `json:"level"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
	err    error
}

func newDoctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		GroupID: groupSetup,
		Short:   "Look at everything that a run needs, and say what is missing",
		Long: `Looks at the config, the database, what the jobs select there, the state folder, memory and
devices, and says what a run would stumble over. A small graph is read as a run reads it; of a larger one
(half a million nodes and relationships) the first part is looked at. Nothing is written to the database.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusNoGPU, statusInterrupted),
		Example: `  linchpin doctor
  linchpin doctor --json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), a) },
	}
}

func runDoctor(ctx context.Context, a *app) error {
	findings := a.examine(ctx)
	var failed error
	for _, f := range findings {
		if f.Level == "failed" && failed == nil {
			failed = shown{fmt.Errorf("%s: %w", f.What, f.err)}
		}
	}
	if a.json {
		return errors.Join(failed, a.printJSON(findings))
	}
	t := &table{header: []string{"", "WHAT", "FOUND"}}
	for _, f := range findings {
		t.add(f.Level, f.What, f.Detail)
		if f.Hint != "" {
			t.add("", "", "hint: "+f.Hint)
		}
	}
	return errors.Join(t.print(a.stdout), failed)
}

func ok(what, format string, args ...any) finding {
	return finding{What: what, Level: "ok", Detail: fmt.Sprintf(format, args...)}
}

func bad(what string, err error) finding {
	return finding{What: what, Level: "failed", Detail: err.Error(), Hint: hintOf(err), err: err}
}

// examine looks at one thing after the other; what depends on something that failed is left out.
func (a *app) examine(ctx context.Context) []finding {
	devices := engine.Devices(ctx)
	findings := append([]finding{examineMemory()}, examineDevices(devices)...)
	c, ofConfig := a.examineConfig()
	findings = append(findings, ofConfig...)
	if c == nil {
		return findings
	}
	findings = append(findings, examineState(c))
	findings = append(findings, examineDemands(c, devices)...)
	db, err := a.open(ctx, c)
	if err != nil {
		return append(findings, bad("database", err))
	}
	defer db.Close(context.WithoutCancel(ctx))
	s := db.Server()
	findings = append(findings,
		ok("database", "Neo4j %s %s at %s, database %s", s.Version, s.Edition, s.Address, s.Database))
	if err := db.CheckWritable(ctx); err != nil {
		findings = append(findings, readOnly(c, err))
	}
	runner := a.runner(c, db, newReporter(a))
	for _, job := range c.Jobs {
		findings = append(findings, examineJob(ctx, db, runner, job)...)
	}
	return findings
}

// readOnly is what doctor says of a database that may only be read: enough for jobs that write files alone.
func readOnly(c *config.Config, err error) finding {
	f := bad("database", err)
	if !slices.ContainsFunc(c.Jobs, func(j config.Job) bool { return j.Write.Mode != config.NoMode }) {
		f.Level, f.Hint = "warning", "the jobs write files alone; they will have neither lock nor record"
	}
	return f
}

// examineConfig returns the config without jobs that have mistakes, or nil if nothing of it can be used.
func (a *app) examineConfig() (*config.Config, []finding) {
	var findings []finding
	c, err := a.loadConfig()
	var mistakes *config.Error
	switch {
	case errors.As(err, &mistakes):
		for _, m := range mistakes.Mistakes {
			findings = append(findings, finding{What: "config", Level: "failed", Detail: m.String(), Hint: m.Hint, err: err})
		}
		if c = mistakes.Rest; c == nil {
			return nil, findings
		}
	case err != nil:
		return nil, []finding{bad("config", err)}
	default:
		findings = append(findings, ok("config", "%s, %s", a.configPath, counted(len(c.Jobs), "job")))
	}
	for _, w := range c.Warnings {
		findings = append(findings, finding{What: "job " + w.Job, Level: "warning", Detail: w.String(), Hint: w.Hint})
	}
	return c, findings
}

// examineJob looks at what the job selects, as far as that is quick. It says ok about a job that would run.
func examineJob(ctx context.Context, db *neo4j.DB, runner *jobs.Runner, job config.Job) []finding {
	what := "job " + job.Name
	e, err := runner.Survey(ctx, db, job)
	if err != nil {
		return []finding{bad(what, err)}
	}
	var found []finding
	for _, problem := range e.Problems {
		found = append(found, bad(what, problem))
	}
	if job.ChangeQuery != "" {
		if _, err := db.FirstValue(ctx, job.ChangeQuery); err != nil {
			found = append(found, bad(what, err))
		}
	}
	for _, path := range jobs.OutputPaths(job, time.Now()) {
		if err := file.CheckPath(path); err != nil {
			found = append(found, bad(what, err))
		}
	}
	warnings, err := db.CheckProperties(ctx, jobs.Ownership(job))
	if err != nil {
		found = append(found, bad(what, err))
	}
	if len(found) == 0 {
		found = append(found, ok(what, "%s", selection(e)))
	}
	for _, w := range append(e.Warnings, warnings...) {
		found = append(found, finding{What: what, Level: "warning", Detail: w})
	}
	return found
}

// selection says how large a job's graph is, and how that is known where it is not counted.
func selection(e *jobs.Estimate) string {
	text := fmt.Sprintf("selects %s, %s", counted(int(e.Nodes), "node"), counted(int(e.Relationships), "relationship"))
	if !e.Exact {
		text = fmt.Sprintf("selects about %s, about %s", counted(int(e.Nodes), "node"),
			counted(int(e.Relationships), "relationship"))
	}
	return strings.Join(append([]string{text}, e.Notes...), "; ")
}

func examineMemory() finding {
	free, err := hostmem.Available()
	if err != nil {
		return bad("memory", err)
	}
	return ok("memory", "%s free", hostmem.FormatBytes(free))
}

// examineState tries to write into the state folder.
func examineState(c *config.Config) finding {
	if err := jobs.PrivateFolder(c.State); err != nil {
		return bad("state folder", err)
	}
	f, err := os.CreateTemp(c.State, "doctor-*")
	if err != nil {
		return bad("state folder", err)
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return bad("state folder", err)
	}
	path, err := filepath.Abs(c.State)
	if err != nil {
		path = c.State
	}
	return ok("state folder", "%s can be written", path)
}
