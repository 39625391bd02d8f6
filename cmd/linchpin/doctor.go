package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/gpu"
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
		Use:   "doctor",
		Short: "Look at everything that a run needs, and say what is missing",
		Long: `Looks at the config, the database, what the jobs select there, the state folder, memory and
devices, and says what a run would stumble over. Nothing is written to the database.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusInterrupted),
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), a) },
	}
}

func runDoctor(ctx context.Context, a *app) error {
	findings := a.examine(ctx)
	var failed error
	for _, f := range findings {
		if f.Level == "failed" && failed == nil {
			failed = withHint(fmt.Errorf("%s: %w", f.What, f.err), f.Hint)
		}
	}
	if a.json {
		return errors.Join(failed, a.printJSON(findings))
	}
	t := &table{header: []string{"", "WHAT", "FOUND"}}
	for _, f := range findings {
		t.add(f.Level, f.What, f.Detail)
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
	findings := append([]finding{examineMemory()}, examineDevices(gpu.Devices(ctx))...)
	c, err := a.loadConfig()
	if err != nil {
		return append(findings, bad("config", err))
	}
	findings = append(findings, ok("config", "%s, %s", a.configPath, counted(len(c.Jobs), "job")), examineState(c))
	db, err := a.open(ctx, c)
	if err != nil {
		return append(findings, bad("database", err))
	}
	defer db.Close(context.WithoutCancel(ctx))
	s := db.Server()
	findings = append(findings, ok("database", "Neo4j %s %s at %s, database %s", s.Version, s.Edition, s.Address, s.Database))
	if err := db.CheckWritable(ctx); err != nil {
		findings = append(findings, bad("database", err))
	}
	for _, job := range c.Jobs {
		counts, err := db.Estimate(ctx, jobs.Projection(job.Graph))
		if err != nil {
			findings = append(findings, bad("job "+job.Name, err))
			continue
		}
		findings = append(findings, ok("job "+job.Name, "selects %s, %s", counted(int(counts.Nodes), "node"), counted(int(counts.Relationships), "relationship")))
		if counts.Relationships == 0 {
			findings = append(findings, finding{What: "job " + job.Name, Level: "warning", Detail: "no relationship: every score would be that of a node alone"})
		}
		if job.ChangeQuery != "" {
			if _, err := db.FirstValue(ctx, job.ChangeQuery); err != nil {
				findings = append(findings, bad("job "+job.Name, err))
			}
		}
		warnings, err := db.CheckProperties(ctx, jobs.Ownership(job))
		for _, w := range warnings {
			findings = append(findings, finding{What: "job " + job.Name, Level: "warning", Detail: w})
		}
		if err != nil {
			findings = append(findings, bad("job "+job.Name, err))
		}
	}
	return findings
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
	if err := os.MkdirAll(c.State, 0o700); err != nil {
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
