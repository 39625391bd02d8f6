package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
)

// schemaFile is what init calls the editor schema, beside the config.
const schemaFile = "linchpin.schema.json"

type initOptions struct {
	force bool
}

func (o *initOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.force, "force", false, "replace files that exist")
}

func newInitCommand(a *app) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented config to start from",
		Long: `Writes a config with every setting explained, and next to it ` + schemaFile + `, from which editors
that speak the YAML language server complete and check it. FILE is what --config says unless given.` +
			exitSection(statusDone, statusFailed, statusUsage),
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := a.configPath
			if len(args) == 1 {
				path = args[0]
			}
			return runInit(a, o, path)
		},
	}
	o.addFlags(c.Flags())
	return c
}

func runInit(a *app, o initOptions, path string) error {
	if path == "" {
		return usagef("FILE is empty")
	}
	if err := writeNew(path, config.Modeline("./"+schemaFile)+config.Example(), o.force); err != nil {
		return err
	}
	// The schema belongs to the program, not to the user: a newer one replaces it.
	schema := filepath.Join(filepath.Dir(path), schemaFile)
	if err := writeNew(schema, config.Schema(), true); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Config string `json:"config"`
			Schema string `json:"schema"`
		}{path, schema})
	}
	if !a.quiet {
		fmt.Fprintf(a.stdout, "wrote %s and %s\nnow set neo4j and jobs in %s, then: linchpin validate --config %s\n", path, schema, path, path)
	}
	return nil
}

// writeNew writes a file that only the user can read, for it may come to hold a password.
func writeNew(path, text string, replace bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if replace {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return withHint(usagef("%s exists", path), "--force replaces it")
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
