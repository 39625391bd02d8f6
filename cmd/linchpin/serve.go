package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/serve"
)

func newServeCommand(a *app) *cobra.Command {
	var recompute []string
	var listen string
	c := &cobra.Command{
		Use:     "serve",
		GroupID: groupDaily,
		Short:   "Run jobs when they are due, until told to stop, and show them on a page",
		Long: `Runs jobs by their schedules, after one another, when the graph changed, and on request; shows
them on a page; and answers /healthz, /readyz and /metrics. It waits for a database that is not
there yet. docs/service.md says more.

SIGTERM or Ctrl-C lets runs finish within serve.grace, then cancels them; a second one ends at once.
SIGHUP reads the config again; an invalid one is refused and the old one stays in force.` +
			exitSection(statusDone, statusFailed, statusUsage),
		Example: `  linchpin serve
  linchpin serve --config /etc/linchpin.yml --log-format json`,
		Args: func(c *cobra.Command, args []string) error {
			if err := noArgs(c, args); err != nil && c.Flags().Changed("recompute") {
				return withHint(err, "write --recompute="+args[0])
			} else if err != nil {
				return err
			}
			for _, flag := range []string{"listen", "recompute"} {
				if f := c.Flags().Lookup(flag); f.Changed && strings.Trim(f.Value.String(), "[]") == "" {
					return usagef("--%s is empty", flag)
				}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := a.loadServeConfig(listen)
			if err != nil {
				return err
			}
			names := jobNames(recompute, cfg)
			if _, err := findJobs(cfg, names); err != nil {
				return err
			}
			return runServe(c.Context(), a, cfg, listen, names)
		},
	}
	c.Flags().StringSliceVar(&recompute, "recompute", nil,
		"run these `JOBS` at once, whether or not anything changed; all of them without a value")
	c.Flags().Lookup("recompute").NoOptDefVal = everyJob
	c.Flags().StringVar(&listen, "listen", "", "`ADDRESS` to listen on, instead of serve.listen")
	return c
}

// everyJob stands for --recompute without a value.
const everyJob = "*"

func jobNames(given []string, c *config.Config) []string {
	if len(given) != 1 || given[0] != everyJob {
		return given
	}
	var all []string
	for _, j := range c.Jobs {
		all = append(all, j.Name)
	}
	return all
}

// loadServeConfig is loadConfig with --listen in force.
func (a *app) loadServeConfig(listen string) (*config.Config, error) {
	if listen != "" {
		if err := os.Setenv("LINCHPIN_SERVE_LISTEN", listen); err != nil { // so that its checks hold for the flag too
			return nil, err
		}
	}
	c, err := a.loadConfig()
	if mistakes := (*config.Error)(nil); listen != "" && errors.As(err, &mistakes) {
		for i, m := range mistakes.Mistakes {
			if m.Variable == "LINCHPIN_SERVE_LISTEN" {
				mistakes.Mistakes[i].Variable, mistakes.Mistakes[i].File = "", "--listen"
			}
		}
	}
	return c, err
}

func runServe(ctx context.Context, a *app, cfg *config.Config, listen string, recompute []string) error {
	logger := a.logger()
	logWarnings(logger, cfg)
	reload := make(chan struct{}, 1)
	hangup := make(chan os.Signal, 1)
	signal.Reset(syscall.SIGHUP) // which ends other commands
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	go func() {
		for range hangup {
			select {
			case reload <- struct{}{}:
			default: // one waits already
			}
		}
	}()
	defer close(hangup)
	devices := engine.Devices(ctx)
	nodes := a.newFleet(filepath.Join(cfg.State, "fleet"))
	local := engine.NewEngine(len(devices.Devices))
	return serve.Run(ctx, serve.Options{
		Config: cfg,
		Load: func() (*config.Config, error) {
			c, err := a.loadServeConfig(listen)
			if err == nil {
				logWarnings(logger, c)
			}
			return c, err
		},
		Open: func(ctx context.Context, c *config.Config) (serve.Database, error) {
			db, err := a.open(ctx, c)
			if err != nil {
				return nil, err // not a nil *neo4j.DB in an interface
			}
			return db, nil
		},
		Engine: &coordinator.Engine{Local: local, Fleet: nodes}, Fleet: nodes, GPUs: len(devices.Devices),
		Host: hostname(), Version: version, Memory: hostmem.Available, Now: time.Now, Logger: logger,
		Recompute: recompute, Reload: reload,
		Listening: func(address string) {
			if !a.quiet && isTerminal(a.stderr) {
				fmt.Fprintf(a.stderr, "linchpin: the page is at %s://%s\n", scheme(cfg),
					strings.Replace(address, "[::]", "localhost", 1))
			}
		},
	})
}

// logWarnings logs what may be wrong with a config.
func logWarnings(logger *slog.Logger, c *config.Config) {
	for _, w := range c.Warnings {
		logger.Warn(w.String(), "job", w.Job, "hint", w.Hint)
	}
	for _, j := range c.Jobs {
		for _, w := range jobs.ScheduleWarnings(j.Schedule, j.Timezone, time.Now()) {
			logger.Warn(w, "job", j.Name)
		}
	}
}

func scheme(c *config.Config) string {
	if c.Serve.Certificate != "" {
		return "https"
	}
	return "http"
}
