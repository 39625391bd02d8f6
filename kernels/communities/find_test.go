package communities_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

var all = communities.Options{Threads: 1, Bytes: 1 << 30}

func find(t *testing.T, g *export.Graph, o communities.Options) *communities.Cuts {
	t.Helper()
	cuts, err := communities.Find(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return cuts
}

// TestCutsByTheOracle: every cut is of the edge that exact arithmetic finds, on what the cuts before it have left; of
// edges that tie the first.
func TestCutsByTheOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		weighted := i%3 == 2
		g := graphtest.Random(t, random, 2+random.IntN(14), false, true, weighted)
		o := all
		o.Weighted = weighted
		left := edgesOf(g)
		for k, cut := range find(t, g, o).All {
			scores := exactScores(g.N(), left, weighted)
			best := slices.Index(scores, slices.Max(scores))
			for e, x := range scores { // in 128 bits equal sums are equal but for the last ones
				if x >= scores[best]*(1-1e-12) {
					best = e
					break
				}
			}
			want := left[best].index
			if cut.Edge != want || math.Abs(cut.Score-scores[best]) > 1e-6*(1+scores[best]) {
				t.Fatalf("graph %d, cut %d: edge %d of score %g, want %d of %g", i, k, cut.Edge, cut.Score, want, scores[best])
			}
			left = slices.Delete(left, best, best+1)
		}
		if slices.ContainsFunc(left, func(e indexed) bool { return e.From != e.To }) {
			t.Fatalf("graph %d: %d edges are left", i, len(left))
		}
	}
}

type indexed struct {
	oracle.Edge
	index int32
}

func edgesOf(g *export.Graph) []indexed {
	out := make([]indexed, g.M())
	source, target := g.Ends()
	for i := range int64(g.Arcs()) {
		e := g.Edge(i)
		out[e] = indexed{oracle.Edge{From: int(source[e]), To: int(target[e]), Weight: g.Weight(i)}, e}
	}
	return out
}

func exactScores(n int, edges []indexed, weighted bool) []float64 {
	plain, sources := make([]oracle.Edge, len(edges)), make([]int, n)
	for i, e := range edges {
		plain[i] = e.Edge
	}
	for s := range sources {
		sources[s] = s
	}
	_, scores := oracle.New(oracle.Graph{N: n, Edges: plain}, weighted).Betweenness(sources).Float64(0.5)
	return scores
}

// TestSameCuts: threads, memory and where an earlier run ended do not matter.
func TestSameCuts(t *testing.T) {
	g := community(t, 4, 90)
	want := find(t, g, all)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 8 {
		o := communities.Options{Threads: 1 + i%4, Bytes: []int64{1 << 30, 0, 1 << 20}[i%3]}
		if i > 3 {
			o.Done = want.All[:random.IntN(len(want.All))]
		}
		if got := find(t, g, o); !slices.Equal(got.All, want.All) || got.Begun != want.Begun {
			t.Errorf("%d threads, %d bytes, %d done: other cuts", o.Threads, o.Bytes, len(o.Done))
		}
	}
}

// community is a ring of dense groups.
func community(t *testing.T, groups, size int) *export.Graph {
	random := rand.New(rand.NewPCG(7, 8))
	var links []graphtest.Link
	for c := range groups {
		for range 3 * size {
			links = append(links, graphtest.Link{From: int32(c*size + random.IntN(size)),
				To: int32(c*size + random.IntN(size)), Weight: 1})
		}
		next := (c + 1) % groups
		links = append(links, graphtest.Link{From: int32(c * size), To: int32(next*size + 1), Weight: 1})
	}
	return graphtest.Links(t, groups*size, false, false, links)
}

// TestJournal: a clustering that is interrupted, here after any cut and in the middle of a line, goes on as if it had
// not been.
func TestJournal(t *testing.T) {
	g, path := community(t, 3, 20), filepath.Join(t.TempDir(), "cuts")
	want := find(t, g, all)
	enough := errors.New("enough")
	for range 1000 {
		j, done, err := communities.OpenJournal(path, "a graph")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(done, want.All[:len(done)]) {
			t.Fatal("the journal has other cuts")
		}
		o, left := all, 5
		o.Done = done
		o.Made = func(cut communities.Cut) error {
			if left--; left < 0 {
				return enough
			}
			return j.Made(cut)
		}
		got, err := communities.Find(t.Context(), g, o)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if err == nil {
			if !slices.Equal(got.All, want.All) {
				t.Fatal("other cuts")
			}
			return
		}
		if !errors.Is(err, enough) {
			t.Fatal(err)
		}
		tear(t, path)
	}
	t.Fatal("no end")
}

// tear cuts a few bytes off a file.
func tear(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-3], 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedJournal: what follows the last cut that can be read is cut off.
func TestDamagedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cuts")
	for i, damage := range []string{"", "\x00\x00\x00\x00\n",
		"{\"Edge\": 1, \"Sc\n{\"Edge\":7,\"Score\":1,\"Groups\":9}\n"} {
		j, done, err := communities.OpenJournal(path, "a graph")
		if err != nil || len(done) != i {
			t.Fatalf("%v, %v", done, err)
		}
		for k, cut := range done {
			if cut != (communities.Cut{Edge: int32(k), Score: 2, Groups: 3}) {
				t.Errorf("cut %d is %+v", k, cut)
			}
		}
		if err := errors.Join(j.Made(communities.Cut{Edge: int32(i), Score: 2, Groups: 3}), j.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(damage); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if _, done, err := communities.OpenJournal(path, "a graph"); err != nil || len(done) != 3 {
		t.Errorf("%v, %v", done, err)
	}
}

func TestJournalOfAnotherGraph(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cuts")
	for _, of := range []string{"one", "another"} {
		j, done, err := communities.OpenJournal(path, of)
		if err != nil || len(done) > 0 {
			t.Fatalf("%v, %v", done, err)
		}
		if err := errors.Join(j.Made(communities.Cut{Edge: 1, Score: 2, Groups: 3}), j.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEnds: a number of groups, a limit of time and a cancelled context end a clustering, and what cannot be is
// refused.
func TestEnds(t *testing.T) {
	g := community(t, 4, 30)
	o := all
	o.Groups = 4
	four := find(t, g, o)
	if d := communities.DendrogramOf(g, four); d.Groups != 4 || len(d.Merges) != 4-four.Begun || four.Limited {
		t.Errorf("%d groups, %d merges", d.Groups, len(d.Merges))
	}
	o.Groups, o.Limit = 0, 1
	if cuts := find(t, g, o); !cuts.Limited || len(cuts.All) > 0 {
		t.Errorf("%d cuts in a nanosecond", len(cuts.All))
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := communities.Find(gone, g, all); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	o = all
	o.Groups = 121
	if _, err := communities.Find(t.Context(), g, o); err == nil {
		t.Error("more groups than nodes")
	}
}

// TestPathsOverflow: a ring of 1,100 double edges has 2^1100 shortest paths; that is refused.
func TestPathsOverflow(t *testing.T) {
	var links []graphtest.Link
	const n = 2200
	for v := range int32(n) {
		for range 4 {
			links = append(links, graphtest.Link{From: v, To: (v + 1) % n, Weight: 1})
		}
	}
	o := all
	o.Bytes, o.Groups = 0, 2
	if _, err := communities.Find(t.Context(), graphtest.Links(t, n, false, false, links),
		o); !errors.Is(err, communities.ErrPaths) {
		t.Errorf("%v", err)
	}
}

// TestDendrogram: groups and modularity of every level agree with the definition, and with cutting anew.
func TestDendrogram(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 40 {
		g := graphtest.Random(t, random, 1+random.IntN(25), i%3 == 1, true, false)
		cuts := find(t, g, all)
		d := communities.DendrogramOf(g, cuts)
		if d.Groups != g.N() || d.Fewest() != cuts.Begun {
			t.Fatalf("graph %d: %d to %d groups", i, d.Fewest(), d.Groups)
		}
		best := math.Inf(-1)
		for groups := d.Fewest(); groups <= d.Groups; groups++ {
			members, q := d.Members(groups), d.ModularityOf(groups)
			if again := kernels.Modularity(g, members, false); math.Abs(again-q) > 1e-12 {
				t.Fatalf("graph %d, %d groups: modularity %g, want %g", i, groups, q, again)
			}
			if int(slices.Max(members)) != groups-1 {
				t.Fatalf("graph %d: not %d groups: %v", i, groups, members)
			}
			if groups > d.Fewest() {
				o := all
				o.Groups = groups
				if short := communities.DendrogramOf(g, find(t, g, o)); !slices.Equal(short.Base, members) {
					t.Fatalf("graph %d: %v, want %v", i, short.Base, members)
				}
			}
			best = max(best, q)
		}
		if q := d.ModularityOf(d.Best()); q < best-1e-12 {
			t.Fatalf("graph %d: best %g, want %g", i, q, best)
		}
	}
}

// TestDirections: they do not matter.
func TestDirections(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 20 {
		n, links := 2+random.IntN(15), []graphtest.Link{}
		for range random.IntN(4 * n) {
			from, to := random.IntN(n), random.IntN(n) // from the lesser, so that edges have the same numbers
			links = append(links, graphtest.Link{From: int32(min(from, to)), To: int32(max(from, to)), Weight: 1})
		}
		a, b := graphtest.Links(t, n, false, false, links), graphtest.Links(t, n, true, false, links)
		x, y := find(t, a, all), find(t, b, all)
		if !slices.Equal(x.All, y.All) {
			t.Fatalf("%v, but %v with directions", x.All, y.All)
		}
		if p, q := communities.DendrogramOf(a, x), communities.DendrogramOf(b, y); !slices.Equal(p.Modularity, q.Modularity) {
			t.Fatalf("%v, but %v with directions", p.Modularity, q.Modularity)
		}
	}
}

func ExampleFind() {
	// Two triangles, joined by an edge.
	g, err := export.NewUndirected(6, []int32{0, 0, 1, 2, 3, 3, 4}, []int32{1, 2, 2, 3, 4, 5, 5}, nil)
	if err != nil {
		panic(err)
	}
	cuts, err := communities.Find(context.Background(), g, communities.Options{Bytes: 1 << 20})
	if err != nil {
		panic(err)
	}
	d := communities.DendrogramOf(g, cuts)
	fmt.Println(cuts.All[0].Score, d.Best(), d.Members(d.Best()))
	// Output: 9 2 [0 0 0 1 1 1]
}
