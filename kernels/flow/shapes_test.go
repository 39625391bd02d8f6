package flow_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// measures are those of flows.
func measures() []string {
	return []string{"currentFlowBetweenness", "currentFlowCloseness", "effectiveResistance", "spanningCentrality"}
}

func links(pairs ...int32) (out []graphtest.Link) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, graphtest.Link{From: pairs[i], To: pairs[i+1], Weight: 1})
	}
	return out
}

// TestForests: on trees, no equation is solved, and current takes the shortest path, so that the betweenness of both is
// the same. Distances are sums of resistances.
func TestForests(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		n := 1 + random.IntN(60)
		var all []graphtest.Link
		for v := 1; v < n; v++ {
			if random.IntN(9) > 0 {
				all = append(all, graphtest.Link{From: int32(random.IntN(v)), To: int32(v), Weight: 1})
			}
		}
		g := graphtest.Links(t, n, false, false, all)
		r := kernels.Request{Nodes: true, Edges: true}
		got, want := compute(t, "currentFlowBetweenness", g, r), compute(t, "betweenness", g, r)
		if got.Solution.Systems != 0 {
			t.Errorf("%+v", got.Solution)
		}
		same(t, n, "betweenness of nodes", got.Nodes, want.Nodes)
		same(t, n, "betweenness of edges", got.Edges, want.Edges)
		same(t, n, "closeness", compute(t, "currentFlowCloseness", g, r).Nodes, compute(t, "closeness", g, r).Nodes)
		for e, x := range compute(t, "spanningCentrality", g, r).Edges {
			if x != 1 {
				t.Errorf("edge %d of a forest has the spanning centrality %v", e, x)
			}
		}
	}
}

// TestShapes has graphs whose resistances are known: of every edge, and of every node in the mean.
func TestShapes(t *testing.T) {
	for name, c := range map[string]struct {
		g          *export.Graph
		edge, mean float64
	}{
		"ring of 9":      {graphtest.Ring(t, 9, 0), 8.0 / 9, (8.0 + 14 + 18 + 20) / 9 / 4},
		"complete graph": {complete(t, 30), 2.0 / 30, 2.0 / 30},
		"two joined":     {graphtest.Links(t, 2, false, false, links(0, 1)), 1, 1},
		"joined thrice":  {graphtest.Links(t, 2, false, false, links(0, 1, 0, 1, 1, 0)), 1.0 / 3, 1.0 / 3},
		"a square, twice": {graphtest.Links(t, 9, false, false, links(0, 1, 1, 2, 2, 3, 0, 3, 4, 5, 5, 6, 6, 7, 4, 7)[:8]),
			0.75, (0.75 + 1 + 0.75) / 3},
	} {
		s := compute(t, "effectiveResistance", c.g, kernels.Request{Nodes: true, Edges: true})
		for e, x := range s.Edges {
			if math.Abs(x-c.edge) > 1e-11 {
				t.Errorf("%s: edge %d has the resistance %v, want %v", name, e, x, c.edge)
			}
		}
		for v, x := range s.Nodes {
			if alone := c.g.Degree(int32(v)) == 0; !alone && math.Abs(x-c.mean) > 1e-11 || alone && x != 0 {
				t.Errorf("%s: node %d has the mean resistance %v, want %v", name, v, x, c.mean)
			}
		}
	}
}

func complete(t *testing.T, n int32) *export.Graph {
	var all []graphtest.Link
	for v := range n {
		for u := range v {
			all = append(all, graphtest.Link{From: u, To: v, Weight: 1})
		}
	}
	return graphtest.Links(t, int(n), false, false, all)
}

// TestNothingToJoin: graphs without nodes, without edges, and with self-loops alone score 0.
func TestNothingToJoin(t *testing.T) {
	for n, all := range [][]graphtest.Link{nil, nil, links(0, 0, 1, 1, 1, 1)} {
		g := graphtest.Links(t, n, false, false, all)
		for _, measure := range measures() {
			s := compute(t, measure, g, kernels.Request{Nodes: true, Edges: true})
			for _, x := range slices.Concat(s.Nodes, s.Edges) {
				if x != 0 {
					t.Errorf("%s of %d nodes: %v", measure, n, x)
				}
			}
		}
	}
}

// lattice is a graph with a large block, small ones, and trees.
func lattice(t *testing.T, n int32) *export.Graph {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	var all []graphtest.Link
	for v := int32(1); v < n; v++ {
		all = append(all, graphtest.Link{From: random.Int32N(v), To: v, Weight: 0.1 + random.Float64()})
		if v%4 > 0 {
			all = append(all, graphtest.Link{From: random.Int32N(n), To: v, Weight: 0.1 + random.Float64()})
		}
	}
	return graphtest.Links(t, int(n), false, true, all)
}

// TestSameBits: scores have the same bits for any number of threads, from an exact factor, from iterations, or drawn.
func TestSameBits(t *testing.T) {
	g := lattice(t, 300)
	for _, measure := range measures() {
		for _, c := range []struct {
			by    func(*testing.T, string, *export.Graph, kernels.Request) *kernels.Scores
			bound float64
		}{{compute, 0}, {approximately, 0}, {approximately, 0.9}} {
			bound := c.bound
			r := kernels.Request{Nodes: true, Edges: true}
			r.Weighted, r.Error = true, bound
			var first *kernels.Scores
			for _, r.Threads = range []int{1, 2, 3, 7} {
				got := c.by(t, measure, g, r)
				if first == nil {
					first = got
				}
				if !slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges) ||
					*got.Solution != *first.Solution {
					t.Errorf("%s, error %g: %d threads give other bits than one", measure, bound, r.Threads)
				}
			}
			if drawn := first.Solution.Drawn > 0; drawn != (bound > 0) || first.Solution.Error != bound {
				t.Errorf("%s, error %g: %+v", measure, bound, first.Solution)
			}
		}
	}
}

// TestDrawn: scores that are drawn keep their bounds: of resistances relative, of currents as a share of all pairs.
func TestDrawn(t *testing.T) {
	g := lattice(t, 1200)
	for measure, bound := range map[string]float64{
		"currentFlowBetweenness": 0.1, "currentFlowCloseness": 0.5, "effectiveResistance": 0.5, "spanningCentrality": 0.4,
	} {
		r := kernels.Request{Nodes: true, Edges: true}
		r.Weighted = true
		want := compute(t, measure, g, r)
		r.Error = bound
		got := approximately(t, measure, g, r)
		if got.Solution.Drawn == 0 || got.Solution.Delta != 0.01 {
			t.Errorf("%s: %+v, exactly %+v", measure, got.Solution, want.Solution)
		}
		most := func(exact float64) float64 { return bound * exact }
		switch measure {
		case "currentFlowBetweenness":
			most = func(float64) float64 { return bound * 1200 * 1199 / 2 }
		case "currentFlowCloseness": // the inverse of a mean
			most = func(exact float64) float64 { return exact / (1 - bound) * bound }
		}
		other := 0
		wants := slices.Concat(want.Nodes, want.Edges)
		for i, x := range slices.Concat(got.Nodes, got.Edges) {
			if math.Abs(x-wants[i]) > most(wants[i]) {
				t.Errorf("%s: score %d is %g, exactly %g", measure, i, x, wants[i])
			}
			if x != wants[i] {
				other++
			}
		}
		if other == 0 {
			t.Errorf("%s: nothing was estimated", measure)
		}
	}
}

// TestExactFactor: an exact factor and iterations give the same scores, also where most nodes are in the dense tail,
// and where weights are twelve powers of ten apart.
func TestExactFactor(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 57))
	apart := func() float64 { return math.Pow(10, 12*random.Float64()-6) }
	alike := func() float64 { return 0.5 + random.Float64() }
	for i, g := range []*export.Graph{
		lattice(t, 500), grid(t, 30, 15, alike), grid(t, 15, 15, apart), star(t, 3, 150, apart),
		dense(t, random, 60, 0.5, alike), dense(t, random, 60, 0.5, apart), dense(t, random, 300, 0.02, alike),
	} {
		for _, measure := range measures() {
			r := kernels.Request{Nodes: true, Edges: true}
			r.Weighted, r.Threads = true, 2
			got, want := compute(t, measure, g, r), approximately(t, measure, g, r)
			if got.Solution.Iterations > 2 || want.Solution.Iterations <= 2 {
				t.Errorf("graph %d: %s took %d iterations by an exact factor, and %d without", i, measure, got.Solution.Iterations,
					want.Solution.Iterations)
			}
			same(t, i, measure+" of nodes", got.Nodes, want.Nodes)
			same(t, i, measure+" of edges", got.Edges, want.Edges)
		}
	}
}

// TestDenseTail: a factor that several threads make has the same bits as by one, and the resistances of iterations.
func TestDenseTail(t *testing.T) {
	g := dense(t, rand.New(rand.NewPCG(3, 57)), 300, 0.3, func() float64 { return 1 })
	r := kernels.Request{Nodes: true, Edges: true}
	r.Weighted, r.Threads = true, 1
	want := compute(t, "effectiveResistance", g, r)
	for _, r.Threads = range []int{2, 5} {
		if got := compute(t, "effectiveResistance", g, r); !slices.Equal(got.Nodes, want.Nodes) ||
			!slices.Equal(got.Edges, want.Edges) {
			t.Errorf("%d threads give other bits than one", r.Threads)
		}
	}
	solved := approximately(t, "effectiveResistance", g, r)
	same(t, 0, "mean resistance", want.Nodes, solved.Nodes)
	same(t, 0, "resistance", want.Edges, solved.Edges)
}

// grid has streets of some width and height.
func grid(t *testing.T, width, height int32, weight func() float64) *export.Graph {
	var all []graphtest.Link
	for v := range width * height {
		if v%width > 0 {
			all = append(all, graphtest.Link{From: v - 1, To: v, Weight: weight()})
		}
		if v >= width {
			all = append(all, graphtest.Link{From: v - width, To: v, Weight: weight()})
		}
	}
	return graphtest.Links(t, int(width*height), false, true, all)
}

// star joins some hubs to all other nodes.
func star(t *testing.T, hubs, nodes int32, weight func() float64) *export.Graph {
	var all []graphtest.Link
	for v := hubs; v < nodes; v++ {
		for hub := range hubs {
			all = append(all, graphtest.Link{From: hub, To: v, Weight: weight()})
		}
	}
	return graphtest.Links(t, int(nodes), false, true, all)
}

// dense joins each pair of nodes with a probability.
func dense(t *testing.T, random *rand.Rand, nodes int32, probability float64, weight func() float64) *export.Graph {
	var all []graphtest.Link
	for v := range nodes {
		for u := range v {
			if random.Float64() < probability {
				all = append(all, graphtest.Link{From: u, To: v, Weight: weight()})
			}
		}
	}
	return graphtest.Links(t, int(nodes), false, true, all)
}

// TestBlocks: scores of edges depend on their block alone, so two blocks that share a node score as each by itself.
func TestBlocks(t *testing.T) {
	a, b := links(0, 1, 1, 2, 0, 2, 2, 3, 0, 3), links(3, 4, 4, 5, 5, 6, 3, 6, 3, 5)
	own := func(all []graphtest.Link) []float64 {
		return compute(t, "effectiveResistance", graphtest.Links(t, 7, false, false, all), kernels.Request{Edges: true}).Edges
	}
	same(t, 0, "resistance", own(slices.Concat(a, b)), slices.Concat(own(a), own(b)))
}

// TestRefused: what cannot be computed gets one line that says why, and what to do.
func TestRefused(t *testing.T) {
	apart := []graphtest.Link{{From: 0, To: 1, Weight: 1e-300}, {From: 1, To: 2, Weight: 1e300},
		{From: 0, To: 2, Weight: 1e-300}, {From: 0, To: 3, Weight: 1e305}, {From: 1, To: 3, Weight: 3e-290}}
	for _, measure := range measures() {
		m, _ := kernels.Lookup(measure)
		r := kernels.Request{Nodes: true}
		_, err := cpu.Compute(t.Context(), m, graphtest.Links(t, 3, true, false, links(0, 1, 1, 2)), r)
		if err == nil || !strings.Contains(err.Error(), measure+": the graph is directed") {
			t.Errorf("a directed graph: %v", err)
		}
		r.Weighted = true
		g := graphtest.Links(t, 4, false, true, apart)
		s, err := cpu.Compute(t.Context(), m, g, r)
		if err == nil {
			err = check.Scores(m, g, r, s)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), measure+": ") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("weights far apart: %v", err)
		}
		t.Logf("weights far apart: %v", err)
		r.Error = 1
		if err := m.Check(r); err == nil {
			t.Errorf("%s takes an error of 1", measure)
		}
	}
}

// TestCancelled: a run stops when it is told to, in the midst of its solutions or before.
func TestCancelled(t *testing.T) {
	cause := errors.New("the user said stop")
	for _, measure := range measures() {
		ctx, cancel := context.WithCancelCause(t.Context())
		m, _ := kernels.Lookup(measure)
		r := kernels.Request{Nodes: true, Progress: func(done, _ int) {
			if done > 20 {
				cancel(cause)
			}
		}}
		if m.Kind != kernels.Currents { // few solutions
			cancel(cause)
		}
		if _, err := cpu.Compute(ctx, m, lattice(t, 1500), r); !errors.Is(err, cause) {
			t.Errorf("%s: %v", measure, err)
		}
	}
}
