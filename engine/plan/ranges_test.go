package plan

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestRangesOnShallowGraphs: batches go level by level within a range where they do without one.
func TestRangesOnShallowGraphs(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.RMAT, Scale: 12, Edges: 40_000, Seed: 1})
	f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Pairs: &kernels.Pairs{Within: 2}})
	var names []string
	for _, c := range Candidates(f, f.Guess(), machine()) {
		names = append(names, c.Engine)
	}
	if !slices.Contains(names, Levels) || slices.Contains(names, Deep) {
		t.Errorf("%v", names)
	}
}

// TestRangesBoundTheSpread: a batch comes to a node at no more levels than a search has within the range, whatever is
// known of the whole graph.
func TestRangesBoundTheSpread(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.WattsStrogatz, Nodes: 1 << 13, Degree: 10, Seed: 1})
	f := asked(t, g, kernels.Dependencies, kernels.Request{Nodes: true, Sources: kernels.DrawSources(g.N(), 512, 1),
		Pairs: &kernels.Pairs{Within: 2}})
	f.surely = true
	at, most := H200().reachedAt(f, f.size()), 1+f.levels()
	if f.Depth().Spread <= f.levels() || at > most {
		t.Errorf("at %g levels of %g, of a spread of %g", at, most, f.Depth().Spread)
	}
}

// TestRangesArePredicted: a search within a range is predicted to take a time that grows with the range, on the CPU and
// on a device, and to take no longer than one without.
func TestRangesArePredicted(t *testing.T) {
	g := made(t, generate.Spec{Kind: generate.Delaunay, Scale: 14, Seed: 1})
	for _, kind := range []kernels.Kind{kernels.Dependencies, kernels.PathCounts, kernels.FoldedDistances} {
		for _, edges := range []bool{false, true} {
			before := map[string]float64{}
			for _, within := range []float64{0.5, 3, 10, 30, 1000} {
				f := asked(t, g, kind, kernels.Request{Nodes: true, Edges: edges, Pairs: &kernels.Pairs{Within: within}})
				for _, c := range Candidates(f, f.Guess(), machine()) {
					if c.Reductions != nil || c.Cost.Search < before[c.Engine] {
						t.Errorf("%v within %g: %s searches for %g s, %g s within a shorter range", kind, within, c.Name(), c.Cost.Search,
							before[c.Engine])
					}
					before[c.Engine] = c.Cost.Search
				}
			}
			want := map[kernels.Kind]string{kernels.Dependencies: Deep, kernels.FoldedDistances: Hops,
				kernels.PathCounts: OneByOne}[kind]
			if _, found := before[want]; found == (edges && kind == kernels.FoldedDistances) {
				t.Errorf("%v, edges %v: %v", kind, edges, before)
			}
			if ratio := before[Plain] / before[OneByOne]; !(ratio > 0) {
				t.Errorf("%v: %v", kind, before)
			}
		}
	}
}
