package contract

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

var (
	orientations = []export.Orientation{export.Natural, export.Reverse, export.Undirected}
	parallels    = []export.Parallel{export.Keep, export.Min, export.Max, export.Sum, export.Count}
)

// compare exports what was loaded and compares it with the model.
func compare(t *testing.T, h Harness, m Model, p connector.Projection) *export.Snapshot {
	t.Helper()
	s, err := h.Source().Export(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want(m, p), got(s, h.Names(t, s))); diff != "" {
		t.Errorf("the snapshot differs from the model (-model +snapshot):\n%s", diff)
	}
	return s
}

func testExport(t *testing.T, h Harness) {
	m := nasty(h.Terms())
	h.Load(t, m)
	for _, o := range orientations {
		for _, p := range parallels {
			for _, weighted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/weighted=%t", o, p, weighted), func(t *testing.T) {
					compare(t, h, m, projection(h.Terms(), o, p, weighted))
				})
			}
		}
	}
}

// testExportRandom also gives each type its own orientation, rule and weight.
func testExportRandom(t *testing.T, h Harness) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := random(r, h.Terms())
		h.Load(t, m)
		for i := range 10 {
			p := projection(h.Terms(), "", "", false)
			for k := range p.Relationships {
				sel := &p.Relationships[k]
				sel.Orientation, sel.Parallel = orientations[r.IntN(3)], parallels[r.IntN(5)]
				if r.IntN(2) == 0 {
					sel.Weight = h.Terms().Weight
				}
			}
			t.Run(fmt.Sprintf("seed=%d/%d", seed, i), func(t *testing.T) { compare(t, h, m, p) })
		}
	}
}

func testExportTwice(t *testing.T, h Harness) {
	h.Load(t, nasty(h.Terms()))
	p := projection(h.Terms(), export.Undirected, export.Sum, true)
	var digests []string
	for range 3 {
		s, err := h.Source().Export(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, s.Digest())
	}
	if len(slices.Compact(digests)) != 1 {
		t.Errorf("one graph, several digests: %v", digests)
	}
}

// badWeights are weights that no policy but skip or epsilon lets through; nil is a missing one.
func badWeights() map[string]*float64 {
	out := map[string]*float64{"missing": nil}
	for name, w := range map[string]float64{"zero": 0, "negative": -1.5, "NaN": math.NaN(), "infinite": math.Inf(1)} {
		out[name] = &w
	}
	return out
}

// withWeights is the nasty model with some weights replaced.
func withWeights(terms Terms, weights ...*float64) Model {
	m := nasty(terms)
	for i, w := range weights {
		m.Rels[2+3*i].Weight = w
	}
	return m
}

func testRefuseWeights(t *testing.T, h Harness) {
	for name, w := range badWeights() {
		t.Run(name, func(t *testing.T) {
			h.Load(t, withWeights(h.Terms(), w))
			s, err := h.Source().Export(context.Background(), projection(h.Terms(), export.Natural, export.Keep, true), nil)
			if connector.KindOf(err) != connector.BadData || s != nil {
				t.Errorf("snapshot %v and error %v; want no snapshot and an error of kind BadData", s, err)
			}
			m := withWeights(h.Terms(), w)
			compare(t, h, m, projection(h.Terms(), export.Natural, export.Keep, false)) // unread, it does no harm
		})
	}
}

func testSkipWeights(t *testing.T, h Harness) {
	bad := badWeights()
	m := withWeights(h.Terms(), bad["missing"], bad["zero"], bad["negative"], bad["NaN"])
	h.Load(t, m)
	for _, policy := range []export.WeightPolicy{
		{Zero: "skip", Invalid: "skip"},
		{Zero: "epsilon", Epsilon: 0.125, Invalid: "skip"},
	} {
		p := projection(h.Terms(), export.Undirected, export.Keep, true)
		p.Weights = policy
		s := compare(t, h, m, p)
		dropped := export.Dropped{BadWeight: 3, ZeroWeight: 1}
		if policy.Zero == "epsilon" {
			dropped.ZeroWeight = 0
		}
		if s.Dropped != dropped {
			t.Errorf("zero weights %q: dropped %+v, want %+v", policy.Zero, s.Dropped, dropped)
		}
	}
}

func testDefaultWeight(t *testing.T, h Harness) {
	m := withWeights(h.Terms(), nil, nil)
	h.Load(t, m)
	p := projection(h.Terms(), export.Natural, export.Keep, true)
	w := 7.5
	for i := range p.Relationships {
		p.Relationships[i].DefaultWeight = &w
	}
	compare(t, h, m, p)
}

func testUnknownWeight(t *testing.T, h Harness) {
	h.Load(t, nasty(h.Terms()))
	p := projection(h.Terms(), export.Natural, export.Keep, true)
	p.Relationships[0].Weight = "no such property"
	s, err := h.Source().Export(context.Background(), p, nil)
	if connector.KindOf(err) != connector.UnknownName || s != nil {
		t.Errorf("error %v; want one of kind UnknownName", err)
	}
}
