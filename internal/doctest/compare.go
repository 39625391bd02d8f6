package doctest

import (
	"regexp"
	"strings"
)

// varying is what differs from run to run: ids of runs, dates and times, durations, sizes of memory, and addresses.
var varying = regexp.MustCompile(`\b20\d{6}T\d{6}Z-[A-Z0-9]{8}\b` +
	`|\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?)?\b` +
	`|\b\d\d:\d\d(:\d\d)?\b` +
	`|\b\d+(\.\d+)? ?(ns|µs|ms|s|min|h)\b` +
	`|\b\d+(\.\d+)? ?[KMGT]?i?B\b` +
	`|\b(127\.0\.0\.1|localhost):\d+\b`)

var blanks = regexp.MustCompile(`[ \t]+`)

// A terminal shows each step of a run as a line (step). Without a terminal it is in the log (logged), next to others
// (log).
var (
	step   = regexp.MustCompile(`(?m)^\S+: (export|plan|compute|check|output|write) +~ `)
	logged = regexp.MustCompile(`(?m)^time=\S+ level=INFO msg=(\S+) job=(\S+) seconds=\S+ result="?(.*?)"?$`)
	log    = regexp.MustCompile(`(?m)^time=\S+ level=INFO .*\n`)
)

// Shows reports whether a command printed what the page shows. Times, sizes, addresses and the width of columns may
// differ. On the page, a line that is … stands for any number of lines, and … in a line for any text. A page may leave
// out the steps of runs, all of them.
func Shows(page, printed string) bool {
	page = settled(page)
	if step.MatchString(page) {
		printed = logged.ReplaceAllString(printed, "$2: $1 0s $3")
	}
	var pattern strings.Builder
	for line := range strings.Lines(page) {
		if line == "…\n" {
			pattern.WriteString(`(?:.*\n)*`)
			continue
		}
		for i, part := range strings.Split(strings.TrimSuffix(line, "\n"), "…") {
			if i > 0 {
				pattern.WriteString(".*")
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteByte('\n')
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(settled(log.ReplaceAllString(printed, "")))
}

// settled is a text without what varies, and without blank lines at its ends.
func settled(text string) string {
	var all strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		line = varying.ReplaceAllString(line, "~")
		all.WriteString(strings.TrimSpace(blanks.ReplaceAllString(line, " ")) + "\n")
	}
	return all.String()
}
