//go:build cuda || emulate

package traversal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// fork has two ways from each node to the last one, of length arcs each: one with 16 edges for each arc, so that counts
// of one level lie 2^(4 length) apart. Of the tail, of so many nodes, all counts are alike.
func fork(t *testing.T, length, tail int32, directed bool) *export.Graph {
	var links []graphtest.Link
	for side := range int32(2) {
		v := int32(0)
		for i := range length {
			to := 1 + side*length + i
			if i == length-1 {
				to = length
			}
			for range 1 + 15*side {
				links = append(links, graphtest.Link{From: v, To: to, Weight: 1})
			}
			v = to
		}
	}
	n := 2 * length
	for i := range tail {
		links = append(links, graphtest.Link{From: n + i, To: n + (i+1)%tail, Weight: 1})
	}
	return graphtest.Links(t, int(n+tail), directed, true, links)
}

// TestWideCounts: counts of one level pass float32, and float64. The first chunk decides for all shards whether others
// begin with wider numbers.
func TestWideCounts(t *testing.T) {
	d := devicetest.Open(t)
	const length, tail = 390, 20
	g := fork(t, length, tail, true)
	n := int32(g.N())
	far, near := []int32{0, 1, 2}, []int32{}
	for v := range int32(tail) {
		near = append(near, n-1-v)
	}
	farFirst, nearFirst := slices.Concat(far, near), slices.Concat(near, far)
	for _, c := range []struct {
		sources          []int32
		weighted, single bool
		says             string
	}{
		{farFirst, false, false, "in wide from the first chunk on"},
		{farFirst, false, true, "in wide from the first chunk on"},
		{farFirst, true, true, "in f64 from the first chunk on"},
		{nearFirst, true, true, "sources counted again in f64 numbers"},
		{nearFirst, true, false, "sources counted again in wide numbers"},
	} {
		r := kernels.Request{Params: kernels.Params{Weighted: c.weighted}, Nodes: true, Edges: true, Sources: c.sources}
		task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: "betweenness", Request: r, Single: c.single}
		task.Free = memoryFor(d.Info(), task, 2)
		enginetest.Agree(t, d, "fork", task)
		got, err := enginetest.Compute(t.Context(), d, task)
		if err != nil || !strings.Contains(got.Note, c.says) {
			t.Errorf("%q, %v; want %q", got.Note, err, c.says)
		}
	}
}

// TestWideStress: counts of paths pass float64 in some atoms only. All have logarithms, and the same bits in any
// shards.
func TestWideStress(t *testing.T) {
	d := devicetest.Open(t)
	const length, tail = 285, 40
	g := fork(t, length, tail, true)
	var sources []int32
	for v := range int32(tail) {
		sources = append(sources, int32(g.N())-1-v)
	}
	for _, weighted := range []bool{false, true} {
		r := kernels.Request{
			Params: kernels.Params{Weighted: weighted, Log: true}, Nodes: true, Edges: true,
			Sources: append(sources, 0, 1, 2, 3),
		}
		task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: "stress", Request: r}
		task.Free = memoryFor(d.Info(), task, 2)
		enginetest.Agree(t, d, "fork", task)
		got := asOnCPU(t, d, task, 1e-9)
		if !strings.Contains(got.Note, "wide numbers") {
			t.Errorf("weighted %v: %q", weighted, got.Note)
		}
		greatest := 0.0
		for _, x := range got.Nodes {
			if x > greatest { // not NaN, the logarithm of 0
				greatest = x
			}
		}
		if greatest < 1100 {
			t.Errorf("the greatest logarithm is %v", greatest)
		}
		task.Request.Log = false
		if _, err := enginetest.Compute(t.Context(), d, task); !errors.Is(err, kernels.ErrStress) {
			t.Errorf("stress past float64: %v", err)
		}
	}
}

// TestDemandOfManyPaths: products of the least and of the greatest masses, over counts of paths that pass float64 or
// nearly do.
func TestDemandOfManyPaths(t *testing.T) {
	d := devicetest.Open(t)
	for i, length := range []int32{120, 170, 215, 390} {
		g := fork(t, length, 9, true)
		masses := make([]float64, g.N())
		for v := range masses {
			masses[v] = []float64{1e-30, 1e30, 0, 1}[(v+i)%4]
		}
		for j, measure := range []string{"betweenness", "betweenness", "stress", "stress"} {
			r := kernels.Request{
				Params: kernels.Params{Weighted: j%2 > 0, Log: measure == "stress"}, Nodes: true, Edges: true,
				Sources: []int32{0, 1, 2, length + 2, int32(g.N()) - 1},
				Pairs:   &kernels.Pairs{Demand: &kernels.Demand{Sources: masses, Targets: masses}},
			}
			task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: measure, Request: r}
			enginetest.Agree(t, d, fmt.Sprintf("fork of %d, %s, weighted %t", length, measure, r.Weighted), task)
		}
	}
}
