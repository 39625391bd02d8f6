package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// Bytes returns what a way needs of host and device memory. The engines know.
type Bytes func(c Candidate) (host, device int64)

// Free is the memory at hand, in bytes.
type Free struct{ Host, Device int64 }

// Rank sorts candidates, the fastest first. Those that do not fit the memory go to the end, with the
// reason. need may be nil: then all fit.
func Rank(all []Candidate, need Bytes, free Free) []Candidate {
	out := slices.Clone(all)
	for i := range out {
		c := &out[i]
		if need != nil {
			c.HostBytes, c.DeviceBytes = need(*c)
			c.Misfit = misfit(*c, free)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		switch fits := a.Misfit == ""; {
		case fits == (b.Misfit == ""):
			return cmp.Compare(a.Seconds, b.Seconds)
		case fits:
			return -1
		}
		return 1
	})
	return out
}

// misfit says why a way does not fit the memory, or "".
func misfit(c Candidate, free Free) string {
	switch {
	case c.HostBytes > free.Host:
		return fmt.Sprintf("needs %s of host memory, %s are free", gigabytes(c.HostBytes), gigabytes(free.Host))
	case c.DeviceBytes > free.Device:
		return fmt.Sprintf("needs %s of device memory, %s are free", gigabytes(c.DeviceBytes), gigabytes(free.Device))
	}
	return ""
}

func gigabytes(bytes int64) string { return fmt.Sprintf("%.2g GB", float64(bytes)/1e9) }

// Line is one line for a person: who computes, why, how long that takes, and what keeps it from fitting.
func (c Candidate) Line() string {
	text := c.Name() + ": " + c.Reason()
	if c.Misfit != "" {
		text += "; " + c.Misfit
	}
	return text
}

// Name is the device and the engine.
func (c Candidate) Name() string { return fmt.Sprintf("%s, %s", c.Device, c.Engine) }

// Reason is Why with the time, and the numbers of shards and devices if there are several.
func (c Candidate) Reason() string {
	text := c.Why + "; about " + Duration(c.Seconds)
	if c.Shards > 1 {
		text += fmt.Sprintf(" in %d shards", c.Shards)
	}
	if c.Devices > 1 {
		text += fmt.Sprintf(" on %d devices", c.Devices)
	}
	return text
}

// Duration writes seconds with two digits.
func Duration(seconds float64) string {
	switch {
	case seconds < 0.0995:
		return fmt.Sprintf("%.2g ms", 1000*seconds)
	case seconds < 99.5:
		return fmt.Sprintf("%.2g s", seconds)
	}
	return fmt.Sprintf("%.0f s", seconds)
}
