package report

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/linchpin-graph/linchpin/bench"
)

// results are the records of one suite on one device, besides those of the CPU.
type results struct {
	suite   string
	device  string
	another bool   // not the first device of the suite
	measure string // of a part by measure
	records []bench.Record
}

// read reads every results file of the folder and divides the records by suite and device, both in order of name.
func read(dir string) ([]results, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no results: there is no file .jsonl", dir)
	}
	slices.Sort(paths)
	bySuite := map[string][]bench.Record{}
	var suites []string
	for _, path := range paths {
		records, err := bench.ReadRecords(path)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if bySuite[r.Suite] == nil {
				suites = append(suites, r.Suite)
			}
			bySuite[r.Suite] = append(bySuite[r.Suite], r)
		}
	}
	shareAuto(bySuite)
	slices.Sort(suites)
	var out []results
	for _, suite := range suites {
		out = append(out, divide(suite, bySuite[suite])...)
	}
	return out, nil
}

// shareAuto adds what other suites measured of auto to the tables of all strategies, after what these have themselves.
func shareAuto(bySuite map[string][]bench.Record) {
	for to, from := range map[string]string{"unweighted": "goals", "weighted": "own"} {
		if bySuite[to] == nil {
			continue
		}
		for _, r := range bySuite[from] {
			if r.Strategy == "auto" && r.Measure == "betweenness" && r.Weighted == (to == "weighted") && !r.EdgeScores &&
				r.Bucket == 0 {
				bySuite[to] = append(bySuite[to], r)
			}
		}
	}
}

// divide divides a suite's records by device. Those of the CPU, and failures before a device was known, stand with
// each.
func divide(suite string, records []bench.Record) []results {
	var devices []string
	for _, r := range records {
		if onDevice(r) && !slices.Contains(devices, r.Device) {
			devices = append(devices, r.Device)
		}
	}
	slices.Sort(devices)
	if len(devices) == 0 {
		return []results{{suite: suite, records: records}}
	}
	var out []results
	for i, d := range devices {
		of := results{suite: suite, device: d, another: i > 0}
		for _, r := range records {
			if !onDevice(r) || r.Device == d {
				of.records = append(of.records, r)
			}
		}
		out = append(out, of)
	}
	return out
}

func onDevice(r bench.Record) bool { return r.Device != "" && r.Device != "cpu" }

// byMeasure divides results by what was computed. Within a part, edge scores and radius tell nothing apart any more.
func (s *results) byMeasure() []*results {
	of := func(r bench.Record) string {
		name := r.Measure
		if r.Weighted {
			name = "weighted " + name
		}
		if r.EdgeScores {
			name += " of nodes and edges"
		}
		if r.Radius != nil {
			name += fmt.Sprintf(" of radius %d", *r.Radius)
		}
		if r.Drawn > 0 {
			name += fmt.Sprintf(" from %d random sources", r.Drawn)
		}
		return name
	}
	var out []*results
	for _, name := range s.distinct(of) {
		part := &results{suite: s.suite, device: s.device, another: s.another, measure: name}
		for _, r := range s.records {
			if of(r) == name {
				r.EdgeScores, r.Radius = false, nil
				part.records = append(part.records, r)
			}
		}
		out = append(out, part)
	}
	return out
}
