//go:build cuda || emulate

package enginetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Request are the ways in which a graph number i is asked about.
func Request(m kernels.Measure, i int, g *export.Graph) kernels.Request {
	normalized := i%2 == 0
	r := kernels.Request{Nodes: true, Edges: m.Edge != ""}
	if i%5 == 4 && g.N() > 3 && len(m.Strategies) > 0 {
		r.Sources = kernels.DrawSources(g.N(), g.N()/2, int64(i))
		if m.BySource {
			r.Scale = 2
		}
	}
	for _, option := range m.Options {
		switch option {
		case "normalized":
			r.Normalized = &normalized
		case "endpoints":
			r.Endpoints = i%4 == 1
		case "variant":
			r.Variant = m.Variants[i%len(m.Variants)]
		case "radius":
			radius := i % 5
			r.Radius = &radius
		case "log":
			r.Log = i%3 == 1
		}
	}
	if m.Check(r) != nil { // not for a sample, say
		r.Sources, r.Scale = nil, 0
	}
	return r
}

// SameBits reports whether two outcomes have the same scores to the bit.
func SameBits(a, b *Outcome) bool {
	return slices.Equal(gpu.Bytes(a.Nodes), gpu.Bytes(b.Nodes)) && slices.Equal(gpu.Bytes(a.Edges), gpu.Bytes(b.Edges))
}

// CheckWeights compares nodes and edges by weights with the CPU, in either precision, a second run bit by bit, and a
// run in shards. It returns the notes, or "refused".
func CheckWeights(
	t *testing.T, d gpu.Device, e device.Engine, name string, g *export.Graph, measure string, r kernels.Request,
) (notes string) {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Weighted, r.Reduce = true, kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for single, bound := range map[bool]float64{false: 1e-9, true: 1e-5} {
		if single && m.Kind != kernels.Dependencies {
			continue
		}
		at := fmt.Sprintf("%s of %s (n %d, m %d, directed %t), single %t", measure, name, g.N(), g.M(), g.Directed, single)
		task := Task{Engine: e, Graph: g, Measure: measure, Request: r, Single: single}
		got, err := Compute(t.Context(), d, task)
		if unsuited := (*device.Unsuited)(nil); errors.As(err, &unsuited) {
			return "refused"
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
			if difference, where := Worst(part[0], part[1]); difference > bound {
				t.Errorf("%s: %s (%s)", at, where, got.Note)
			}
		}
		if got.Totals.Pairs != want.Totals.Pairs || got.Scores.Ties != want.Ties ||
			math.Abs(got.Totals.Distance-want.Totals.Distance) > 1e-9*want.Totals.Distance {
			t.Errorf("%s: totals %+v, ties %q; want %+v, %q", at, got.Totals, got.Scores.Ties, want.Totals, want.Ties)
		}
		notes += got.Note + "\n"
		if !quick() {
			again, err := Compute(t.Context(), d, task)
			if err != nil || !SameBits(again, got) || again.Totals != got.Totals {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
		}
		if quick() && m.Kind == kernels.Dependencies && single == (g.M()%2 == 0) {
			continue // shards in one of the two precisions
		}
		task.Shards = shardCounts(g)[0]
		if parts, err := Compute(t.Context(), d, task); err != nil || !SameBits(parts, got) ||
			parts.Totals.Pairs != got.Totals.Pairs {
			t.Errorf("%s: other bits in shards, %v", at, err)
		}
	}
	return notes
}

// WeightyShapes are graphs whose weights, or shapes, break things.
func WeightyShapes(t testing.TB) []Named {
	random := rand.New(rand.NewPCG(6, 28))
	drawn := func(n, m int, weight func() float64) []graphtest.Link {
		var out []graphtest.Link
		for range m {
			out = append(out, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: weight()})
		}
		return out
	}
	spread := func() float64 { return math.Pow10(random.IntN(25) - 12) }
	twos := func() float64 { return math.Ldexp(1, random.IntN(60)-30) }
	big := func() float64 { return float64(1+random.IntN(4)) * (1 << 51) }
	one := func() float64 { return []float64{1, 1, 1, 1e9}[random.IntN(4)] }
	few := func() float64 { return float64(1 + random.IntN(2)) }
	real := func() float64 { return 1 - random.Float64() }
	var path, star, hub []graphtest.Link
	for i := range int32(devicetest.Sized(2000, 250)) {
		path = append(path, graphtest.Link{From: i, To: i + 1, Weight: float64(i%5 + 1)})
	}
	for i := int32(1); i < 700; i++ {
		star = append(star, graphtest.Link{From: 0, To: i, Weight: float64(i%3 + 1)})
		hub = append(hub, graphtest.Link{From: i % 2, To: i, Weight: float64(i%3 + 1)},
			graphtest.Link{From: i, To: 1 + i*7%699, Weight: 4})
	}
	ties := graphtest.Grid(t, 12, true)
	for i := range ties.Weights {
		ties.Weights[i] = 1
	}
	out := []Named{
		{"24 decades", graphtest.Links(t, 60, false, true, drawn(60, 150, spread))},
		{"24 decades, directed", graphtest.Links(t, 60, true, true, drawn(60, 200, spread))},
		{"powers of two", graphtest.Links(t, 80, false, true, drawn(80, 240, twos))},
		{"sums beyond 2^53", graphtest.Links(t, 80, false, true, drawn(80, 240, big))},
		{"some enormous weights", graphtest.Links(t, 80, true, true, drawn(80, 240, one))},
		{"ties everywhere", graphtest.Links(t, 120, false, true, drawn(120, 600, few))},
		{"reals", graphtest.Links(t, 120, false, true, drawn(120, 500, real))},
		{"reals, directed", graphtest.Links(t, 120, true, true, drawn(120, 500, real))},
		{"dense", graphtest.Links(t, 40, false, true, drawn(40, 500, real))},
		{"dense, directed", graphtest.Links(t, 40, true, true, drawn(40, 700, real))},
		{"dense, with ties, directed", graphtest.Links(t, 40, true, true, drawn(40, 700, few))},
		{"parts", graphtest.Links(t, 200, false, true, drawn(100, 90, few))},
		{"parts, directed", graphtest.Links(t, 200, true, true, drawn(100, 120, few))},
		{"a path", graphtest.Links(t, devicetest.Sized(2001, 251), false, true, path)},
		{"a path, directed", graphtest.Links(t, devicetest.Sized(2001, 251), true, true, path)},
		{"a star", graphtest.Links(t, 700, false, true, star)},
		{"hubs", graphtest.Links(t, 700, false, true, hub)},
		{"hubs, directed", graphtest.Links(t, 700, true, true, hub)},
		{"loops and parallels", graphtest.Links(t, 4, true, true, []graphtest.Link{
			{From: 0, To: 0, Weight: 1}, {From: 0, To: 1, Weight: 2}, {From: 0, To: 1, Weight: 2}, {From: 1, To: 0, Weight: 1},
			{From: 1, To: 2, Weight: 3}, {From: 2, To: 2, Weight: 1}, {From: 2, To: 3, Weight: 1},
		})},
		{"equal weights", ties},
	}
	return out
}
