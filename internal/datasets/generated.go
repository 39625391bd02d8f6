package datasets

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
)

// samples are some of the suite samples of bench, by their names there.
var samples = []struct {
	name string
	spec generate.Spec
}{
	{"delaunay14", generate.Spec{Kind: generate.Delaunay, Scale: 14}},
	{"rgg18", generate.Spec{Kind: generate.Geometric, Scale: 18}},
	{"rmat18-16", generate.Spec{Kind: generate.RMAT, Scale: 18, Degree: 16}},
	{"ba-262144-4", generate.Spec{Kind: generate.BarabasiAlbert, Scale: 18, Degree: 4}},
	{"smallworld-262144-10", generate.Spec{Kind: generate.WattsStrogatz, Scale: 18, Degree: 10}},
	{"delaunay20", generate.Spec{Kind: generate.Delaunay, Scale: 20}},
	{"rgg20", generate.Spec{Kind: generate.Geometric, Scale: 20}},
	{"road672x672", generate.Spec{Kind: generate.Road, Width: 672, Height: 672}},
}

// EachSample runs a benchmark on generated graphs of the suite samples of bench: those with the given names, or all.
func EachSample(b *testing.B, run func(b *testing.B, s *export.Snapshot), names ...string) {
	b.Helper()
	for _, of := range samples {
		if len(names) > 0 && !slices.Contains(names, of.name) {
			continue
		}
		b.Run(of.name, func(b *testing.B) {
			of.spec.Seed = 42
			s, err := generate.Graph(b.Context(), of.spec)
			if err != nil {
				b.Fatal(err)
			}
			run(b, s)
		})
	}
}
