package main

import (
	"errors"
	"fmt"
	"strings"

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
	var elsewhere *serviceRunError
	failure := jobs.FailureOf(err)
	switch {
	case failure == jobs.Unfinished || failure == jobs.Interrupted:
	case errors.As(err, &usage):
		return statusUsage
	case errors.Is(err, errSkipped):
		return statusLocked
	case errors.As(err, &elsewhere):
		failure = elsewhere.failure
	}
	return failureStatus(failure)
}

func failureStatus(f jobs.Failure) int {
	switch f {
	case "":
		return statusDone
	case jobs.Unfinished:
		return statusUnfinished
	case jobs.Interrupted:
		return statusInterrupted
	case jobs.Misused:
		return statusUsage
	case jobs.Locked:
		return statusLocked
	case jobs.Unreachable:
		return statusUnreachable
	case jobs.NoGPU:
		return statusNoGPU
	case jobs.TooLarge:
		return statusTooLarge
	}
	return statusFailed
}
