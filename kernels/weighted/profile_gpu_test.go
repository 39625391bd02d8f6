//go:build cuda || emulate

package weighted

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestProfile: the scores are those of the kernels that do not count, and numbers are what any search makes at least.
func TestProfile(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(9, 8))
	links := func(n, m int, weight func() float64) (out []graphtest.Link) {
		for range m {
			out = append(out, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: weight()})
		}
		return out
	}
	whole, real := func() float64 { return float64(1 + random.IntN(9)) }, func() float64 { return 1 - random.Float64() }
	for name, g := range map[string]*export.Graph{
		"ticks":    graphtest.Links(t, 150, false, true, links(150, 900, whole)),
		"directed": graphtest.Links(t, 150, true, true, links(150, 900, whole)),
		"reals":    graphtest.Links(t, 150, false, true, links(150, 4000, real)),
	} {
		result := withCounters(t, d, name, g,
			kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff})
		p := result.Profile
		if p == nil || p.Weighted == nil {
			t.Fatalf("%s: no profile by weights", name)
		}
		w, count, reached := *p.Weighted, batchesOf(g.N()), result.Totals.Pairs/weightedLanes
		parts := w.Starting + w.Distances + w.PathArcs + w.Counts
		if p.Batches != count || w.Rounds < count || p.Levels < count || p.Entries < reached || w.Passed < reached ||
			w.Lowered < reached || p.Rows < 2*reached || p.Arcs < p.Rows ||
			!(w.Picking <= w.Counts && parts > 0 && parts <= p.Forward*(1+1e-9) && p.Backward > 0 && p.Idle >= 0) ||
			p.Bytes < 128*p.Rows {
			t.Errorf("%s: %+v, %+v, pairs %d", name, *p, w, result.Totals.Pairs)
		}
	}
}

// withCounters runs betweenness without and with counters, which must not change the scores.
func withCounters(t *testing.T, d gpu.Device, name string, g *export.Graph, r kernels.Request) *enginetest.Outcome {
	t.Helper()
	task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r, Single: true}
	plain, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatal(err)
	}
	task.Change = func(j *device.Job) { j.Want.Profile = true }
	counted, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.Nodes, counted.Nodes) {
		t.Errorf("%s: other scores with counters", name)
	}
	return counted
}
