package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/bench"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestPages compares pages of made-up results with golden files: unweighted from records by hand, with a wrong
// strategy, a failed one, two precisions and two devices; the papers' from numbers that depend on names alone.
func TestPages(t *testing.T) {
	papers := []string{"sriram-table1", "cabral-tables", "mclaughlin-table3", "mclaughlin-figure5", "fan-tables",
		"jia-tables", "scaling", "edge-scores", "small", "buckets", "weights-spread", "auto", "profiles"}
	dir := invent(t, papers...)
	for _, name := range []string{"unweighted.jsonl", "unweighted-a10.jsonl"} {
		copyFile(t, filepath.Join("testdata", name), filepath.Join(dir, name))
	}
	if _, err := Render(dir); err != nil {
		t.Fatal(err)
	}
	for _, suite := range append(papers, "unweighted") {
		name := suite + ".md"
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-update writes it anew): %s", name, diff)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPictures looks into every picture: it is well-formed, and what must be in it can be read in it.
func TestPictures(t *testing.T) {
	dir := invent(t)
	written, err := Render(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"unweighted-single.svg": append([]string{"GTEPS", "vertex-pull", "work-efficient-warp-32", "auto",
			"hybrid_BC, earlier", "cuGraph, earlier"}, named(bench.UnweightedGraphs())...),
		"unweighted-single-overview.svg": append([]string{"GTEPS", "auto", "best other strategy", "hybrid_BC, earlier"},
			bench.UnweightedGraphs()...),
		// of suite goals
		"unweighted-double.svg": append([]string{"GTEPS", "auto", "hybrid_BC, earlier"},
			named(bench.UnweightedGraphs())...),
		"unweighted-double-overview.svg": append([]string{"GTEPS", "auto", "hybrid_BC, earlier"},
			bench.UnweightedGraphs()...),
		"weighted-single.svg": append([]string{"GTEPS", "vertex-warp-4", "EasyGraph, earlier"},
			named(bench.WeightedGraphs())...),
		"weighted-single-overview.svg": append([]string{"EasyGraph, earlier"}, bench.WeightedGraphs()...),
		"scaling-rate.svg":             {"nodes", "Delaunay: GTEPS", "road-like: GTEPS", "1000", "1e6", "hybrid"},
		"buckets-rate.svg": append([]string{"width", "16", "single, own width", "double"},
			bench.WeightedGraphs()...),
		"weights-spread-rate.svg": {"weights", "1..1e6", "reals", "batched", "work-efficient-warp-8",
			"rmat16-16: GTEPS", "road-LosAngeles: GTEPS"},
		"mclaughlin-figure5-seconds.svg": {"nodes", "Kronecker: seconds", "sampling", "edge-parallel"},
	}
	for _, name := range written {
		if !strings.HasSuffix(name, ".svg") {
			continue
		}
		words, ok := want[name]
		if !ok {
			t.Errorf("%s: not expected", name)
		}
		delete(want, name)
		texts := textsOf(t, filepath.Join(dir, name))
		for _, w := range words {
			if !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, w) }) {
				t.Errorf("%s: %q cannot be read in it", name, w)
			}
		}
	}
	for name := range want {
		t.Errorf("%s was not drawn", name)
	}
}

// named adds what follows the name in a panel's title, so that one graph is not taken for another.
func named(graphs []string) []string {
	out := make([]string, len(graphs))
	for i, g := range graphs {
		out[i] = g + ": n "
	}
	return out
}

// textsOf returns every text of a picture.
func textsOf(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, strings.TrimSpace(string(text)))
		}
	}
}

// TestPublished holds what the papers published to the suites: every row and column stands for a graph that is
// measured.
func TestPublished(t *testing.T) {
	has := func(suite, graph string) {
		t.Helper()
		s, err := bench.FindSuite(suite)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(s.Cases, func(c bench.Case) bool { return c.Graph == graph }) {
			t.Errorf("suite %s does not measure %s", suite, graph)
		}
	}
	for _, row := range sriramTable1() {
		has("sriram-table1", row.Graph)
	}
	for _, row := range mclaughlinTable3() {
		has("mclaughlin-table3", row.Graph)
	}
	for _, column := range fanTables() {
		has("fan-tables", column.Graph)
	}
	for _, row := range jiaTables() {
		has("jia-tables", row.Graph)
	}
	own := append(bench.UnweightedGraphs(), bench.WeightedGraphs()...)
	for graph := range earlierRates() {
		if !slices.Contains(own, graph) {
			t.Errorf("%s was measured earlier and is not measured now", graph)
		}
	}
}

// TestPartialResults renders what a run that was stopped early, or where nothing worked, leaves behind.
func TestPartialResults(t *testing.T) {
	for _, s := range bench.Suites() {
		whole, err := bench.ReadRecords(filepath.Join(invent(t, s.Name), s.Name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		first := whole[0]
		failed := bench.Record{Suite: first.Suite, Graph: first.Graph, Measure: first.Measure, Strategy: first.Strategy,
			Precision: first.Precision, Status: bench.Failed, Reason: "no such file", Date: first.Date}
		for name, r := range map[string]bench.Record{"one": first, "failed": failed} {
			dir := t.TempDir()
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), append(line, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
			written, err := Render(dir)
			if err != nil || !slices.Contains(written, s.Name+".md") {
				t.Errorf("%s, %s: wrote %v, %v", s.Name, name, written, err)
			}
		}
	}
}

func TestRenderRefuses(t *testing.T) {
	if _, err := Render(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no results") {
		t.Errorf("empty folder: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte("no JSON\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Render(dir); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("broken file: %v", err)
	}
}

// TestBoundsPage: a row has the share of the time of exact scores that a sample took. Exact scores that were stopped
// give a bound on it.
func TestBoundsPage(t *testing.T) {
	for _, c := range []struct {
		of   bench.Bounded
		want string
	}{
		{bench.Bounded{Asked: 0.01, Bound: 0.009, Pairs: 12345, Exact: 20, Greatest: 0.002},
			"| 20.0 | 1.50 | 0.075 | 12,345 pairs | 0.00900 | 2.0e-03 |"},
		{bench.Bounded{Asked: 0.01, Bound: 0.009, Sources: 1234, Exact: 60, Unfinished: true},
			"| over 60.0 | 1.50 | under 0.025 | 1,234 sources | 0.00900 | – |"},
		{bench.Bounded{Asked: 0.01, Exact: 1.5}, "| 1.50 | 1.50 | 1 | exact instead | – | 0.0e+00 |"},
	} {
		dir := t.TempDir()
		r := bench.Record{
			Suite: "bounds", Graph: "kron20", Nodes: 1024, Edges: 4096, Measure: "betweenness", Strategy: "auto",
			Precision: bench.Double, Status: bench.OK, Device: "NVIDIA Test", Seconds: bench.Seconds{Compute: 1.5},
			Bounded: &c.of,
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), append(line, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Render(dir); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, "bounds.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), c.want) {
			t.Errorf("no %q in\n%s", c.want, page)
		}
	}
}
