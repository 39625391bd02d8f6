//go:build cuda || emulate

package worker

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// asked is what is computed, and how.
type asked struct {
	measure, strategy string
	single            bool
}

// TestWeightsAgainstOracle takes the graphs of oracle.Weighed: betweenness and stress of nodes and edges agree with
// exact arithmetic, to 1e-9 in double and to 1e-5 in single precision, and have the same bits again. What is refused is
// what only 128-bit integers hold; a weight that is lost beside a path is named.
func TestWeightsAgainstOracle(t *testing.T) {
	d, graphs := devicetest.Open(t), oracle.WeighedGraphs
	if devicetest.Emulated && testing.Short() {
		graphs = 40
	}
	outcomes := map[string]int{}
	for i := range graphs {
		kind, drawn := oracle.Weighed(i)
		var links []graphtest.Link
		for _, e := range drawn.Edges {
			links = append(links, graphtest.Link{From: int32(e.From), To: int32(e.To), Weight: e.Weight})
		}
		g := graphtest.Links(t, drawn.N, drawn.Directed, true, links)
		o := oracle.Of(g, true)
		for _, c := range []asked{
			{"betweenness", "batched", false}, {"betweenness", "batched", true}, {"betweenness", "weighted", false},
			{"betweenness", "weighted", true},
			{"betweenness", "auto", false}, {"betweenness", "auto", true}, {"stress", "batched", false},
			{"stress", "weighted", false},
		} {
			outcomes[kind+": "+onDeviceAgainstOracle(t, d, i, g, o, c)]++
			if t.Failed() {
				t.Fatalf("graph %d, %s: n %d, m %d, directed %t, %+v", i, kind, g.N(), g.M(), g.Directed, c)
			}
		}
	}
	t.Log(outcomes)
	for _, kind := range []string{"reals: right", "tied: right", "sums past 2^53: right", "24 decades apart: right",
		"24 decades, all digits: lost", "24 decades: refused"} {
		if outcomes[kind] == 0 {
			t.Errorf("nothing was %s", kind)
		}
	}
}

// TestBatchedOnBadWeights has the weights that break things, with what is to come of them: the numbers that lengths are
// kept in, or why the device refuses.
func TestBatchedOnBadWeights(t *testing.T) {
	d := devicetest.Open(t)
	// Two ways of two edges from 0 to 3, and an edge on to 4: 3 is between 4 and the rest, 1 and 2 by their share of the
	// ways.
	ways := func(a, b, c, e float64) []graphtest.Link {
		return []graphtest.Link{{From: 0, To: 1, Weight: a}, {From: 1, To: 3, Weight: b}, {From: 0, To: 2, Weight: c},
			{From: 2, To: 3, Weight: e}, {From: 3, To: 4, Weight: 1}}
	}
	var twos, fan []graphtest.Link
	for i := range int32(40) {
		twos = append(twos, graphtest.Link{From: i, To: (i*7 + 3) % 40, Weight: math.Ldexp(1, int(i))})
	}
	for i := range int32(24) {
		fan = append(fan, graphtest.Link{From: 0, To: i + 1, Weight: math.Pow10(int(i) - 12)},
			graphtest.Link{From: 30 + i, To: 31 + i, Weight: 2})
	}
	const enormous, half = 1 << 53, 1 << 52
	for _, c := range []struct {
		name     string
		directed bool
		links    []graphtest.Link
		says     string // in the note, or in the refusal
	}{
		{"24 decades, none added", true, fan, "reals"},
		{"24 decades, added", false, []graphtest.Link{{From: 0, To: 1, Weight: 1e12}, {From: 1, To: 2, Weight: 1e-12},
			{From: 2, To: 3, Weight: 3}}, "128-bit"},
		{"24 decades, all digits, added", true, []graphtest.Link{{From: 0, To: 1, Weight: 1.234567890123456e20},
			{From: 1, To: 2, Weight: 1.234567890123456e-20}}, "from node 1 to node 2: its weight 1.234567890123456e-20 is lost"},
		{"distinct powers of two", false, twos, "ticks64"},
		{"sums past 2^53, one way shorter by 1", false, ways(enormous, 1, half, half), "ticks64"},
		{"sums past 2^53, tied", false, ways(enormous, 2, half+1, half+1), "ticks64"},
		{"denormal", false, ways(5e-324, 1e-323, 5e-324, 1e-323)[:4],
			"weights under 1e-280 are exact in whole ticks on the CPU only"},
		{"denormal beside 1", true, ways(5e-324, 1, 1, 5e-324), "is lost next to the length of a path"},
		{"one enormous weight", false, ways(1, 2, 1e15, 1), "ticks64"},
		{"one enormous weight, past 62 bits", false, ways(1, 2, 1e30, 1), "reals"},
		{"one enormous weight, last", true, append(ways(1, 2, 2, 1), graphtest.Link{From: 4, To: 5, Weight: 1e30},
			graphtest.Link{From: 5, To: 6, Weight: 1}), "128-bit"},
		{"parts that are not reached", true,
			append(ways(1, 2, 2, 1), graphtest.Link{From: 5, To: 0, Weight: 1}, graphtest.Link{From: 6, To: 7, Weight: 3},
				graphtest.Link{From: 7, To: 6, Weight: 3}, graphtest.Link{From: 8, To: 8, Weight: 1}), "ticks32"},
		{"decimals that tie", false, ways(0.1, 0.2, 0.15, 0.15), "ticks32"},
		{"ties everywhere", true, ways(3, 3, 3, 3)[:4], "by hops, because all weights are 3"},
	} {
		g := graphtest.Links(t, 60, c.directed, true, c.links)
		for _, measure := range []string{"betweenness", "harmonic"} {
			got, err := onDevice(t.Context(), d, g, measure, weightedScores, "batched", false)
			if err = explained(t, g, measure, weightedScores, err); err != nil {
				if !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s of %s: %v; want one that says %q", measure, c.name, err, c.says)
				}
				continue
			}
			if got == nil {
				t.Errorf("%s of %s: only the CPU computes it", measure, c.name)
				continue
			}
			if !strings.Contains(got.note, c.says) {
				t.Errorf("%s of %s: %q; want %q", measure, c.name, got.note, c.says)
			}
			if measure == "betweenness" {
				matchesOracle(t, g, oracle.Of(g, true), ints(order.All(g)), false, asked{measure: "betweenness"}, got)
			} else {
				asOnCPU(t, d, g, measure, weightedScores, "batched", false, 1e-9)
			}
			if t.Failed() {
				t.Fatal(c.name)
			}
		}
	}
}

// TestBatchedOnZeroWeights: what a policy makes of them is refused before there is a graph, left out, or weighs
// epsilon.
func TestBatchedOnZeroWeights(t *testing.T) {
	d := devicetest.Open(t)
	for _, c := range []struct {
		policy export.WeightPolicy
		edges  int // of six
		says   string
	}{
		{export.WeightPolicy{}, -1, ""},
		{export.WeightPolicy{Zero: "skip"}, 4, "ticks32"},
		{export.WeightPolicy{Zero: "epsilon", Epsilon: 1e-6}, 6, "ticks32"},
		{export.WeightPolicy{Zero: "epsilon", Epsilon: 1e-14}, 6, "ticks64"},
		{export.WeightPolicy{Zero: "epsilon", Epsilon: 1e-30}, -1, "128-bit"},
	} {
		var links []graphtest.Link
		var dropped export.Dropped
		var refused []export.WeightFault
		for _, l := range []graphtest.Link{{From: 0, To: 1, Weight: 2}, {From: 1, To: 2, Weight: 0},
			{From: 0, To: 2, Weight: 2}, {From: 2, To: 3, Weight: 5}, {From: 3, To: 4, Weight: 0}, {From: 4, To: 0, Weight: 7}} {
			weight, keep, fault := c.policy.Check(l.Weight, &dropped)
			if l.Weight = weight; keep {
				links = append(links, l)
			} else if fault != 0 {
				refused = append(refused, fault)
			}
		}
		if c.policy.Zero == "" {
			if !slices.Equal(refused, []export.WeightFault{export.ZeroWeight, export.ZeroWeight}) || len(links) != 4 {
				t.Errorf("%+v: %v", c.policy, refused)
			}
			continue
		}
		g := graphtest.Links(t, 5, false, true, links)
		got, err := onDevice(t.Context(), d, g, "betweenness", weightedScores, "batched", false)
		if c.edges < 0 {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v", c.policy, err)
			}
			continue
		}
		if err != nil || refused != nil || g.M() != c.edges || !strings.Contains(got.note, c.says) {
			t.Fatalf("%+v: %d edges, %v, %v", c.policy, g.M(), refused, err)
		}
		matchesOracle(t, g, oracle.Of(g, true), ints(order.All(g)), false, asked{measure: "betweenness"}, got)
	}
}

// onDeviceAgainstOracle runs graph number i, a third of them from a sample of sources, and says what came of it.
func onDeviceAgainstOracle(t *testing.T, d gpu.OpenDevice, i int, g *export.Graph, o *oracle.Oracle, a asked) string {
	t.Helper()
	sources := order.All(g)
	r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: i%7 == 3 && a.measure == "betweenness"},
		Nodes: true, Edges: true}
	if i%3 == 2 {
		sources = kernels.DrawSources(g.N(), (g.N()+1)/2, int64(i))
		r.Sources = sources
	}
	searched := ints(sources)
	got, err := onDevice(t.Context(), d, g, a.measure, r, a.strategy, a.single)
	switch {
	case o.Lost(searched):
		if !errors.Is(err, lengths.ErrLength) {
			t.Errorf("a weight is lost: %v", err)
		}
		return "lost"
	case err != nil && reasonOf(t.Context(), err) == protocol.NotOnGPU:
		if _, _, _, whole := lengths.WholeTicks(g); whole || !o.Exact() {
			t.Errorf("lengths need no 128 bits: %v", err)
		}
		return "refused"
	case err != nil:
		t.Error(err)
		return "failed"
	}
	matchesOracle(t, g, o, searched, r.Endpoints, a, got)
	again, err := onDevice(t.Context(), d, g, a.measure, r, a.strategy, a.single)
	if err != nil || !sameBits(again, got) || again.Totals != got.Totals {
		t.Errorf("other bits the second time, %v", err)
	}
	return "right"
}

// weightedScores asks for both kinds of scores, from all nodes of the graph as it is.
var weightedScores = kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true,
	Reduce: kernels.ReduceOff}

func ints(nodes []int32) []int {
	out := make([]int, len(nodes))
	for i, v := range nodes {
		out[i] = int(v)
	}
	return out
}

// matchesOracle compares scores, pairs and ties.
func matchesOracle(
	t *testing.T, g *export.Graph, o *oracle.Oracle, searched []int, endpoints bool, a asked, got *outcome,
) {
	t.Helper()
	factor, bound := 1.0, 1e-9
	if !g.Directed {
		factor = 0.5
	}
	if a.single {
		bound = 1e-5
	}
	sums := o.Betweenness
	if a.measure == "stress" {
		sums = o.Stress
	}
	nodes, edges := sums(searched).Float64(factor)
	if endpoints {
		for v, x := range o.Ends(searched) {
			nodes[v] += x * factor
		}
	}
	for _, part := range [][2][]float64{{got.Nodes, nodes}, {got.Edges, edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > bound {
			t.Errorf("%s (%s)", where, got.note)
		}
	}
	pairs := int64(0)
	for _, s := range searched {
		pairs += int64(len(o.From(s).Reached) - 1)
	}
	if got.Totals.Pairs != pairs || (got.Ties == "exact") != o.Exact() {
		t.Errorf("%d pairs, ties %q; want %d, exact %t (%s)", got.Totals.Pairs, got.Ties, pairs, o.Exact(), got.note)
	}
}

// TestDoubtfulTies: of two ways that differ by less than float64 tells apart after 2000 arcs, the shorter is told where
// there are few arcs; by still less, the CPU tells it.
func TestDoubtfulTies(t *testing.T) {
	d := devicetest.Open(t)
	for _, engine := range []string{"small", "weighted"} {
		for _, c := range []struct {
			by    float64 // how much longer the way by 2 is, relatively
			tail  int32   // arcs of a path from 3 on
			onCPU bool
		}{{5e-13, 0, false}, {1e-13, 0, false}, {2e-14, 0, true}, {2e-12, 0, false},
			{5e-13, 130, false}, {1e-13, 130, true}} {
			const a, b = 1.2345678901234567, 2.3456789012345678
			links := []graphtest.Link{{From: 0, To: 1, Weight: a}, {From: 1, To: 3, Weight: b}, {From: 0, To: 2, Weight: a},
				{From: 2, To: 3, Weight: b + (a+b)*c.by}, {From: 4, To: 5, Weight: 123456.78901234567}}
			for i, v := int32(0), int32(3); i < c.tail; i++ {
				links = append(links, graphtest.Link{From: v, To: 6 + i, Weight: a / 1024})
				v = 6 + i
			}
			g := graphtest.Links(t, 6+int(c.tail), false, true, links)
			got, err := onDevice(t.Context(), d, g, "betweenness", weightedScores, engine, false)
			if err != nil {
				if c.onCPU {
					continue // too many of so few sources
				}
				t.Fatalf("%s, %g: %v", engine, c.by, err)
			}
			if c.onCPU != strings.Contains(got.note, "on the CPU") || !strings.Contains(got.note, "reals") {
				t.Errorf("%s, %g: %s", engine, c.by, got.note)
			}
			matchesOracle(t, g, oracle.Of(g, true), ints(order.All(g)), false, asked{measure: "betweenness"}, got)
		}
	}
}

// TestLongPathsOfReals: paths of more arcs than the first tolerance is for are searched with a greater one, on the
// device.
func TestLongPathsOfReals(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(1, 2))
	var links []graphtest.Link
	for i := range int32(2499) {
		links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1 - random.Float64()})
	}
	g := graphtest.Links(t, len(links)+1, false, true, links)
	r := weightedScores
	r.Sources = []int32{0, 700, int32(g.N()) - 1}
	m, _ := kernels.Lookup("betweenness")
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	run := func(strategy string) {
		got, err := onDevice(t.Context(), d, g, "betweenness", r, strategy, false)
		if err != nil {
			t.Fatalf("%s: %v", strategy, err)
		}
		if got.Ties != "exact" || strings.Contains(got.note, "on the CPU") {
			t.Errorf("%s: ties %q, %s", strategy, got.Ties, got.note)
		}
		for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
			if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
				t.Errorf("%s: %s (%s)", strategy, where, got.note)
			}
		}
	}
	for _, engine := range []string{"batched", "weighted"} {
		run(engine)
	}
}
