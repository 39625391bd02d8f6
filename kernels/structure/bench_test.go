package structure

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
)

// BenchmarkFind computes every measure on all processors.
func BenchmarkFind(b *testing.B) {
	graphs := map[string]*export.Graph{"rmat17": rmat(b)}
	if g := asCaida(b); g != nil {
		graphs["as-caida20071105"] = g
	}
	for name, g := range graphs {
		for _, m := range measures(g) {
			b.Run(name+"/"+m.Name, func(b *testing.B) {
				for b.Loop() {
					if _, _, err := Find(b.Context(), m, g, kernels.Request{Nodes: true, Edges: m.Edge != ""}, 2); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(g.M())/1e6/(b.Elapsed().Seconds()/float64(b.N)), "Medges/s")
			})
		}
	}
}

func rmat(b *testing.B) *export.Graph {
	s, err := generate.Graph(b.Context(), generate.Spec{Kind: "rmat", Scale: 17, Degree: 16, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return s.Graph
}

// asCaida reads a graph that does not ship; nil where it is absent.
func asCaida(b *testing.B) *export.Graph {
	path := filepath.Join("..", "..", "..", "shared", "data", "as-caida20071105", "edges.csv.gz")
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	projection := connector.Projection{Relationships: []connector.Relationship{{Parallel: export.Keep, Orientation: export.Undirected}}}
	s, err := (&file.Source{Path: path}).Export(b.Context(), projection, func(int64, int64) {})
	if err != nil {
		b.Fatal(err)
	}
	return s.Graph
}
