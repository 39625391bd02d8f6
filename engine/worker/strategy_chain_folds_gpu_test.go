//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// randomChains draws a graph of chains: components of branch nodes with loops and parallel chains, rings, trees that hang from all of it, nodes alone. One
// chain in `long` is long.
func randomChains(t testing.TB, random *rand.Rand, long int, weighted bool, weight func() float64) *export.Graph {
	t.Helper()
	var links []graphtest.Link
	n := int32(0)
	node := func() int32 { n++; return n - 1 }
	path := func(u, v int32, inner int) {
		for range inner {
			w := node()
			links = append(links, graphtest.Link{From: u, To: w, Weight: weight()})
			u = w
		}
		links = append(links, graphtest.Link{From: u, To: v, Weight: weight()})
	}
	inner := func() int {
		switch {
		case random.IntN(long) == 0:
			return 40 + random.IntN(40)
		case random.IntN(4) == 0:
			return 0
		}
		return random.IntN(6)
	}
	for range 1 + random.IntN(3) {
		first, count := n, int32(1+random.IntN(8))
		for range count {
			if v := node(); v > first {
				path(first+int32(random.IntN(int(v-first))), v, inner())
			}
		}
		for range random.IntN(2 * int(count)) {
			path(first+int32(random.IntN(int(count))), first+int32(random.IntN(int(count))), inner())
		}
	}
	for random.IntN(3) == 0 {
		v := node()
		path(v, v, random.IntN(50))
	}
	for range random.IntN(int(n)) { // trees, mostly on what was there
		v := int32(random.IntN(int(n)))
		links = append(links, graphtest.Link{From: v, To: node(), Weight: weight()})
	}
	n += int32(random.IntN(3))
	random.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	number := random.Perm(int(n))
	for i := range links {
		links[i].From, links[i].To = int32(number[links[i].From]), int32(number[links[i].To])
	}
	return graphtest.Links(t, int(n), false, weighted, links)
}

// TestChainFolds compares with a search of the whole graph on the CPU, and with the definition.
func TestChainFolds(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(31, 41))
	taken, rings := 0, 0
	for i := range devicetest.Sized(150, 30) {
		weighted, unit := i%3 > 0, []float64{1, 10, 8}[i%3]
		g := randomChains(t, random, []int{12, 12, 4}[i%4%3], weighted, func() float64 {
			switch i % 7 {
			case 3: // some ways are much longer than others
				return math.Ceil(math.Pow(1000, random.Float64())) / unit
			case 5: // all alike
				return 3 / unit
			}
			return float64(1+random.IntN(9)) / unit
		})
		for _, measure := range []string{"closeness", "eccentricity", "graph"} {
			m, _ := kernels.Lookup(measure)
			r := kernels.Request{Nodes: i%4 != 2, Edges: i%4 > 1, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: weighted}}
			if measure == "closeness" {
				r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i%3]
			}
			want, err := cpu.Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			r.Reduce = []string{"on", "trees,chains"}[i%2]
			at := fmt.Sprintf("%s of graph %d (n %d, m %d)", measure, i, g.N(), g.M())
			got, err := onDevice(t.Context(), d, g, measure, r, "auto", false)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if got.Reduction == nil {
				t.Fatalf("%s: nothing said of reductions", at)
			}
			if slices.Contains(got.Reduction.Taken, "chains") {
				taken++
				if !strings.Contains(got.note, "branch nodes") || !strings.Contains(got.Reduction.Reason, "graph reduced") {
					t.Errorf("%s: %q, %q", at, got.note, got.Reduction.Reason)
				}
				if got.Reduction.Searched == 1 {
					rings++
				}
			}
			if difference, where := worst(got.Nodes, want.Nodes); difference > 1e-12 {
				t.Errorf("%s: %s", at, where)
			}
			if difference, where := worst(got.Edges, want.Edges); difference > 1e-12 {
				t.Errorf("edge %s: %s", at, where)
			}
			chains := slices.Contains(got.Reduction.Taken, "chains")
			if chains && (got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties || got.Totals.NoDistance == (measure == "closeness") || !got.Totals.NoDistance && math.Abs(got.Totals.Distance-want.Totals.Distance) > 1e-12*want.Totals.Distance) {
				t.Errorf("%s: totals %+v, ties %q; want %+v, %q", at, got.Totals, got.Ties, want.Totals, want.Ties)
			}
			if again, err := onDevice(t.Context(), d, g, measure, r, "auto", false); err != nil || !sameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
			if r.Nodes && r.Variant == "" && i < 12 {
				exact := ofDistances(measure, oracle.Of(g, weighted), g.N())
				if difference, where := worst(got.Nodes, exact); difference > 1e-9 {
					t.Errorf("%s, by the definition: %s", at, where)
				}
			}
		}
	}
	if taken < devicetest.Sized(400, 75) || rings < devicetest.Sized(10, 2) {
		t.Errorf("%d runs with chains, %d from one node alone", taken, rings)
	}
}

// TestChainFoldsOfNastyGraphs: stars, paths, cycles, grids, nodes alone, loops, parallel edges, by hops and by weights.
func TestChainFoldsOfNastyGraphs(t *testing.T) {
	d := devicetest.Open(t)
	taken := 0
	for _, weighted := range []bool{false, true} {
		for _, c := range nasty(t, weighted) {
			for _, measure := range []string{"closeness", "eccentricity"} {
				m, _ := kernels.Lookup(measure)
				r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: weighted}}
				want, err := cpu.Compute(t.Context(), m, c.graph, r)
				if err != nil {
					continue // weights that the measures do not take
				}
				r.Reduce = "on"
				got, err := onDevice(t.Context(), d, c.graph, measure, r, "auto", false)
				if err != nil {
					t.Errorf("%s of %s: %v", measure, c.name, err)
					continue
				}
				if got.Reduction != nil && slices.Contains(got.Reduction.Taken, "chains") {
					taken++
				}
				if difference, where := worst(slices.Concat(got.Nodes, got.Edges), slices.Concat(want.Nodes, want.Edges)); difference > 1e-12 {
					t.Errorf("%s of %s, weighted %v: %s", measure, c.name, weighted, where)
				}
			}
		}
	}
	if taken < 4 {
		t.Errorf("%d runs with chains", taken)
	}
}

// TestChainFoldsThatDoNotFit: where folds over chains do not, they are made anew each time; graphs whose distances do not are searched without chains, and the reason
// says so.
func TestChainFoldsThatDoNotFit(t *testing.T) {
	d := devicetest.Open(t)
	links, n := []graphtest.Link{{From: 0, To: 1, Weight: 2}}, int32(2)
	for range 300 { // three ways between two nodes, with an inner node each
		for inner := range int32(3) {
			links = append(links, graphtest.Link{From: n, To: n + 2 + inner, Weight: 1}, graphtest.Link{From: n + 2 + inner, To: n + 1, Weight: 2})
		}
		n += 5
	}
	for _, weighted := range []bool{false, true} {
		g := graphtest.Links(t, int(n), false, weighted, links)
		m, _ := kernels.Lookup("closeness")
		r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: weighted}}
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, free := range []int64{1 << 30, 5 << 20, 3 << 19} {
			w := &work{graph: g, host: Host{Strategies: []Strategy{narrowChains{batched{}}, traversal{name: "work-efficient", method: workEfficient, kernel: "node", lanes: 1, weighted: true}}}}
			w.order.Measure, w.order.Strategy = "closeness", "auto"
			r.Reduce = kernels.ReduceOn
			w.job = Job{Want: Want{Measure: "closeness", Params: r.Params, Nodes: true, Sources: g.N(), Size: sizeOf(g)}, Request: r, Host: g, Sources: order.All(g), Progress: func(int) {}}
			w.job.Nodes = make([]float64, g.N())
			nodes := w.job.Nodes
			why, err := w.ready(t.Context(), little{d, reserve + free})
			if err != nil || strings.Contains(why, "not by chains") != (free == 3<<19) {
				t.Errorf("weighted %v, %d bytes: %q, %v", weighted, free, why, err)
				continue
			}
			if seen := w.job.Plan.Lanes; free > 3<<19 && (seen == 1) != (free == 1<<30) {
				t.Errorf("weighted %v, %d bytes: folds over chains are kept: %d", weighted, free, seen)
			}
			if free == 3<<19 && (w.folded != nil || len(w.job.Sources) != g.N() || w.graph != g) {
				t.Errorf("weighted %v: %d sources", weighted, len(w.job.Sources))
			}
			if _, err := w.compute(t.Context(), little{d, reserve + free}); err != nil {
				t.Fatal(err)
			}
			if difference, where := worst(nodes, want.Nodes); difference > 1e-12 {
				t.Errorf("weighted %v, %d bytes: %s", weighted, free, where)
			}
		}
	}
}

// narrowChains leaves small graphs to other strategies, as auto does.
type narrowChains struct{ batched }

func (narrowChains) Suits(*Job, gpu.Info) bool { return false }

// TestChainFoldsStop: a run that is called off during its folds ends with the cause.
func TestChainFoldsStop(t *testing.T) {
	d := devicetest.Open(t)
	g := ringOfPaths(t, 40, 6)
	why := errors.New("called off")
	for _, part := range []int{1, 2} { // batches, folds
		ctx, stop := context.WithCancelCause(t.Context())
		w := &work{graph: g, host: Host{Strategies: Strategies()}}
		w.order.Measure, w.order.Strategy = "eccentricity", "auto"
		r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOn}
		w.job = Job{Want: Want{Measure: "eccentricity", Nodes: true, Sources: g.N(), Size: sizeOf(g)}, Request: r, Host: g, Sources: order.All(g)}
		last := 0
		w.job.Progress = func(done int) {
			if done < last || done > len(w.job.Sources) {
				t.Errorf("%d of %d done after %d", done, len(w.job.Sources), last)
			}
			if last = done; 2*done >= (part-1)*len(w.job.Sources) {
				stop(why)
			}
		}
		w.job.Nodes = make([]float64, g.N())
		if _, err := w.ready(ctx, d); err != nil || w.made() == nil {
			t.Fatal(err, w.reduction)
		}
		if part == 1 {
			stop(why)
		}
		if _, err := w.compute(ctx, d); !errors.Is(err, why) {
			t.Errorf("part %d: %v", part, err)
		}
	}
}

// TestEveryAllocationOfChainFoldsFails: whichever fails, the error says so and all is freed.
func TestEveryAllocationOfChainFoldsFails(t *testing.T) {
	d := devicetest.Open(t)
	g := ringOfPaths(t, 40, 6)
	r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOn}
	for n := 1; ; n++ {
		got, err := onDevice(t.Context(), &devicetest.Failing{Device: d, At: n}, g, "closeness", r, "auto", false)
		if d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
		}
		if err == nil {
			if n < 20 || !slices.Contains(got.Reduction.Taken, "chains") {
				t.Errorf("%d allocations, %+v", n, got.Reduction)
			}
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("allocation %d: %v", n, err)
		}
	}
}

// foldsAreRight compares the scores of a graph that is reduced, of nodes alone and with edges, with those of the CPU that are not, and returns what the
// reduction was.
func foldsAreRight(t *testing.T, d gpu.Device, g *export.Graph, measure string) *kernels.Reduction {
	t.Helper()
	var about *kernels.Reduction
	for _, edges := range []bool{false, true} {
		m, _ := kernels.Lookup(measure)
		r := kernels.Request{Nodes: true, Edges: edges, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: g.Weights != nil}}
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		r.Reduce = kernels.ReduceOn
		got, err := onDevice(t.Context(), d, g, measure, r, "auto", false)
		if err != nil {
			t.Fatal(err)
		}
		if difference, where := worst(slices.Concat(got.Nodes, got.Edges), slices.Concat(want.Nodes, want.Edges)); difference > 1e-12 {
			t.Errorf("%s, weighted %t, edges %t: %s", measure, r.Weighted, edges, where)
		}
		about = got.Reduction
	}
	return about
}

// TestChainFoldsOfLongChains: inner nodes see parallel chains of over kLongRange inner nodes in ways of their own.
func TestChainFoldsOfLongChains(t *testing.T) {
	d := devicetest.Open(t)
	ring := ringOfPaths(t, 3, 100)
	for _, g := range []*export.Graph{ring, weighing(ring, func(edge int32) float64 { return 1 + float64(edge*7%5) })} {
		for _, measure := range []string{"closeness", "eccentricity"} {
			about := foldsAreRight(t, d, g, measure)
			if about.Searched != 3 {
				t.Fatalf("%s: %+v", measure, about)
			}
		}
	}
}

// TestFoldsOfForests: nothing is left to search, of edges either, by hops and by weights.
func TestFoldsOfForests(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(3, 14))
	var links []graphtest.Link
	for v := int32(1); v < 400; v++ {
		if random.IntN(20) > 0 {
			links = append(links, graphtest.Link{From: max(0, v-1-random.Int32N(5)), To: v, Weight: float64(1 + random.IntN(10))})
		}
	}
	for _, weighted := range []bool{false, true} {
		g := graphtest.Links(t, 400, false, weighted, links)
		for _, measure := range []string{"closeness", "graph"} {
			if about := foldsAreRight(t, d, g, measure); !slices.Equal(about.Taken, []string{"trees"}) || about.Searched != 0 {
				t.Errorf("%s: %+v", measure, about)
			}
		}
	}
}

// TestChainFoldsOfManyBatches has more branch nodes than a batch in one component, and leaves.
func TestChainFoldsOfManyBatches(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(12, 34))
	hubs := int32(devicetest.Sized(1000, 200))
	var links []graphtest.Link
	n := hubs
	weight := func() float64 { return float64(1 + random.IntN(10)) }
	for v := range hubs {
		for range 1 + random.IntN(2) {
			at := v
			for range random.IntN(4) {
				links = append(links, graphtest.Link{From: at, To: n, Weight: weight()})
				at, n = n, n+1
			}
			links = append(links, graphtest.Link{From: at, To: max(0, v-1-random.Int32N(9)), Weight: weight()})
		}
		if v%4 == 0 {
			links = append(links, graphtest.Link{From: random.Int32N(n), To: n, Weight: weight()})
			n++
		}
	}
	for _, weighted := range []bool{false, true} {
		g := graphtest.Links(t, int(n), false, weighted, links)
		for _, measure := range []string{"closeness", "eccentricity"} {
			about := foldsAreRight(t, d, g, measure)
			if !slices.Equal(about.Taken, []string{"trees", "chains"}) || about.Searched < 3*weightedLanes {
				t.Fatalf("%s: %+v", measure, about)
			}
		}
	}
}
