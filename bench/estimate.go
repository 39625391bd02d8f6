package bench

import "fmt"

// Left is what of a suite is not recorded yet.
type Left struct {
	Suite string
	Lines int
	// Seconds is about how long they take; Unknown of them are on graphs that the strategy has no record of, and count
	// as the least that a measurement takes.
	Seconds float64
	Unknown int
}

// overhead is what a measurement takes, in seconds, besides its runs: files for the worker, upload, comparison.
const overhead = 1

// Left tells what of the suites is left, and about how long it takes by the records that there are, without making
// graphs and the CPU's references.
func (r *Runner) Left(suites ...Suite) ([]Left, error) {
	groups, err := r.missing(suites)
	if err != nil {
		return nil, err
	}
	rates := map[string]Record{}
	for _, path := range append([]string{r.Out}, r.Known...) {
		records, err := ReadRecords(path)
		if err != nil {
			return nil, err
		}
		for _, old := range records {
			if old.Status == OK && old.Sources > 0 {
				rates[similar(old)] = old
			}
		}
	}
	out := make([]Left, len(suites))
	at := map[string]*Left{}
	for i, s := range suites {
		out[i].Suite = s.Name
		at[s.Name] = &out[i]
	}
	for _, group := range groups {
		for i := range group {
			l := at[group[i].suite]
			old, known := rates[similar(group[i].record())]
			if !known {
				l.Unknown++
			}
			l.Lines++
			l.Seconds += r.Timing.guess(old)
		}
	}
	return out, nil
}

// similar is equal for records whose times are alike: whatever suite and precision.
func similar(r Record) string {
	radius := -1
	if r.Radius != nil {
		radius = *r.Radius
	}
	return fmt.Sprintf("%s|%s|%d|%t|%s", r.Graph, r.Measure, radius, r.Weighted, r.Strategy)
}

// guess is about how long it takes to check and time what took so long before; the zero Record is not known.
func (t Timing) guess(old Record) float64 {
	run := t.least()
	if old.Sources > 0 {
		if whole := old.Seconds.Compute * float64(old.Nodes) / float64(old.Sources); whole <= t.Max {
			run = max(whole, repeats*short)
		}
	}
	return overhead + 2*run
}
