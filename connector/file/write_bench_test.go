package file

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export/generate"
)

// BenchmarkWrite writes scores of the edges of an R-MAT.
func BenchmarkWrite(b *testing.B) {
	s, err := generate.Graph(b.Context(), generate.Spec{Kind: generate.RMAT, Scale: 17, Degree: 16, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	scores := make([]float64, s.Rels.Len())
	for i := range scores {
		scores[i] = 1e6 * rand.ExpFloat64()
	}
	columns := []connector.Column{{On: connector.OnRelationships, Property: "flow", Values: scores}}
	for _, format := range []string{".csv", ".csv.gz", ".arrow", ".parquet"} {
		b.Run(format[1:], func(b *testing.B) {
			sink := Sink{Relationships: filepath.Join(b.TempDir(), "r"+format)}
			for b.Loop() {
				if _, err := sink.Write(b.Context(), s, columns, connector.WriteOptions{}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(scores))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
