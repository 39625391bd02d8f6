package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/jobs"
)

// The exit statuses. Scripts rely on them: a number never changes its meaning.
const (
	statusDone        = 0
	statusFailed      = 1
	statusUsage       = 2
	statusUnfinished  = 3
	statusLocked      = 4
	statusUnreachable = 5
	statusNoGPU       = 6
	statusTooLarge    = 7
	statusInterrupted = 130
)

// statusMeaning says what each status means, for the help of every command.
func statusMeaning(status int) string {
	return map[int]string{
		statusDone:        "done, or nothing to do",
		statusFailed:      "failed: the data (bad weight, broken file, overflow) or the run",
		statusUsage:       "usage, config, unknown name, a property that is not ours or must be unique, no node selected, nothing to roll back to",
		statusUnfinished:  "the write was begun and not finished; the next run mends it",
		statusLocked:      "locked by another process, readers that do not end, or unchanged with --fail-if-skipped",
		statusUnreachable: "server unreachable, refused, or lost before the write",
		statusNoGPU:       "a GPU was demanded and there is none",
		statusTooLarge:    "would not fit into memory",
		statusInterrupted: "interrupted",
	}[status]
}

// exitSection returns the part of a command's help that lists how it can end.
func exitSection(statuses ...int) string {
	var b strings.Builder
	b.WriteString("\n\nEXIT STATUS")
	for _, s := range statuses {
		fmt.Fprintf(&b, "\n  %-4d %s", s, statusMeaning(s))
	}
	return b.String()
}

// exitStatus maps an error to the status that the process ends with. What matters most comes first: a write that was
// begun leaves the database mixed, whatever stopped it.
func exitStatus(err error) int {
	var usage *usageError
	var mistakes *config.Error
	var noGPU *gpu.Unavailable
	switch {
	case err == nil:
		return statusDone
	case errors.Is(err, jobs.ErrUnfinished):
		return statusUnfinished
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.As(err, &usage), errors.As(err, &mistakes):
		return statusUsage
	case errors.Is(err, errSkipped):
		return statusLocked
	case errors.As(err, &noGPU):
		return statusNoGPU
	}
	if r, _ := gpu.ReasonOf(err); r == gpu.TooLarge || r == gpu.OutOfMemory {
		return statusTooLarge
	}
	switch connector.KindOf(err) {
	case connector.UnknownName, connector.Empty, connector.NotOurs, connector.BadQuery, connector.NoWayBack:
		return statusUsage
	case connector.Locked, connector.Busy:
		return statusLocked
	case connector.Unreachable, connector.Lost:
		return statusUnreachable
	case connector.TooLarge:
		return statusTooLarge
	}
	return statusFailed
}
