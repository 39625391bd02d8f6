//go:build cuda || emulate

package enginetest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Distances are those of a request, by the CPU.
type Distances struct {
	Rows    []float64
	summary *kernels.DistanceSummary
	request kernels.Request
}

// DistancesOf finds them.
func DistancesOf(t *testing.T, g *export.Graph, r kernels.Request) *Distances {
	t.Helper()
	out := &Distances{request: r}
	err := distances.Rows(t.Context(), g, r, func(_ int32, row []float64) error {
		out.Rows = append(out.Rows, row...)
		return nil
	})
	if err == nil {
		out.summary, err = distances.Summarize(t.Context(), g, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// SameRows compares rows of a device.
func (d *Distances) SameRows(t *testing.T, at string, rows []float64) {
	t.Helper()
	if difference, where := Worst(rows, d.Rows); difference > 1e-12 {
		t.Fatalf("%s: %s", at, where)
	}
}

// SameSummary compares what a device found: totals, the greatest distance, and by hops how many pairs lie so many
// apart.
func (d *Distances) SameSummary(t *testing.T, at string, totals kernels.Totals, farthest float64, plot []float64) {
	t.Helper()
	all, slack := d.summary, 0.0
	if d.request.Weighted {
		slack = 1e-12
	}
	hops := slices.DeleteFunc(slices.Clone(plot), func(x float64) bool { return x == 0 })
	if totals.Pairs != all.Pairs || math.Abs(farthest-all.Diameter) > slack*all.Diameter ||
		!d.request.Weighted && len(hops) != max(0, len(all.Hops)-1) {
		t.Fatalf("%s: %d pairs, greatest %v, hops %v; want %+v", at, totals.Pairs, farthest, hops, all)
	}
	if distance := all.Mean * float64(all.Pairs); math.Abs(totals.Distance-distance) > 1e-9*distance {
		t.Fatalf("%s: distances sum to %v, want %v", at, totals.Distance, distance)
	}
	for h, pairs := range all.Hops {
		if plot[h] != float64(pairs) {
			t.Fatalf("%s: %v pairs %d hops apart, want %d", at, plot[h], h, pairs)
		}
	}
}

// SampledDistances is a request for the distances of graph number i: from a sample of sources, in any order, where
// there are many, and of every third graph.
func SampledDistances(g *export.Graph, i int, weighted bool) kernels.Request {
	r := kernels.Request{Params: kernels.Params{Weighted: weighted}}
	if i%3 == 1 || g.N() > 500 {
		r.Sources = kernels.DrawSources(g.N(), min(g.N(), 150), int64(i))
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(r.Sources), func(i, j int) {
			r.Sources[i], r.Sources[j] = r.Sources[j], r.Sources[i]
		})
	}
	return r
}

// Sample is an adaptive sample of betweenness, by the CPU.
type Sample struct {
	scores []float64
	taken  []int32
}

// SampleOf takes it.
func SampleOf(t *testing.T, g *export.Graph, r kernels.Request, a adaptive.Sample) *Sample {
	t.Helper()
	want, taken, err := samples.Adaptive(t.Context(), g, r, a)
	if err != nil {
		t.Fatal(err)
	}
	return &Sample{want.Nodes, taken}
}

// Same compares a sample of a device: scores, and how many sources each node took.
func (s *Sample) Same(t *testing.T, at string, scores, taken []float64) {
	t.Helper()
	if difference, where := Worst(scores, s.scores); difference > 1e-9 {
		t.Fatalf("%s: %s", at, where)
	}
	for v, count := range s.taken {
		if taken[v] != float64(count) {
			t.Fatalf("%s: node %d took %v sources, want %d", at, v, taken[v], count)
		}
	}
}

// DrawnSample is the adaptive sample of graph number i.
func DrawnSample(g *export.Graph, i int) adaptive.Sample {
	a := adaptive.Sample{C: []float64{0.0371, 0.713, 2.917, 1e9}[i%4], Seed: int64(i), Limit: i % 3 * 40}
	if i%2 == 1 {
		a.Nodes = kernels.DrawSources(g.N(), 1+g.N()/50, int64(i))
	}
	return a
}
