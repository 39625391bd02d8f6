package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// chosenPairs is a random choice of pairs, as a request and as the oracle has it.
type chosenPairs struct {
	request kernels.Request
	oracle  oracle.Choice
	source  func(s int) float64
	target  func(t int) bool
}

// someNodes draws a set of nodes, or nil for all.
func someNodes(random *rand.Rand, n int) []int32 {
	if random.IntN(3) == 0 {
		return nil
	}
	return kernels.DrawSources(n, 1+random.IntN(n), random.Int64())
}

func someMasses(random *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for v := range out {
		out[v] = float64(random.IntN(5)) * []float64{1, 0.1, 1e9}[random.IntN(3)]
	}
	out[random.IntN(n)] = 2.5
	return out
}

// someTrips draws a list of pairs.
func someTrips(random *rand.Rand, n int) (*kernels.Trips, []int32) {
	t, sources := &kernels.Trips{Offsets: []int64{0}, Targets: []int32{}, Amounts: []float64{}}, []int32{}
	for s := range int32(n) {
		if random.IntN(3) > 0 || s == 0 {
			sources = append(sources, s)
			for _, to := range kernels.DrawSources(n, 1+random.IntN(n), random.Int64()) {
				t.Targets, t.Amounts = append(t.Targets, to), append(t.Amounts, float64(1+random.IntN(90))/10)
			}
		}
		t.Offsets = append(t.Offsets, int64(len(t.Targets)))
	}
	return t, sources
}

func drawnPairs(random *rand.Rand, n int, weighted bool) chosenPairs {
	c := chosenPairs{request: kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true,
		Pairs: &kernels.Pairs{}}}
	p := c.request.Pairs
	if random.IntN(2) == 0 {
		p.Within = float64(1 + random.IntN(4))
		if weighted {
			p.Within = float64(1+random.IntN(20)) / 10
		}
	}
	c.oracle.Within = p.Within
	kind := random.IntN(4)
	if kind == 3 {
		d := &kernels.Demand{}
		d.Trips, c.request.Sources = someTrips(random, n)
		p.Demand = d
		c.oracle.Demand = func(s, t int) float64 {
			for i := d.Trips.Offsets[s]; i < d.Trips.Offsets[s+1]; i++ {
				if int(d.Trips.Targets[i]) == t {
					return d.Trips.Amounts[i]
				}
			}
			return 0
		}
		return c
	}
	c.request.Sources, p.Targets = someNodes(random, n), someNodes(random, n)
	if kind > 0 {
		p.Demand = &kernels.Demand{Sources: someMasses(random, n)}
	}
	if kind == 2 {
		p.Demand.Targets = someMasses(random, n)
	}
	in := func(set []int32, v int) bool { return set == nil || slices.Contains(set, int32(v)) }
	sources := c.request.Sources
	c.source = func(s int) float64 {
		switch {
		case !in(sources, s):
			return 0
		case kind > 0:
			return p.Demand.Sources[s]
		}
		return 1
	}
	c.target = func(t int) bool { return in(p.Targets, t) }
	c.oracle.Demand = func(s, t int) float64 {
		switch {
		case !c.target(t):
			return 0
		case kind == 2:
			return c.source(s) * p.Demand.Targets[t]
		}
		return c.source(s)
	}
	return c
}

// onlyPair reports whether the one source is the one target, which is refused.
func (c chosenPairs) onlyPair() bool {
	s, t := c.request.Sources, c.request.Pairs.Targets
	return len(s) == 1 && len(t) == 1 && s[0] == t[0]
}

func (c chosenPairs) halving(g *export.Graph) float64 {
	if d := c.request.Pairs.Demand; d != nil && d.Trips != nil {
		return 1
	}
	return halving(g)
}

func times(values []float64, factor float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = x * factor
	}
	return out
}

func pairsAgainstOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, c chosenPairs) {
	t.Helper()
	r, want, factor := c.request, o.Choose(c.oracle), c.halving(g)
	got := compute(t, g, "betweenness", r)
	same(t, "betweenness of node", got.Nodes, times(want.Nodes, factor))
	same(t, "betweenness of edge", got.Edges, times(want.Edges, factor))
	if got.Totals.Pairs != want.Pairs {
		t.Fatalf("%d pairs, want %d", got.Totals.Pairs, want.Pairs)
	}
	ends := r
	ends.Endpoints = true
	for v, x := range want.Ends {
		want.Nodes[v] += x
	}
	same(t, "betweenness with endpoints of node", compute(t, g, "betweenness", ends).Nodes, times(want.Nodes, factor))
	stress := compute(t, g, "stress", r)
	same(t, "stress of node", stress.Nodes, times(want.PathNodes, factor))
	same(t, "stress of edge", stress.Edges, times(want.PathEdges, factor))
	pairFoldsAgainstOracle(t, g, o, c)
}

// pairFoldsAgainstOracle compares closeness and harmonic. Edges have no demand of targets.
func pairFoldsAgainstOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, c chosenPairs) {
	t.Helper()
	r, d, n := c.request, c.request.Pairs.Demand, float64(g.N())
	r.Edges = d == nil || d.Trips == nil && d.Targets == nil
	var edges []oracle.Fold
	if r.Edges {
		edges = o.FoldEdges(c.oracle, c.source, c.target)
	}
	nodes := o.FoldNodes(c.oracle)
	for name, score := range map[string]func(f oracle.Fold, others float64) float64{
		"closeness":                    func(f oracle.Fold, _ float64) float64 { return ratio(f.Demand, f.Distance) },
		"closeness " + kernels.Classic: func(f oracle.Fold, _ float64) float64 { return ratio(1, f.Distance) },
		"closeness " + kernels.WassermanFaust: func(f oracle.Fold, others float64) float64 {
			return ratio(f.Demand, f.Distance) * ratio(f.Demand, others)
		},
		"harmonic": func(f oracle.Fold, others float64) float64 {
			if d != nil {
				return f.Inverse
			}
			return ratio(f.Inverse, others)
		},
	} {
		var measure string
		measure, r.Variant, _ = strings.Cut(name, " ")
		if r.Variant == kernels.WassermanFaust && d != nil {
			continue // it counts nodes
		}
		got := compute(t, g, measure, r)
		wantNodes := scoresOf(nodes, n-1, score)
		same(t, name+" of node", got.Nodes, wantNodes)
		if !r.Edges {
			continue
		}
		wantEdges := scoresOf(edges, n-2, score)
		source, target := g.Ends()
		for e := range wantEdges {
			if source[e] == target[e] {
				wantEdges[e] = wantNodes[source[e]]
			}
		}
		same(t, name+" of edge", got.Edges, wantEdges)
	}
}

func scoresOf(folds []oracle.Fold, others float64, score func(f oracle.Fold, others float64) float64) []float64 {
	out := make([]float64, len(folds))
	for i, f := range folds {
		out[i] = score(f, others)
	}
	return out
}

// TestPairsAgainstOracle takes 2,000 random graphs, each with a choice of sources, targets, a range and a demand.
func TestPairsAgainstOracle(t *testing.T) {
	const graphs, groups = 2000, 10
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				random := rand.New(rand.NewPCG(uint64(i), 45))
				n := 2 + random.IntN(15)
				directed, weighted := random.IntN(2) == 0, random.IntN(2) == 0
				g := graphtest.Random(t, random, n, directed, random.IntN(3) == 0, weighted)
				c := drawnPairs(random, n, weighted)
				if c.onlyPair() {
					continue
				}
				pairsAgainstOracle(t, g, oracle.Of(g, weighted), c)
				if t.Failed() {
					t.Fatalf("graph %d: n %d, m %d, directed %t, weighted %t", i, n, g.M(), directed, weighted)
				}
			}
		})
	}
}

// TestPairsInAnyParts: scores have the same bits for any number of threads and of shards.
func TestPairsInAnyParts(t *testing.T) {
	for i := range 40 {
		random := rand.New(rand.NewPCG(uint64(i), 46))
		n, weighted := 60+random.IntN(200), random.IntN(2) == 0
		g := graphtest.Random(t, random, n, random.IntN(2) == 0, true, weighted)
		c := drawnPairs(random, n, weighted)
		for _, measure := range []string{"betweenness", "stress", "closeness", "harmonic"} {
			m, _ := kernels.Lookup(measure)
			r := c.request
			if d := r.Pairs.Demand; d != nil && measure[0] != 'b' && measure[0] != 's' {
				r.Edges = d.Trips == nil && d.Targets == nil
			}
			r.Threads = 1
			want := compute(t, g, measure, r)
			for _, parts := range [][2]int{{2, 1}, {7, 1}, {1, 3}, {3, 5}} {
				r.Threads = parts[0]
				got, err := InShards(context.Background(), m, g, r, nil, parts[1])
				if err != nil {
					t.Fatal(err)
				}
				got = throughFiles(t, m, g, r, got, parts[1])
				if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
					t.Fatalf("graph %d: %s has other bits on %d threads in %d shards", i, measure, parts[0], parts[1])
				}
			}
		}
	}
}

// throughFiles returns the scores of shards that were written as files, and joined in another order; those given of one
// shard.
func throughFiles(
	t *testing.T, m kernels.Measure, g *export.Graph, r kernels.Request, whole *kernels.Scores, shards int,
) *kernels.Scores {
	t.Helper()
	if shards == 1 {
		return whole
	}
	run, err := Prepare(context.Background(), m, g, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := run.Empty()
	for i := range shards {
		part := run.Empty()
		if err := run.Search(context.Background(), kernels.Shard{Index: shards - 1 - i, Of: shards}, part); err != nil {
			t.Fatal(err)
		}
		data, err := part.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read kernels.Partial
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if err := all.Join(&read); err != nil {
			t.Fatal(err)
		}
	}
	out, err := run.Finish(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAllPairsAreOnesOfDemandOne: a choice that leaves nothing out has the scores of no choice.
func TestAllPairsAreOnesOfDemandOne(t *testing.T) {
	for i := range 60 {
		random := rand.New(rand.NewPCG(uint64(i), 47))
		n, weighted := 2+random.IntN(60), random.IntN(2) == 0
		g := graphtest.Random(t, random, n, random.IntN(2) == 0, true, weighted)
		ones := slices.Repeat([]float64{1}, n)
		r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
		for _, measure := range []string{"betweenness", "stress", "closeness"} {
			want := compute(t, g, measure, r)
			for _, p := range []kernels.Pairs{
				{Targets: allNodes(g)}, {Within: 1e9}, {Demand: &kernels.Demand{Sources: ones}},
			} {
				q := r
				q.Pairs = &p
				got := compute(t, g, measure, q)
				same(t, measure+" of node", got.Nodes, want.Nodes)
				same(t, measure+" of edge", got.Edges, want.Edges)
			}
		}
	}
}

// TestPairsOfManyPaths: a grid whose paths no float64 counts, from a corner to the opposite one, and from all to it.
func TestPairsOfManyPaths(t *testing.T) {
	side := int32(560)
	g := graphtest.Grid(t, side, false)
	last := side*side - 1
	r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{0}, Pairs: &kernels.Pairs{Targets: []int32{last}}}
	got := compute(t, g, "betweenness", r)
	if got.Totals.Pairs != 1 || !within(got.Nodes[1], 0.25, agreement) { // half the paths, halved
		t.Fatalf("%d pairs, node 1 has %v", got.Totals.Pairs, got.Nodes[1])
	}
}

// TestRangeBounds: a path as long as the range is within it, also where float64 would add up to more.
func TestRangeBounds(t *testing.T) {
	for _, far := range []float64{1, 1e-300} { // the other weight makes paths need 126 bits
		g := build(t, 5, false, []edge{{0, 1, 0.1}, {1, 2, 0.2}, {2, 3, 0.1}, {3, 4, max(far, 1e-17)}})
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Pairs: &kernels.Pairs{Within: 0.3}}
		got := compute(t, g, "betweenness", r)
		if got.Nodes[1] != 1 {
			t.Errorf("node 1 has %v; want 1, of the pair at a distance of 0.3", got.Nodes[1])
		}
	}
}

func TestPairsAreRefused(t *testing.T) {
	g := build(t, 4, false, []edge{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}})
	yes := true
	for want, c := range map[string]struct {
		measure string
		r       kernels.Request
	}{
		"betweenness: the list of targets is empty": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Targets: []int32{}}}},
		"betweenness: a range of -1": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Within: -1}}},
		"target 9 is no node": {"harmonic",
			kernels.Request{Pairs: &kernels.Pairs{Targets: []int32{9}}}},
		"target 1 is given twice; each target counts once": {"stress",
			kernels.Request{Pairs: &kernels.Pairs{Targets: []int32{1, 1}}}},
		"the only source is the only target": {"betweenness",
			kernels.Request{Sources: []int32{1}, Pairs: &kernels.Pairs{Targets: []int32{1}}}},
		"eccentricity is not a sum over pairs": {"eccentricity",
			kernels.Request{Pairs: &kernels.Pairs{Within: 1}}},
		"a demand of -1 is negative": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Demand: &kernels.Demand{Sources: []float64{-1, 1, 1, 1}}}}},
		"a demand of 1e+99; a demand is 0, or from 1e-30 to 1e+30": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Demand: &kernels.Demand{Sources: []float64{1e99, 1, 1, 1}}}}},
		"all demand is 0": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Demand: &kernels.Demand{Sources: make([]float64, 4)}}}},
		"demand of 2 nodes for a graph of 4": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Demand: &kernels.Demand{Targets: []float64{1, 1}}}}},
		"normalized divides by the number of pairs": {"betweenness",
			kernels.Request{Params: kernels.Params{Normalized: &yes},
				Pairs: &kernels.Pairs{Demand: &kernels.Demand{Sources: []float64{1, 1, 1, 1}}}}},
		"variant wassermanFaust counts nodes": {"closeness",
			kernels.Request{Params: kernels.Params{Variant: kernels.WassermanFaust},
				Pairs: &kernels.Pairs{Demand: &kernels.Demand{Sources: []float64{1, 1, 1, 1}}}}},
		"closeness of edges has no demand of targets": {"closeness",
			kernels.Request{Edges: true, Pairs: &kernels.Pairs{Demand: &kernels.Demand{Targets: []float64{1, 1, 1, 1}}}}},
		"the list of 1 pairs does not fit": {"betweenness",
			kernels.Request{Pairs: &kernels.Pairs{Demand: &kernels.Demand{Trips: &kernels.Trips{Offsets: []int64{0},
				Targets: []int32{1}}}}}},
	} {
		m, _ := kernels.Lookup(c.measure)
		c.r.Nodes = true
		_, err := Compute(context.Background(), m, g, c.r)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
