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

// Shows reports whether a command printed what the page shows. Times, sizes, addresses and the width of columns may differ. On
// the page, a line that is … stands for any number of lines, and … in a line for any text.
func Shows(page, printed string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(settled(page)) {
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
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(settled(printed))
}

// journal is a line of the log, which a terminal shows as progress instead.
var journal = regexp.MustCompile(`(?m)^time=\S+ level=INFO .*\n`)

// settled is a text without what varies, without the log, and without blank lines at its ends.
func settled(text string) string {
	var all strings.Builder
	for line := range strings.Lines(strings.Trim(journal.ReplaceAllString(text, ""), "\n") + "\n") {
		line = varying.ReplaceAllString(line, "~")
		all.WriteString(strings.TrimSpace(blanks.ReplaceAllString(line, " ")) + "\n")
	}
	return all.String()
}
