package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// newest returns the status of the newest run of the job that began at or after the time; "" if there is none.
func (r *rig) newest(j job, since time.Time) string {
	r.t.Helper()
	rows := r.cypher("MATCH (r:LinchpinRun {job: $job}) WHERE r.started >= $since RETURN r.status "+
		"ORDER BY r.started DESC LIMIT 1",
		map[string]any{"job": j.name(), "since": since.UTC()})
	if len(rows) == 0 {
		return ""
	}
	return rows[0][0].(string)
}

// afterFault looks at what a run that a fault fell into has left, and how it ended: before it there were other scores
// than the graph has now.
func (r *rig) afterFault(j job, e ended, since time.Time, before, want scores) (wrong []string) {
	r.t.Helper()
	record, shown := r.newest(j, since), r.read(j)
	old, now := shown.differ(before) == "", shown.differ(want) == ""
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	switch e.status {
	case 0:
		if record != "succeeded" || !now {
			bad("exit status 0, and the record says %q, scores: %s", record, shown.differ(want))
		}
	case 3:
		if record != "unfinished" && record != "succeeded" {
			bad("exit status 3, and the record says %q", record)
		}
	case 5, 7:
		if !old {
			bad("exit status %d, and scores have changed: %s", e.status, shown.differ(before))
		}
		if record == "succeeded" {
			bad("exit status %d, and the record says %q", e.status, record)
		}
	case -1: // killed
	default:
		bad("exit status %d", e.status)
	}
	if j.mode != "inplace" && !old && !now {
		bad("mixed scores are shown: not the old ones (%s), not the new ones (%s)", shown.differ(before), shown.differ(want))
	}
	if e.status > 0 {
		wrong = append(wrong, badMessage(e.stderr)...)
	}
	for _, row := range r.cypher("MATCH (l:LinchpinLock {name: $job}) WHERE l.until - timestamp() > 45000 "+
		"RETURN l.owner, l.until - timestamp()",
		map[string]any{"job": j.name()}) {
		bad("a lock for %v ms more, of %v", row[1], row[0])
	}
	return wrong
}

// badMessage says what is wrong with what a failed run wrote: one line on what happened, and at most one hint. What was
// refused before the first contact names no job.
func badMessage(text string) (wrong []string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !strings.HasPrefix(lines[0], "linchpin: ") || len(lines) > 2 || len(lines) == 2 &&
		!strings.HasPrefix(lines[1], "hint: ") {
		wrong = append(wrong, fmt.Sprintf("not one line and a hint: %q", text))
	}
	for _, line := range lines {
		if len(line) > 600 {
			wrong = append(wrong, fmt.Sprintf("a line of %d bytes: %q", len(line), line))
		}
	}
	return wrong
}

// afterRerun looks at what is left when the job has succeeded again: the scores that the graph has, and nothing else.
func (r *rig) afterRerun(j job, e ended, want scores) (wrong []string) {
	r.t.Helper()
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if e.status != 0 {
		bad("rerun: exit status %d: %s", e.status, e.stderr)
		return wrong
	}
	if d := r.read(j).differ(want); d != "" {
		bad("rerun: %s", d)
	}
	r.shown[j.name()] = want
	return append(wrong, r.leftBehind(j)...)
}

// leftBehind looks for locks, records and files that should have gone when the job succeeded.
func (r *rig) leftBehind(j job) (wrong []string) {
	r.t.Helper()
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	job := map[string]any{"job": j.name()}
	if r.locked(j) {
		// The run had succeeded and could not say so any more: the rerun found nothing to do. One that has something to do
		// takes the lock of the process that is gone, and gives it back.
		if e := r.run(r.config(j, r.direct(), retry), j, "--recompute"); e.status != 0 || r.locked(j) {
			bad("rerun: a lock is left, exit status %d: %s", e.status, e.stderr)
		}
	}
	rows := r.cypher("MATCH (r:LinchpinRun {job: $job}) RETURN r.status ORDER BY r.started DESC", job)
	for i, row := range rows {
		if row[0] == "running" || i == 0 && row[0] != "succeeded" {
			bad("rerun: record %d says %v", i, row[0])
		}
	}
	for _, row := range r.cypher("MATCH (x:LinchpinRun|LinchpinProperty) "+
		"WHERE COUNT { (x)-[:OF]->(:LinchpinJob) } <> 1 RETURN labels(x), properties(x)", nil) {
		bad("rerun: an orphan: %v %v", row[0], row[1])
	}
	left, err := filepath.Glob(filepath.Join(r.dir, "state", "jobs", j.name(), "*.tmp"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range left {
		// Half-written files of killed processes go when they are an hour old: that is now, for the next run.
		info, err := os.Stat(file)
		if err != nil {
			r.t.Fatal(err)
		}
		if time.Since(info.ModTime()) > time.Hour {
			bad("rerun: a temporary file is left: %s", filepath.Base(file))
		}
		long := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(file, long, long); err != nil {
			r.t.Fatal(err)
		}
	}
	return wrong
}

func (r *rig) locked(j job) bool {
	r.t.Helper()
	return len(r.cypher("MATCH (l:LinchpinLock {name: $job}) WHERE l.until IS NOT NULL OR l.token IS NOT NULL RETURN l",
		map[string]any{"job": j.name()})) > 0
}

// drop removes the jobs, and looks for anything of linchpin that is still there.
func (r *rig) drop(all []job) {
	r.t.Helper()
	for _, j := range all {
		cmd, stderr := r.command(r.config(j, r.direct(), retry), "drop", "--quiet", j.name())
		if err := cmd.Run(); err != nil {
			r.t.Errorf("drop %s: %v\n%s", j.name(), err, stderr)
		}
	}
	r.nothingLeft()
}

// nothingLeft looks for anything of linchpin in the database.
func (r *rig) nothingLeft() {
	r.t.Helper()
	for _, query := range []string{
		"MATCH (x) WHERE NOT x:N RETURN labels(x), properties(x)",
		"MATCH (x:N) WHERE any(p IN keys(x) WHERE p <> 'i') RETURN labels(x), properties(x)",
		"MATCH ()-[x]->() WHERE type(x) <> 'E' OR any(p IN keys(x) WHERE p <> 'k') RETURN type(x), properties(x)",
	} {
		if left := r.cypher(query+" LIMIT 3", nil); len(left) > 0 {
			r.t.Errorf("drop has left %v", left)
		}
	}
}
