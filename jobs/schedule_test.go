package jobs

import (
	"strings"
	"testing"
	"time"
)

func TestParseScheduleNext(t *testing.T) {
	from := time.Date(2028, 2, 28, 23, 30, 0, 0, time.UTC) // the day before a leap day
	for _, c := range []struct{ line, timezone, want string }{
		{"0 3 * * *", "UTC", "2028-02-29T03:00:00Z"},
		{"  0 3 29 2 *  ", "UTC", "2028-02-29T03:00:00Z"},
		{"30 0 3 * * *", "UTC", "2028-02-29T03:00:30Z"},
		{"@daily", "UTC", "2028-02-29T00:00:00Z"},
		{"@every 90m", "UTC", "2028-02-29T01:00:00Z"},
		{"0 3 * * *", "Asia/Tokyo", "2028-02-29T18:00:00Z"},
		{"0 3 * * MON", "", "2028-03-06T03:00:00Z"},
	} {
		s, err := ParseSchedule(c.line, c.timezone)
		if err != nil {
			t.Errorf("%q %q: %v", c.line, c.timezone, err)
			continue
		}
		if got := s.Next(from).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%q %q: next %s, want %s", c.line, c.timezone, got, c.want)
		}
	}
}

func TestParseScheduleRefuses(t *testing.T) {
	for _, c := range []struct{ line, timezone, want string }{
		{"61 3 * * *", "UTC", "61"},
		{"0 3 * *", "UTC", "fields"},
		{"", "UTC", "empty"},
		{"@nightly", "UTC", "nightly"},
		{"0 0 31 2 *", "UTC", "no day of the calendar"},
		{"@every soon", "UTC", `"soon" is no duration`},
		{"@every 10ms", "UTC", "no whole number of seconds"},
		{"@every 90.5s", "UTC", "1m30.5s is no whole number of seconds"},
		{"@every -1h", "UTC", "no whole number of seconds"},
		{"TZ=UTC 0 3 * * *", "UTC", "setting timezone"},
		{"CRON_TZ=UTC", "UTC", "setting timezone"},
		{"0 3 * * *", "Mars/Olympus", `unknown timezone "Mars/Olympus"`},
	} {
		if _, err := ParseSchedule(c.line, c.timezone); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: got %v, want %q", c.line, c.timezone, err, c.want)
		}
	}
}
