//go:build cuda || emulate

package cuts

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

var limit = flag.Duration("cut-for", time.Minute, "limit of time of a clustering of the benchmark")

// BenchmarkCuts makes dendrograms on one thread of the CPU with the device, for several sizes from which blocks are
// there, and on the CPU alone. It reports how many cuts were made before the limit of time, and how many groups they
// left.
func BenchmarkCuts(b *testing.B) {
	overGraphs(b, func(b *testing.B, g *export.Graph) {
		for _, least := range []int{leastNodes, 2 * leastNodes, 4 * leastNodes, math.MaxInt} {
			b.Run(fmt.Sprint(least), func(b *testing.B) { benchmark(b, g, least, 0) })
		}
	})
}

// BenchmarkBatches does the same for batches of several sizes, and on the CPU alone for one of them.
func BenchmarkBatches(b *testing.B) {
	overGraphs(b, func(b *testing.B, g *export.Graph) {
		for _, batch := range []float64{0, 0.01, 0.02, 0.05} {
			b.Run(fmt.Sprint(batch), func(b *testing.B) { benchmark(b, g, leastNodes, batch) })
		}
		b.Run("0.05/CPU", func(b *testing.B) { benchmark(b, g, math.MaxInt, 0.05) })
	})
}

func overGraphs(b *testing.B, do func(b *testing.B, g *export.Graph)) {
	for _, name := range []string{"power", "ca-GrQc-lcc", "email-Enron-lcc"} {
		g := datasets.Undirected(b, name)
		if g == nil {
			b.Logf("%s is absent", name)
			continue
		}
		b.Run(name, func(b *testing.B) { do(b, g) })
	}
}

func benchmark(b *testing.B, g *export.Graph, least int, batch float64) {
	d := devicetest.Open(b)
	var out *communities.Cuts
	for b.Loop() {
		p, err := Engine{least: least}.Prepare(&device.Job{Host: g, Want: device.Want{Size: device.SizeOf(g)}}, d.Info(),
			d.Info().Free)
		if err != nil {
			b.Fatal(err)
		}
		memory := &gpu.Arena{Device: d}
		k := newKeeper(&device.Calls{Ctx: b.Context(), Device: memory}, p.(prepared))
		o := communities.Options{Threads: 1, Bytes: 32 << 30, Device: k, Limit: *limit, Batch: batch}
		if out, err = communities.Find(b.Context(), g, o); err != nil {
			b.Fatal(err)
		}
		if err := memory.Release(); err != nil {
			b.Fatal(err)
		}
	}
	tree, updates := communities.DendrogramOf(g, out), 0
	for _, cut := range out.All {
		if cut.Left == 0 {
			updates++
		}
	}
	b.ReportMetric(float64(len(out.All)), "cuts")
	b.ReportMetric(float64(updates), "updates")
	b.ReportMetric(float64(tree.Groups), "groups")
	b.ReportMetric(tree.ModularityOf(tree.Best()), "modularity")
}
