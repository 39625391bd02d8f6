package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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

// exitMeaning says what one status means.
type exitMeaning struct {
	status int
	// short is for the help of commands. details are for the table, one case each.
	short   string
	details []string
}

// exitMeanings is the one table of all statuses: the help of each command, linchpin help exit and the reference read
// it.
func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{statusDone, "done, or nothing to do", []string{"the graph is unchanged since the last run"}},
		{statusFailed, "failed", []string{"a bad weight, a broken file, an overflow", "a graph over the job's limits",
			"a run that took longer than its timeout"}},
		{statusUsage, "wrong usage, config or name",
			[]string{"an unknown flag, a mistake in the config, an unknown label or property",
				"a score property that is not linchpin's, or that must be unique", "no node selected, or an empty database",
				"nothing to roll back to, or no scores yet", "parts of a run that do not belong together, or are missing"}},
		{statusUnfinished, "write begun, not finished",
			[]string{"the database has scores of two runs; the next run repairs that"}},
		{statusLocked, "locked", []string{"another process runs the job",
			"readers that do not end, under write.mode ab or stamp", "unchanged, with --fail-if-skipped"}},
		{statusUnreachable, "server unreachable", []string{"no answer, a wrong password, or missing rights",
			"the connection was lost before the write"}},
		{statusNoGPU, "no GPU", []string{"device: gpu, and there is none", "parts that leave work to a GPU"}},
		{statusTooLarge, "does not fit into memory", []string{"the graph, or the server's memory for transactions"}},
		{statusInterrupted, "interrupted", []string{"Ctrl-C, SIGTERM or a closed terminal"}},
	}
}

func statusMeaning(status int) string {
	for _, m := range exitMeanings() {
		if m.status == status {
			return m.short
		}
	}
	return ""
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

func newExitTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(
		"A script can tell how a command ended by its exit status. A number never changes its meaning.\n\nEXIT STATUS",
	)
	for _, m := range exitMeanings() {
		fmt.Fprintf(&b, "\n  %-4d %s\n", m.status, m.short)
		for _, detail := range m.details {
			fmt.Fprintf(&b, "         %s\n", detail)
		}
	}
	return &cobra.Command{Use: "exit", Short: "What the exit statuses mean", Long: strings.TrimSuffix(b.String(), "\n")}
}
