//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// chainy draws a multigraph of few branch nodes whose edges are paths, many of equal length: loops, parallel chains, twins of
// any degree, cycles, trees and several components.
func chainy(t testing.TB, random *rand.Rand, weighted bool) *export.Graph {
	var links []graphtest.Link
	n := int32(0)
	weight := func() float64 { return 1 }
	if most := []int{1, 2, 3, 1000}[random.IntN(4)]; weighted {
		weight = func() float64 { return float64(1 + random.IntN(most)) }
	}
	add := func(u, v int32) { links = append(links, graphtest.Link{From: u, To: v, Weight: weight()}) }
	for range 1 + random.IntN(3) {
		first, branches := n, int32(1+random.IntN(14))
		hub := random.IntN(16) == 0
		if hub {
			branches = 70 // so many arcs make a row long
		}
		n += branches
		for v := first + 1; hub && v < first+branches; v++ {
			add(first, v)
		}
		longest := 1 + random.IntN(6)
		for range random.IntN(4 * int(branches)) {
			u, v := first+random.Int32N(branches), first+random.Int32N(branches)
			hops := 1 + random.IntN(longest)
			if random.IntN(2) == 0 {
				hops = longest
			}
			for range hops - 1 {
				add(u, n)
				u, n = n, n+1
			}
			add(u, v)
			for u != v && random.IntN(8) == 0 {
				links = append(links, links[len(links)-1]) // once more
			}
		}
		if !hub {
			links, n = withTwins(random, links, first, branches, n)
		}
		for range random.IntN(6) {
			add(first+random.Int32N(n-first), n)
			n++
		}
	}
	return graphtest.Links(t, int(n), false, weighted, links)
}

// withTwins adds copies of some of the branch nodes first, first + 1, ..., with the same arcs, joined with one another or not.
func withTwins(random *rand.Rand, links []graphtest.Link, first, branches, n int32) ([]graphtest.Link, int32) {
	for range random.IntN(4) {
		v := first + random.Int32N(branches)
		class, joined, all := []int32{v}, random.IntN(2) == 0, len(links)
		for range 1 + random.IntN(3) {
			for _, l := range links[:all] {
				if (l.From == v) != (l.To == v) {
					links = append(links, graphtest.Link{From: l.From + l.To - v, To: n, Weight: l.Weight})
				}
			}
			for _, u := range class {
				if joined {
					links = append(links, graphtest.Link{From: u, To: n, Weight: 1})
				}
			}
			class = append(class, n)
			n++
		}
	}
	return links, n
}

// ladder is a ring of rungs, between which lie many parallel edges: across it are over 2^(11 rungs) shortest paths, in one
// block.
func ladder(t testing.TB, rungs int32) *export.Graph {
	var links []graphtest.Link
	n := int32(0)
	for range rungs {
		for range 3000 {
			links = append(links, graphtest.Link{From: n, To: n + 1, Weight: 1}, graphtest.Link{From: n + 1, To: n + 3, Weight: 1})
		}
		links = append(links, graphtest.Link{From: n, To: n + 2, Weight: 1}, graphtest.Link{From: n + 2, To: n + 1, Weight: 1}) // an inner node
		n += 3
	}
	links = append(links, graphtest.Link{From: n, To: 0, Weight: 1})
	return graphtest.Links(t, int(n+1), false, false, links)
}

// partial is a grid of which some edges were made paths: most of its branch nodes are at no chain.
func partial(t testing.TB, side int32, random *rand.Rand) *export.Graph {
	var links []graphtest.Link
	n := side * side
	join := func(u, v int32) {
		for random.IntN(20) == 0 {
			links = append(links, graphtest.Link{From: u, To: n, Weight: 1})
			u, n = n, n+1
		}
		links = append(links, graphtest.Link{From: u, To: v, Weight: 1})
	}
	for v := range side * side {
		if (v+1)%side != 0 {
			join(v, v+1)
		}
		if v+side < side*side {
			join(v, v+side)
		}
	}
	return graphtest.Links(t, int(n), false, false, links)
}

// compareChains computes by chains on the device, where any are left, and on the whole graph on the CPU.
func compareChains(t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, r kernels.Request) (note string) {
	t.Helper()
	at := fmt.Sprintf("%s (n %d, m %d), %+v", name, g.N(), g.M(), r)
	m, _ := kernels.Lookup("betweenness")
	r.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Reduce = kernels.ReduceOn
	got, err := onDevice(t.Context(), d, g, m.Name, r, "auto", false)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	for part, pair := range map[string][2][]float64{"nodes": {got.Nodes, want.Nodes}, "edges": {got.Edges, want.Edges}} {
		if difference, where := worst(pair[0], pair[1]); difference > 1e-9 {
			t.Errorf("%s: %s%s", at, part, where)
		}
	}
	if got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties {
		t.Errorf("%s: %d pairs, ties %q; the CPU has %d, %q", at, got.Totals.Pairs, got.Ties, want.Totals.Pairs, want.Ties)
	}
	again, err := onDevice(t.Context(), d, g, m.Name, r, "auto", false)
	if err != nil || !sameBits(again, got) {
		t.Errorf("%s: other bits the second time, %v", at, err)
	}
	return got.note
}

func TestChains(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		t.Run(fmt.Sprintf("weighted=%v", weighted), func(t *testing.T) {
			d := devicetest.Open(t)
			random := rand.New(rand.NewPCG(8, 5))
			count, taken := devicetest.Sized(300, 14), 0
			for i := range count {
				g := chainy(t, random, weighted)
				r := kernels.Request{Nodes: true, Edges: i%3 != 0, Params: kernels.Params{Weighted: weighted, Endpoints: i%4 == 0}}
				if i%5 == 0 {
					r.Normalized = new(bool)
					*r.Normalized = true
				}
				if strings.Contains(compareChains(t, d, fmt.Sprintf("graph %d", i), g, r), "branch nodes") {
					taken++
				}
				if t.Failed() {
					return
				}
			}
			if 10*taken < 8*count {
				t.Errorf("only %d of %d graphs had chains", taken, count)
			}
		})
	}
}

// TestChainsOfLargerCores has cores of more nodes than rows fit at a time, and counts of paths past float64.
func TestChainsOfLargerCores(t *testing.T) {
	d := devicetest.Open(t)
	r := kernels.Request{Nodes: true, Edges: true}
	random := rand.New(rand.NewPCG(8, 6))
	for name, g := range map[string]*export.Graph{"grid": partial(t, int32(devicetest.Sized(40, 12)), random), "short ladder": ladder(t, 12)} {
		if note := compareChains(t, d, name, g, r); !strings.Contains(note, "branch nodes") || strings.Contains(note, "wide") {
			t.Errorf("%s: %s", name, note)
		}
	}
	if note := compareChains(t, d, "long ladder", ladder(t, 84), r); !strings.Contains(note, "wide") {
		t.Errorf("long ladder: %s", note)
	}
}

// TestOneClassOfTwins: nothing is left to search.
func TestOneClassOfTwins(t *testing.T) {
	d := devicetest.Open(t)
	var links []graphtest.Link
	for v := range int32(9) {
		for u := range v {
			links = append(links, graphtest.Link{From: u, To: v, Weight: 1}, graphtest.Link{From: u + 9, To: v + 9, Weight: 1})
		}
	}
	for name, g := range map[string]*export.Graph{
		"two complete": graphtest.Links(t, 18, false, false, links), "weighted": graphtest.Links(t, 18, false, true, links),
	} {
		compareChains(t, d, name, g, kernels.Request{Nodes: true, Edges: true, Params: kernels.Params{Weighted: g.Weights != nil}})
	}
}

// TestChainsThatDoNotFit are searched without chains, and the reason says so.
func TestChainsThatDoNotFit(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, int32(devicetest.Sized(100, 40)), rand.New(rand.NewPCG(8, 7)))
	w := &work{graph: g, host: Host{Strategies: []Strategy{traversal{name: "work-efficient", method: workEfficient, kernel: "node", lanes: 1}}}}
	w.order.Measure, w.order.Strategy = "betweenness", "auto"
	w.job = Job{Want: Want{Measure: "betweenness", Nodes: true, Sources: g.N()}, Request: kernels.Request{Nodes: true, Reduce: kernels.ReduceOn}, Host: g, Sources: order.All(g)}
	w.job.Nodes = make([]float64, g.N())
	n := int64(g.N())
	why, err := w.ready(t.Context(), little{d, reserve + 2*n*n})
	if err != nil || !strings.Contains(why, "not by chains") || w.chains != nil || len(w.job.Sources) != g.N() {
		t.Errorf("%q, %v", why, err)
	}
}

// TestChainsGivenUp: sums that cannot be are not handed on, but computed again without chains.
func TestChainsGivenUp(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, 4, rand.New(rand.NewPCG(8, 9)))
	m, _ := kernels.Lookup("betweenness")
	r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Reduce = kernels.ReduceOn
	got, err := onDevice(t.Context(), deaf{d}, g, m.Name, r, "auto", false)
	if err != nil || !strings.Contains(got.note, "chains given up") || !same(got.Nodes, want.Nodes) || !same(got.Edges, want.Edges) {
		t.Errorf("%+v, %v", got, err)
	}
}

// deaf is a device that leaves out the backward pass of chains.
type deaf struct{ gpu.Device }

func (d deaf) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	if strings.HasPrefix(kernel.Name, "chain_backward") {
		return nil
	}
	return d.Device.Launch(kernel, s, args...)
}

// TestEveryAllocationOfChainsFails: whichever fails, the error says so and all is freed.
func TestEveryAllocationOfChainsFails(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, 4, rand.New(rand.NewPCG(8, 8)))
	m, _ := kernels.Lookup("betweenness")
	r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOn}
	for n := 1; ; n++ {
		_, err := onDevice(t.Context(), &devicetest.Failing{Device: d, At: n}, g, m.Name, r, "auto", false)
		if d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
		}
		if err == nil {
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("allocation %d: %v", n, err)
		}
	}
}
