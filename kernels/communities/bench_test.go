package communities_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// BenchmarkFind makes whole dendrograms, on one thread, one by one and in batches. It reports how many cuts a second
// are made, what the prediction is of the time, and the greatest modularity with its number of groups.
func BenchmarkFind(b *testing.B) {
	for _, name := range []string{"karate", "lesmis", "twelve", "power", "ca-GrQc-lcc"} {
		g := twelve(b)
		if name != "twelve" {
			g = datasets.Undirected(b, name)
		}
		for _, batch := range []float64{0, 0.01, 0.02, 0.05, 0.1} {
			if g != nil {
				b.Run(fmt.Sprintf("%s/batch=%v", name, batch), func(b *testing.B) { benchmark(b, g, batch) })
			}
		}
	}
}

// twelve is a graph as large as that of the football games of Girvan and Newman: 12 groups of 10 nodes, with about 7
// edges of each node within its group and 3.5 beyond.
func twelve(b *testing.B) *export.Graph {
	random, links := rand.New(rand.NewPCG(12, 10)), []graphtest.Link{}
	for v := range int32(120) {
		for u := range v {
			chance := 7.0 / 9
			if u/10 != v/10 {
				chance = 3.5 / 110
			}
			if random.Float64() < chance {
				links = append(links, graphtest.Link{From: u, To: v, Weight: 1})
			}
		}
	}
	return graphtest.Links(b, 120, false, false, links)
}

func benchmark(b *testing.B, g *export.Graph, batch float64) {
	o := all
	o.Batch = batch
	var cuts *communities.Cuts
	for b.Loop() {
		var err error
		if cuts, err = communities.Find(b.Context(), g, o); err != nil {
			b.Fatal(err)
		}
	}
	d, seconds := communities.DendrogramOf(g, cuts), b.Elapsed().Seconds()/float64(b.N)
	b.ReportMetric(float64(len(cuts.All))/seconds, "cuts/s")
	b.ReportMetric(communities.Estimate(g, false, all.Bytes, batch).Seconds/seconds, "predicted/taken")
	b.ReportMetric(d.ModularityOf(d.Best()), "modularity")
	b.ReportMetric(float64(d.Best()), "groups")
}
