//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// shapeLimit is how long one computation on a shape may take on a device.
const shapeLimit = time.Minute

// shapes are graphs that break what was made for usual ones.
func shapes(t *testing.T) []enginetest.Named {
	n := int32(devicetest.Sized(1_000_000, 400))
	var star, path, tree, caterpillar, pairs, wheel []graphtest.Link
	for i := int32(1); i < n; i++ {
		star = append(star, graphtest.Link{From: 0, To: i, Weight: 1})
		path = append(path, graphtest.Link{From: i - 1, To: i, Weight: 1})
		tree = append(tree, graphtest.Link{From: (i - 1) / 2, To: i, Weight: 1})
		wheel = append(wheel, graphtest.Link{From: 0, To: i, Weight: 1}, graphtest.Link{From: i, To: i%(n-1) + 1, Weight: 1})
	}
	for i := int32(1); i < n/2; i++ {
		caterpillar = append(caterpillar, graphtest.Link{From: i - 1, To: i, Weight: 1})
	}
	for i := range n / 2 {
		caterpillar = append(caterpillar, graphtest.Link{From: i, To: n/2 + i, Weight: 1})
	}
	for i := int32(0); i+1 < n/5; i += 2 {
		pairs = append(pairs, graphtest.Link{From: i, To: i + 1, Weight: 1})
	}
	var complete, many []graphtest.Link
	for u := range int32(devicetest.Sized(5_000, 150)) {
		for v := range u {
			complete = append(complete, graphtest.Link{From: v, To: u, Weight: 1})
		}
	}
	for i := range int32(devicetest.Sized(200_000, 3_000)) { // thousands of edges between the same two nodes
		many = append(many, graphtest.Link{From: i % 7, To: i % 11, Weight: 1})
	}
	// fewer nodes than lanes
	few := []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 1}, {From: 2, To: 0, Weight: 1},
		{From: 2, To: 3, Weight: 1}}
	return []enginetest.Named{
		{Name: "star", Graph: graphtest.Links(t, int(n), false, false, star)},
		{Name: "star, inwards", Graph: graphtest.Links(t, int(n), true, false, turned(star))},
		{Name: "path", Graph: graphtest.Links(t, int(n), false, false, path)},
		{Name: "binary tree", Graph: graphtest.Links(t, int(n), false, false, tree)},
		{Name: "caterpillar", Graph: graphtest.Links(t, int(n), false, false, caterpillar)},
		{Name: "components", Graph: graphtest.Links(t, int(n/5), false, false, pairs)},
		{Name: "isolated", Graph: graphtest.Links(t, int(n), false, false, nil)},
		{Name: "wheel", Graph: graphtest.Links(t, int(n), false, false, wheel)},
		{Name: "complete", Graph: graphtest.Links(t, devicetest.Sized(5_000, 150), false, false, complete)},
		{Name: "parallel edges", Graph: graphtest.Links(t, 12, false, false, many)},
		{Name: "four nodes", Graph: graphtest.Links(t, 4, false, false, few)},
	}
}

func turned(links []graphtest.Link) []graphtest.Link {
	out := make([]graphtest.Link, len(links))
	for i, l := range links {
		out[i] = graphtest.Link{From: l.To, To: l.From, Weight: l.Weight}
	}
	return out
}

// TestHardShapes compares what auto and batched make of the shapes with the CPU, within a time.
func TestHardShapes(t *testing.T) {
	long(t)
	for _, g := range shapes(t) {
		t.Run(g.Name, func(t *testing.T) {
			d := devicetest.Open(t)
			for _, measure := range []string{"betweenness", "closeness", "volume"} {
				m, _ := kernels.Lookup(measure)
				r := kernels.Request{Nodes: true, Edges: m.Edge != "", Reduce: kernels.ReduceOff}
				if radius := 1; measure == "volume" { // 2 is everything around a hub, for every node
					r.Radius = &radius
				} else {
					r.Sources = kernels.DrawSources(g.Graph.N(), 12, 1)
				}
				compareShape(t, d, g, m, r, "auto")
				if g.Name != "path" && g.Name != "caterpillar" && g.Name != "components" {
					// of 10^5 levels, or of volumes without end
					compareShape(t, d, g, m, r, "batched")
				}
			}
		})
	}
}

func compareShape(
	t *testing.T, d gpu.OpenDevice, g enginetest.Named, m kernels.Measure, r kernels.Request, strategy string,
) {
	t.Helper()
	want, err := cpu.Compute(t.Context(), m, g.Graph, r)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), shapeLimit)
	defer cancel()
	got, err := onDevice(ctx, d, g.Graph, m.Name, r, strategy, false)
	if err != nil {
		t.Fatalf("%s by %s: %v", m.Name, strategy, err)
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Errorf("%s by %s: %s", m.Name, strategy, where)
		}
	}
}

// TestHardShapesReduced: trees vanish, and all pairs of 10^6 nodes are scored, as on the CPU.
func TestHardShapesReduced(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	for _, g := range shapes(t) {
		if !slices.Contains([]string{"star", "path", "binary tree", "caterpillar", "components"}, g.Name) {
			continue
		}
		t.Run(g.Name, func(t *testing.T) {
			compareShape(t, devicetest.Open(t), g, m,
				kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOn}, "auto")
		})
	}
}

// little is a device with little memory left.
type little struct {
	gpu.OpenDevice
	free int64
}

func (l little) Info() gpu.Info {
	info := l.OpenDevice.Info()
	info.Free = l.free
	return info
}

// TestLittleMemory: with less and less memory, scores are right or refused, and never take more than there is.
func TestLittleMemory(t *testing.T) {
	d := devicetest.Open(t)
	graphs := shapes(t)
	g := graphs[slices.IndexFunc(graphs, func(g enginetest.Named) bool { return g.Name == "binary tree" })]
	size := kernels.Size{Nodes: int64(g.Graph.N()), Edges: int64(g.Graph.M())}
	graph := device.GraphBytes(size, device.Parts{Edges: true, Transpose: true})
	refused := 0
	for _, measure := range []string{"betweenness", "closeness", "volume"} {
		m, _ := kernels.Lookup(measure)
		radius := 3
		r := kernels.Request{Nodes: true, Edges: m.Edge != ""}
		if measure == "volume" {
			r.Radius = &radius
		} else {
			r.Sources = kernels.DrawSources(g.Graph.N(), 8, 1)
		}
		want, err := cpu.Compute(t.Context(), m, g.Graph, r)
		if err != nil {
			t.Fatal(err)
		}
		for more := 256 * graph; more > 0; more /= 4 {
			got, err := onDevice(t.Context(), little{d, reserve + graph + more}, g.Graph, measure, r, "batched", false)
			if large := (*gpu.TooLarge)(nil); errors.As(err, &large) {
				refused++
				continue
			}
			if err != nil {
				t.Fatalf("%s with %d bytes more than the graph: %v", measure, more, err)
			}
			if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-9 {
				t.Errorf("%s with %d bytes more than the graph: %s", measure, more, where)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// TestTailOfADenseGraph: a graph that few looks show to be shallow may have a long tail. What auto takes for few
// sources, some of them on the tail, is right all the same, in either precision.
func TestTailOfADenseGraph(t *testing.T) {
	d, random := devicetest.Open(t), rand.New(rand.NewPCG(9, 6))
	const core, tail, sources = 1500, 700, 48
	var links []graphtest.Link
	for range 24 * core {
		links = append(links, graphtest.Link{From: random.Int32N(core), To: random.Int32N(core), Weight: 1})
	}
	for v := int32(core); v < core+tail; v++ {
		links = append(links, graphtest.Link{From: v - 1, To: v, Weight: 1})
	}
	g := graphtest.Links(t, core+tail, false, false, links)
	r := kernels.Request{Nodes: true, Sources: kernels.DrawSources(g.N(), sources, 3)}
	m, _ := kernels.Lookup("betweenness")
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, single := range []bool{false, true} {
		got, err := onDevice(t.Context(), d, g, m.Name, r, "auto", single)
		if err != nil {
			t.Fatal(err)
		}
		if got.strategy != plan.Levels {
			t.Errorf("by %s: %s", got.strategy, got.note)
		}
		if !single {
			enginetest.SameScores(t, "auto", m, g, r, &got.Scores, want)
		} else if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-5 {
			t.Errorf("single precision: %s", where)
		}
	}
}
