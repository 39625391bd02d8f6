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
	force                                  bool
	from, database, username, passwordFile string
	flag                                   string // that gives from; "" for --from
}

func (o *initOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.force, "force", false, "replace files that exist")
	f.StringVar(&o.from, "from", "", "look into the database at `URI`, and write a config with jobs for it")
	f.StringVar(&o.database, "database", "", "`NAME` of the database, with --from (or LINCHPIN_NEO4J_DATABASE)")
	f.StringVar(&o.username, "username", "", "`NAME` to log in with, with --from (or LINCHPIN_NEO4J_USERNAME)")
	f.StringVar(&o.passwordFile, "password-file", "",
		"`FILE` with the password, with --from (or LINCHPIN_NEO4J_PASSWORD_FILE, LINCHPIN_NEO4J_PASSWORD)")
}

func newInitCommand(a *app) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:     "init [FILE]",
		GroupID: groupSetup,
		Short:   "Write a commented config to start from",
		Long: `Writes a config with every setting explained, and next to it ` + schemaFile + `, from which editors
that speak the YAML language server complete and check it. FILE is what --config says unless given.

With --from it looks into a database first, and writes a config that runs as it is: one or two jobs for the most
promising relationships there, with comments on what it guessed. It reads counts and small samples, never
everything, and writes nothing to the database. The config never gets the password.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusInterrupted),
		Example: `  linchpin init
  linchpin init --from neo4j://localhost:7687
  linchpin init --from neo4j+s://graph.example.org --username reader --password-file secret nightly.yml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path := a.configPath
			if len(args) == 1 {
				path = args[0]
			}
			switch from := c.Flags().Changed("from"); {
			case path == "":
				return usagef("FILE is empty")
			case from:
				return runInitFrom(c.Context(), a, o, path)
			case o.database+o.username+o.passwordFile != "":
				return withHint(usagef("--database, --username and --password-file go with --from"), "add --from URI")
			}
			return runInit(a, o, path)
		},
	}
	o.addFlags(c.Flags())
	return c
}

func runInit(a *app, o initOptions, path string) error {
	next := fmt.Sprintf("now set neo4j and jobs in %s, then: linchpin validate --config %s", path, path)
	return a.writeConfig(path, config.Modeline("./"+schemaFile)+config.Example(), o.force, next)
}

// writeConfig writes a config and the schema next to it, and says so.
func (a *app) writeConfig(path, text string, replace bool, next string) error {
	if err := writeNew(path, text, replace); err != nil {
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
		fmt.Fprintf(a.stdout, "wrote %s and %s\n%s\n", path, schema, next)
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
