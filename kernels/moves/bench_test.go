package moves_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels/moves"
)

// searches are the three by name.
func searches() map[string]func(context.Context, *export.Graph, moves.Options) (*moves.Found, error) {
	return map[string]func(context.Context, *export.Graph, moves.Options) (*moves.Found, error){
		"louvain": moves.Louvain, "leiden": moves.Leiden, "labelPropagation": moves.LabelPropagation,
	}
}

// options are the defaults, on all processors.
func options() moves.Options {
	return moves.Options{Levels: 10, Iterations: 10, Gamma: 1, Theta: 0.01, Seed: 1, Threads: runtime.GOMAXPROCS(0)}
}

// dataset reads one of the graphs that do not ship.
func dataset(tb testing.TB, name string) *export.Graph {
	tb.Helper()
	g := datasets.Undirected(tb, name)
	if g == nil {
		tb.Skip("no graphs of the benchmarks")
	}
	return g
}

// BenchmarkGroups reports the processor time of all threads, and the modularity, next to the time.
func BenchmarkGroups(b *testing.B) {
	for _, graph := range []string{"ca-GrQc-lcc", "as-caida20071105", "web-NotreDame", "rmat"} {
		for name, search := range searches() {
			b.Run(graph+"/"+name, func(b *testing.B) {
				var g *export.Graph
				if graph == "rmat" {
					s, err := generate.Graph(b.Context(), generate.Spec{Kind: generate.RMAT, Scale: 18, Degree: 16, Seed: 1})
					if err != nil {
						b.Fatal(err)
					}
					g = s.Graph
				} else {
					g = dataset(b, graph)
				}
				var found *moves.Found
				before := process.CPUTime()
				for b.Loop() {
					var err error
					if found, err = search(b.Context(), g, options()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((process.CPUTime()-before).Seconds()/float64(b.N), "cpu-s/op")
				b.ReportMetric(found.Modularity, "modularity")
				b.ReportMetric(float64(found.Count), "groups")
				b.ReportMetric(float64(found.Levels), "levels")
			})
		}
	}
}
