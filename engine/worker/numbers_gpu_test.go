//go:build cuda || emulate

package worker

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// asOnCPU compares one run on the device with the CPU.
func asOnCPU(
	t *testing.T, d gpu.OpenDevice, g *export.Graph, measure string, r kernels.Request, strategy string, single bool,
	tolerance float64,
) {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := onDevice(t.Context(), d, g, measure, r, strategy, single)
	if err != nil {
		t.Fatalf("%s by %s: %v", measure, strategy, err)
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > tolerance {
			t.Errorf("%s by %s: off by %.2g: %s (%s)", measure, strategy, difference, where, got.note)
		}
	}
	if err := check.Scores(m, g, r, &got.Scores); err != nil && !single {
		t.Errorf("%s by %s: %v", measure, strategy, err)
	}
}

// TestSingleOfDeepGraphs: over many levels float32 adds up too many roundings, and float64 is used.
func TestSingleOfDeepGraphs(t *testing.T) {
	d := devicetest.Open(t)
	for _, c := range []struct {
		nodes  int
		single bool
	}{{2*kernels.SingleLevels - 2, true}, {2*kernels.SingleLevels + 2, false}} {
		g := graphtest.Ring(t, c.nodes, 0)
		task := newTestTask(g, "betweenness",
			kernels.Request{Nodes: true, Sources: []int32{0, 1, 2}, Reduce: kernels.ReduceOff}, "batched", true)
		for w, err := range task.ways(t.Context(), d.Info()) {
			if err != nil {
				t.Fatal(err)
			}
			if w.job.Single != c.single || strings.Contains(w.why, "double precision") == c.single {
				t.Errorf("%d nodes: single precision %v: %s", c.nodes, w.job.Single, w.why)
			}
			break
		}
		if !c.single {
			asOnCPU(t, d, g, "betweenness", kernels.Request{Nodes: true, Sources: []int32{0, 1, 2}}, "batched", true, 1e-12)
		}
	}
}

// TestSingleOfLongTails: a graph that looks shallow has a tail of many levels, which only the search itself meets.
// float64 does its batch.
func TestSingleOfLongTails(t *testing.T) {
	const tail, head = 2*kernels.SingleLevels + 50, 6000
	random, d := rand.New(rand.NewPCG(77, 1)), devicetest.Open(t)
	var links []graphtest.Link
	for v := range int32(head) {
		for range 4 {
			links = append(links, graphtest.Link{From: v, To: random.Int32N(head), Weight: 1})
		}
	}
	for v := range int32(tail) {
		links = append(links, graphtest.Link{From: max(head-1, head+v-1), To: head + v, Weight: 1})
	}
	g := graphtest.Links(t, head+tail, false, false, links)
	r := kernels.Request{Nodes: true, Sources: []int32{0, 1, 2}, Reduce: kernels.ReduceOff}
	task := newTestTask(g, "betweenness", r, "levels", true)
	for w, err := range task.ways(t.Context(), d.Info()) {
		if err != nil || w.job.Deep() || !w.job.Single {
			t.Errorf("%v, or a graph that looks shallow is taken to be deep: %s", err, w.why)
		}
		break
	}
	asOnCPU(t, d, g, "betweenness", r, "levels", true, 1e-12)
}

// explained is the error that a person gets under auto: where weights differ too much for fixed point, the CPU says
// more.
func explained(t *testing.T, g *export.Graph, measure string, r kernels.Request, err error) error {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "powers of ten") {
		return err
	}
	if reasonOf(t.Context(), err) != protocol.NotOnGPU {
		t.Errorf("%v is not left to the CPU", err)
	}
	m, _ := kernels.Lookup(measure)
	_, err = cpu.Compute(t.Context(), m, g, r)
	return err
}

// TestLostWeight: a weight that vanishes beside the length of a path is an error that names the edge.
func TestLostWeight(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Links(t, 4, true, true,
		[]graphtest.Link{{From: 0, To: 1, Weight: 1e25}, {From: 1, To: 2, Weight: 1e-25}, {From: 2, To: 3, Weight: 1}})
	for _, m := range []string{"betweenness", "stress", "harmonic"} {
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}
		_, err := onDevice(t.Context(), d, g, m, r, batched, false)
		err = explained(t, g, m, r, err)
		if !errors.Is(err, lengths.ErrLength) ||
			!strings.Contains(err.Error(), "from node 1 to node 2: its weight 1e-25 is lost") {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// TestHundredTwentyEight: lengths that are exact in 128 bits only are added in float64 where that leaves no doubt, and
// refused, for the CPU to compute, where it does.
func TestHundredTwentyEight(t *testing.T) {
	d := devicetest.Open(t)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	g := enginetest.Reals(t) // a few sources are left to the CPU
	for _, s := range []string{"work-efficient", "batched"} {
		asOnCPU(t, d, g, "betweenness", r, s, false, 1e-9)
		asOnCPU(t, d, g, "harmonic", r, s, false, 1e-9)
	}
	for _, links := range [][]graphtest.Link{{{From: 0, To: 1, Weight: 1e20}, {From: 1, To: 2, Weight: 1}},
		{{From: 0, To: 1, Weight: 1e20}, {From: 1, To: 3, Weight: 1e20}, {From: 0, To: 2, Weight: 1e20},
			{From: 2, To: 3, Weight: 1e20}, {From: 3, To: 4, Weight: 1.1}}} {
		g := graphtest.Links(t, 5, false, true, links)
		for _, s := range []string{"work-efficient", "batched"} {
			_, err := onDevice(t.Context(), d, g, "betweenness", r, s, false)
			if err == nil || reasonOf(t.Context(), err) != protocol.NotOnGPU {
				t.Errorf("%s: %v", s, err)
			}
		}
	}
}
