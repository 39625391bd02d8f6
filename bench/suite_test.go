package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// TestSuites holds every suite to what exists: its graphs parse, its measures and strategies are in the table of
// kernels, its edge scores are scores that the measure has.
func TestSuites(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Suites() {
		if names[s.Name] || s.About == "" || len(s.Precisions) == 0 || len(s.Cases) == 0 {
			t.Errorf("suite %q: named twice, or without a line about it, precisions or cases", s.Name)
		}
		names[s.Name] = true
		for _, s := range []Suite{s, s.OnCPU()} {
			all, err := s.measurements()
			if err != nil {
				t.Error(err)
			}
			seen := map[string]bool{}
			for _, m := range all {
				record := m.record()
				if seen[record.key()] {
					t.Errorf("measured twice: %s", record.key())
				}
				seen[record.key()] = true
				spec, _ := kernels.Lookup(m.Measure)
				if err := spec.Check(m.request()); err != nil {
					t.Errorf("suite %s, %s: %v", s.Name, m.Graph, err)
				}
			}
		}
	}
}

func TestAllStandsForTheTable(t *testing.T) {
	s := Suite{Name: "x", Precisions: []string{Single, Double}, Cases: []Case{
		{Graph: "kron10", Measure: "betweenness", Strategies: []string{all}},
		{Graph: "kron10", Measure: "volume", Strategies: []string{CPU, "volume-lists"}},
	}}
	all, err := s.measurements()
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := kernels.Lookup("betweenness")
	if len(all) != 2*(len(spec.StrategiesFor(false))+1)+1+2 {
		t.Fatalf("%d measurements", len(all))
	}
	for _, m := range all {
		if m.strategy == CPU && m.precision != Double {
			t.Error("the CPU computes in double precision")
		}
	}
}

func TestSelect(t *testing.T) {
	s, err := FindSuite("unweighted")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Select([]string{"kron16", "rgg17"}, []string{"hybrid", "auto"}, []string{Double})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Cases) != 2 || !slices.Equal(got.Cases[0].Strategies, []string{"hybrid", "auto"}) ||
		!slices.Equal(got.Precisions, []string{Double}) {
		t.Errorf("%+v", got)
	}
	if whole, err := s.Select(nil, []string{all}, nil); err != nil || len(whole.Cases) != len(UnweightedGraphs()) {
		t.Errorf("%d cases, %v", len(whole.Cases), err)
	}
}

func TestSelectRefuses(t *testing.T) {
	s, err := FindSuite("sriram-table1")
	if err != nil {
		t.Fatal(err)
	}
	for want, try := range map[string]func() error{
		`no graph "kron16"`: func() error { _, err := s.Select([]string{"kron16"}, nil, nil); return err },
		`strategy "hybrid"`: func() error { _, err := s.Select(nil, []string{"auto", "hybrid"}, nil); return err },
		`precision "half"`:  func() error { _, err := s.Select(nil, nil, []string{"half"}); return err },
		"no suite":          func() error { _, err := FindSuite("sriram"); return err },
		"neither":           func() error { _, err := NewSuite(nil, Case{Measure: "betweenness"}, nil, nil); return err },
		`measure "bc"`: func() error {
			_, err := NewSuite([]string{"kron10"}, Case{Measure: "bc"}, nil,
				nil)
			return err
		},
		`strategy "fast"`: func() error {
			_, err := NewSuite([]string{"kron10"}, Case{Measure: "betweenness"}, []string{"fast"}, nil)
			return err
		},
		"has no weights": func() error {
			_, err := NewSuite([]string{"kron10"}, Case{Measure: "betweenness", Weighted: true}, []string{"auto"}, nil)
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// TestAutoIsComparedWithEngines: the best by hand is that of all ways, engines by name among them.
func TestAutoIsComparedWithEngines(t *testing.T) {
	for _, name := range []string{"auto", "samples", "random-sources"} {
		s, err := FindSuite(name)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string][]string{}
		for _, c := range s.Cases {
			at := fmt.Sprint(c.Graph, c.Measure, c.Weighted, c.Drawn)
			asked[at] = append(asked[at], c.Strategies...)
		}
		for _, c := range s.Cases {
			spec, _ := kernels.Lookup(c.Measure)
			engines := spec.Engines
			if c.Weighted {
				engines = spec.WeightedEngines
			}
			if spec.Chained && c.Drawn == 0 {
				engines = append(slices.Clip(engines), kernels.Chains)
			}
			for _, engine := range append(slices.Clip(engines), "auto", batched) {
				if at := fmt.Sprint(c.Graph, c.Measure, c.Weighted, c.Drawn); !slices.Contains(asked[at], engine) {
					t.Errorf("suite %s leaves out %s of %s on %s", name, engine, c.Measure, c.Graph)
				}
			}
		}
	}
}
