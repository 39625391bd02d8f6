package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// usageError is a command line that cannot be followed.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

func asUsage(err error) error {
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	return withHint(&usageError{err.Error()}, hintOf(err))
}

// flagReasons are words of Go's parsers that say nothing to the reader of a mistaken flag.
var flagReasons = regexp.MustCompile(`: (strconv\.\w+: parsing ".*"|time)(: )`)

// asFlagError is a mistake that cobra found on the command line of c.
func asFlagError(c *cobra.Command, err error) error {
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		return err
	}
	return withHint(usagef("%s", flagReasons.ReplaceAllString(err.Error(), "$2")),
		c.CommandPath()+" --help lists its flags")
}

// shown is an error that the command's own output tells of: all that is left of it is the exit status.
type shown struct{ error }

func (s shown) Unwrap() error { return s.error }

// hinted is an error with a hint at what to do.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// withHint adds a hint; without one, or without an error, it changes nothing.
func withHint(err error, hint string) error {
	if err == nil || hint == "" {
		return err
	}
	return &hinted{err, hint}
}

// printError tells the error, with the hint if there is one. A config has as many as it has mistakes.
func printError(tell func(message, hint string), err error) {
	var mistakes *config.Error
	if already := (shown{}); errors.As(err, &mistakes) && !errors.As(err, &already) {
		for _, m := range mistakes.Mistakes {
			tell(m.String(), m.Hint)
		}
		return
	}
	for _, e := range joined(err) {
		message := e.Error()
		if already := (shown{}); errors.As(e, &already) && !errors.Is(e, context.Canceled) {
			continue
		}
		if errors.Is(e, context.Canceled) {
			message = strings.ReplaceAll(message, context.Canceled.Error(), "interrupted")
		}
		tell(message, hintOf(e))
	}
}

// joined returns the parts of what errors.Join made, those of its parts in their place; or the error alone.
func joined(err error) []error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(many.Unwrap()...).Error() != err.Error() {
		return []error{err}
	}
	var all []error
	for _, e := range many.Unwrap() {
		all = append(all, joined(e)...)
	}
	return all
}

// tell writes a message, and the hint if there is one, in a line each, or as one line of a log in JSON.
func (a *app) tell(level slog.Level, message, hint string) {
	if a.logFormat == "json" {
		var more []any
		if hint != "" {
			more = append(more, "hint", hint)
		}
		a.logger().Log(context.Background(), level, message, more...)
		return
	}
	if level == slog.LevelWarn {
		message = "warning: " + message
	}
	printMessage(a.stderr, message, hint)
}

func printMessage(w io.Writer, message, hint string) {
	fmt.Fprintf(w, "linchpin: %s\n", message)
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
}

func hintOf(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.hint
	}
	return jobs.HintOf(err)
}

// plainReason strips the operation and the path that fs errors repeat.
func plainReason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
