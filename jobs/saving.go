package jobs

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
)

// ScheduleWarnings says which runs within the next year would be skipped or doubled because clocks are changed for
// daylight saving.
func ScheduleWarnings(line, timezone string, now time.Time) []string {
	schedule, err := ParseSchedule(line, timezone)
	spec, ok := schedule.(*cron.SpecSchedule)
	if err != nil || !ok {
		return nil
	}
	zone := spec.Location
	var out []string
	plain := *spec // the same fields, on a clock that nobody changes
	plain.Location = time.UTC
	if isEveryHour(spec) {
		return nil // nothing is lost that the next hour does not bring
	}
	for t, last := now, now.AddDate(1, 0, 0); ; {
		_, end := t.In(zone).ZoneBounds()
		if end.IsZero() || end.After(last) {
			break
		}
		_, before := end.Add(-time.Second).In(zone).Zone()
		_, after := end.In(zone).Zone()
		local := end.UTC().Add(time.Duration(before) * time.Second) // the reading of the clock when it is changed
		change := time.Duration(after-before) * time.Second
		from, to, what := local, local.Add(change), "is skipped: that time does not exist"
		if change < 0 {
			from, to, what = local.Add(change), local, "comes twice"
		}
		if due := plain.Next(from.Add(-time.Second)); !due.IsZero() && due.Before(to) {
			out = append(out, fmt.Sprintf("the run of %s in %s %s (daylight saving); UTC has no such times",
				due.Format("2006-01-02 15:04"), timezone, what))
		}
		t = end.Add(time.Second)
	}
	return out
}

// isEveryHour says whether every hour of the day is due.
func isEveryHour(s *cron.SpecSchedule) bool {
	const hours = 1<<24 - 1
	return s.Hour&hours == hours
}
