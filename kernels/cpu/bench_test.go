package cpu

import (
	"context"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// BenchmarkBetweenness reports GTEPS: sources times edges a second, in billions.
func BenchmarkBetweenness(b *testing.B) {
	for _, c := range []struct {
		graph    string
		directed bool
		weighted bool
		edges    bool
	}{
		{"as-caida20071105", false, false, false},
		{"as-caida20071105", false, false, true},
		{"luxembourg_osm", false, false, true},
		{"road-LosAngeles", false, true, true},
		{"higgs-mention", true, true, true},
	} {
		name := c.graph
		if c.weighted {
			name += "/weighted"
		}
		if c.edges {
			name += "/edges"
		}
		b.Run(name, func(b *testing.B) {
			g, _ := dataGraph(b, c.graph, c.directed)
			m, _ := kernels.Lookup("betweenness")
			r := kernels.Request{Nodes: true, Edges: c.edges, Threads: 1, Sources: kernels.DrawSources(g.N(), 64, 1),
				Params: kernels.Params{Weighted: c.weighted}}
			for b.Loop() {
				if _, err := Compute(context.Background(), m, g, r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(r.Sources))*float64(g.M())*float64(b.N)/b.Elapsed().Seconds()/1e9, "GTEPS")
		})
	}
}
