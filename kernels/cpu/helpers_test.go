package cpu

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// edge is an input edge of a test graph.
type edge struct {
	from, to int32
	weight   float64
}

func build(t testing.TB, n int, directed bool, edges []edge) *export.Graph {
	t.Helper()
	r := export.Rels{Weights: []float64{}}
	for _, e := range edges {
		r.Source, r.Target, r.Weights = append(r.Source, e.from), append(r.Target, e.to), append(r.Weights, e.weight)
	}
	return graphtest.Build(t, graphtest.Orientation(directed), n, r)
}

// dataFile opens a file of the data that stands beside the repository but is no part of it. Where it is absent, the
// test that asks is skipped: the only skip there is.
func dataFile(t testing.TB, path ...string) io.Reader {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, path...)...)
	f, err := os.Open(name)
	if err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// dataGraph reads a graph of the shared data. names has the id of every node, by index.
func dataGraph(t testing.TB, name string, directed bool) (g *export.Graph, names []string) {
	t.Helper()
	lines := bufio.NewScanner(dataFile(t, name, "edges.csv.gz"))
	lines.Scan() // header
	index := map[string]int32{}
	node := func(id string) int32 {
		v, ok := index[id]
		if !ok {
			v = int32(len(names))
			index[id] = v
			names = append(names, id)
		}
		return v
	}
	var edges []edge
	for lines.Scan() {
		f := strings.Split(lines.Text(), ",")
		e := edge{node(f[0]), node(f[1]), 1}
		if len(f) > 2 {
			w, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			e.weight = w
		}
		edges = append(edges, e)
	}
	return build(t, len(names), directed, edges), names
}

// compute runs a measure and verifies what a run would.
func compute(t testing.TB, g *export.Graph, measure string, r kernels.Request) *kernels.Scores {
	t.Helper()
	m, ok := kernels.Lookup(measure)
	if !ok {
		t.Fatalf("no measure %s", measure)
	}
	s, err := Compute(context.Background(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Scores(m, g, r, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// within says whether got is want to a relative tolerance; 0 only equals what is below any score.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}
