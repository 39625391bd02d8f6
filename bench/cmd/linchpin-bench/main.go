// Command linchpin-bench measures linchpin's strategies side by side on the graphs of the literature, and makes the
// pages and pictures of bench/results. It is a module of its own, so that linchpin links no plotting.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/engine"
)

// version is set by the build.
var version = "unknown"

// The exit statuses, which are linchpin's.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusNoGPU       = 6
	statusInterrupted = 130
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := newCommand(&program{stdout: stdout, stderr: stderr})
	c.SetArgs(args)
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return asUsage(err) })
	err := c.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "linchpin-bench: %v\n", err)
	return exitStatus(ctx, err)
}

func exitStatus(ctx context.Context, err error) int {
	var usage *usageError
	var device *engine.Unavailable
	switch {
	case ctx.Err() != nil:
		return statusInterrupted
	case errors.As(err, &usage):
		return statusUsage
	case errors.As(err, &device):
		return statusNoGPU
	}
	return statusFailed
}

// usageError is a command line that cannot be followed.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

func asUsage(err error) error { return &usageError{err} }

// reason strips the operation and the path that file errors repeat.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// table returns a writer that aligns cells, which tabs end.
func table(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
