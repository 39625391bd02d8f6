//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

var randomGraphs = flag.Int("graphs", devicetest.Sized(300, 4), "random graphs that strategies are compared on")

// outcome is what a run on the device gave.
type outcome struct {
	kernels.Scores
	note     string
	strategy string // that the worker reports
}

// long leaves a test to the long form on the emulated device, `make cuda-emulate`; it takes many seconds there.
func long(t *testing.T) {
	t.Helper()
	if devicetest.Emulated && testing.Short() {
		t.Skip("many seconds on the emulated device; make cuda-emulate runs it")
	}
}

// newTestTask is the task of a request, with room for its scores.
func newTestTask(g *export.Graph, measure string, r kernels.Request, strategy string, single bool) *task {
	sources := r.Sources
	if sources == nil {
		sources = order.All(g)
	}
	m, _ := kernels.Lookup(measure)
	t := &task{measure: m, engines: Engines(), strategy: strategy, rates: plan.For}
	t.job = device.Job{
		Want: device.Want{Measure: measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: len(sources),
			Single: single, Size: device.SizeOf(g)},
		Request: r, Host: g, Sources: sources, All: r.Sources == nil, Progress: func(int) {},
	}
	if t.job.Seeks() {
		t.job.Seeker = distances.NewSeek(m, g, r)
	}
	if r.Nodes {
		t.nodes = make([]float64, g.N())
	}
	if r.Edges {
		t.edges = make([]float64, g.M())
	}
	return t
}

// onDevice runs one request as the worker does.
func onDevice(
	ctx context.Context, d gpu.Device, g *export.Graph, measure string, r kernels.Request, strategy string, single bool,
) (*outcome, error) {
	return inShards(ctx, d, g, measure, r, strategy, single, 1)
}

// inShards is onDevice in so many shards.
func inShards(
	ctx context.Context, d gpu.Device, g *export.Graph, measure string, r kernels.Request, strategy string,
	single bool, shards int,
) (*outcome, error) {
	t := newTestTask(g, measure, r, strategy, single)
	taken, reason := "", ""
	result, err := t.compute(ctx, d, shards, func(p protocol.Planned) error {
		taken, reason = p.Strategy, p.Reason
		return nil
	})
	if err != nil {
		return nil, err
	}
	totals := kernels.Totals{Pairs: result.Pairs, Distance: result.Distance, NoDistance: result.NoDistance}
	return &outcome{kernels.Scores{Nodes: t.nodes, Edges: t.edges, Totals: totals, Ties: result.Ties,
		Reduction: result.Reduction}, reason + "; " + result.Note, taken}, nil
}

// TestReportedStrategyGivesTheSame: what auto reports can be asked for, and computes the same.
func TestReportedStrategyGivesTheSame(t *testing.T) {
	d := devicetest.Open(t)
	road := graphtest.RingOfPaths(t, 8, 5)
	path := graphtest.Links(t, 5, false, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 1},
		{From: 2, To: 3, Weight: 1}, {From: 3, To: 4, Weight: 1}})
	chained := 0
	for _, g := range []*export.Graph{road, path} {
		for _, measure := range []string{"betweenness", "closeness", "graph", "eccentricity", "harmonic"} {
			r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOn}
			auto, err := onDevice(t.Context(), d, g, measure, r, "auto", false)
			if err != nil {
				t.Fatalf("%s: %v", measure, err)
			}
			if auto.strategy == kernels.Chains {
				chained++
			}
			r.Reduce = ""
			asked, err := onDevice(t.Context(), d, g, measure, r, auto.strategy, false)
			if err != nil || asked.strategy != auto.strategy {
				t.Fatalf("%s by %s: %v", measure, auto.strategy, err)
			}
			for v, x := range auto.Nodes {
				if math.Abs(asked.Nodes[v]-x) > 1e-9*max(1, math.Abs(x)) {
					t.Errorf("%s by %s: node %d scores %v, by auto %v", measure, auto.strategy, v, asked.Nodes[v], x)
				}
			}
		}
	}
	if chained < 8 {
		t.Errorf("%d of 10 runs by chains", chained)
	}
	for why, r := range map[string]kernels.Request{
		"not all nodes are sources": {Nodes: true, Sources: []int32{1}},
		"reductions are off":        {Nodes: true, Reduce: kernels.ReduceOff},
	} {
		_, err := onDevice(t.Context(), d, road, "closeness", r, kernels.Chains, false)
		if err == nil || reasonOf(t.Context(), err) != protocol.NotOnGPU ||
			!strings.Contains(err.Error(), "strategy chains does not suit this graph: "+why) {
			t.Errorf("%s: %v", why, err)
		}
	}
}

// groups are the strategies of a measure but for those of papers, which kernels/traversal compares. Kinds that are not
// divided have one engine each, which its folder compares.
func groups(m kernels.Measure, weighted bool) []string {
	if !m.Kind.Divides() {
		return nil
	}
	all := m.Strategies
	if weighted {
		all = m.WeightedStrategies
	}
	return slices.DeleteFunc(slices.Clone(all), kernels.OfPapers)
}

// compare computes with the groups of strategies of the measure and compares with the CPU, twice now and then for the
// same bits.
func compare(
	t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, m kernels.Measure, r kernels.Request, i int,
) (most float64) {
	t.Helper()
	r.Reduce = kernels.ReduceOff
	want, cpuErr := cpu.Compute(t.Context(), m, g, r)
	for _, s := range groups(m, r.Weighted) {
		at := fmt.Sprintf("%s of %s (n %d, m %d, directed %v, weighted %v) by %s", m.Name, name, g.N(), g.M(), g.Directed,
			r.Weighted, s)
		got, err := onDevice(t.Context(), d, g, m.Name, r, s, false)
		if cpuErr != nil {
			if err == nil || errors.Is(cpuErr, lengths.ErrLength) && !errors.Is(err, lengths.ErrLength) {
				t.Errorf("%s: %v; the CPU says %v", at, err, cpuErr)
			}
			continue
		}
		var refused *device.Unsuited
		if errors.As(err, &refused) && r.Weighted {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		most = max(most, enginetest.SameScores(t, at, m, g, r, &got.Scores, want))
		if i%10 == 0 {
			again, err := onDevice(t.Context(), d, g, m.Name, r, s, false)
			if err != nil || !sameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	return most
}

// TestEqualWeights: weights that are all equal, and far from 1, are searched by hops.
func TestEqualWeights(t *testing.T) {
	d := devicetest.Open(t)
	for i, weight := range []float64{3e-20, 8e-14, 1e-6, 0.3, 1e6, 3e12, 7e30} {
		g := graphtest.Links(t, 36, i%2 == 0, true, []graphtest.Link{
			{From: 26, To: 3, Weight: weight}, {From: 3, To: 8, Weight: weight}, {From: 8, To: 1, Weight: weight},
			{From: 8, To: 2, Weight: weight},
		})
		for _, m := range kernels.Measures() {
			if len(groups(m, true)) == 0 {
				continue
			}
			r := enginetest.Request(m, i, g)
			r.Weighted = true
			compare(t, d, fmt.Sprintf("weights of %g", weight), g, m, r, 10)
			r.Sources, r.Reduce = nil, kernels.ReduceOff
			want, err := cpu.Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := onDevice(t.Context(), d, g, m.Name, r, "", false)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := got.Totals, want.Totals; a.Pairs != b.Pairs || !(math.Abs(a.Distance-b.Distance) <= 1e-12*b.Distance) {
				t.Errorf("%s by weights of %g: %+v, not %+v", m.Name, weight, a, b)
			}
		}
	}
}

func sameBits(a, b *outcome) bool {
	return slices.Equal(gpu.Bytes(a.Nodes), gpu.Bytes(b.Nodes)) && slices.Equal(gpu.Bytes(a.Edges), gpu.Bytes(b.Edges))
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
				links = append(links, graphtest.Link{From: v, To: v%2 + 2*int32(random.IntN(15)),
					Weight: enginetest.Weights(random, i%2*3, v)})
			}
			weighted := i >= 2
			g := graphtest.Links(t, 40, i%2 == 0, weighted, links)
			few := kernels.DrawSources(g.N(), 6, 1)
			for _, m := range kernels.Measures() {
				r := enginetest.Request(m, i, g)
				if r.Weighted = weighted; len(m.WeightedStrategies) > 0 {
					r.Sources, r.Scale = few, 0
				}
				if len(groups(m, weighted)) > 0 {
					compare(t, d, name, g, m, r, 1)
				}
			}
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Sources: few}
			compareDistances(t, d, enginetest.Named{Name: name, Graph: g}, r)
		})
	}
}

// TestStrategies compares the groups of strategies of every measure with the CPU's exact scores.
func TestStrategies(t *testing.T) {
	long(t)
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			if len(groups(m, weighted)) == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/weighted=%v", m.Name, weighted), func(t *testing.T) {
				d := devicetest.Open(t) // a context belongs to one goroutine
				random := rand.New(rand.NewPCG(11, 13))
				graphs := enginetest.Nasty(t, weighted)
				for i := range *randomGraphs {
					graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
						Graph: enginetest.Random(t, random, i, weighted)})
				}
				most, exact, tolerant := 0.0, 0, 0
				for i, g := range graphs {
					r := enginetest.Request(m, i, g.Graph)
					r.Weighted = weighted
					most = max(most, compare(t, d, g.Name, g.Graph, m, r, i))
					if weighted && lengths.WeightTies(g.Graph, 0) == "tolerance" {
						tolerant++
					} else {
						exact++
					}
				}
				t.Logf("%d graphs, %d of them with ties by tolerance: worst relative difference %.2g", exact+tolerant,
					tolerant, most)
			})
		}
	}
}
