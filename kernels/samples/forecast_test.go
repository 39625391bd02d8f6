package samples

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// TestForecastsHold: samples take no fewer draws than foreseen, and no more. Exact scores that are foreseen are
// computed.
func TestForecastsHold(t *testing.T) {
	exact := 0
	for i, g := range unlikeGraphs(t) {
		r := kernels.Request{Nodes: true, Edges: i%2 == 0, Threads: 1 + i%2}
		for _, a := range []kernels.Accuracy{{Error: 0.3}, {Error: 0.02}, {Error: 1e-4}, {Top: 2}} {
			a.Confidence, a.Seed = 0.9, int64(i)
			f, err := ForeseePairs(t.Context(), g, r, a, 0)
			if err != nil {
				t.Fatal(err)
			}
			if f.Exact() {
				exact++
				if _, e, err := Betweenness(t.Context(), g, r, a); err != nil || !e.Exact {
					t.Errorf("graph %d, %+v: exact scores are foreseen, but %+v, %v", i, a, e, err)
				}
			}
			if a.Error == 1e-4 || a.Top > 0 && i > 0 {
				continue
			}
			if _, e := drawPairs(t, g, r, a); !e.Exact && (e.Pairs < f.Least || f.Most > 0 && e.Pairs > f.Most) {
				t.Errorf("graph %d, %+v: %d pairs, foreseen %+v", i, a, e.Pairs, f)
			}
		}
	}
	if exact < 10 {
		t.Errorf("%d samples are foreseen not to be taken", exact)
	}
}

// TestForecastsOfSourcesHold: the same of samples by weights.
func TestForecastsOfSourcesHold(t *testing.T) {
	g := hubs(t, 5, 800)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff}
	for _, a := range []kernels.Accuracy{{Error: 0.3}, {Error: 0.1}, {Error: 0.06}, {Error: 1e-6}, {Top: 2}} {
		a.Confidence = 0.9
		f := ForeseeSources(g, r, a, math.Inf(1))
		_, e, err := Betweenness(t.Context(), g, r, a)
		if err != nil || int64(e.Sources) < f.Least || int64(e.Sources) > f.Most {
			t.Errorf("%+v: %+v, %v, foreseen %+v", a, e, err, f)
		}
		if all := int64(g.N()); a.Error == 0.3 && f.Most == all || a.Error == 1e-6 && f.Least < all {
			t.Errorf("%+v: foreseen %+v", a, f)
		}
	}
}

// TestTiedBestByWeights: two hubs of equal scores do not keep a sample of sources going to its end.
func TestTiedBestByWeights(t *testing.T) {
	g := hubs(t, 2, 3000)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff}
	_, e, err := Betweenness(t.Context(), g, r, kernels.Accuracy{Top: 1, Confidence: 0.9, Seed: 1})
	if err != nil || e.Exact {
		t.Errorf("%+v, %v; want fewer than all sources", e, err)
	}
}
