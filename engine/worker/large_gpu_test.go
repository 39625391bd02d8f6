//go:build cuda

package worker

import (
	"bufio"
	"compress/gzip"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

var dataFolder = flag.String("data", "../../../shared/data", "folder with graphs that do not ship with the product")

// TestGrid600: path counts reach 2^1193, which no float64 holds.
func TestGrid600(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Grid(t, 600, false)
	r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(g.N(), 64, 1)}
	for _, s := range []string{"work-efficient", "hybrid", "sampling", "vertex-pull", "work-efficient-warp-4", "vertex-warp-8"} {
		check(t, d, g, "betweenness", r, s, false, 1e-9)
	}
	check(t, d, g, "betweenness", r, "work-efficient", true, 1e-5)
	r.Log, r.Edges = true, false
	check(t, d, g, "stress", r, "work-efficient", false, 1e-9)
	r.Log = false
	if _, err := onDevice(t.Context(), d, g, "stress", r, "hybrid", false); !errors.Is(err, kernels.ErrStress) {
		t.Errorf("stress past float64: %v", err)
	}
}

// TestGrid1600 needs numbers wider than float64: counts of one level lie 2^1600 apart.
func TestGrid1600(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Grid(t, 1600, false)
	r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{0, 1600*800 + 800, 1599}}
	check(t, d, g, "betweenness", r, "work-efficient", false, 1e-9)
	check(t, d, g, "betweenness", r, "hybrid", false, 1e-9)
}

// TestAdaptiveGrid600: sources whose counts no float64 holds are searched from again, in their turn.
func TestAdaptiveGrid600(t *testing.T) {
	a := kernels.Adaptive{C: 0.713, Limit: 24, Seed: 1, Nodes: []int32{300*600 + 300}}
	compareAdaptive(t, devicetest.Open(t), enginetest.Named{Name: "grid 600", Graph: graphtest.Grid(t, 600, false)}, kernels.Request{Nodes: true}, a, []string{"work-efficient", "hybrid"})
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
	geometric(t, devicetest.Open(t), readEdges(t, "rgg_n_2_15_s0"))
}

func geometric(t *testing.T, d gpu.OpenDevice, g *export.Graph) {
	r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(g.N(), 512, 1)}
	for _, s := range []string{"work-efficient", "hybrid", "sampling", "vertex-pull", "edge-parallel", "work-efficient-warp-8", "vertex-warp-4"} {
		check(t, d, g, "betweenness", r, s, false, 1e-9)
	}
	check(t, d, g, "betweenness", r, "work-efficient", true, 1e-5)
	check(t, d, g, "stress", r, "work-efficient-warp-4", false, 1e-9)
	r.Scale = float64(g.N()) / 512
	check(t, d, g, "closeness", r, "hybrid", false, 1e-9)
}

// readEdges reads a graph that does not ship with the product, undirected and without weights.
func readEdges(t *testing.T, name string) *export.Graph {
	t.Helper()
	f, err := os.Open(filepath.Join(*dataFolder, name, "edges.csv.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not in %s; it does not ship with the product (-data names the folder)", name, *dataFolder)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int32{}
	node := func(id string) int32 {
		if _, ok := ids[id]; !ok {
			ids[id] = int32(len(ids))
		}
		return ids[id]
	}
	var links []graphtest.Link
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ",")
		if _, err := strconv.Atoi(fields[0]); err != nil {
			continue // the header
		}
		links = append(links, graphtest.Link{From: node(fields[0]), To: node(fields[1]), Weight: 1})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return graphtest.Links(t, len(ids), false, false, links)
}
