//go:build cuda || emulate

package traversal

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestSingle: float32 counts are right to 1e-5.
func TestSingle(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(5, 7))
	for i := range devicetest.Sized(40, 4) {
		g := enginetest.Random(t, random, i, i%2 == 1)
		if i%2 == 1 && lengths.WeightTies(g, 0) == "exact" {
			if _, _, _, ok := lengths.WholeTicks(g); !ok {
				continue
			}
		}
		r := kernels.Request{Params: kernels.Params{Weighted: i%2 == 1}, Nodes: true, Edges: true}
		for _, s := range []string{"work-efficient", "vertex-warp-8"} {
			task := enginetest.Task{Engine: named(t, s), Graph: g, Measure: "betweenness", Request: r, Single: true}
			asOnCPU(t, d, task, 1e-5)
		}
	}
}

// TestLostWeight: a weight that vanishes next to the length of a path is an error that names the edge.
func TestLostWeight(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Links(t, 4, true, true, []graphtest.Link{
		{From: 0, To: 1, Weight: 1e25}, {From: 1, To: 2, Weight: 1e-25}, {From: 2, To: 3, Weight: 1},
	})
	for _, m := range []string{"betweenness", "stress", "harmonic"} {
		for _, s := range []string{"work-efficient", "vertex-warp-4"} {
			_, err := enginetest.Compute(t.Context(), d, enginetest.Task{
				Engine: named(t, s), Graph: g, Measure: m, Request: weightedNodes,
			})
			const says = "from node 1 to node 2: its weight 1e-25 is lost"
			if !errors.Is(err, lengths.ErrLength) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s by %s: %v", m, s, err)
			}
		}
	}
}

// TestWeightsTooFarApart: sums in fixed point that do not tell the least distances are refused, and the greatest ones
// are not.
func TestWeightsTooFarApart(t *testing.T) {
	d := devicetest.Open(t)
	links := []graphtest.Link{{From: 0, To: 1, Weight: 1e-40}, {From: 2, To: 3, Weight: 1e40}}
	g := graphtest.Links(t, 4, false, true, links)
	for _, m := range []string{"closeness", "harmonic", "eccentricity"} {
		task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: m, Request: weightedNodes}
		if m == "eccentricity" {
			asOnCPU(t, d, task, 1e-12)
			continue
		}
		_, err := enginetest.Compute(t.Context(), d, task)
		if unsuited := (*device.Unsuited)(nil); !errors.As(err, &unsuited) {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// weightedScores asks for both kinds of scores, from all nodes of the graph as it is.
var weightedScores = kernels.Request{
	Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff,
}

// weightedNodes asks for scores of nodes by weights.
var weightedNodes = kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}

// TestHundredTwentyEight: lengths that are exact in 128 bits only are added in float64 where that leaves no doubt, and
// left to the CPU, or refused, where it does.
func TestHundredTwentyEight(t *testing.T) {
	d, g := devicetest.Open(t), enginetest.Reals(t)
	for _, s := range []string{"work-efficient", "vertex-warp-8"} {
		task := enginetest.Task{Engine: named(t, s), Graph: g, Measure: "betweenness", Request: weightedScores}
		got := asOnCPU(t, d, task, 1e-9)
		if len(got.Left) == 0 || len(got.Left) > 5 || !got.Doubtful || got.Pass != 0 || got.Scores.Ties != "exact" {
			t.Errorf("%s left %v, doubtful %v, pass %d, ties %q", s, got.Left, got.Doubtful, got.Pass, got.Scores.Ties)
		}
		task.Free = memoryFor(d.Info(), task, 2)
		enginetest.Agree(t, d, s, task)
		task.Measure = "harmonic"
		asOnCPU(t, d, task, 1e-9)
	}
	for _, links := range [][]graphtest.Link{{{From: 0, To: 1, Weight: 1e20}, {From: 1, To: 2, Weight: 1}}, {
		{From: 0, To: 1, Weight: 1e20}, {From: 1, To: 3, Weight: 1e20}, {From: 0, To: 2, Weight: 1e20},
		{From: 2, To: 3, Weight: 1e20}, {From: 3, To: 4, Weight: 1.1},
	}} {
		g := graphtest.Links(t, 5, false, true, links)
		_, err := enginetest.Compute(t.Context(), d, enginetest.Task{
			Engine: named(t, "work-efficient"), Graph: g, Measure: "betweenness", Request: weightedScores,
		})
		if unsuited := (*device.Unsuited)(nil); !errors.As(err, &unsuited) {
			t.Error(err)
		}
	}
}

// TestDoubtfulTies: of two ways that differ by less than float64 tells apart after 2000 arcs, the shorter is told where
// there are few arcs; by still less, the CPU tells it.
func TestDoubtfulTies(t *testing.T) {
	d := devicetest.Open(t)
	const pairs = 60
	for _, c := range []struct {
		by    float64 // how much longer the way by 2 is, relatively
		tail  int32   // arcs of a path from 3 on
		onCPU bool
	}{{5e-13, 0, false}, {1e-13, 0, false}, {2e-14, 0, true}, {2e-12, 0, false}, {5e-13, 130, false}, {1e-13, 130, true}} {
		const a, b = 1.2345678901234567, 2.3456789012345678
		links := []graphtest.Link{
			{From: 0, To: 1, Weight: a}, {From: 1, To: 3, Weight: b}, {From: 0, To: 2, Weight: a},
			{From: 2, To: 3, Weight: b + (a+b)*c.by},
		}
		for i := range int32(pairs) { // so that few of the first sources are doubtful
			links = append(links, graphtest.Link{From: 4 + 2*i, To: 5 + 2*i, Weight: 123456.78901234567})
		}
		const first = 4 + 2*pairs
		for i, v := int32(0), int32(3); i < c.tail; i++ {
			links = append(links, graphtest.Link{From: v, To: first + i, Weight: a / 1024})
			v = first + i
		}
		g := graphtest.Links(t, int(first+c.tail), false, true, links)
		r := weightedScores
		r.Sources = order.All(g)[:first]
		if c.tail > 0 {
			r.Sources = append(r.Sources, first, first+c.tail/2, first+c.tail-1)
		}
		task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: "betweenness", Request: r}
		task.Free = memoryFor(d.Info(), task, 16)
		if got := asOnCPU(t, d, task, 1e-9); c.onCPU != (len(got.Left) > 0) {
			t.Errorf("%g, %d arcs: %v left", c.by, c.tail, got.Left)
		}
	}
}

// TestLongPathsOfReals: paths of more arcs than the first tolerance is for are searched with a greater one, on the
// device.
func TestLongPathsOfReals(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(1, 2))
	var links []graphtest.Link
	for i := range int32(2499) {
		links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1 - random.Float64()})
	}
	r := weightedScores
	r.Sources = []int32{0, 700, int32(len(links))}
	task := enginetest.Task{
		Engine: named(t, "work-efficient"), Graph: graphtest.Links(t, len(links)+1, false, true, links),
		Measure: "betweenness", Request: r,
	}
	if got := asOnCPU(t, d, task, 1e-9); got.Scores.Ties != "exact" || len(got.Left) > 0 {
		t.Errorf("ties %q, %d sources left", got.Scores.Ties, len(got.Left))
	}
}
