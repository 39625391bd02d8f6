//go:build cuda

package traversal

import (
	"errors"
	"flag"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

var dataFolder = flag.String("data", "../../../shared/data", "folder with graphs that do not ship with the product")

// betweenness is a task of a strategy for betweenness.
func betweenness(t *testing.T, strategy string, g *export.Graph, r kernels.Request) enginetest.Task {
	return enginetest.Task{Engine: named(t, strategy), Graph: g, Measure: "betweenness", Request: r}
}

// TestGrid600: path counts reach 2^1193, which no float64 holds.
func TestGrid600(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Grid(t, 600, false)
	r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(g.N(), 64, 1)}
	for _, s := range []string{
		"work-efficient", "hybrid", "sampling", "vertex-pull", "work-efficient-warp-4", "vertex-warp-8",
	} {
		asOnCPU(t, d, betweenness(t, s, g, r), 1e-9)
	}
	single := betweenness(t, "work-efficient", g, r)
	single.Single = true
	asOnCPU(t, d, single, 1e-5)
	r.Log, r.Edges = true, false
	stress := enginetest.Task{Engine: named(t, "work-efficient"), Graph: g, Measure: "stress", Request: r}
	asOnCPU(t, d, stress, 1e-9)
	stress.Request.Log, stress.Engine = false, named(t, "hybrid")
	if _, err := enginetest.Compute(t.Context(), d, stress); !errors.Is(err, kernels.ErrStress) {
		t.Errorf("stress past float64: %v", err)
	}
}

// TestGrid1600 needs numbers wider than float64: counts of one level lie 2^1600 apart.
func TestGrid1600(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Grid(t, 1600, false)
	r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{0, 1600*800 + 800, 1599}}
	asOnCPU(t, d, betweenness(t, "work-efficient", g, r), 1e-9)
	asOnCPU(t, d, betweenness(t, "hybrid", g, r), 1e-9)
}

// TestAdaptiveGrid600: sources whose counts no float64 holds are searched from again, in their turn.
func TestAdaptiveGrid600(t *testing.T) {
	a := adaptive.Sample{C: 0.713, Limit: 24, Seed: 1, Nodes: []int32{300*600 + 300}}
	g := enginetest.Named{Name: "grid 600", Graph: graphtest.Grid(t, 600, false)}
	engines := []device.Engine{named(t, "work-efficient"), named(t, "hybrid")}
	compareAdaptive(t, devicetest.Open(t), g, kernels.Request{Nodes: true}, a, engines)
}

// TestGeometric: the counts of random geometric graphs overflow float32.
func TestGeometric(t *testing.T) {
	d := devicetest.Open(t)
	s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.Geometric, Nodes: 1 << 15, Seed: 42})
	if err != nil {
		t.Fatal(err)
	}
	geometric(t, d, s.Graph)
}

// TestGeometricFile is the same on rgg_n_2_15_s0 of the DIMACS challenge.
func TestGeometricFile(t *testing.T) {
	geometric(t, devicetest.Open(t), enginetest.Edges(t, *dataFolder, "rgg_n_2_15_s0"))
}

func geometric(t *testing.T, d gpu.Device, g *export.Graph) {
	r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(g.N(), 512, 1)}
	for _, s := range []string{
		"work-efficient", "hybrid", "sampling", "vertex-pull", "edge-parallel", "work-efficient-warp-8", "vertex-warp-4",
	} {
		asOnCPU(t, d, betweenness(t, s, g, r), 1e-9)
	}
	single := betweenness(t, "work-efficient", g, r)
	single.Single = true
	asOnCPU(t, d, single, 1e-5)
	asOnCPU(t, d, enginetest.Task{Engine: named(t, "work-efficient-warp-4"), Graph: g, Measure: "stress", Request: r},
		1e-9)
	r.Scale = float64(g.N()) / 512
	asOnCPU(t, d, enginetest.Task{Engine: named(t, "hybrid"), Graph: g, Measure: "closeness", Request: r}, 1e-9)
}
