//go:build cuda || emulate

package worker

import (
	"github.com/linchpin-graph/linchpin/kernels/device"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/built"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// countsByHand are the counts of a profile, from the levels at which a search from each source of a batch meets each node.
func countsByHand(g *export.Graph, order []int32, lanes int) (p profile.Profile) {
	in := g.Transpose()
	for batch := range slices.Chunk(order, lanes) {
		levels := make([][]int, len(batch))
		p.Batches++
		deepest := 0
		for i, source := range batch {
			levels[i] = make([]int, g.N())
			for v := range levels[i] {
				levels[i][v] = -1
			}
			levels[i][source] = 0
			queue := []int32{source}
			for at := 0; at < len(queue); at++ {
				for _, w := range g.Row(queue[at]) {
					if levels[i][w] < 0 {
						levels[i][w] = levels[i][queue[at]] + 1
						queue = append(queue, w)
						deepest = max(deepest, levels[i][w])
					}
				}
			}
		}
		p.Levels += int64(deepest) + 1
		// meets says whether some lane is at v at one level and at w at another.
		meets := func(v int32, at int, w int32, other int) bool {
			return slices.ContainsFunc(levels, func(of []int) bool { return of[v] == at && of[w] == other })
		}
		for v := range int32(g.N()) {
			for at := range deepest + 1 {
				if !meets(v, at, v, at) {
					continue
				}
				p.Entries++
				p.Arcs += in.Degree(v) + 2*g.Degree(v)
				for _, u := range in.Row(v) {
					if at > 0 && meets(v, at, u, at-1) {
						p.Rows++
					}
				}
				for _, w := range g.Row(v) {
					if at > 0 && meets(v, at, w, at+1) {
						p.Rows++
					}
				}
			}
		}
	}
	return p
}

// TestProfile: what the kernels count is what searches by hand meet, on a deep and on a shallow graph, and the scores are those of
// the kernels that do not count.
func TestProfile(t *testing.T) {
	d := devicetest.Open(t)
	n, random := devicetest.Sized(1000, 200), rand.New(rand.NewPCG(8, 9))
	var links []graphtest.Link
	for range 4 * n {
		links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: 1})
	}
	for name, g := range map[string]*export.Graph{
		"ring": graphtest.Ring(t, devicetest.Sized(3000, 400), 0), "random": graphtest.Ring(t, devicetest.Sized(2000, 300), devicetest.Sized(4000, 600)), "directed": graphtest.Links(t, n, true, false, links),
	} {
		result, counted := withCounters(t, d, name, g, kernels.Request{Nodes: true, Reduce: kernels.ReduceOff})
		got := result.Profile
		if counted.goesDeep() {
			// Which nodes are counted in several entries is the kernel's own affair.
			nodes, _ := order.ByHops(counted.Host, counted.Sources, counted.depthOfHost(), order.SingleLanes)
			if got.Batches != int64(len(nodes)+order.SingleLanes-1)/order.SingleLanes || got.Entries < int64(g.N())*got.Batches || got.Levels < got.Batches || got.Rows == 0 || got.Arcs < 2*got.Rows {
				t.Errorf("%s: %+v", name, *got)
			}
			continue
		}
		_, sources := order.ByHops(counted.Host, counted.Sources, counted.depthOfHost(), order.SingleLanes)
		want := countsByHand(g, sources, order.SingleLanes)
		if got.Batches != want.Batches || got.Levels != want.Levels || got.Entries != want.Entries || got.Arcs != want.Arcs || got.Rows != want.Rows {
			t.Errorf("%s: %+v, want %+v", name, *got, want)
		}
		if !(got.Forward > 0 && got.Backward > 0 && got.Idle >= 0 && got.Meeting > 0 && got.Forward+got.Backward+got.Counting+got.Idle <= got.Seconds*(1+1e-9)) ||
			got.Bytes < 16*got.Rows {
			t.Errorf("%s: %+v", name, *got)
		}
	}
}

// TestProfileByWeights: the scores are those of the kernels that do not count, and numbers are what any search makes at least.
func TestProfileByWeights(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(9, 8))
	links := func(n, m int, weight func() float64) (out []graphtest.Link) {
		for range m {
			out = append(out, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: weight()})
		}
		return out
	}
	for name, g := range map[string]*export.Graph{
		"ticks":    graphtest.Links(t, 150, false, true, links(150, 900, func() float64 { return float64(1 + random.IntN(9)) })),
		"directed": graphtest.Links(t, 150, true, true, links(150, 900, func() float64 { return float64(1 + random.IntN(9)) })),
		"reals":    graphtest.Links(t, 150, false, true, links(150, 4000, func() float64 { return 1 - random.Float64() })),
	} {
		result, _ := withCounters(t, d, name, g, kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff})
		p := result.Profile
		if p == nil || p.Weighted == nil {
			t.Fatalf("%s: no profile by weights", name)
		}
		w, batches, reached := *p.Weighted, int64((g.N()+weightedLanes-1)/weightedLanes), result.Totals.Pairs/weightedLanes
		parts := w.Starting + w.Distances + w.Tight + w.Counts
		if p.Batches != batches || w.Rounds < batches || p.Levels < batches || p.Entries < reached || w.Passed < reached || w.Lowered < reached || p.Rows < 2*reached || p.Arcs < p.Rows ||
			!(w.Picking <= w.Counts && parts > 0 && parts <= p.Forward*(1+1e-9) && p.Backward > 0 && p.Idle >= 0) || p.Bytes < 128*p.Rows {
			t.Errorf("%s: %+v, %+v, pairs %d", name, *p, w, result.Totals.Pairs)
		}
	}
}

// withCounters runs betweenness without and with counters, which must not change the scores.
func withCounters(t *testing.T, d *built.GPU, name string, g *export.Graph, r kernels.Request) (Result, *Job) {
	t.Helper()
	job := device.Job{Want: device.Want{Measure: "betweenness", Nodes: true, Single: true}, Request: r, Nodes: make([]float64, g.N())}
	_, plain, err := runJob(t.Context(), d, d, g, "batched", job)
	if err != nil {
		t.Fatal(err)
	}
	job.Want.Profile, job.Nodes = true, make([]float64, g.N())
	result, counted, err := runJob(t.Context(), d, d, g, "batched", job)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.Nodes, counted.Nodes) {
		t.Errorf("%s: other scores with counters", name)
	}
	return result, counted
}
