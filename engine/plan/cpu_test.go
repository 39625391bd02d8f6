package plan

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// cpuRecord is processor time of one thread: measured for docs/notes/004, or a line of
// bench/results/cpu-peers.txt.
type cpuRecord struct {
	Graph, Weights, Measure string
	Reduced, Drawn          bool
	Sources                 int64
	User, Ratio, Plan       float64
	// Spread is that of sources drawn alike; 0 where the prediction does not ask for it.
	Spread float64
}

// predict returns the prediction for the record, of one thread.
func (r cpuRecord) predict(t *testing.T, g facts) float64 {
	t.Helper()
	g = g.weighed(r.Weights)
	m, ok := kernels.Lookup(r.Measure)
	if !ok {
		t.Fatalf("no measure %s", r.Measure)
	}
	request := kernels.Request{Nodes: true}
	request.Weighted = r.Weights != ""
	f := g.features(TraitsOf(m, request))
	f.Sources, f.All = r.Sources, !r.Drawn
	f.spreads, f.surely = true, true // on the CPU these looks take little of the time
	if r.Spread > 0 {
		f.lazy.spread = func() float64 { return r.Spread }
	}
	rates := H200()
	if r.Reduced {
		left := Reductions{Union: 1, Trees: 1, Search: r.Ratio, Planned: true, Seconds: r.Plan}
		return rates.reducedCost(f, left, 1).Seconds()
	}
	return rates.plainCost(f, 1).Seconds()
}

// weighed are the facts of the graph with generated weights: whole ones up to 10, or reals.
func (g facts) weighed(weights string) facts {
	switch weights {
	case "w10":
		g.Class, g.Least, g.Most = Ticks32, 1, 10
	case "real":
		g.Class, g.Least, g.Most = Reals, 1e-5, 1
	}
	return g
}

// nearTo fails unless a prediction is within a factor of 2. It returns by what factor it is off.
func nearTo(t *testing.T, name string, predicted, measured float64) float64 {
	t.Helper()
	by := off(predicted, measured)
	if by > 2 {
		t.Errorf("%s: measured %.3g, predicted %.3g", name, measured, predicted)
	}
	return by
}

// report logs by what factors predictions are off.
func report(t *testing.T, errors []float64) {
	t.Helper()
	slices.Sort(errors)
	within, _ := slices.BinarySearch(errors, math.Nextafter(2, 3))
	t.Logf("%d of %d within 2x; median %.2fx, nine in ten %.2fx, worst %.2fx", within, len(errors), errors[len(errors)/2],
		errors[len(errors)*9/10], errors[len(errors)-1])
}

// TestProcessorTime holds predictions for one thread of a CPU within a factor of 2.
func TestProcessorTime(t *testing.T) {
	graphs := readFacts(t)
	var errors []float64
	for _, r := range readLines[cpuRecord](t, filepath.Join("testdata", "cpu.jsonl")) {
		g, ok := graphs[r.Graph]
		if !ok {
			t.Fatalf("no facts of %s", r.Graph)
		}
		name := r.Measure + " " + r.Graph
		if r.Weights != "" {
			name += ", " + r.Weights + " weights"
		}
		errors = append(errors, nearTo(t, name, r.predict(t, g), r.User))
	}
	report(t, errors)
	if len(errors) < 214 {
		t.Errorf("%d records alone", len(errors))
	}
}

// TestReductionsOnTheCPU asks what is known of graphs at both ends.
func TestReductionsOnTheCPU(t *testing.T) {
	graphs := readFacts(t)
	m := Machine{Rates: H200(), Threads: 1}
	for graph, engine := range map[string]string{
		"rmat13-16": Reduced, "ba-4096-4": Plain, "power": Reduced, "luxembourg_osm": Reduced, "as-caida20071105": Reduced,
		"delaunay16": Plain,
	} {
		g, ok := graphs[graph]
		if !ok {
			t.Fatalf("no facts of %s", graph)
		}
		f := g.features(Traits{Kind: kernels.Dependencies, Reducible: true, Chained: true, MayReduce: true})
		left := f.Guess()
		if g.Info != nil {
			left = ReductionsOf(*g.Info, 0)
		}
		ranked := Rank(Candidates(f, left, m), nil, Free{})
		if ranked[0].Engine != engine {
			t.Errorf("%s: %s; then %s", graph, ranked[0].Line(), ranked[1].Line())
		}
	}
}

// TestReducedOrNot holds what the model takes on the CPU, reduced or not, within 10 % of the better of the two where
// both were measured.
func TestReducedOrNot(t *testing.T) {
	graphs := readFacts(t)
	type question struct{ Graph, Weights, Measure string }
	plain, reduced := map[question]cpuRecord{}, map[question]cpuRecord{}
	for _, r := range readLines[cpuRecord](t, filepath.Join("testdata", "cpu.jsonl")) {
		q := question{r.Graph, r.Weights, r.Measure}
		if r.Reduced {
			reduced[q] = r
		} else if before, ok := plain[q]; !ok || before.Sources < r.Sources {
			plain[q] = r
		}
	}
	asked, right := 0, 0
	for q, r := range reduced {
		p, ok := plain[q]
		if !ok {
			continue
		}
		asked++
		p.User *= float64(r.Sources) / float64(p.Sources) // some were measured from a sample
		p.Sources, p.Drawn = r.Sources, false
		taken := p.User
		if r.predict(t, graphs[q.Graph]) < p.predict(t, graphs[q.Graph]) {
			taken = r.User
		}
		if taken <= 1.1*min(p.User, r.User) {
			right++
			continue
		}
		t.Logf("%+v: plain %.3g s, reduced to %.2g %.3g s", q, p.User, r.Ratio, r.User)
	}
	t.Logf("%d of %d are right", right, asked)
	if asked < 10 || float64(right) < 0.9*float64(asked) {
		t.Error("fewer than nine in ten are right")
	}
}
