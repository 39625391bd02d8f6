package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/jobs"
)

func TestExitStatus(t *testing.T) {
	kind := func(k connector.Kind) error { return &connector.Error{Kind: k, Msg: "x"} }
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"nothing":                           {nil, 0},
		"anything":                          {errors.New("x"), 1},
		"bad data":                          {kind(connector.BadData), 1},
		"the GPU failed":                    {&engine.Failed{Reason: protocol.LaunchFailed}, 1},
		"time is up":                        {context.DeadlineExceeded, 1},
		"usage":                             {usagef("x"), 2},
		"config":                            {&config.Error{Mistakes: []config.Mistake{{}}}, 2},
		"unknown name":                      {kind(connector.UnknownName), 2},
		"selects nothing":                   {kind(connector.Empty), 2},
		"not ours":                          {kind(connector.NotOurs), 2},
		"no way back":                       {kind(connector.NoWayBack), 2},
		"a reader that lasts":               {kind(connector.Busy), 4},
		"unfinished":                        {fmt.Errorf("%w: %w", jobs.ErrUnfinished, kind(connector.Lost)), 3},
		"unfinished because interrupted":    {fmt.Errorf("%w: %w", jobs.ErrUnfinished, context.Canceled), 3},
		"locked":                            {kind(connector.Locked), 4},
		"skipped":                           {errSkipped, 4},
		"unreachable":                       {kind(connector.Unreachable), 5},
		"lost":                              {kind(connector.Lost), 5},
		"no GPU":                            {&engine.Unavailable{Reason: protocol.NoDriver}, 6},
		"too large":                         {kind(connector.TooLarge), 7},
		"too large for the device":          {&engine.Failed{Reason: protocol.TooLarge}, 7},
		"out of memory":                     {&engine.Failed{Reason: protocol.OutOfMemory}, 7},
		"interrupted":                       {context.Canceled, 130},
		"too large for a service":           {&serviceRunError{failure: jobs.TooLarge}, 7},
		"no GPU beside a service":           {&serviceRunError{failure: jobs.NoGPU}, 6},
		"unfinished in a service":           {&serviceRunError{failure: jobs.Unfinished}, 3},
		"what a later service may say":      {&serviceRunError{failure: "other"}, 1},
		"interrupted on the device":         {&engine.Failed{Reason: protocol.Cancelled}, 130},
		"interrupted while the server went": {&connector.Error{Kind: connector.Lost, Err: context.Canceled}, 130},
	} {
		for form, err := range map[string]error{
			"bare": c.err, "wrapped": wrap(c.err), "with a hint": withHint(wrap(c.err), "do"),
			"joined": errors.Join(wrap(c.err)),
		} {
			if got := exitStatus(err); got != c.want {
				t.Errorf("%s, %s: status %d, want %d", name, form, got, c.want)
			}
		}
	}
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("job: %w", err)
}

// TestHelpStatesStatuses walks every command: each says how it can end, with the meaning that exit.go gives, and each
// has a line on what it does.
func TestHelpStatesStatuses(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		own := c.Name() != "help" && c.Parent().Name() != "completion" // cobra's own
		if own && (!strings.Contains(c.Long, "EXIT STATUS\n  0    done") || c.Short == "") {
			t.Errorf("%s: no EXIT STATUS in its help", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	for _, c := range newRootCommand(&app{stdout: io.Discard, stderr: io.Discard}).Commands() {
		walk(c)
	}
}

func TestPrintError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("x"), "linchpin: x\n"},
		{withHint(errors.New("x"), "do y"), "linchpin: x\nhint: do y\n"},
		{fmt.Errorf("a: %w", &connector.Error{Msg: "x", Hint: "do y"}), "linchpin: a: x\nhint: do y\n"},
		{errors.Join(withHint(errors.New("x"), "do y"), errors.New("z")), "linchpin: x\nhint: do y\nlinchpin: z\n"},
		{fmt.Errorf("%w: %w", errors.New("x"), errors.New("y")), "linchpin: x: y\n"},
		{errors.Join(errors.Join(withHint(errors.New("x"), "a"), errors.New("y")), withHint(errors.New("z"), "c")),
			"linchpin: x\nhint: a\nlinchpin: y\nlinchpin: z\nhint: c\n"},
		{fmt.Errorf("no %w",
			&config.Error{Mistakes: []config.Mistake{{File: "f", Line: 1, Column: 2, Message: "x", Hint: "h"},
				{File: "f", Message: "y"}}}),
			"linchpin: f:1:2: x\nhint: h\nlinchpin: f: y\n"},
	} {
		var b bytes.Buffer
		printError(func(message, hint string) { printMessage(&b, message, hint) }, c.err)
		if b.String() != c.want {
			t.Errorf("got %q, want %q", b.String(), c.want)
		}
	}
}
