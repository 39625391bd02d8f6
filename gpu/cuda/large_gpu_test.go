//go:build cuda

package cuda

import (
	"bufio"
	"compress/gzip"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

var dataFolder = flag.String("data", "../../../shared/data", "folder with graphs that do not ship with the product")

// check compares one run on the device with the CPU.
func check(t *testing.T, d OpenDevice, g *export.Graph, measure string, r kernels.Request, strategy string, single bool, tolerance float64) {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Reduce = kernels.ReduceOff
	want, err := m.CPU(t.Context(), g, r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := onDevice(t.Context(), d, g, measure, r, strategy, single)
	if err != nil {
		t.Fatalf("%s by %s: %v", measure, strategy, err)
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := worst(part[0], part[1]); difference > tolerance {
			t.Errorf("%s by %s: off by %.2g: %s (%s)", measure, strategy, difference, where, got.note)
		}
	}
	if err := kernels.Check(m, g, r, &got.Scores); err != nil && !single {
		t.Errorf("%s by %s: %v", measure, strategy, err)
	}
}

// TestGrid600: path counts reach 2^1193, which no float64 holds.
func TestGrid600(t *testing.T) {
	d := open(t)
	g := grid(t, 600, false)
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
	d := open(t)
	g := grid(t, 1600, false)
	r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{0, 1600*800 + 800, 1599}}
	check(t, d, g, "betweenness", r, "work-efficient", false, 1e-9)
	check(t, d, g, "betweenness", r, "hybrid", false, 1e-9)
}

// TestGeometric: the counts of random geometric graphs overflow float32.
func TestGeometric(t *testing.T) {
	d := open(t)
	s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.Geometric, Nodes: 1 << 15, Seed: 42})
	if err != nil {
		t.Fatal(err)
	}
	geometric(t, d, s.Graph)
}

// TestGeometricFile is the same on rgg_n_2_15_s0 of the DIMACS challenge.
func TestGeometricFile(t *testing.T) {
	geometric(t, open(t), readEdges(t, "rgg_n_2_15_s0"))
}

func geometric(t *testing.T, d OpenDevice, g *export.Graph) {
	r := kernels.Request{Nodes: true, Edges: true, Sources: kernels.DrawSources(g.N(), 512, 1)}
	for _, s := range []string{"work-efficient", "hybrid", "sampling", "vertex-pull", "edge-parallel", "work-efficient-warp-8", "vertex-warp-4"} {
		check(t, d, g, "betweenness", r, s, false, 1e-9)
	}
	check(t, d, g, "betweenness", r, "work-efficient", true, 1e-5)
	check(t, d, g, "stress", r, "work-efficient-warp-4", false, 1e-9)
	r.Scale = float64(g.N()) / 512
	check(t, d, g, "closeness", r, "hybrid", false, 1e-9)
}

// TestSingle: float32 counts are right to 1e-5.
func TestSingle(t *testing.T) {
	d := open(t)
	random := rand.New(rand.NewPCG(5, 7))
	for i := range 40 {
		g := randomGraph(t, random, i, i%2 == 1)
		if i%2 == 1 && kernels.WeightTies(g, 0) == "exact" {
			if _, _, _, ok := kernels.WholeTicks(g); !ok {
				continue
			}
		}
		r := kernels.Request{Params: kernels.Params{Weighted: i%2 == 1}, Nodes: true, Edges: true}
		for _, s := range []string{"work-efficient", "vertex-warp-8"} {
			check(t, d, g, "betweenness", r, s, true, 1e-5)
		}
	}
}

// TestLostWeight: a weight that vanishes beside the length of a path is an error that names the edge.
func TestLostWeight(t *testing.T) {
	d := open(t)
	g := build(t, 4, true, true, []link{{0, 1, 1e25}, {1, 2, 1e-25}, {2, 3, 1}})
	for _, m := range []string{"betweenness", "stress", "harmonic"} {
		for _, s := range []string{"work-efficient", "vertex-warp-4"} {
			_, err := onDevice(t.Context(), d, g, m, kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}, s, false)
			if !errors.Is(err, kernels.ErrLength) || !strings.Contains(err.Error(), "node 1 to node 2 of weight 1e-25") {
				t.Errorf("%s by %s: %v", m, s, err)
			}
		}
	}
}

// TestHundredTwentyEight: lengths that are exact in 128 bits only are added in float64 where that leaves no doubt, and
// refused, for the CPU to compute, where it does.
func TestHundredTwentyEight(t *testing.T) {
	d := open(t)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	random := rand.New(rand.NewPCG(3, 9))
	var links []link
	for range 3000 {
		if l := (link{int32(random.IntN(500)), int32(random.IntN(500)), 1 - random.Float64()}); l.from != l.to {
			links = append(links, l)
		}
	}
	// One tie, of 0.25 + 0.5 and 0.5 + 0.25 on a bridge: a few sources are left to the CPU.
	for _, l := range [][2]int32{{500, 501}, {501, 503}, {500, 502}, {502, 503}, {503, 504}} {
		links = append(links, link{l[0], l[1], 0.25})
	}
	g := build(t, 505, false, true, links)
	for _, s := range []string{"work-efficient", "vertex-warp-8"} {
		check(t, d, g, "betweenness", r, s, false, 1e-9)
		check(t, d, g, "harmonic", r, s, false, 1e-9)
	}
	var refused refusal
	for _, links := range [][]link{{{0, 1, 1e20}, {1, 2, 1}}, {{0, 1, 1e20}, {1, 3, 1e20}, {0, 2, 1e20}, {2, 3, 1e20}, {3, 4, 1.1}}} {
		g := build(t, 5, false, true, links)
		_, err := onDevice(t.Context(), d, g, "betweenness", r, "work-efficient", false)
		if !errors.As(err, &refused) || refused.reason != gpu.NotOnGPU {
			t.Error(err)
		}
	}
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
	var links []link
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ",")
		if _, err := strconv.Atoi(fields[0]); err != nil {
			continue // the header
		}
		links = append(links, link{node(fields[0]), node(fields[1]), 1})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return build(t, len(ids), false, false, links)
}
