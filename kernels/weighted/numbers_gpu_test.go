//go:build cuda || emulate

package weighted

import (
	"errors"
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// manifold is a path of so many edges, each of them so many times.
func manifold(t testing.TB, length int32, times int) *export.Graph {
	var links []graphtest.Link
	for i := range length {
		for range times {
			links = append(links, graphtest.Link{From: i, To: i + 1, Weight: float64(1 + i%3)})
		}
	}
	return graphtest.Links(t, int(length)+1, false, true, links)
}

// TestCountsOfAnySize: counts that pass the range of float32 are repeated in float64, and those that pass that too are
// left.
func TestCountsOfAnySize(t *testing.T) {
	d := devicetest.Open(t)
	for length, leaves := range map[int32]bool{25: false, 80: false, 900: true} {
		g := manifold(t, length, 4)
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true,
			Sources: []int32{0, 1, length / 2, length}}
		enginetest.CheckWeights(t, d, Engine{}, fmt.Sprintf("a chain of %d fourfold edges", length), g, "betweenness", r)
		for _, single := range []bool{false, true} {
			got, err := enginetest.Compute(t.Context(), d,
				enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r, Single: single})
			if err != nil || (len(got.Left) > 0) != leaves || got.Doubtful {
				t.Errorf("%d: %+v, %v", length, got, err)
			}
		}
	}
}

// TestStressOfAnySize: counts add up exactly to 2^95; where they may pass that, all sources are left for numbers of any
// size. Stress past float64 has a logarithm alone.
func TestStressOfAnySize(t *testing.T) {
	d := devicetest.Open(t)
	m, _ := kernels.Lookup("stress")
	for length, again := range map[int32]bool{8: false, 14: false, 16: true, 80: true, 300: true} {
		g := manifold(t, length, 64)
		r := kernels.Request{Params: kernels.Params{Weighted: true, Log: true}, Nodes: true, Edges: true,
			Sources: []int32{0, length / 2}}
		enginetest.CheckWeights(t, d, Engine{}, fmt.Sprintf("a chain of %d edges of 64", length), g, "stress", r)
		for _, shards := range []int{1, 2} {
			got, err := enginetest.Compute(t.Context(), d,
				enginetest.Task{Engine: Engine{}, Graph: g, Measure: "stress", Request: r, Shards: shards})
			if err != nil || (len(got.Left) == len(r.Sources)) != again || (len(got.Left) == 0) == again {
				t.Errorf("%d: %+v, %v", length, got, err)
			}
		}
		r.Log = false
		_, want := cpu.Compute(t.Context(), m, g, r)
		if _, err := enginetest.Compute(t.Context(), d, enginetest.Task{Engine: Engine{}, Graph: g, Measure: "stress",
			Request: r}); errors.Is(err, kernels.ErrStress) != errors.Is(want, kernels.ErrStress) {
			t.Errorf("%d: %v, want %v", length, err, want)
		}
	}
}

// TestDoubtfulShards: sources of whose ties float64 leaves doubt pass through all tolerances alike, in one part and in
// several.
func TestDoubtfulShards(t *testing.T) {
	d := devicetest.Open(t)
	var links []graphtest.Link
	for i := range int32(100) { // two paths to every fourth node, whose lengths differ by 1 in 10^20 or not at all
		const far = 1e14
		links = append(links, graphtest.Link{From: i, To: i + 100, Weight: far},
			graphtest.Link{From: i, To: i + 200, Weight: far}, graphtest.Link{From: i + 100, To: i + 300, Weight: 1},
			graphtest.Link{From: i + 200, To: i + 300, Weight: 1 + 1e-6*float64(i%2)})
	}
	g := graphtest.Links(t, 400, false, true, links)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
	var left []int
	var first *enginetest.Outcome
	for _, shards := range []int{1, 2, 3, 8} {
		got, err := enginetest.Compute(t.Context(), d,
			enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r, Shards: shards, Single: true})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if left = append(left, len(got.Left)); left[0] != len(got.Left) || !got.Doubtful || !enginetest.SameBits(got, first) {
			t.Errorf("%d shards leave %d sources, doubtful %t", shards, len(got.Left), got.Doubtful)
		}
	}
	t.Logf("%d of %d sources left", left[0], g.N())
}
