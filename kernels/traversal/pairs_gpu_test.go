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
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// sampled is what a sample of pairs found.
type sampled struct {
	scores   *kernels.Scores
	estimate *kernels.Estimate
}

// onDevice draws a sample of pairs on a device.
func onDevice(t *testing.T, d gpu.Device, g *export.Graph, r kernels.Request, a kernels.Accuracy) (out sampled, err error) {
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
			out.scores, out.estimate, err = samples.OfPairs(t.Context(), g, r, a, tally, math.Inf(1))
			return err
		},
	}
	e := OneByOne()
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	if j.Graph, err = device.UploadGraph(memory, g, e.Parts(j.Want, g.Directed), nil); err != nil {
		return out, err
	}
	p, err := e.Prepare(&j, d.Info(), 1<<26)
	if err != nil {
		return out, err
	}
	_, err = p.Run(t.Context(), memory, &j)
	return out, err
}

// onCPU draws the same sample on the CPU.
func onCPU(t *testing.T, g *export.Graph, r kernels.Request, a kernels.Accuracy) (out sampled, err error) {
	t.Helper()
	out.scores, out.estimate, err = samples.Drawn(t.Context(), g, r, a)
	return out, err
}

func samePairs(t *testing.T, d gpu.Device, at string, g *export.Graph, r kernels.Request, a kernels.Accuracy) {
	t.Helper()
	want, err := onCPU(t, g, r, a)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	got, err := onDevice(t, d, g, r, a)
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
	for i, c := range enginetest.Some(t, devicetest.Sized(30, 12), false) {
		r := kernels.Request{
			Nodes: i%3 != 1, Edges: i%3 != 0, Params: kernels.Params{Endpoints: i%4 == 3},
		}
		a := kernels.Accuracy{Error: 0.2, Confidence: 0.8, Seed: int64(i), Each: i%2 == 0}
		if i%5 == 4 && c.Graph.N() > 2 {
			a.Error, a.Top = 0, 2
		}
		samePairs(t, d, fmt.Sprintf("%s, %+v", c.At("pairs", r), a), c.Graph, r, a)
	}
}

// TestPairsOfHubsAndManyPaths: nodes whose arcs a whole block follows, and more paths than float64 counts exactly.
func TestPairsOfHubsAndManyPaths(t *testing.T) {
	d := devicetest.Open(t)
	r, a := kernels.Request{Nodes: true, Edges: true}, kernels.Accuracy{Error: 0.3, Confidence: 0.8, Seed: 3}
	for name, g := range map[string]*export.Graph{
		"hubs":  graphtest.Stars(t, devicetest.Sized(5000, 1200)),
		"grid":  graphtest.Grid(t, int32(devicetest.Sized(80, 40)), false),
		"chain": doubled(t, 900),
	} {
		samePairs(t, d, name, g, r, a)
	}
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
	r := kernels.Request{Nodes: true, Edges: true}
	for n := 1; ; n++ {
		_, err := onDevice(t, &devicetest.Failing{Device: d, At: n}, g, r, kernels.Accuracy{Top: 1, Confidence: 0.8})
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
