package jobs

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// ParseSchedule reads a cron line: five fields, or six with seconds first, or a descriptor such as @daily or @every 6h.
// Times are those of the timezone, by its IANA name. A line that no moment ever fits is an error.
func ParseSchedule(line, timezone string) (cron.Schedule, error) {
	zone, err := time.LoadLocation(timezone)
	if err != nil {
		return nil, fmt.Errorf("unknown timezone %q", timezone)
	}
	if line = strings.TrimSpace(line); strings.HasPrefix(line, "TZ=") || strings.HasPrefix(line, "CRON_TZ=") {
		return nil, fmt.Errorf("the line holds a timezone; use the setting timezone")
	}
	if rest, ok := strings.CutPrefix(line, "@every "); ok {
		return parseInterval(strings.TrimSpace(rest))
	}
	fields := cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor
	schedule, err := cron.NewParser(fields).Parse(line)
	if err != nil {
		return nil, err
	}
	if spec, ok := schedule.(*cron.SpecSchedule); ok {
		spec.Location = zone
	}
	if schedule.Next(time.Now()).IsZero() {
		return nil, fmt.Errorf("no day of the calendar fits")
	}
	return schedule, nil
}

// parseInterval is stricter than cron, which silently turns less than a second into one, and leaves out parts of a
// second.
func parseInterval(text string) (cron.Schedule, error) {
	interval, err := time.ParseDuration(text)
	if err != nil {
		return nil, fmt.Errorf("%q is no duration such as 90m", text)
	}
	if interval <= 0 || interval%time.Second != 0 {
		return nil, fmt.Errorf("%s is no whole number of seconds", interval)
	}
	return cron.Every(interval), nil
}
