//go:build cuda || emulate

package traversal

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// sampled is what a sample of pairs found.
type sampled struct {
	scores   *kernels.Scores
	estimate *kernels.Estimate
}

// deviceMemory is how many bytes a sample has, besides the graph's.
const deviceMemory = 1 << 26

// onDevice draws a sample on a device: by hops of pairs, by weights of sources.
func onDevice(
	t *testing.T, d gpu.Device, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) (out sampled, err error) {
	t.Helper()
	return drawnBy(t, OneByOne(), d, g, r, a, most, deviceMemory, r.Weighted)
}

// drawnBy draws a sample of sources or of pairs on a device with so many bytes of memory.
func drawnBy(
	t *testing.T, e device.Engine, d gpu.Device, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
	free int64, bySources bool,
) (out sampled, err error) {
	t.Helper()
	all := make([]int32, g.N())
	for v := range all {
		all[v] = int32(v)
	}
	j := device.Job{
		Want: device.Want{
			Measure: device.Pairs, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: len(all), Size: device.SizeOf(g),
		},
		Request: r, Host: g, Sources: all, All: true, Progress: func(int) {}, Partial: &kernels.Partial{},
		Sample: func(tally adaptive.Tally) (err error) {
			out.scores, out.estimate, err = samples.OfPairs(t.Context(), g, r, a, tally, most)
			return err
		},
	}
	if bySources {
		j.Measure = device.Sources
		j.SampleSources = func(sums adaptive.Summer) (err error) {
			out.scores, out.estimate, err = samples.OfSources(t.Context(), g, r, a, sums, samples.StrataOf(g), most)
			return err
		}
	}
	parts := e.Parts(j.Want, g.Directed)
	var ticks []int64
	if parts.Ticks {
		var whole bool
		ticks, j.TickMul, j.TickDiv, whole = lengths.WholeTicks(g)
		parts.Weights, j.Ticks = !whole, ticks
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	if j.Graph, err = device.UploadGraph(memory, g, parts, ticks); err != nil {
		return out, err
	}
	p, err := e.Prepare(&j, d.Info(), free)
	if err != nil {
		return out, err
	}
	result, err := p.Run(t.Context(), memory, &j)
	if out.scores != nil && bySources {
		out.scores.Totals, out.scores.Ties = j.Partial.Totals, result.Ties
	}
	return out, err
}

func samePairs(t *testing.T, d gpu.Device, at string, g *export.Graph, r kernels.Request, a kernels.Accuracy) {
	t.Helper()
	sameWithin(t, d, at, g, r, a, math.Inf(1))
}

func sameWithin(
	t *testing.T, d gpu.Device, at string, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) {
	t.Helper()
	var want sampled
	var err error
	want.scores, want.estimate, err = samples.Drawn(t.Context(), g, r, a, most)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	got, err := onDevice(t, d, g, r, a, most)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the device has %+v, the CPU %+v", at, got.estimate, want.estimate)
	}
}

// TestPairs compares samples of pairs with the CPU's: scores, bounds and the number of pairs are the same.
func TestPairs(t *testing.T) {
	d := devicetest.Open(t)
	for i, c := range enginetest.Some(t, devicetest.Sized(30, 6), false) {
		r := kernels.Request{
			Nodes: i%3 != 1, Edges: i%3 != 0, Params: kernels.Params{Endpoints: i%4 == 3},
		}
		a := kernels.Accuracy{Error: 0.3, Confidence: 0.8, Seed: int64(i), Each: i%2 == 0}
		samePairs(t, d, fmt.Sprintf("%s, %+v", c.At("pairs", r), a), c.Graph, r, a)
	}
}

// TestBestPairs: the best are told from the others after as many pairs as on the CPU.
func TestBestPairs(t *testing.T) {
	g, d := graphtest.Stars(t, 12), devicetest.Open(t)
	r, a := kernels.Request{Nodes: true, Edges: true}, kernels.Accuracy{Top: 1, Confidence: 0.8, Seed: 3}
	for _, most := range []float64{1e5, 2e4} { // the second is too little
		sameWithin(t, d, fmt.Sprint("at most ", most), g, r, a, most)
	}
}

// TestPairsOfHubsAndManyPaths: nodes whose arcs a whole block follows, and more paths than float64 counts exactly.
func TestPairsOfHubsAndManyPaths(t *testing.T) {
	d := devicetest.Open(t)
	r, a := kernels.Request{Nodes: true, Edges: true}, kernels.Accuracy{Error: 0.4, Confidence: 0.8, Seed: 3}
	for name, g := range map[string]*export.Graph{
		"hubs":  graphtest.Stars(t, 1300),
		"grid":  graphtest.Grid(t, int32(devicetest.Sized(80, 34)), false),
		"chain": doubled(t, 60),
	} {
		samePairs(t, d, name, g, r, a)
	}
}

// TestFrontiersOfPairs: frontiers of one node and of thousands follow each other. Threads that leave a level early must
// not change it for the others.
func TestFrontiersOfPairs(t *testing.T) {
	const leaves, between = 5000, 6
	var rels export.Rels
	for v := range int32(between - 1) {
		rels.Source, rels.Target = append(rels.Source, v), append(rels.Target, v+1)
	}
	for v := range int32(2 * leaves) {
		rels.Source, rels.Target = append(rels.Source, v%2*(between-1)), append(rels.Target, between+v)
	}
	g := graphtest.Build(t, export.Undirected, between+2*leaves, rels)
	r, a := kernels.Request{Nodes: true, Edges: true}, kernels.Accuracy{Error: 0.4, Confidence: 0.8, Seed: 3}
	samePairs(t, devicetest.Open(t), "two stars", g, r, a)
}

// doubled is a path of two parallel edges between neighbours.
func doubled(t *testing.T, steps int) *export.Graph {
	t.Helper()
	var rels export.Rels
	for v := range int32(steps) {
		rels.Source, rels.Target = append(rels.Source, v, v), append(rels.Target, v+1, v+1)
	}
	return graphtest.Build(t, export.Undirected, steps+1, rels)
}

// TestEveryAllocationOfPairsFails: memory that runs out is an error, and nothing is left.
func TestEveryAllocationOfPairsFails(t *testing.T) {
	d, g := devicetest.Open(t), directed()
	for _, weighted := range []bool{false, true} {
		r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true}
		for n := 1; ; n++ {
			_, err := onDevice(t, &devicetest.Failing{Device: d, At: n}, g, r, kernels.Accuracy{Error: 0.4, Confidence: 0.8},
				math.Inf(1))
			if d.Ledger().Used != 0 {
				t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("allocation %d: %v", n, err)
			}
		}
	}
}
