package kernels_test

import (
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// BenchmarkJoin is what the partial result of a shard costs after its searches: it is written, read and joined. The
// time per node is the rate Host.Join of engine/plan.
func BenchmarkJoin(b *testing.B) {
	const n = 1 << 18
	m, _ := kernels.Lookup("betweenness")
	p := kernels.NewPartial(m, n, n, kernels.Request{Nodes: true},
		kernels.Bounds{Mass: n, Sources: n, Longest: n, Shortest: 1})
	all := p.Empty()
	for b.Loop() {
		data, err := p.MarshalBinary()
		if err != nil {
			b.Fatal(err)
		}
		var read kernels.Partial
		if err := read.UnmarshalBinary(data); err != nil {
			b.Fatal(err)
		}
		if err := all.Join(&read); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/node")
}
