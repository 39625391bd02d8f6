package jobs_test

import (
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestBiasedSamplesAreMarked: the record warns of sampled closeness, also when only the writing is done again, and not
// of sampled betweenness.
func TestBiasedSamplesAreMarked(t *testing.T) {
	b := newBench(t, path(12)...)
	const bias = "sampled closeness is biased: it is a ratio of two estimates"
	for _, measure := range []string{"betweenness", "closeness"} {
		j := job(measure, config.Measure{Measure: measure, Nodes: measure})
		j.Compute.Sample, j.Compute.Seed = config.Sample{Sources: 4}, 1
		for _, o := range []jobs.Options{{}, {From: jobs.Write}} {
			if r := b.run(j, o); slices.Contains(r.Run.Warnings, bias) != (measure == "closeness") {
				t.Errorf("%s from %q: warnings %q", measure, o.From, r.Run.Warnings)
			}
		}
	}
}

// TestBoundsOfScores: a measure that takes bounds writes them next to the scores: 0 for exact ones, and null for a
// sample without.
func TestBoundsOfScores(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("sure", config.Measure{Measure: "betweenness", Nodes: "sure", Relationships: "sure"},
		config.Measure{Measure: "betweenness", Nodes: "within", Relationships: "within", Value: "bound"})
	j.Compute.Sample, j.Compute.Seed = config.Sample{Seconds: 50, Confidence: 0.8}, 1
	r := b.run(j, jobs.Options{})
	if len(r.Columns) != 4 || len(r.Run.Bounds) != 1 {
		t.Fatalf("%d columns, bounds %+v", len(r.Columns), r.Run.Bounds)
	}
	for i, c := range r.Columns {
		if bound := c.Property == "within"; bound != (i >= 2) ||
			bound != !slices.ContainsFunc(c.Values, func(x float64) bool {
				return x != 0
			}) {
			t.Errorf("column %d, %s: %v", i, c.Property, c.Values)
		}
	}
	for sample, null := range map[int]bool{4: true, -1: false} {
		for _, c := range b.run(j, jobs.Options{Sample: sample, Recompute: true}).Columns {
			is := func(x float64) bool { return math.IsNaN(x) == null && (null || x == 0) }
			if c.Property == "within" && slices.ContainsFunc(c.Values, func(x float64) bool { return !is(x) }) {
				t.Errorf("sample %d: %v", sample, c.Values)
			}
		}
	}
}

// TestIntervalsOfDrawnSources: sampled closeness and harmonic closeness have bounds, in the record and as properties.
// Exact scores and scores of a chosen set have none.
func TestIntervalsOfDrawnSources(t *testing.T) {
	b := newBench(t, path(12)...)
	for _, measure := range []string{"closeness", "harmonic"} {
		exact := b.run(job("near", config.Measure{Measure: measure, Nodes: "near"}), jobs.Options{Recompute: true})
		j := job("near", config.Measure{Measure: measure, Nodes: "near"},
			config.Measure{Measure: measure, Nodes: "within", Value: "bound"})
		j.Compute.Sample, j.Compute.Seed = config.Sample{Sources: 6}, 1
		r := b.run(j, jobs.Options{Recompute: true})
		if all := r.Run.Bounds; len(all) != 1 || all[0].Measure != measure || all[0].Confidence != 0.9 ||
			all[0].Sources != 6 {
			t.Fatalf("bounds of the record: %+v", all)
		}
		scores, bounds := r.Columns[0].Values, r.Columns[1].Values
		for v, want := range exact.Columns[0].Values {
			if miss := math.Abs(scores[v] - want); !(miss <= bounds[v]) || bounds[v] == 0 {
				t.Errorf("%s of node %d is %v, want %v to within %v", measure, v, scores[v], want, bounds[v])
			}
		}
		if r.Run.Bounds[0].Error != slices.Max(bounds) {
			t.Errorf("the record has the bound %v, the greatest is %v", r.Run.Bounds[0].Error, slices.Max(bounds))
		}
		j.Compute.Sample.Sources = 0
		if r := b.run(j, jobs.Options{Recompute: true}); len(r.Run.Bounds) != 0 || slices.Max(r.Columns[1].Values) != 0 {
			t.Errorf("exact scores have the bounds %v", r.Columns[1].Values)
		}
	}
}

// TestBoundsAreRecorded: the record says how sure the scores are, and why they are exact.
func TestBoundsAreRecorded(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("sure", config.Measure{Measure: "betweenness", Nodes: "sure"})
	j.Compute.Sample, j.Compute.Seed = config.Sample{Error: 0.1, Confidence: 0.8}, 1
	r := b.run(j, jobs.Options{})
	if all := r.Run.Bounds; len(all) != 1 || all[0].Measure != "betweenness" || all[0].Error != 0 || !all[0].Exact ||
		all[0].Confidence != 0.8 {
		t.Errorf("bounds of the record: %+v", all)
	}
	last, err := b.db.LastSuccess(t.Context(), "sure")
	if err != nil || last == nil || len(last.Bounds) != 1 || last.Bounds[0] != r.Run.Bounds[0] {
		t.Errorf("bounds of the stored record: %+v, %v", last, err)
	}
}
