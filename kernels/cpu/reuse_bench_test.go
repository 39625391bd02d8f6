package cpu

import (
	"context"
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

// BenchmarkReuse deletes an edge in 1 % of the blocks of three edges and more, drawn at random, and reports the processor time
// of a full run (full-s), of one that keeps what it found (keep-s), and of one that reuses it after the edits (edit-s), with
// reading and writing the store.
func BenchmarkReuse(b *testing.B) {
	for _, c := range []struct {
		graph    string
		weighted bool
	}{{"road-LosAngeles", true}, {"road-LosAngeles", false}, {"as-caida20071105", false}, {"luxembourg_osm", false}} {
		name := c.graph
		if c.weighted {
			name += "/weighted"
		}
		b.Run(name, func(b *testing.B) {
			before, _ := dataGraph(b, c.graph, false)
			path := filepath.Join(b.TempDir(), "reuse.bin")
			r := kernels.Request{Nodes: true, Edges: true, Reduce: "on", Params: kernels.Params{Weighted: c.weighted}}
			for b.Loop() {
				_, keep := timed(b, before, r, path)
				after, edits := withoutEdges(b, before, 0.01, uint64(b.N))
				want, full := timed(b, after, r, "")
				got, edit := timed(b, after, r, path)
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

// timed computes and returns the processor time, with the store at path, or with an empty one if that is "".
func timed(b *testing.B, g *export.Graph, r kernels.Request, path string) (*kernels.Scores, time.Duration) {
	b.Helper()
	m, _ := kernels.Lookup("betweenness")
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

// withoutEdges leaves out an edge of a share of the blocks of three edges and more, of one at least.
func withoutEdges(b *testing.B, g *export.Graph, share float64, seed uint64) (*export.Graph, int) {
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
	numbers = numbers[:max(1, int(share*float64(len(numbers))))]
	gone := map[int]bool{}
	for _, block := range numbers {
		gone[blocks[block][random.IntN(len(blocks[block]))]] = true
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
