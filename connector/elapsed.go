package connector

import "time"

// UnderWay reports whether no end of the run is recorded. Records of processes that died are closed by the next
// service.
func (r Run) UnderWay() bool {
	return r.Finished.IsZero() && (r.Status == Running || r.Status == Unfinished)
}

// Elapsed returns how long the run took: the sum of its steps, or its age while it is under way.
func (r Run) Elapsed(now time.Time) time.Duration {
	if r.UnderWay() {
		return max(0, now.Sub(r.Started))
	}
	sum := 0.0
	for _, s := range r.Seconds {
		sum += s
	}
	return time.Duration(sum * float64(time.Second))
}
