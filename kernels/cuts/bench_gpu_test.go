//go:build cuda || emulate

package cuts

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

var (
	graphs = flag.String("graphs-in", "../../../shared/data", "folder of the graphs of the benchmark")
	limit  = flag.Duration("cut-for", time.Minute, "limit of time of a clustering of the benchmark")
)

// BenchmarkCuts makes dendrograms on one thread of the CPU with the device, for several sizes from which blocks are there, and on the CPU
// alone. It reports how many cuts were made before the limit of time, and how many groups they left.
func BenchmarkCuts(b *testing.B) {
	for _, name := range []string{"power", "ca-GrQc-lcc", "email-Enron-lcc"} {
		path := filepath.Join(*graphs, name, "edges.csv.gz")
		projection := connector.Projection{Relationships: []connector.Relationship{{Parallel: export.Keep, Orientation: export.Undirected}}}
		s, err := (&file.Source{Path: path}).Export(b.Context(), projection, func(int64, int64) {})
		if err != nil {
			b.Logf("%s: %v", name, err)
			continue
		}
		for _, least := range []int{128, leastNodes, 512, math.MaxInt} {
			b.Run(fmt.Sprintf("%s/%d", name, least), func(b *testing.B) { benchmark(b, s.Graph, least) })
		}
	}
}

func benchmark(b *testing.B, g *export.Graph, least int) {
	d := devicetest.Open(b)
	cuts, groups := 0, 0
	for b.Loop() {
		p, err := Engine{least: least}.Prepare(&device.Job{Host: g, Want: device.Want{Size: device.SizeOf(g)}}, d.Info(), d.Info().Free)
		if err != nil {
			b.Fatal(err)
		}
		memory := &gpu.Arena{Device: d}
		k := newKeeper(&device.Calls{Ctx: b.Context(), Device: memory}, p.(prepared))
		out, err := communities.Find(b.Context(), g, communities.Options{Threads: 1, Bytes: 32 << 30, Device: k, Limit: *limit})
		if err != nil {
			b.Fatal(err)
		}
		cuts, groups = len(out.All), out.Begun
		if cuts > 0 {
			groups = out.All[cuts-1].Groups
		}
		if err := memory.Release(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cuts), "cuts")
	b.ReportMetric(float64(groups), "groups")
}
