package communities_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// BenchmarkFind makes whole dendrograms, on one thread. It reports how many cuts a second are made, and what the prediction is of
// the time.
func BenchmarkFind(b *testing.B) {
	for _, name := range []string{"lesmis", "power", "ca-GrQc-lcc"} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join("..", "..", "..", "shared", "data", name, "edges.csv.gz")
			if _, err := os.Stat(path); err != nil {
				b.Skip("no graphs of the benchmarks")
			}
			projection := connector.Projection{Relationships: []connector.Relationship{{Parallel: export.Keep, Orientation: export.Undirected}}}
			s, err := (&file.Source{Path: path}).Export(b.Context(), projection, func(int64, int64) {})
			if err != nil {
				b.Fatal(err)
			}
			cuts := 0
			for b.Loop() {
				out, err := communities.Find(b.Context(), s.Graph, all)
				if err != nil {
					b.Fatal(err)
				}
				cuts += len(out.All)
			}
			seconds := b.Elapsed().Seconds()
			b.ReportMetric(float64(cuts)/seconds, "cuts/s")
			b.ReportMetric(communities.Estimate(s.Graph, false, all.Bytes, 0).Seconds/(seconds/float64(b.N)), "predicted/taken")
		})
	}
}
