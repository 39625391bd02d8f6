package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// BenchmarkReuse deletes an edge in 1 % of the blocks of three edges and more, drawn at random, or edges of the largest
// block, and reports the processor time of a full run (full-s), of one that keeps what it found (keep-s), and of one
// that reuses it after the edits (edit-s), with reading and writing the store.
func BenchmarkReuse(b *testing.B) {
	for _, graph := range []string{"road-LosAngeles", "as-caida20071105", "luxembourg_osm"} {
		for _, c := range []struct {
			measure  string
			weighted bool
			largest  int
		}{
			{"betweenness", true, 0}, {"betweenness", false, 0}, {"closeness", false, 0}, {"harmonic", false, 0},
			{"closeness", false, 1}, {"closeness", false, 10}, {"harmonic", false, 1}, {"harmonic", false, 10},
			{"closeness", true, 0}, {"closeness", true, 1}, {"closeness", true, 10}, {"harmonic", true, 1},
			{"harmonic", true, 10},
		} {
			if c.weighted && graph != "road-LosAngeles" {
				continue
			}
			name := fmt.Sprintf("%s/%s/weighted=%t/largest=%d", graph, c.measure, c.weighted, c.largest)
			b.Run(name, func(b *testing.B) {
				before, _ := dataGraph(b, graph, false)
				path := filepath.Join(b.TempDir(), "reuse.bin")
				r := kernels.Request{Nodes: true, Edges: c.measure == "betweenness", Reduce: "on",
					Params: kernels.Params{Weighted: c.weighted}}
				for b.Loop() {
					_, keep := timed(b, before, c.measure, r, path)
					after, edits := withoutEdges(b, before, 0.01, c.largest, uint64(b.N))
					want, full := timed(b, after, c.measure, r, "")
					got, edit := timed(b, after, c.measure, r, path)
					if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
						b.Fatal("other bits than those of a full run")
					}
					b.Logf("%d edits; %v; %v", edits, got.Reduction.Reused, got.Reduction)
					b.ReportMetric(full.Seconds(), "full-s")
					b.ReportMetric(keep.Seconds(), "keep-s")
					b.ReportMetric(edit.Seconds(), "edit-s")
					b.ReportMetric(100*edit.Seconds()/full.Seconds(), "%")
				}
			})
		}
	}
}

// timed computes and returns the processor time, with the store at path, or with an empty one if that is "".
func timed(
	b *testing.B, g *export.Graph, measure string, r kernels.Request, path string,
) (*kernels.Scores, time.Duration) {
	b.Helper()
	m, _ := kernels.Lookup(measure)
	start := process.CPUTime()
	if r.Reuse = reuse.New(path, "test", 1<<30); path != "" {
		if err := r.Reuse.Load(); err != nil {
			b.Fatal(err)
		}
	}
	s, err := Compute(context.Background(), m, g, r)
	if err != nil {
		b.Fatal(err)
	}
	if path != "" {
		if err := r.Reuse.Save(); err != nil {
			b.Fatal(err)
		}
	}
	return s, process.CPUTime() - start
}

// withoutEdges leaves out an edge of a share of the blocks of three edges and more, of one at least, or so many of the
// largest block.
func withoutEdges(b *testing.B, g *export.Graph, share float64, largest int, seed uint64) (*export.Graph, int) {
	b.Helper()
	m, _ := kernels.Lookup("biconnectedComponents")
	s, err := Compute(context.Background(), m, g, kernels.Request{Edges: true})
	if err != nil {
		b.Fatal(err)
	}
	random, blocks := rand.New(rand.NewPCG(seed, 26)), map[float64][]int{}
	for e, block := range s.Edges {
		blocks[block] = append(blocks[block], e)
	}
	var numbers []float64
	for block, edges := range blocks {
		if len(edges) > 2 {
			numbers = append(numbers, block)
		}
	}
	slices.Sort(numbers)
	random.Shuffle(len(numbers), func(i, k int) { numbers[i], numbers[k] = numbers[k], numbers[i] })
	if largest > 0 {
		slices.SortFunc(numbers, func(x, y float64) int { return len(blocks[y]) - len(blocks[x]) })
		share = 0
	}
	numbers = numbers[:max(1, int(share*float64(len(numbers))))]
	gone := map[int]bool{}
	for _, block := range numbers {
		for range max(1, largest) {
			gone[blocks[block][random.IntN(len(blocks[block]))]] = true
		}
	}
	var left []edge
	for v := range int32(g.N()) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			if w := g.Targets[k]; v < w && !gone[int(g.Edge(k))] {
				left = append(left, edge{v, w, g.Weights[k]})
			}
		}
	}
	return build(b, g.N(), false, left), len(gone)
}
