// Package report turns the results of package bench into Markdown pages with tables and pictures, ours beside what the
// literature published.
package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/linchpin-graph/linchpin/bench"
)

// Render reads every .jsonl file of the folder and writes one page a suite, SUITE.md, with its pictures, SUITE-*.svg,
// beside them, the picture of the record next to GDS, and the page and picture of the CPU next to other programs. It
// returns the names of the files that it wrote.
func Render(dir string) ([]string, error) {
	all, err := read(dir)
	if err != nil {
		return nil, err
	}
	pages := map[string]*page{}
	var names, written []string
	write := func(name string, data []byte) error {
		written = append(written, name)
		return os.WriteFile(filepath.Join(dir, name), data, 0o644)
	}
	for i := range all {
		s := &all[i]
		p := pages[s.suite]
		if p == nil {
			p = &page{}
			pages[s.suite], names = p, append(names, s.suite)
			p.title(about(s.suite))
		}
		p.paragraph("%s", s.provenance())
		if err := pictures(p, s, write); err != nil {
			return written, fmt.Errorf("%s: %w", s.suite, err)
		}
		body(s.suite)(p, s)
	}
	for _, name := range names {
		text := strings.TrimRight(pages[name].text.String(), "\n") + "\n"
		if err := write(name+".md", []byte(text)); err != nil {
			return written, err
		}
	}
	if err := writeGDS(dir, write); err != nil {
		return written, err
	}
	return written, writePeers(dir, write)
}

// about is the title of a suite's page.
func about(suite string) string {
	if s, err := bench.FindSuite(suite); err == nil {
		return strings.TrimSuffix(s.About, ".")
	}
	return "Measurements outside of the suites"
}

// body writes the tables of a suite.
func body(suite string) func(*page, *results) {
	switch suite {
	case "goals":
		return goals
	case "auto":
		return autoPage
	case "samples", "random-sources":
		return samplesPage
	case "closeness":
		return closeness
	case "profiles":
		return profiles
	case "small":
		return small
	case "edge-scores":
		return edgeCosts
	case "buckets":
		return buckets
	case "weights-spread":
		return spreads
	case "scaling":
		return func(p *page, s *results) { families(p, s, bench.ScalingFamilies(), false) }
	case "sriram-table1":
		return sriram
	case "cabral-tables":
		return cabral
	case "sriram-sampling":
		return sampling
	case "bounds":
		return bounds
	case "volume-closeness":
		return volumeCloseness
	case "mclaughlin-table3":
		return mclaughlin
	case "mclaughlin-figure5":
		return figure5
	case "fan-tables":
		return fan
	case "jia-tables":
		return jia
	}
	return rates
}

// pictures draws the pictures of a suite onto its page.
func pictures(p *page, s *results, write func(string, []byte) error) error {
	add := func(file, what string, data []byte, err error) error {
		if err != nil {
			return err
		}
		p.picture(file, what)
		return write(file, data)
	}
	switch s.suite {
	case "unweighted", "weighted":
		for _, precision := range s.precisions() {
			data, err := overview(s, precision)
			what := "GTEPS of auto and the best other strategy, beside other programs, " + precision + " precision"
			if err := add(s.file(precision+"-overview"), what, data, err); err != nil {
				return err
			}
			data, err = sideBySide(s, precision)
			if err := add(s.file(precision), "GTEPS of every strategy on every graph, "+precision+" precision", data,
				err); err != nil {
				return err
			}
		}
	case "scaling":
		if len(measured(s, bench.ScalingFamilies())) == 0 {
			return nil // every graph failed
		}
		data, err := scaling(s, bench.ScalingFamilies(), "GTEPS", s.rate)
		return add(s.file("rate"), "GTEPS against the number of nodes, by family", data, err)
	case "buckets", "weights-spread":
		c, what := bucketCurves(s), "GTEPS against the width of buckets"
		if s.suite == "weights-spread" {
			c, what = spreadCurves(s), "GTEPS against the spread of weights"
		}
		if len(c.panels) == 0 {
			return nil
		}
		data, err := c.draw()
		return add(s.file("rate"), what, data, err)
	case "sriram-sampling":
		for _, file := range []string{"error", "speed-up"} {
			c := samplingCurves(s, file == "speed-up")
			if len(c.panels) == 0 {
				return nil
			}
			data, err := c.draw()
			if err := add(s.file(file), file+" of samples against the share of sources", data, err); err != nil {
				return err
			}
		}
	case "mclaughlin-figure5":
		if len(measured(s, bench.Figure5Families())) == 0 {
			return nil
		}
		data, err := scaling(s, bench.Figure5Families(), "seconds", func(q query) float64 { return s.seconds(q, 0) })
		return add(s.file("seconds"), "seconds for all sources against the number of nodes", data, err)
	}
	return nil
}

// file names a picture; it carries the device when that is not the suite's first.
func (s *results) file(what string) string {
	name := s.suite + "-" + what
	if s.another {
		name += "-" + strings.ToLower(strings.ReplaceAll(s.device, " ", "-"))
	}
	return name + ".svg"
}
