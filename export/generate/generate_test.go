package generate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
)

// small are specs of every family, with and without weights.
func small() []Spec {
	return []Spec{
		{Kind: RMAT, Scale: 10, Degree: 8, Weights: RealWeights}, {Kind: BarabasiAlbert, Nodes: 3000},
		{Kind: WattsStrogatz, Nodes: 100000}, {Kind: ErdosRenyi, Nodes: 2000, Weights: IntegerWeights},
		{Kind: ErdosRenyi, Nodes: 60, Edges: 1700}, {Kind: Geometric, Nodes: 3000}, {Kind: Delaunay, Nodes: 3000},
		{Kind: Grid, Width: 30, Height: 17}, {Kind: Road, Width: 40, Height: 40}, {Kind: RMAT, Scale: 14, Degree: 8},
		{Kind: Road, Width: 9, Height: 9, Copies: 3, Weights: IntegerWeights},
	}
}

func make1(t testing.TB, s Spec) *export.Snapshot {
	t.Helper()
	out, err := Graph(context.Background(), s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return out
}

// TestCopiesAreGraphsOfTheirOwn: they stand side by side, each that of its seed.
func TestCopiesAreGraphsOfTheirOwn(t *testing.T) {
	s := Spec{Kind: Road, Width: 9, Height: 9, Seed: 5}
	all := s
	all.Copies = 4
	g := make1(t, all).Graph
	first := int32(0)
	for range all.Copies {
		one := make1(t, s).Graph
		for v := range int32(one.N()) {
			want := slices.Clone(one.Row(v))
			for i := range want {
				want[i] += first
			}
			if !slices.Equal(g.Row(first+v), want) {
				t.Fatalf("seed %d, node %d: %v, want %v", s.Seed, v, g.Row(first+v), want)
			}
		}
		first += int32(one.N())
		s.Seed++
	}
	if int(first) != g.N() {
		t.Errorf("%d nodes, the graphs have %d", g.N(), first)
	}
}

func TestGraphsAreSimpleAndTheSameOnAnyThreads(t *testing.T) {
	for _, s := range small() {
		t.Run(fmt.Sprint(s.Kind, s.Nodes, s.Scale), func(t *testing.T) {
			s.Threads = 1
			one := make1(t, s)
			if err := one.Validate(); err != nil {
				t.Fatal(err)
			}
			for v := range int32(one.Graph.N()) {
				row := one.Graph.Row(v)
				if slices.Contains(row, v) || !slices.IsSorted(row) || len(slices.Compact(slices.Clone(row))) != len(row) {
					t.Fatalf("row %d has a loop or a neighbour twice: %v", v, row)
				}
			}
			for _, threads := range []int{2, 7} {
				s.Threads = threads
				if make1(t, s).Digest() != one.Digest() {
					t.Errorf("%d threads give another graph than one", threads)
				}
			}
			other := s
			other.Seed = 1
			if s.Kind != Grid && make1(t, other).Digest() == one.Digest() {
				t.Error("another seed gives the same graph")
			}
		})
	}
}

// components counts connected components.
func components(g *export.Graph) int {
	seen, count := make([]bool, g.N()), 0
	for start := range int32(g.N()) {
		if seen[start] {
			continue
		}
		count++
		seen[start] = true
		for stack := []int32{start}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, w := range g.Row(v) {
				if !seen[w] {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
	}
	return count
}

// degrees returns the largest degree and how many nodes have each of the degrees 0 to 9.
func degrees(g *export.Graph) (most int64, of [10]int) {
	for v := range int32(g.N()) {
		d := g.Degree(v)
		most = max(most, d)
		if d < 10 {
			of[d]++
		}
	}
	return most, of
}

func between(t *testing.T, what string, got, lo, hi float64) {
	t.Helper()
	if !(got >= lo && got <= hi) {
		t.Errorf("%s is %v, not between %v and %v", what, got, lo, hi)
	}
}

// TestShapes compares sizes and degrees with what the families are known for.
func TestShapes(t *testing.T) {
	g := make1(t, Spec{Kind: RMAT, Scale: 16}).Graph // gen.py's kron16: 65,536 nodes, 2.43 million edges
	most, of := degrees(g)
	between(t, "edges of R-MAT 16", float64(g.M()), 2.40e6, 2.46e6)
	between(t, "largest degree of R-MAT 16", float64(most), 6000, 25000)
	between(t, "isolated nodes of R-MAT 16", float64(of[0]), 5000, 20000)

	g = make1(t, Spec{Kind: BarabasiAlbert, Nodes: 20000}).Graph
	most, of = degrees(g)
	between(t, "edges of BA", float64(g.M()), 4*20000*0.99, 4*20000)
	between(t, "largest degree of BA", float64(most), 200, 2500)
	between(t, "BA nodes of degree 4", float64(of[4]), 0.32*20000, 0.345*20000) // 2/(m+2) = 1/3

	g = make1(t, Spec{Kind: WattsStrogatz, Nodes: 20000}).Graph
	between(t, "edges of a small world", float64(g.M()), 99900, 100000)
	moved := 0
	for u := range int32(g.N()) {
		for _, v := range g.Row(u) {
			if d := (int(v) - int(u) + 20000) % 20000; d > 5 && d < 19995 {
				moved++
			}
		}
	}
	between(t, "rewired share", float64(moved)/2e5, 0.095, 0.105)

	g = make1(t, Spec{Kind: ErdosRenyi, Nodes: 10000, Edges: 50000}).Graph
	_, of = degrees(g)
	between(t, "edges of G(n, m)", float64(g.M()), 50000, 50000)
	between(t, "G(n, m) nodes of degree 10", float64(of[9]), 0.115*10000, 0.135*10000) // Poisson(10) at 9: 0.125
	between(t, "edges of a dense G(n, m)", float64(make1(t, Spec{Kind: ErdosRenyi, Nodes: 100, Edges: 4949}).Graph.M()),
		4949, 4949)
	between(t, "edges of a complete G(n, m)", float64(make1(t, Spec{Kind: ErdosRenyi, Nodes: 100, Edges: 4950}).Graph.M()),
		4950, 4950)

	g = make1(t, Spec{Kind: Geometric, Scale: 13}).Graph
	mean := 0.55 * 0.55 * math.Log(8192) * math.Pi / 2 // edges a node, but for the border
	between(t, "edges a node of rgg", float64(g.M())/8192, 0.93*mean, mean)

	g = make1(t, Spec{Kind: Delaunay, Scale: 13}).Graph
	between(t, "edges of a triangulation", float64(g.M()), 3*8192-6-120, 3*8192-6) // 3n - 3 - hull
	if c := components(g); c != 1 {
		t.Errorf("a triangulation in %d pieces", c)
	}

	g = make1(t, Spec{Kind: Grid, Width: 30, Height: 17}).Graph
	most, of = degrees(g)
	if g.M() != 29*17+30*16 || of[2] != 4 || most != 4 || components(g) != 1 {
		t.Errorf("grid: m = %d, %d corners, largest degree %d, %d pieces", g.M(), of[2], most, components(g))
	}

	g = make1(t, Spec{Kind: Road, Width: 100, Height: 100}).Graph
	most, of = degrees(g)
	between(t, "edges a node of a road", float64(g.M())/float64(g.N()), 1, 1.1)
	between(t, "road nodes of degree 2", float64(of[2])/float64(g.N()), 0.75, 0.95)
	between(t, "road nodes of degree 1", float64(of[1]), 100, 2000)
	between(t, "largest degree of a road", float64(most), 4, 4)
}

// TestGeometricJoinsExactlyThePairsInReach tries all pairs.
func TestGeometricJoinsExactlyThePairsInReach(t *testing.T) {
	for _, radius := range []float64{0.01, 0.2, 0.9, 1.5} {
		s, err := Spec{Kind: Geometric, Nodes: 300, Radius: radius}.complete()
		if err != nil {
			t.Fatal(err)
		}
		d := &drawing{ctx: context.Background(), Spec: s}
		points, err := d.points()
		if err != nil {
			t.Fatal(err)
		}
		var want []uint64
		for i := range points {
			for j := range i {
				if math.Hypot(points[i].X-points[j].X, points[i].Y-points[j].Y) <= radius {
					want = append(want, pack(i, j))
				}
			}
		}
		slices.Sort(want)
		g := make1(t, s).Graph
		source, target := g.Ends()
		var got []uint64
		for e := range source {
			got = append(got, pack(int(source[e]), int(target[e])))
		}
		if !slices.Equal(got, want) {
			t.Errorf("radius %v: %d edges, want %d", radius, len(got), len(want))
		}
	}
}

// TestDelaunayCirclesAreEmpty checks the defining property: no point within the circle through a triangle's corners.
func TestDelaunayCirclesAreEmpty(t *testing.T) {
	s, err := Spec{Kind: Delaunay, Nodes: 200}.complete()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawing{ctx: context.Background(), Spec: s}
	points, err := d.points()
	if err != nil {
		t.Fatal(err)
	}
	g, triangles := make1(t, s).Graph, 0
	for a := range int32(200) {
		for _, b := range g.Row(a) {
			for _, c := range g.Row(b) {
				if a >= b || b >= c || !slices.Contains(g.Row(a), c) {
					continue
				}
				inside := 0
				for p := range points {
					if int32(p) != a && int32(p) != b && int32(p) != c &&
						inCircle(points[a].X, points[a].Y, points[b].X, points[b].Y, points[c].X, points[c].Y, points[p].X, points[p].Y) {
						inside++
					}
				}
				if inside == 0 {
					triangles++
				}
			}
		}
	}
	if want := g.M() - g.N() + 1; triangles != want { // Euler: faces without the outer one
		t.Errorf("%d triangles with empty circles, want %d", triangles, want)
	}
}

func inCircle(ax, ay, bx, by, cx, cy, px, py float64) bool {
	ax, ay, bx, by, cx, cy = ax-px, ay-py, bx-px, by-py, cx-px, cy-py
	a, b, c := ax*ax+ay*ay, bx*bx+by*by, cx*cx+cy*cy
	det := ax*(by*c-b*cy) - ay*(bx*c-b*cx) + a*(bx*cy-by*cx)
	if turn := (bx-ax)*(cy-ay) - (by-ay)*(cx-ax); turn < 0 {
		det = -det
	}
	return det > 0
}

func TestWeights(t *testing.T) {
	plain := make1(t, Spec{Kind: ErdosRenyi, Nodes: 2000})
	ints := make1(t, Spec{Kind: ErdosRenyi, Nodes: 2000, Weights: IntegerWeights}).Graph
	reals := make1(t, Spec{Kind: ErdosRenyi, Nodes: 2000, Weights: RealWeights}).Graph
	if !slices.Equal(WithWeights(plain, IntegerWeights, 42).Graph.Weights, ints.Weights) || plain.Graph.Weights != nil {
		t.Error("weights added later differ")
	}
	var seen [11]int
	sum := 0.0
	for i := range ints.Weights {
		seen[int(ints.Weights[i])]++
		if w := reals.Weights[i]; w <= 0 || w > 1 {
			t.Fatalf("weight %v", w)
		}
		sum += reals.Weights[i]
	}
	for w := 1; w <= 10; w++ {
		between(t, fmt.Sprint("share of weight ", w), float64(seen[w])/float64(len(ints.Weights)), 0.09, 0.11)
	}
	between(t, "mean real weight", sum/float64(len(reals.Weights)), 0.49, 0.51)
}

func TestTinyGraphs(t *testing.T) {
	for _, k := range []Kind{ErdosRenyi, Geometric, Delaunay} {
		for n := 1; n <= 4; n++ {
			s := Spec{Kind: k, Nodes: n, Radius: 2}
			if k == ErdosRenyi {
				if s.Edges = n * (n - 1) / 2; n == 1 {
					continue // 0 edges mean the default
				}
			}
			g := make1(t, s).Graph
			if n < 4 && g.M() != n*(n-1)/2 || g.N() != n {
				t.Errorf("%s of %d nodes: m = %d", k, n, g.M())
			}
		}
	}
	if g := make1(t, Spec{Kind: Grid, Width: 1, Height: 1}).Graph; g.N() != 1 || g.M() != 0 {
		t.Errorf("grid of one: n = %d, m = %d", g.N(), g.M())
	}
}

func TestBadSpecs(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{Spec{Kind: "web", Nodes: 5}, `no family "web"`}, {Spec{Kind: RMAT}, "0 nodes"},
		{Spec{Kind: RMAT, Nodes: 100}, "power of two"},
		{Spec{Kind: RMAT, Scale: 31}, "scale 31"}, {Spec{Kind: RMAT, Scale: 28, Degree: 64}, "more than 2147483647 edges"},
		{Spec{Kind: RMAT, Scale: 5, A: 0.9, B: 0.2}, "no probabilities"},
		{Spec{Kind: WattsStrogatz, Nodes: 10, Probability: 2}, "between 0 and 1"},
		{Spec{Kind: WattsStrogatz, Nodes: 10, Degree: 3}, "even"}, {Spec{Kind: BarabasiAlbert, Nodes: 4}, "need more than"},
		{Spec{Kind: ErdosRenyi, Nodes: 4, Edges: 7}, "7 edges do not fit 4 nodes"},
		{Spec{Kind: Geometric, Nodes: 1 << 20, Radius: 1}, "radius 1"},
		{Spec{Kind: Grid, Width: 1 << 20, Height: 1 << 20}, "product"}, {Spec{Kind: Grid, Nodes: 9}, "0 x 0"},
		{Spec{Kind: Delaunay, Nodes: 5, Weights: "heavy"}, `no weights "heavy"`},
	} {
		if _, err := Graph(context.Background(), c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

func TestCancel(t *testing.T) {
	for _, s := range []Spec{{Kind: RMAT, Scale: 22}, {Kind: BarabasiAlbert, Nodes: 4 << 20}, {Kind: Geometric, Scale: 22},
		{Kind: ErdosRenyi, Scale: 22}} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		if _, err := Graph(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", s.Kind, err)
		}
		cancel()
	}
}
