package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/bench"
)

// query says which record is wanted; zero fields do not matter but edgeScores, radius and bucket.
type query struct {
	graph, measure, strategy, precision string
	edgeScores                          bool
	radius                              int
	bucket                              float64
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
			r.Bucket == q.bucket &&
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
		list(s.distinct(func(r bench.Record) string { return r.Host })), list(s.distinct(commit)),
		date, strings.Join(s.distinct(func(r bench.Record) string { return r.Command }), "`, `"))
}

func list(words []string) string {
	if len(words) == 0 {
		return "unknown"
	}
	return strings.Join(words, "; ")
}

// commit names the commit of a record, and whether the repository has it.
func commit(r bench.Record) string {
	if r.Older {
		return r.Commit + " (older than this history)"
	}
	return r.Commit
}
