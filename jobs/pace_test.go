package jobs

import (
	"testing"
	"time"
)

// TestPace measures from the beginning of the step, and from the beginning of each pass of it: the first report of a
// pass comes with much done already.
func TestPace(t *testing.T) {
	begun := time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)
	p := NewPace(begun)
	for i, c := range []struct {
		after          time.Duration
		done, expected int64
		unit, want     string
	}{
		{10 * time.Microsecond, 115539, 311366, "relationships", ""},
		{500 * time.Millisecond, 115539, 311366, "relationships", ""},
		{2 * time.Second, 200000, 311366, "relationships", "100000 relationships/s, 1s left"},
		{4 * time.Second, 311366, 311366, "relationships", "77842 relationships/s"},
		// Another pass of the same step starts where the one before ended.
		{4 * time.Second, 1, 1000, "closeness sources", ""},
		{6 * time.Second, 100, 1000, "closeness sources", "50 closeness sources/s, 18s left"},
		// A pass of the same unit starts again at a smaller number.
		{8 * time.Second, 10, 1000, "closeness sources", "5.0 closeness sources/s, 3m18s left"},
		{18 * time.Second, 0, 0, "rows", ""},
		{20 * time.Second, 24, 0, "rows", "2.0 rows/s"},
	} {
		p.Report(begun.Add(c.after), c.done, c.expected, c.unit)
		if got := p.String(); got != c.want {
			t.Errorf("report %d: %q, want %q", i, got, c.want)
		}
	}
}

// TestPlannedPace counts down the predicted time until there is a rate.
func TestPlannedPace(t *testing.T) {
	begun := time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)
	p := NewPace(begun)
	p.Plan(time.Minute)
	if p.Left() != time.Minute {
		t.Errorf("%s left at the beginning", p.Left())
	}
	p.Report(begun.Add(10*time.Second), 100, 1000, "sources")
	if p.Left() != 90*time.Second {
		t.Errorf("%s left at a known rate", p.Left())
	}
}
