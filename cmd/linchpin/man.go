package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		GroupID: groupSetup,
		Short:   "Write the manual pages into a folder",
		Long: `Writes one manual page a command into DIR, which is made if need be.` +
			exitSection(statusDone, statusFailed, statusUsage),
		Hidden:  true,
		Example: `  linchpin man /usr/local/share/man/man1`,
		Args:    oneArg("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := newRootCommand(a)
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "LINCHPIN", Section: "1", Source: "linchpin " + version, Manual: "linchpin"}
			return doc.GenManTree(root, header, args[0])
		},
	}
}
