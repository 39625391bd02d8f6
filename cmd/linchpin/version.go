package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker: -X main.version=1.2.3. So is commit in a release, which is built without the
// repository.
var version, commit = "devel", "unknown"

// versionInfo says what this program was built from.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: groupSetup,
		Short:   "Say which linchpin this is",
		Long: `Prints the version, the commit it was built from, and what built it.` +
			exitSection(statusDone, statusUsage),
		Example: `  linchpin version
  linchpin version --json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := buildInfo()
			if a.json {
				return a.printJSON(v)
			}
			_, err := fmt.Fprintf(a.stdout, "linchpin %s\ncommit   %s\ngo       %s %s\n", v.Version, v.Commit, v.Go, v.Platform)
			return err
		},
	}
}

func buildInfo() versionInfo {
	v := versionInfo{Version: version, Commit: commit, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
