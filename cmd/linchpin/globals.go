package main

import (
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// globals are the flags of every command.
type globals struct {
	configPath string
	json       bool
	quiet      bool
	verbose    bool
	logFormat  string
}

func (g *globals) addFlags(f *pflag.FlagSet) {
	path := os.Getenv("LINCHPIN_CONFIG")
	if path == "" {
		path = "linchpin.yml"
	}
	f.StringVar(&g.configPath, "config", path, "config `FILE` (or LINCHPIN_CONFIG)")
	f.BoolVar(&g.json, "json", false, "print one JSON value to standard output")
	f.BoolVar(&g.quiet, "quiet", false, "no progress, only warnings and errors")
	f.BoolVar(&g.verbose, "verbose", false, "log details")
	f.StringVar(&g.logFormat, "log-format", "text", "form of log lines, `text|json`")
}

func (g *globals) check() error {
	formats := []string{"text", "json"}
	switch {
	case !slices.Contains(formats, g.logFormat):
		return withHint(usagef("--log-format %q", g.logFormat), nearest.DidYouMean(g.logFormat, formats))
	case g.configPath == "":
		return usagef("--config names no file")
	case g.quiet && g.verbose:
		return usagef("--quiet and --verbose exclude one another")
	}
	return nil
}

// loadJobs is loadConfig for commands about the jobs of these names: a mistake in one job does not stop commands about
// others. The config has the jobs without mistakes; mistakes of jobs that are not named are printed as warnings.
func (a *app) loadJobs(names ...string) (*config.Config, error) {
	c, err := a.loadConfig()
	var mistakes *config.Error
	if !errors.As(err, &mistakes) || mistakes.Rest == nil {
		return c, err
	}
	c = mistakes.Rest
	named := map[config.Mistake]bool{}
	for _, name := range names {
		if broken := c.Broken[name]; broken != nil {
			for _, m := range broken.Mistakes {
				named[m] = true
			}
		}
	}
	for _, m := range mistakes.Mistakes {
		if !named[m] {
			a.warn(m)
		}
	}
	return c, checkMemoryLimit()
}

// warn prints a warning about the config, unless --quiet is given.
func (a *app) warn(m config.Mistake) {
	if !a.quiet {
		a.tell(slog.LevelWarn, m.String(), m.Hint)
	}
}

// loadConfig reads the config file that --config names, and checks the environment.
func (a *app) loadConfig() (*config.Config, error) {
	c, err := config.Load(a.configPath, configChecks())
	if err != nil {
		return nil, err
	}
	return c, checkMemoryLimit()
}

// checkMemoryLimit checks the environment variable that bounds memory.
func checkMemoryLimit() error {
	if _, err := hostmem.Available(); err != nil {
		return asUsage(err)
	}
	return nil
}

func configChecks() config.Checks {
	return config.Checks{
		Schedule: func(line, timezone string) error {
			_, err := jobs.ParseSchedule(line, timezone)
			return err
		},
		Properties: func(mode, score string) []string { return connector.Mode(mode).Properties(score) },
		Output: func(name string) (string, error) {
			_, err := file.FormatOf(name)
			return hintOf(err), err
		},
	}
}

// findJobs returns the jobs of these names, in this order.
func findJobs(c *config.Config, names []string) ([]config.Job, error) {
	var all []string
	byName := map[string]config.Job{}
	for _, j := range c.Jobs {
		all, byName[j.Name] = append(all, j.Name), j
	}
	var out []config.Job
	for _, name := range names {
		j, ok := byName[name]
		if mistakes := c.Broken[name]; mistakes != nil {
			return nil, mistakes
		}
		if !ok {
			return nil, withHint(usagef("no job %q in the config", name), nearest.DidYouMean(name, all))
		}
		out = append(out, j)
	}
	return out, nil
}

// logger writes to standard error, in the form and detail that the flags ask for.
func (a *app) logger() *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	switch {
	case a.quiet:
		o.Level = slog.LevelWarn
	case a.verbose:
		o.Level = slog.LevelDebug
	}
	if strings.EqualFold(a.logFormat, "json") {
		return slog.New(slog.NewJSONHandler(a.stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.stderr, o))
}
