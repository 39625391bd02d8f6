package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
	slices.Sort(suites)
	var out []results
	for _, suite := range suites {
		out = append(out, divide(suite, bySuite[suite])...)
	}
	return out, nil
}

// divide divides a suite's records by device. Those of the CPU, and failures before a device was known, stand with each.
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

// query says which record is wanted; zero fields do not matter but EdgeScores and Radius.
type query struct {
	graph, measure, strategy, precision string
	edgeScores                          bool
	radius                              int
}

// find returns the record that answers the query; of several, the last.
func (s *results) find(q query) (bench.Record, bool) {
	for i := len(s.records) - 1; i >= 0; i-- {
		r := s.records[i]
		radius := 0
		if r.Radius != nil {
			radius = *r.Radius
		}
		if r.Graph == q.graph && r.Strategy == q.strategy && r.EdgeScores == q.edgeScores && radius == q.radius &&
			(q.measure == "" || r.Measure == q.measure) && (q.precision == "" || r.Precision == q.precision) {
			return r, true
		}
	}
	return bench.Record{}, false
}

// rate returns the GTEPS that answer the query, 0 when there are none.
func (s *results) rate(q query) float64 {
	if r, ok := s.find(q); ok && r.Status == bench.OK {
		return r.GTEPS
	}
	return 0
}

// seconds returns the seconds for this many sources, or for all with 0, scaled up from those measured; 0 when there are
// none.
func (s *results) seconds(q query, sources int) float64 {
	r, ok := s.find(q)
	if !ok || r.Status != bench.OK || r.Sources == 0 {
		return 0
	}
	if sources == 0 {
		sources = r.Nodes
	}
	return r.Seconds.Compute * float64(sources) / float64(r.Sources)
}

// distinct lists what of tells of the records, in order of appearance.
func (s *results) distinct(of func(bench.Record) string) []string {
	var out []string
	for _, r := range s.records {
		if x := of(r); x != "" && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func (s *results) graphs() []string {
	return s.distinct(func(r bench.Record) string { return r.Graph })
}

func (s *results) strategies() []string {
	return s.distinct(func(r bench.Record) string { return r.Strategy })
}

// precisions lists those that a device was measured in; double without a device.
func (s *results) precisions() []string {
	out := s.distinct(func(r bench.Record) string {
		if r.Strategy == bench.CPU || r.Strategy == bench.CPUSingle {
			return ""
		}
		return r.Precision
	})
	if len(out) == 0 {
		return []string{bench.Double}
	}
	return out
}

// sizeOf returns n and m of a graph, 0 when no record knows them.
func (s *results) sizeOf(graph string) (n, m int) {
	for _, r := range s.records {
		if r.Graph == graph && r.Nodes > 0 {
			return r.Nodes, r.Edges
		}
	}
	return 0, 0
}

// provenance says in one paragraph what was measured where, when and with what.
func (s *results) provenance() string {
	dates := s.distinct(func(r bench.Record) string { return r.Date[:min(10, len(r.Date))] })
	slices.Sort(dates)
	date := strings.Join(dates, ", ")
	if len(dates) > 2 {
		date = dates[0] + " to " + dates[len(dates)-1]
	}
	device := s.device
	if device == "" {
		device = "no device: the CPU only"
	}
	if drivers := s.distinct(func(r bench.Record) string { return r.Driver }); len(drivers) > 0 {
		device += ", driver " + strings.Join(drivers, ", ")
	}
	return fmt.Sprintf("Measured on: %s. Host: %s. Commit: %s. Date: %s. Command: `%s`.", device,
		list(s.distinct(func(r bench.Record) string { return r.Host })), list(s.distinct(func(r bench.Record) string { return r.Commit })),
		date, strings.Join(s.distinct(func(r bench.Record) string { return r.Command }), "`, `"))
}

func list(words []string) string {
	if len(words) == 0 {
		return "unknown"
	}
	return strings.Join(words, "; ")
}
