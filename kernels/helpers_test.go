package kernels

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
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

// randomGraph draws a graph of n nodes and up to 6n edges; with loops, some edges are self-loops or parallel to others.
func randomGraph(t testing.TB, random *rand.Rand, n int, directed, loops, weighted bool) *export.Graph {
	t.Helper()
	var edges []edge
	seen := map[[2]int32]bool{}
	allDigits := random.IntN(3) == 0
	for range random.IntN(6*n + 1) {
		e := edge{int32(random.IntN(n)), int32(random.IntN(n)), 1}
		if !directed && e.from > e.to {
			e.from, e.to = e.to, e.from
		}
		if !loops && (e.from == e.to || seen[[2]int32{e.from, e.to}]) {
			continue
		}
		seen[[2]int32{e.from, e.to}] = true
		if weighted {
			e.weight = float64(1+random.IntN(9)) / 10 // few values, so that there are ties
			if allDigits && random.IntN(20) == 0 {
				e.weight = 1 - random.Float64() // in (0, 1], all its digits
			}
		}
		edges = append(edges, e)
	}
	return build(t, n, directed, edges)
}

// dataFile opens a file of the data that stands beside the repository but is no part of it. Where it is absent, the
// test that asks is skipped: the only skip there is.
func dataFile(t testing.TB, path ...string) io.Reader {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "shared", "data"}, path...)...)
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
func compute(t testing.TB, g *export.Graph, measure string, r Request) *Scores {
	t.Helper()
	m, ok := Lookup(measure)
	if !ok {
		t.Fatalf("no measure %s", measure)
	}
	s, err := Compute(context.Background(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(m, g, r, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// within says whether got is want to a relative tolerance; 0 only equals what is below any score.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}
