package structure

import (
	"fmt"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels"
)

// BenchmarkFind computes every measure on all processors.
func BenchmarkFind(b *testing.B) {
	graphs := map[string]*export.Graph{"rmat17": rmat(b)}
	if g := datasets.Undirected(b, "as-caida20071105"); g != nil {
		graphs["as-caida20071105"] = g
	}
	for name, g := range graphs {
		for _, m := range measures(g) {
			b.Run(name+"/"+m.Name, func(b *testing.B) {
				before := process.CPUTime()
				for b.Loop() {
					if _, _, err := Find(b.Context(), m, g, kernels.Request{Nodes: true, Edges: m.Edge != ""}, 2); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((process.CPUTime()-before).Seconds()/float64(b.N), "cpu-s/op")
				b.ReportMetric(float64(g.M())/1e6/(b.Elapsed().Seconds()/float64(b.N)), "Medges/s")
			})
		}
	}
}

// BenchmarkTriangles computes all measures of triangles as one job, and one by one, and reports the processor time.
func BenchmarkTriangles(b *testing.B) {
	g := rmat(b)
	for _, shares := range []bool{false, true} {
		b.Run(fmt.Sprintf("rmat17/shares=%t", shares), func(b *testing.B) {
			before := process.CPUTime()
			for b.Loop() {
				findAll(b, g, shares)
			}
			b.ReportMetric((process.CPUTime()-before).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// findAll computes triangles, clustering, and all variants of similarity and curvature.
func findAll(b *testing.B, g *export.Graph, shares bool) {
	var shared *kernels.Shared
	if shares {
		shared = &kernels.Shared{}
	}
	for _, m := range measures(g) {
		if !slices.Contains([]kernels.Kind{kernels.Triangles, kernels.Clustering,
			kernels.Similarity, kernels.Curvature}, m.Kind) {
			continue
		}
		variants := m.Variants
		if variants == nil {
			variants = []string{""}
		}
		for _, variant := range variants {
			r := kernels.Request{Params: kernels.Params{Variant: variant}, Nodes: true, Edges: m.Edge != "", Shared: shared}
			if _, _, err := Find(b.Context(), m, g, r, 2); err != nil {
				b.Fatal(err)
			}
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
