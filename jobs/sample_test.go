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
