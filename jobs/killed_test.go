package jobs

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

// A service that is killed leaves a record of every due time up to the newest that it recorded, so that the next one
// knows what is left. A run has no record of its own before it computes: later due times overtake it.
func TestKilledServiceLosesNoDueTime(t *testing.T) {
	overlap := func(policy string) func(*config.Job) { return func(j *config.Job) { j.Overlap = policy } }
	for name, c := range map[string]struct {
		new      bool
		change   func(*config.Job)
		at       string // of the kill
		left     []string
		expected []string
	}{
		"of a new job": {true, overlap("skip"), "00:00:15", []string{"a waiting schedule 01-01 00:00:10"},
			[]string{"a missed misfire 01-01 00:00:20 to 01-01 00:00:20 x1",
				"a missed schedule 01-01 00:00:10 to 01-01 00:00:10 x1", "a succeeded misfire 01-01 00:00:30"}},
		"nothing is recorded since": {false, overlap("skip"), "00:00:15", nil,
			[]string{"a missed misfire 01-01 00:00:10 to 01-01 00:00:20 x2", "a succeeded misfire 01-01 00:00:30"}},
		"one was skipped": {false, overlap("skip"), "00:00:25",
			[]string{"a skipped schedule 01-01 00:00:20", "a waiting schedule 01-01 00:00:10"},
			[]string{"a missed schedule 01-01 00:00:10 to 01-01 00:00:10 x1", "a skipped schedule 01-01 00:00:20",
				"a succeeded misfire 01-01 00:00:30"}},
		"one waits, one was skipped": {false, overlap("queue"), "00:00:34",
			[]string{"a skipped schedule 01-01 00:00:30", "a waiting schedule 01-01 00:00:10",
				"a waiting schedule 01-01 00:00:20"},
			[]string{"a missed schedule 01-01 00:00:10 to 01-01 00:00:10 x1",
				"a missed schedule 01-01 00:00:20 to 01-01 00:00:20 x1", "a skipped schedule 01-01 00:00:30"}},
		"the older was cancelled": {false, overlap("cancel"), "00:00:34",
			[]string{"a cancelled schedule 01-01 00:00:10", "a cancelled schedule 01-01 00:00:20"},
			[]string{"a cancelled schedule 01-01 00:00:10", "a cancelled schedule 01-01 00:00:20",
				"a succeeded misfire 01-01 00:00:30"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := &book{}
				if !c.new {
					found.runs = map[string]connector.Run{"old": {ID: "old", Job: "a", Status: connector.Succeeded, Due: time.Now()}}
				}
				first := newRig(t, found, SchedulerOptions{})
				first.takes = func(string) (time.Duration, error) { return 25 * time.Second, nil }
				job := at("a", "*/10 * * * * *", c.change)
				first.start(job)
				sleepUntil("2000-01-01 " + c.at)
				b := first.book.copy()
				want(t, since(b.lines()), c.left...)
				sleepUntil("2000-01-01 00:00:36")
				second := newRig(t, b, SchedulerOptions{})
				second.start(job)
				sleepUntil("2000-01-01 00:00:38")
				want(t, since(second.stop()), c.expected...)
				first.stop()
			})
		})
	}
}

// since are the records of the due times after the oldest, in the order of the alphabet.
func since(lines []string) []string {
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "00:00:00") })
	slices.Sort(lines)
	return lines
}

// Whenever the service is killed, every due time up to the newest that has a record has one too: with runs that stand
// in line, that jitter puts in another order, and while the database is away and comes back.
func TestRecordsHaveNoGapAtAnyTime(t *testing.T) {
	for _, policy := range []string{"skip", "queue", "cancel"} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				r := newRig(t, &book{}, SchedulerOptions{Running: 1})
				r.takes = func(string) (time.Duration, error) { return 17 * time.Second, nil }
				r.start(at("a", "*/10 * * * * *", func(j *config.Job) { j.Overlap, j.Jitter = policy, 45*time.Second }),
					at("b", "*/10 * * * * *", func(j *config.Job) { j.Overlap = policy }))
				for second := 0; second < 600 && !t.Failed(); second++ {
					time.Sleep(time.Second)
					r.book.mu.Lock()
					r.book.down = second%200 > 100 && second%200 < 170
					r.book.mu.Unlock()
					for _, job := range []string{"a", "b"} {
						checkNoGap(t, r.book.copy(), job, began)
					}
				}
				r.stop()
				for id, run := range r.book.runs {
					if run.Status == connector.Waiting {
						t.Errorf("%s waits for ever", id)
					}
				}
			})
		})
	}
}

func checkNoGap(t *testing.T, b *book, job string, began time.Time) {
	t.Helper()
	last, _ := b.LastDue(t.Context(), job)
	has := map[int64]bool{}
	for _, r := range b.runs {
		if r.Job == job {
			has[r.Due.Unix()] = true
		}
	}
	for due := began.Add(10 * time.Second); !due.After(last); due = due.Add(10 * time.Second) {
		if !has[due.Unix()] {
			t.Errorf("%s: nothing accounts for %s at %s", job, due.UTC().Format(time.TimeOnly),
				time.Now().UTC().Format(time.TimeOnly))
		}
	}
}
