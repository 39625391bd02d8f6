package structure

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// TestThreads: a graph that is large enough for several threads has the same scores on one, two and eight, and they
// pass their check.
func TestThreads(t *testing.T) {
	s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.ErdosRenyi, Nodes: 20_000, Edges: 550_000, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := s.Graph
	if g.Arcs() < leastShared {
		t.Fatalf("%d arcs are too few", g.Arcs())
	}
	for _, m := range measures(g) {
		for _, variant := range append(slices.Clone(m.Variants), "") {
			r := kernels.Request{Params: kernels.Params{Variant: variant}, Nodes: true, Edges: m.Edge != ""}
			var first kernels.Scores
			for i, threads := range []int{1, 2, 8} {
				nodes, edges, err := Find(t.Context(), m, g, r, threads)
				if err != nil {
					t.Fatal(err)
				}
				got := kernels.Scores{Nodes: nodes, Edges: edges}
				if err := check.Scores(m, g, r, &got); err != nil {
					t.Fatalf("%s on %d threads: %v", m.Name, threads, err)
				}
				if i == 0 {
					first = got
				}
				if !slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges) {
					t.Errorf("%s %s: other scores on %d threads", m.Name, variant, threads)
				}
			}
		}
	}
}

// TestWeakTogether: components are the same arc by arc and on several threads, which take graphs of this size from no
// caller.
func TestWeakTogether(t *testing.T) {
	for i, g := range append(nasty(t), random(t, 100)...) {
		for _, variant := range []string{kernels.GroupID, kernels.GroupSize} {
			stop := stopper.New(t.Context())
			one := &task{graph: g, variant: variant, threads: 1, stop: stop, nodes: make([]float64, g.N())}
			three := &task{graph: g, variant: variant, threads: 3, stop: stop, nodes: make([]float64, g.N())}
			if err := cmp.Or(one.weakAlone(), three.weakTogether()); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(one.nodes, three.nodes) {
				t.Errorf("graph %d: %s %v alone, %v together", i, variant, one.nodes, three.nodes)
			}
			stop.Release()
		}
	}
}

// TestStop: every measure ends with the cause when its result is no longer wanted.
func TestStop(t *testing.T) {
	cause := errors.New("the user said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, g := range nasty(t) {
		for _, m := range measures(g) {
			if _, _, err := Find(ctx, m, g, kernels.Request{Nodes: true, Edges: m.Edge != ""}, 2); !errors.Is(err, cause) {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}

// TestCheckFindsWrongScores: a score that is off by one of any node or edge is found, of the measures whose check looks
// at each.
func TestCheckFindsWrongScores(t *testing.T) {
	g := nasty(t)[20] // a complete graph with a path to it
	for _, m := range measures(g) {
		r := kernels.Request{Nodes: true, Edges: m.Edge != ""}
		found := 0
		for v := range g.N() {
			nodes, edges, err := Find(t.Context(), m, g, r, 1)
			if err != nil {
				t.Fatal(err)
			}
			nodes[v] += 20
			if check.Scores(m, g, r, &kernels.Scores{Nodes: nodes, Edges: edges}) != nil {
				found++
			}
		}
		if found == 0 && !slices.Contains([]kernels.Kind{kernels.Blocks, kernels.Curvature}, m.Kind) {
			// of these, edges alone are checked
			t.Errorf("%s: no wrong score of a node was found", m.Name)
		}
	}
}

// TestShared: measures that share a pass have the scores that each has alone, in any order.
func TestShared(t *testing.T) {
	for _, g := range append(nasty(t), random(t, 20)...) {
		type asked struct {
			m kernels.Measure
			r kernels.Request
		}
		var all []asked
		for _, m := range measures(g) {
			for _, variant := range append(slices.Clone(m.Variants), "") {
				r := kernels.Request{Params: kernels.Params{Variant: variant}, Nodes: true, Edges: m.Edge != "" && variant != ""}
				if m.Pass(r) != "" {
					all = append(all, asked{m, r})
				}
			}
		}
		for range 2 {
			shared := &kernels.Shared{}
			for _, a := range all {
				nodes, edges, err := Find(t.Context(), a.m, g, a.r, 1)
				if err != nil {
					t.Fatal(err)
				}
				a.r.Shared = shared
				sharedNodes, sharedEdges, err := Find(t.Context(), a.m, g, a.r, 3)
				if err != nil || !slices.Equal(sharedNodes, nodes) || !slices.Equal(sharedEdges, edges) {
					t.Errorf("%s %s: other scores where a pass is shared: %v", a.m.Name, a.r.Variant, err)
				}
			}
			slices.Reverse(all)
		}
	}
}
