package main

import (
	"fmt"

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
		Use:   "validate",
		Short: "Check the config and report every mistake",
		Long: `Checks the config file and the environment without asking a server, and reports every mistake at once,
each with its line and a hint.` + exitSection(statusDone, statusUsage),
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
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Config string `json:"config"`
			Valid  bool   `json:"valid"`
			Jobs   int    `json:"jobs"`
		}{a.configPath, true, len(c.Jobs)})
	}
	if !a.quiet {
		fmt.Fprintf(a.stdout, "%s is valid: %s\n", a.configPath, counted(len(c.Jobs), "job"))
	}
	return nil
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
