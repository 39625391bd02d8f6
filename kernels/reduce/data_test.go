package reduce_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// loadData reads a graph of the collection that stands beside the repository, without self-loops and each pair of nodes
// once, with weights if asked to.
func loadData(t testing.TB, name string, weighted bool) *sketch {
	path := dataPath(name, "edges.csv.gz")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		t.Skipf("the collection of graphs is absent: %v", err)
	}
	rows := csv.NewReader(strings.NewReader(readGzip(t, path)))
	if _, err := rows.Read(); err != nil {
		t.Fatal(err)
	}
	s, ids, seen := &sketch{}, map[string]int32{}, map[[2]int32]bool{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return s
		}
		if err != nil {
			t.Fatal(err)
		}
		var ends [2]int32
		for i := range ends {
			if _, ok := ids[row[i]]; !ok {
				ids[row[i]] = int32(s.n)
				s.ids = append(s.ids, row[i])
				s.n++
			}
			ends[i] = ids[row[i]]
		}
		key := [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}
		if key[0] == key[1] || seen[key] {
			continue
		}
		seen[key] = true
		s.edges = append(s.edges, key)
		if weighted {
			w, err := strconv.ParseFloat(row[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			s.weights = append(s.weights, w)
		}
	}
}

// TestAgreesWithRecordedScores compares with node scores that other programs computed, by original id.
func TestAgreesWithRecordedScores(t *testing.T) {
	for _, name := range []string{"as-caida20071105", "ca-GrQc-lcc"} {
		t.Run(name, func(t *testing.T) {
			s := loadData(t, name, false)
			node, _, _ := scores(t, s.graph(t), reduce.Options{})
			want := map[string]float64{}
			for _, line := range strings.Split(strings.TrimSpace(readGzip(t, dataPath("oracles", name+".bc.txt.gz"))), "\n") {
				fields := strings.Fields(line)
				id, score := strings.TrimSuffix(fields[0], ":"), fields[1]
				if name == "as-caida20071105" && id == "0" {
					id = "26475"
				}
				x, err := strconv.ParseFloat(score, 64)
				if err != nil {
					t.Fatal(err)
				}
				want[id] = x
			}
			if len(want) != s.n {
				t.Fatalf("%d scores are recorded for %d nodes", len(want), s.n)
			}
			for v, id := range s.ids {
				x, ok := want[id]
				if d := math.Abs(node[v] - x); !ok || d > 1e-6+1e-9*x { // one file shows six decimals
					t.Fatalf("node %s scores %g; recorded is %g", id, node[v], x)
				}
			}
		})
	}
}

func readGzip(t testing.TB, path string) string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func dataPath(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, parts...)...)
}

// BenchmarkData computes node and edge betweenness of whole graphs.
func BenchmarkData(b *testing.B) {
	for _, c := range []struct {
		name     string
		weighted bool
	}{
		{"power", false}, {"facebook_combined", false}, {"ca-GrQc-lcc", false}, {"delaunay_n13", false},
		{"as-caida20071105", false}, {"luxembourg_osm", false}, {"higgs-mention", false},
		{"higgs-mention", true}, {"road-LosAngeles", false}, {"road-LosAngeles", true}, {"web-NotreDame", false},
	} {
		name := c.name
		if c.weighted {
			name += "-weighted"
		}
		b.Run(name, func(b *testing.B) {
			s := loadData(b, c.name, c.weighted)
			g := s.graph(b)
			var info reduce.Info
			before := cpuSeconds(b)
			for b.Loop() {
				var err error
				o := reduce.Options{Ticks: ticksOf(g)}
				if _, _, info, err = reduce.Betweenness(context.Background(), g, o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpuSeconds(b)-before)/float64(b.N), "cpu-s/op")
			b.ReportMetric(info.SearchRatio, "search/nm")
			b.ReportMetric(info.DemandRatio, "demand/nm")
			b.ReportMetric(plainSeconds(b, g), "plain-cpu-s")
			b.Logf("%+v", info)
		})
	}
}

// BenchmarkPlan times planning alone.
func BenchmarkPlan(b *testing.B) {
	for _, name := range []string{"luxembourg_osm", "as-caida20071105", "caidaRouterLevel", "web-NotreDame"} {
		b.Run(name, func(b *testing.B) {
			g := loadData(b, name, false).graph(b)
			runtime.GC()
			before := cpuSeconds(b)
			for b.Loop() {
				if _, err := reduce.New(context.Background(), g, reduce.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			used := (cpuSeconds(b) - before) / float64(b.N)
			b.ReportMetric(1e3*used, "cpu-ms/op")
			b.ReportMetric(1e9*used/float64(g.N()+g.M()), "cpu-ns/(n+m)")
		})
	}
}

// BenchmarkUnion times planning by trees and blocks alone, and laying out the union.
func BenchmarkUnion(b *testing.B) {
	for _, name := range []string{"as-caida20071105", "caidaRouterLevel", "web-NotreDame"} {
		b.Run(name, func(b *testing.B) {
			g := loadData(b, name, false).graph(b)
			runtime.GC()
			before := cpuSeconds(b)
			for b.Loop() {
				r, err := reduce.New(context.Background(), g, reduce.Options{Switches: reduce.Switches{NoChains: true}})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Union(); err != nil {
					b.Fatal(err)
				}
			}
			used := (cpuSeconds(b) - before) / float64(b.N)
			b.ReportMetric(1e3*used, "cpu-ms/op")
			b.ReportMetric(1e9*used/float64(g.N()+g.M()), "cpu-ns/(n+m)")
		})
	}
}

// BenchmarkFlat times what the host does beside a device, but for planning: laying out, chains' own pairs, leading
// back.
func BenchmarkFlat(b *testing.B) {
	for _, name := range []string{"luxembourg_osm", "as-caida20071105", "road-LosAngeles"} {
		b.Run(name, func(b *testing.B) {
			g := loadData(b, name, false).graph(b)
			r, err := reduce.New(context.Background(), g, reduce.Options{})
			if err != nil {
				b.Fatal(err)
			}
			before := cpuSeconds(b)
			for b.Loop() {
				f, err := r.Flatten(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				flows, free := f.Flows(), reduce.Scratch{}
				for t := range f.Chains {
					f.Round(flows, int32(t), f.Chains[t].Length, reduce.Paths{Mantissa: 1}, &free)
				}
				if err := f.Unflatten(flows, reduce.Sums{
					Passes: make([]float64, len(f.Omega)), Through: make([]float64, f.LinkCount),
					Hist: make([]float64, f.Bins()), Peers: make([]float64, f.Bins()),
				}); err != nil {
					b.Fatal(err)
				}
				r.Scores(flows)
			}
			b.ReportMetric(1e3*(cpuSeconds(b)-before)/float64(b.N), "cpu-ms/op")
		})
	}
}

// cpuSeconds is the processor time of all threads so far, which other processes of the machine disturb less than the
// clock.
func cpuSeconds(b *testing.B) float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// plainSeconds estimates the processor time of the plain kernel from 64 sources.
func plainSeconds(b *testing.B, g *export.Graph) float64 {
	var sources []int32
	for i := range min(64, g.N()) {
		sources = append(sources, int32(i*g.N()/min(64, g.N())))
	}
	before := cpuSeconds(b)
	plain(b, g, sources)
	return (cpuSeconds(b) - before) * float64(g.N()) / float64(len(sources))
}
