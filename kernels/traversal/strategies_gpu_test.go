//go:build cuda || emulate

package traversal

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

var randomGraphs = flag.Int("graphs", devicetest.Sized(300, 4), "random graphs that every strategy is compared on")

// compare computes with every strategy and compares with the CPU, twice now and then for the same bits.
func compare(
	t *testing.T, d gpu.Device, name string, g *export.Graph, m kernels.Measure, r kernels.Request, i int,
) (most float64) {
	t.Helper()
	r.Reduce = kernels.ReduceOff
	want, cpuErr := cpu.Compute(t.Context(), m, g, r)
	for _, e := range Engines() {
		if !e.Accepts(device.Want{Measure: m.Name, Params: r.Params}, g.Directed) {
			continue
		}
		at := enginetest.Named{Name: name, Graph: g}.At(m.Name, r) + " by " + e.Name()
		task := enginetest.Task{Engine: e, Graph: g, Measure: m.Name, Request: r}
		got, err := enginetest.Compute(t.Context(), d, task)
		if cpuErr != nil {
			if err == nil || errors.Is(cpuErr, lengths.ErrLength) && !errors.Is(err, lengths.ErrLength) {
				t.Errorf("%s: %v; the CPU says %v", at, err, cpuErr)
			}
			continue
		}
		if refused(err, r) {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		most = max(most, enginetest.SameScores(t, at, m, g, r, &got.Scores, want))
		if i%10 == 0 {
			again, err := enginetest.Compute(t.Context(), d, task)
			if err != nil || !enginetest.SameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	return most
}

// searched are the measures that some strategy computes, by hops or by weights.
func searched(weighted bool) []kernels.Measure {
	var out []kernels.Measure
	for _, m := range kernels.Measures() {
		if OneByOne().Accepts(device.Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}}, false) {
			out = append(out, m)
		}
	}
	return out
}

// TestSmall is for compute-sanitizer, under which everything takes long. racecheck takes a minute for one of the four.
func TestSmall(t *testing.T) {
	for i, name := range []string{"directed", "undirected", "weighted", "reals"} {
		t.Run(name, func(t *testing.T) {
			d := devicetest.Open(t)
			random := rand.New(rand.NewPCG(2, uint64(i)))
			var links []graphtest.Link
			for range 60 {
				v := int32(random.IntN(30))
				to := v%2 + 2*int32(random.IntN(15))
				links = append(links, graphtest.Link{From: v, To: to, Weight: enginetest.Weights(random, i%2*3, v)})
			}
			weighted := i >= 2
			g := graphtest.Links(t, 40, i%2 == 0, weighted, links)
			few := kernels.DrawSources(g.N(), 6, 1)
			for _, m := range searched(weighted) {
				r := request(m, i, g, weighted)
				r.Sources, r.Scale = few, 0
				compare(t, d, name, g, m, r, 1)
			}
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Sources: few}
			all := accepting(device.Want{Measure: device.Distances, Params: r.Params})
			compareDistances(t, d, enginetest.Named{Name: name, Graph: g}, r, all)
			r.Nodes, r.Sources = true, nil
			a := adaptive.Sample{C: 0.713, Seed: 1, Limit: len(few)}
			compareAdaptive(t, d, enginetest.Named{Name: name, Graph: g}, r, a, all)
		})
	}
}

// TestStrategies compares every strategy of every measure with the CPU's exact scores.
func TestStrategies(t *testing.T) {
	long(t)
	for _, weighted := range []bool{false, true} {
		for _, m := range searched(weighted) {
			t.Run(fmt.Sprintf("%s/weighted=%v", m.Name, weighted), func(t *testing.T) {
				d := devicetest.Open(t) // a context belongs to one goroutine
				random := rand.New(rand.NewPCG(11, 13))
				graphs := enginetest.Nasty(t, weighted)
				for i := range *randomGraphs {
					g := enginetest.Random(t, random, i, weighted)
					graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i), Graph: g})
				}
				most, exact, tolerant := 0.0, 0, 0
				for i, g := range graphs {
					most = max(most, compare(t, d, g.Name, g.Graph, m, request(m, i, g.Graph, weighted), i))
					if weighted && lengths.WeightTies(g.Graph, 0) == "tolerance" {
						tolerant++
					} else {
						exact++
					}
				}
				t.Logf("%d graphs, %d of them with ties by tolerance: worst relative difference %.2g", exact+tolerant, tolerant,
					most)
			})
		}
	}
}

// TestLongRows: of the first 32 arcs of a node the forward pass has seen where they lead, and of those after them it
// has not.
func TestLongRows(t *testing.T) {
	d := devicetest.Open(t)
	const hubs, rim = 5, 80
	var links []graphtest.Link
	for v := range int32(rim) {
		for _, hub := range []int32{0, 1 + v%(hubs-1)} {
			links = append(links, graphtest.Link{From: rim + hub, To: v, Weight: 1},
				graphtest.Link{From: v, To: (v + 1) % rim, Weight: 1})
		}
	}
	for _, directed := range []bool{false, true} {
		g := graphtest.Links(t, rim+hubs, directed, false, links)
		for _, name := range []string{"betweenness", "stress"} {
			m, _ := kernels.Lookup(name)
			r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{rim, rim + 1, 3}}
			compare(t, d, "long rows", g, m, r, 0)
		}
	}
}
