package jobs_test

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestBiasedSamplesAreMarked: the record warns of sampled closeness, also when only the writing is done again, and not of
// sampled betweenness.
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

// TestBoundsAreRecorded: the record says how sure the scores are, and why they are exact.
func TestBoundsAreRecorded(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("sure", config.Measure{Measure: "betweenness", Nodes: "sure"})
	j.Compute.Sample, j.Compute.Seed = config.Sample{Error: 0.1, Confidence: 0.8}, 1
	r := b.run(j, jobs.Options{})
	if all := r.Run.Bounds; len(all) != 1 || all[0].Measure != "betweenness" || all[0].Error != 0 || !all[0].Exact || all[0].Confidence != 0.8 {
		t.Errorf("bounds of the record: %+v", all)
	}
	last, err := b.db.LastSuccess(t.Context(), "sure")
	if err != nil || last == nil || len(last.Bounds) != 1 || last.Bounds[0] != r.Run.Bounds[0] {
		t.Errorf("bounds of the stored record: %+v, %v", last, err)
	}
}
