package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// idleDevice takes everything and does nothing, in no time.
type idleDevice struct{ next gpu.Ptr }

func (d *idleDevice) Info() gpu.Info {
	return gpu.Info{Name: "idle", Major: 9, SMs: 132, SharedBlock: 227 << 10, Free: 140 << 30, Total: 141 << 30}
}

func (d *idleDevice) Alloc(bytes int64) (gpu.Ptr, error) {
	d.next += gpu.Ptr(bytes+511) / 256 * 256
	return d.next, nil
}

func (d *idleDevice) Free(gpu.Ptr) error                          { return nil }
func (d *idleDevice) CopyIn(gpu.Ptr, []byte) error                { return nil }
func (d *idleDevice) CopyOut([]byte, gpu.Ptr) error               { return nil }
func (d *idleDevice) Memset(gpu.Ptr, byte, int64) error           { return nil }
func (d *idleDevice) Launch(gpu.Kernel, gpu.Shape, ...any) error  { return nil }
func (d *idleDevice) Running() (bool, error)                      { return false, nil }
func (d *idleDevice) Peek([]byte, gpu.Ptr) error                  { return nil }
func (d *idleDevice) Poke(gpu.Ptr, []byte) error                  { return nil }
func (d *idleDevice) Sync() error                                 { return nil }
func (d *idleDevice) Peak() int64                                 { return 0 }
func (d *idleDevice) Resident(gpu.Kernel, gpu.Shape) (int, error) { return 2, nil }

// loadShared returns an undirected graph of ../shared/data, with its own weights or with whole ones from 1 to 10
// under +w10.
func loadShared(b *testing.B, name string) *export.Graph {
	b.Helper()
	base, weights, _ := strings.Cut(name, "+")
	path := filepath.Join("../../../shared/data", base, "edges.csv.gz")
	if _, err := os.Stat(path); err != nil {
		b.Skip(err)
	}
	r := connector.Relationship{Orientation: export.Undirected, Parallel: export.Min}
	if weights == "own" {
		r.Weight = file.WeightColumn
	}
	s, err := (&file.Source{Path: path}).Export(b.Context(),
		connector.Projection{Relationships: []connector.Relationship{r}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	if weights == "own" {
		return s.Graph
	}
	return generate.WithWeights(s, generate.IntegerWeights, 42).Graph
}

// BenchmarkPreprocess times what the host does by weights until the first search, beside a device that takes no time:
// reducing and planning (ready-ms), and ordering and laying out what batches search (begin-ms). cpu-ms is the processor
// time of all threads for both. All are the least of the runs.
func BenchmarkPreprocess(b *testing.B) {
	for _, graph := range []string{"delaunay_n16+w10", "higgs-mention+own", "road-LosAngeles+own", "email-Enron-lcc+w10",
		"luxembourg_osm+w10", "caidaRouterLevel+w10"} {
		for _, measure := range []string{"closeness", "betweenness"} {
			b.Run(graph+"/"+measure, func(b *testing.B) {
				g, d := loadShared(b, graph), &idleDevice{}
				least := [3]time.Duration{time.Hour, time.Hour, time.Hour}
				for b.Loop() {
					start, before := time.Now(), cpuTime(b)
					w := weightedWay(b, d, g, measure)
					planned := time.Now()
					if w.engine.Name() == (weighted.Engine{}).Name() {
						beginWeighted(b, d, w)
					}
					for i, took := range []time.Duration{planned.Sub(start), time.Since(planned), cpuTime(b) - before} {
						least[i] = min(least[i], took)
					}
				}
				for i, unit := range []string{"ready-ms", "begin-ms", "cpu-ms"} {
					b.ReportMetric(1e3*least[i].Seconds(), unit)
				}
			})
		}
	}
}

// BenchmarkSample times what the host does for betweenness from random sources, next to a device that takes no time:
// before the first search, and after it. Both are the least of the runs. What auto takes longer before than the engine
// by name is what it finds out about the graph.
func BenchmarkSample(b *testing.B) {
	datasets.EachSample(b, func(b *testing.B, s *export.Snapshot) {
		for _, weighted := range []bool{false, true} {
			g := s.Graph
			if weighted {
				g = generate.WithWeights(s, generate.IntegerWeights, 42).Graph
			}
			for _, count := range []int{64, 1024, 32768} {
				if 2*count > g.N() {
					continue
				}
				path := filepath.Join(b.TempDir(), "sources")
				if err := protocol.WriteNodes(path, drawn(g.N(), count)); err != nil {
					b.Fatal(err)
				}
				o := protocol.Order{Measure: "betweenness", Params: kernels.Params{Weighted: weighted}, Nodes: true, Sources: path}
				b.Run(fmt.Sprintf("weighted=%t/%d", weighted, count), func(b *testing.B) { benchmarkOrder(b, g, o) })
			}
		}
	})
}

// benchmarkOrder times what the host does for an order, by auto and by the engine that auto takes, on the graph as it
// is.
func benchmarkOrder(b *testing.B, g *export.Graph, o protocol.Order) {
	o.Strategy = "auto"
	if o.Strategy = benchmarkStrategy(b, g, o); o.Strategy != "" {
		o.Reduce = kernels.ReduceOff
		benchmarkStrategy(b, g, o)
	}
}

// benchmarkStrategy times an order. It returns the engine that was taken, "" where nothing ran.
func benchmarkStrategy(b *testing.B, g *export.Graph, o protocol.Order) (taken string) {
	planned := func(p protocol.Planned) error { taken = p.Strategy; return nil }
	b.Run(o.Strategy, func(b *testing.B) {
		before, after := time.Hour.Seconds(), time.Hour.Seconds()
		for b.Loop() {
			t := ordered(b, g, o)
			t.nodes = make([]float64, g.N())
			r, err := t.compute(b.Context(), &idleDevice{}, 1, planned)
			if err != nil {
				b.Fatal(err)
			}
			before, after = min(before, r.Preprocess), min(after, r.Compute-r.Preprocess)
		}
		b.ReportMetric(1e3*before, "prepare-ms")
		b.ReportMetric(1e3*after, "search-ms")
	})
	return taken
}

// drawn are some of n nodes at random.
func drawn(n, count int) []int32 {
	out := make([]int32, count)
	for i, v := range rand.New(rand.NewPCG(1, 2)).Perm(n)[:count] {
		out[i] = int32(v)
	}
	slices.Sort(out)
	return out
}

// weightedWay is the first way of a request by weights, planned.
func weightedWay(b *testing.B, d gpu.Device, g *export.Graph, measure string) *way {
	t := ordered(b, g, protocol.Order{Strategy: "auto", Measure: measure, Params: kernels.Params{Weighted: true},
		Nodes: true, Single: true})
	t.nodes = make([]float64, g.N())
	for w, err := range t.ways(b.Context(), d.Info()) {
		if err == nil {
			err = w.prepare(t, d.Info())
		}
		if err != nil {
			b.Fatal(err)
		}
		return w
	}
	return nil
}

// errLaunched stops a run at its first batch.
var errLaunched = errors.New("launched")

// beginWeighted does what batches by weights do before the first launch of theirs.
func beginWeighted(b *testing.B, d *idleDevice, w *way) {
	if _, _, err := w.run(b.Context(), untilBatches{d}, 1); !errors.Is(err, errLaunched) {
		b.Fatal(err)
	}
}

// untilBatches is a device that fails at the first batch.
type untilBatches struct{ *idleDevice }

func (d untilBatches) Launch(k gpu.Kernel, s gpu.Shape, args ...any) error {
	if strings.HasPrefix(k.Name, "batched") {
		return errLaunched
	}
	return d.idleDevice.Launch(k, s, args...)
}

// cpuTime is the processor time of all threads so far.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
