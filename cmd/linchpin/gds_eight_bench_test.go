package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// eighth is one of the eight measures of a job, and the call of GDS that writes the same into gds_ and the measure's
// name.
type eighth struct {
	measure, call, options string
	// tolerance is the largest relative difference of two scores. Numbers of groups are compared as groups.
	tolerance float64
	groups    bool
}

// eight are the measures of the job. Louvain's groups are not compared: both programs find good ones, and not the same.
var eight = []eighth{
	{measure: "pagerank", call: "gds.pageRank", options: ", maxIterations: 1000, tolerance: 1e-10", tolerance: 1e-6},
	{measure: "degree", call: "gds.degree"},
	{measure: "harmonic", call: "gds.closeness.harmonic", tolerance: 1e-7},
	{measure: "components", call: "gds.wcc", groups: true},
	{measure: "core", call: "gds.kcore"},
	{measure: "triangles", call: "gds.triangleCount"},
	{measure: "clustering", call: "gds.localClusteringCoefficient", tolerance: 1e-9},
	{measure: "louvain", call: "gds.louvain"},
}

// BenchmarkEightGDS computes eight measures in turns with the Graph Data Science library, concurrency 4, on the same
// server and the same cores, from the database and back: one run of a job, start included, and one projection with a
// call for each. A server that has just started has yet to compile its own code, for either, so there are seven rounds.
func BenchmarkEightGDS(b *testing.B) {
	s, program := startGDS(b)
	defer s.Close()
	const rounds = 7
	var all []gdsForm
	for b.Loop() {
		for _, graph := range []string{"air-routes", "as-caida20071105"} {
			ours := loadGDSGraph(b, s, graph)
			theirs := ours
			ours.Form, theirs.Form = "linchpin: export, compute, write 8 measures", "GDS: project, compute, write 8 measures"
			config := writeGDSConfig(b, s.URI(), eightMeasures())
			for range rounds {
				ours.Seconds = append(ours.Seconds, timed(func() {
					cmd := exec.Command(program, "run", "bench", "--recompute", "--quiet", "--config", config)
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, out)
					}
				}))
				theirs.Seconds = append(theirs.Seconds, timed(func() { runGDS(b, s, eightCalls()...) }))
			}
			for _, form := range []gdsForm{ours, theirs} {
				form.Median = slices.Sorted(slices.Values(form.Seconds))[rounds/2]
				b.Logf("%-18s %-44s %.2f s", graph, form.Form, form.Median)
				all = append(all, form)
			}
			compareEight(b, s)
		}
	}
	recordGDS(b, "EightGDS", all)
}

func timed(do func()) float64 {
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}

// eightMeasures are the measures as a job has them.
func eightMeasures() string {
	var list []string
	for _, e := range eight {
		list = append(list, fmt.Sprintf("{measure: %s, nodes: %s}", e.measure, e.measure))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func eightCalls() (calls []string) {
	for _, e := range eight {
		calls = append(calls,
			fmt.Sprintf("CALL %s.write('g', {writeProperty: 'gds_%s', concurrency: 4%s}) YIELD nodePropertiesWritten RETURN *",
				e.call, e.measure, e.options))
	}
	return calls
}

// compareEight compares the scores of all nodes by both programs.
func compareEight(b *testing.B, s *neo4jtest.Server) {
	b.Helper()
	for _, e := range eight {
		rows := s.Query(b, fmt.Sprintf("MATCH (v:V) RETURN toFloat(v.%s) AS ours, toFloat(v.gds_%s) AS gds", e.measure,
			e.measure), nil)
		wrong, pairs, ofOurs, ofTheirs := 0, map[[2]float64]bool{}, map[float64]bool{}, map[float64]bool{}
		for _, row := range rows {
			ours, isOurs := row["ours"].(float64)
			gds, isTheirs := row["gds"].(float64)
			if !isOurs || !isTheirs || math.Abs(ours-gds) > e.tolerance*max(1, math.Abs(ours)) {
				wrong++
			}
			pairs[[2]float64{ours, gds}], ofOurs[ours], ofTheirs[gds] = true, true, true
		}
		same := wrong == 0
		if e.groups {
			same = len(pairs) == len(ofOurs) && len(pairs) == len(ofTheirs)
		}
		if e.measure != "louvain" && !same || len(rows) == 0 {
			b.Errorf("%s: %d of %d scores differ", e.measure, wrong, len(rows))
		}
	}
}

// load is the load average of the machine, which says how far to trust a time; "" where it is not known.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.TrimSpace(string(text))
}
