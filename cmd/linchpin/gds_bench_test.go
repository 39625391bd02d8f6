package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// gdsForm is one way to get the betweenness of a graph, timed from the database back to the database or the client.
type gdsForm struct {
	Graph   string    `json:"graph"`
	Nodes   int       `json:"nodes"`
	Edges   int       `json:"edges"`
	Form    string    `json:"form"`
	Seconds []float64 `json:"seconds"`
	Median  float64   `json:"medianSeconds"`
}

// BenchmarkGDS computes betweenness of every node in turns with the Graph Data Science library, concurrency 4, on the
// same server and the same cores: streamed to the client, and written. Ours are whole processes, start included. The
// scores must agree. A server that has just started has yet to compile its own code, for either, so the small graph has
// more rounds. LINCHPIN_BENCH_RECORD_GDS names a file for the figures, LINCHPIN_BENCH_ONLY the only graph to measure.
func BenchmarkGDS(b *testing.B) {
	s, program := startGDS(b)
	defer s.Close()
	rounds := map[string]int{"air-routes": 7, "as-caida20071105": 3}
	only := os.Getenv("LINCHPIN_BENCH_ONLY")
	var all []gdsForm
	for b.Loop() {
		for _, graph := range []string{"air-routes", "as-caida20071105"} {
			if only != "" && graph != only {
				continue
			}
			g := loadGDSGraph(b, s, graph)
			config := writeGDSConfig(b, s.URI(), "[{measure: betweenness, nodes: ours}]")
			ours := func(args ...string) func() {
				return func() {
					cmd := exec.Command(program,
						append([]string{"run", "bench", "--recompute", "--quiet", "--config", config}, args...)...)
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, out)
					}
				}
			}
			forms := []gdsWay{
				{"linchpin: export, compute, write", ours()},
				{"GDS: project, compute, write", func() {
					runGDS(b, s,
						"CALL gds.betweenness.write('g', {writeProperty: 'gds', concurrency: 4}) YIELD nodePropertiesWritten RETURN *")
				}},
				{"linchpin: export, compute", ours("--dry-run")},
				{"GDS: project, compute, stream", func() {
					runGDS(b, s, "CALL gds.betweenness.stream('g', {concurrency: 4}) YIELD nodeId, score RETURN nodeId, score")
				}},
			}
			for pair := range slices.Chunk(forms, 2) {
				all = append(all, inTurns(b, g, rounds[graph], pair)...)
			}
			compareWithGDS(b, s)
		}
	}
	recordGDS(b, "GDS$", all)
}

// gdsWay does what a form says, once.
type gdsWay struct {
	name string
	do   func()
}

// inTurns measures ways on a graph, round by round.
func inTurns(b *testing.B, g gdsForm, rounds int, ways []gdsWay) []gdsForm {
	out := make([]gdsForm, len(ways))
	for range rounds {
		for i, way := range ways {
			start := time.Now()
			way.do()
			out[i].Seconds = append(out[i].Seconds, time.Since(start).Seconds())
		}
	}
	for i, way := range ways {
		seconds := out[i].Seconds
		out[i] = g
		out[i].Form, out[i].Seconds, out[i].Median = way.name, seconds, slices.Sorted(slices.Values(seconds))[rounds/2]
		b.Logf("%-18s %-34s %.2f s %.2f", g.Graph, way.name, out[i].Median, seconds)
	}
	return out
}

// startGDS starts a server with the library, and builds linchpin.
func startGDS(b *testing.B) (s *neo4jtest.Server, program string) {
	b.Helper()
	s, err := neo4jtest.Start(b.Context(), neo4jtest.Options{Heap: "2g", FullJIT: true, GDS: true,
		Conf: map[string]string{"server.memory.pagecache.size": "512m"}})
	if err != nil {
		b.Fatal(err)
	}
	program = filepath.Join(b.TempDir(), "linchpin")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		s.Close()
		b.Fatalf("%v: %s", err, out)
	}
	return s, program
}

// runGDS projects the graph, makes some calls, and drops the projection.
func runGDS(b *testing.B, s *neo4jtest.Server, calls ...string) {
	s.Query(b,
		"CALL gds.graph.project('g', 'V', {E: {orientation: 'UNDIRECTED', aggregation: 'SINGLE'}}) YIELD nodeCount RETURN nodeCount", nil)
	for _, cypher := range calls {
		s.Query(b, cypher, nil)
	}
	s.Query(b, "CALL gds.graph.drop('g') YIELD graphName RETURN graphName", nil)
}

// loadGDSGraph fills the database with a graph of ../shared/data.
func loadGDSGraph(b *testing.B, s *neo4jtest.Server, name string) gdsForm {
	b.Helper()
	f, err := os.Open(filepath.Join("../../../shared/data", name, "edges.csv.gz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	edges := make([]any, 0, len(rows)-1)
	for _, row := range rows[1:] {
		edges = append(edges, []any{row[0], row[1]})
	}
	s.Empty(b)
	s.Query(b, "CREATE CONSTRAINT FOR (v:V) REQUIRE v.name IS UNIQUE", nil)
	for part := range slices.Chunk(edges, 20000) {
		s.Query(b, "UNWIND $edges AS e MERGE (x:V {name: e[0]}) MERGE (y:V {name: e[1]}) CREATE (x)-[:E]->(y)",
			map[string]any{"edges": part})
	}
	n := s.Query(b, "MATCH (v:V) RETURN count(v) AS n", nil)[0]["n"].(int64)
	return gdsForm{Graph: name, Nodes: int(n), Edges: len(edges)}
}

func writeGDSConfig(b *testing.B, uri, measures string) string {
	path := filepath.Join(b.TempDir(), "linchpin.yml")
	text := fmt.Sprintf(`version: 1
neo4j: {uri: %q}
jobs:
  - name: bench
    graph: {nodes: [V], relationships: [{type: E, orientation: undirected, parallel: min}]}
    measures: %s
    compute: {device: cpu}
`, uri, measures)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// compareWithGDS compares the two sets of scores that were written.
func compareWithGDS(b *testing.B, s *neo4jtest.Server) {
	b.Helper()
	wrong := 0
	rows := s.Query(b, "MATCH (v:V) RETURN v.name AS name, v.ours AS ours, v.gds AS gds", nil)
	for _, row := range rows {
		ours, gds := row["ours"].(float64), row["gds"].(float64)
		if math.Abs(ours-gds) > 1e-7*max(1, math.Abs(ours)) {
			wrong++
		}
	}
	if wrong > 0 || len(rows) == 0 {
		b.Errorf("%d of %d scores differ", wrong, len(rows))
	}
}

// recordGDS writes the figures of the benchmark of that name. Forms come in pairs: ours, and the same of GDS.
func recordGDS(b *testing.B, bench string, all []gdsForm) {
	for i := 0; i+1 < len(all); i += 2 {
		form, _, _ := strings.Cut(strings.TrimPrefix(all[i+1].Form, "GDS: project, compute, "), " ")
		b.ReportMetric(all[i+1].Median/all[i].Median, all[i].Graph+"-"+form+"-x-gds")
	}
	file := os.Getenv("LINCHPIN_BENCH_RECORD_GDS")
	if file == "" {
		return
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	err := e.Encode(map[string]any{
		"date": time.Now().UTC().Format(time.RFC3339), "commit": os.Getenv("LINCHPIN_BENCH_COMMIT"),
		"machine": fmt.Sprintf("%d cores, Java 17, loopback; server and client together", runtime.NumCPU()),
		"neo4j":   neo4jtest.Version, "gds": neo4jtest.GDSVersion,
		"command": "go test -run '^$' -bench " + bench + " -benchtime 1x ./cmd/linchpin", "load": load(), "forms": all,
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
}
