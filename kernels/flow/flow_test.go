package flow_test

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/flow"
)

// compute computes and checks scores.
func compute(t *testing.T, measure string, g *export.Graph, r kernels.Request) *kernels.Scores {
	t.Helper()
	m, ok := kernels.Lookup(measure)
	if !ok {
		t.Fatalf("no measure %s", measure)
	}
	if m.Edge == "" {
		r.Edges = false
	}
	s, err := cpu.Compute(t.Context(), m, g, r)
	if err == nil {
		err = check.Scores(m, g, r, s)
	}
	if err != nil {
		t.Fatalf("%s: %v", measure, err)
	}
	return s
}

// approximately computes and checks scores without exact factors.
func approximately(t *testing.T, measure string, g *export.Graph, r kernels.Request) *kernels.Scores {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Edges = m.Edge != ""
	run, err := flow.NewRun(m, g, r, max(1, r.Threads))
	if err != nil {
		t.Fatal(err)
	}
	run.Approximately()
	values := make([]float64, flow.Values(g))
	if err := run.Compute(t.Context(), values); err != nil {
		t.Fatalf("%s: %v", measure, err)
	}
	s := run.Scores(values)
	if err := check.Scores(m, g, r, s); err != nil {
		t.Fatalf("%s: %v", measure, err)
	}
	return s
}

// same compares scores to 1e-6 relative.
func same(t *testing.T, graph int, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("graph %d: %d scores of %s, want %d", graph, len(got), what, len(want))
	}
	scale := 0.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-6*math.Abs(want[i])+1e-9*scale {
			t.Fatalf("graph %d: %s of %d is %.12g, want %.12g", graph, what, i, got[i], want[i])
		}
	}
}
