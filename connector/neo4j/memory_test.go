package neo4j

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// BenchmarkMemory exports a random graph of 1,000,000 nodes and 10,000,000 relationships with a weight, and fails when
// this process, with all that it is made of, has had more than 700 MB of the machine's memory at its peak.
func BenchmarkMemory(b *testing.B) {
	const n, m, most = 1_000_000, 10_000_000, 700_000_000
	nodes, relationships := writeRandomGraph(b, n, m)
	s, err := neo4jtest.Start(b.Context(), neo4jtest.Options{
		Heap: "2g", FullJIT: true, Conf: map[string]string{"server.memory.pagecache.size": "1g"},
		Import: []string{"--nodes=V=" + nodes, "--relationships=E=" + relationships},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	db := open(b, s, func(o *Options) { o.Connections = 2 })
	for b.Loop() {
		before, start := peakResident(b), time.Now()
		got, err := db.Export(b.Context(), projection("E"), nil)
		if err != nil {
			b.Fatal(err)
		}
		took, peak := time.Since(start), peakResident(b)
		if got.Rels.Len() != m || got.Read.Changed != "" {
			b.Fatalf("%d relationships, %s", got.Rels.Len(), got.Read.Changed)
		}
		b.Logf("%d relationships in %.1f s, %.2f M/s; peak resident memory of the client %d MB (%d MB before), of which "+
			"the graph %d MB",
			m, took.Seconds(), m/took.Seconds()/1e6, peak/1e6, before/1e6, got.Bytes()/1e6)
		b.ReportMetric(float64(peak)/1e6, "peak-MB")
		if peak > most {
			b.Errorf("peak resident memory is %d MB, want at most %d", peak/1e6, most/1_000_000)
		}
	}
}

// writeRandomGraph writes the files that neo4j-admin imports.
func writeRandomGraph(b *testing.B, n, m int) (nodes, relationships string) {
	b.Helper()
	folder := b.TempDir()
	nodes, relationships = filepath.Join(folder, "nodes.csv"), filepath.Join(folder, "relationships.csv")
	writeLines(b, nodes, ":ID", n, func(i int) string { return strconv.Itoa(i) })
	r := rand.New(rand.NewPCG(1, 2))
	writeLines(b, relationships, ":START_ID,:END_ID,w:double", m, func(i int) string {
		return fmt.Sprintf("%d,%d,%g", r.IntN(n), r.IntN(n), 1+float64(i%1000)/7)
	})
	return nodes, relationships
}

func writeLines(b *testing.B, path, header string, n int, line func(i int) string) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, header)
	for i := range n {
		fmt.Fprintln(w, line(i))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}

// peakResident returns the most bytes of memory that this process has had.
func peakResident(b *testing.B) int64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kibibytes int64
	if _, err := fmt.Sscan(string(after), &kibibytes); err != nil {
		b.Fatal(err)
	}
	return kibibytes << 10
}
