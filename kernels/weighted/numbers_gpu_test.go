//go:build cuda || emulate

package weighted

import (
	"errors"
	"fmt"
	"strings"
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
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
		r.Sources = []int32{0, 1, length / 2, length}
		name := fmt.Sprintf("a chain of %d fourfold edges", length)
		notes := enginetest.CheckWeights(t, d, Engine{}, name, g, "betweenness", r)
		if strings.Contains(notes, "; 0 sources left") == leaves {
			t.Errorf("%d: %s", length, notes)
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
		r := kernels.Request{Params: kernels.Params{Weighted: true, Log: true}, Nodes: true, Edges: true}
		r.Sources = []int32{0, length / 2}
		notes := enginetest.CheckWeights(t, d, Engine{}, fmt.Sprintf("a chain of %d edges of 64", length), g, "stress", r)
		all := fmt.Sprintf("; %d sources left", len(r.Sources))
		if strings.Contains(notes, all) != again || strings.Contains(notes, "; 0 sources left") == again {
			t.Errorf("%d: %s", length, notes)
		}
		r.Log = false
		_, want := cpu.Compute(t.Context(), m, g, r)
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "stress", Request: r, Shards: 2}
		got, err := enginetest.Compute(t.Context(), d, task)
		if errors.Is(err, kernels.ErrStress) != errors.Is(want, kernels.ErrStress) {
			t.Errorf("%d: %v, want %v", length, err, want)
		}
		if err == nil && (len(got.Left) == len(r.Sources)) != again {
			t.Errorf("%d: %d sources left in shards", length, len(got.Left))
		}
	}
}

// TestDoubtfulShards: sources of whose ties float64 leaves doubt pass through all tolerances alike, in one part and in
// several.
func TestDoubtfulShards(t *testing.T) {
	d := devicetest.Open(t)
	var links []graphtest.Link
	// Two paths whose lengths differ by 1 in 10^20 or not at all, and some that differ by 2 in 10^12.
	for i := range int32(100) {
		const far, near = 1e14, 100
		links = append(links, graphtest.Link{From: i, To: i + 100, Weight: far},
			graphtest.Link{From: i, To: i + 200, Weight: far},
			graphtest.Link{From: i + 100, To: i + 300, Weight: near},
			graphtest.Link{From: i + 200, To: i + 300, Weight: near + 1e-6*float64(i%2)})
	}
	g := graphtest.Links(t, 400, false, true, links)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
	var left []int
	var first *enginetest.Outcome
	for _, shards := range []int{1, 2, 3, 8} {
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r, Shards: shards, Single: true}
		got, err := enginetest.Compute(t.Context(), d, task)
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
	if left[0] == 0 || left[0] == g.N() {
		t.Errorf("%d of %d sources left", left[0], g.N())
	}
}
