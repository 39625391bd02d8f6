package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
)

type validateOptions struct {
	schema bool
}

func (o *validateOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.schema, "schema", false, "print the JSON schema of the config, for editors, and do nothing else")
}

func newValidateCommand(a *app) *cobra.Command {
	var o validateOptions
	c := &cobra.Command{
		Use:     "validate",
		GroupID: groupSetup,
		Short:   "Check the config and report every mistake",
		Long: `Checks the config file and the environment without asking a server, and reports every mistake at once,
each with its line and a hint.` + exitSection(statusDone, statusUsage),
		Example: `  linchpin validate
  linchpin validate --config nightly.yml
  linchpin validate --schema > linchpin.schema.json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runValidate(a, o) },
	}
	o.addFlags(c.Flags())
	return c
}

func runValidate(a *app, o validateOptions) error {
	if o.schema {
		_, err := fmt.Fprint(a.stdout, config.Schema())
		return err
	}
	c, err := a.loadConfig()
	if a.json {
		return errors.Join(err, a.printJSON(validity(a.configPath, c, err)))
	}
	if err != nil {
		return err
	}
	for _, w := range c.Warnings {
		a.warn(w.Mistake)
	}
	a.warnOfOutputs(c)
	if !a.quiet {
		fmt.Fprintf(a.stdout, "%s is valid: %s\n", a.configPath, counted(len(c.Jobs), "job"))
	}
	return nil
}

// validateResult is what validate --json prints.
type validateResult struct {
	Config   string    `json:"config"`
	Valid    bool      `json:"valid"`
	Jobs     int       `json:"jobs"`
	Mistakes []mistake `json:"mistakes,omitempty"`
	Warnings []mistake `json:"warnings,omitempty"`
}

type mistake struct {
	Where   string `json:"where"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func validity(path string, c *config.Config, err error) validateResult {
	if err == nil {
		out := validateResult{Config: path, Valid: true, Jobs: len(c.Jobs)}
		for _, w := range c.Warnings {
			out.Warnings = append(out.Warnings, reported(w.Mistake))
		}
		return out
	}
	out := validateResult{Config: path}
	var all *config.Error
	if !errors.As(err, &all) {
		out.Mistakes = []mistake{{Where: "environment", Message: err.Error(), Hint: hintOf(err)}}
		return out
	}
	for _, m := range all.Mistakes {
		out.Mistakes = append(out.Mistakes, reported(m))
	}
	return out
}

// reported separates where a mistake is from what it is.
func reported(m config.Mistake) mistake {
	bare := m
	bare.Message = ""
	return mistake{strings.TrimSuffix(bare.String(), ": "), m.Message, m.Hint}
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
