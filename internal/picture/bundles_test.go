package picture

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// randomBundles are n nodes in groups, with random merges: of all groups, or of some.
func randomBundles(r *rand.Rand, n, groups int) *connector.Bundles {
	b := &connector.Bundles{Nodes: int64(n), Sizes: make([]int64, groups), Hubs: make([]connector.Name, groups)}
	for v := range n {
		group := int32(v % groups)
		b.Of = append(b.Of, group)
		b.Sizes[group]++
		b.Hubs[group] = connector.Name{ID: fmt.Sprint(v), Name: fmt.Sprintf("<%d>", v)}
	}
	var left []int32
	for i := range groups {
		left = append(left, int32(i))
	}
	for i := 0; len(left) > 1+r.IntN(3); i++ {
		k := r.IntN(len(left) - 1)
		b.Merges = append(b.Merges, [2]int32{left[k], left[k+1]})
		left[k] = int32(groups + i)
		left = slices.Delete(left, k+1, k+2)
	}
	if n >= 2*groups && groups > 0 {
		b.Parts = append(b.Parts, [2]int32{0, int32(groups)}) // two nodes of group 0
	}
	for range 3 * n {
		b.Links = append(b.Links, [2]int32{int32(r.IntN(n)), int32(r.IntN(n))})
		if l := b.Links[len(b.Links)-1]; b.Of[l[0]] == b.Of[l[1]] {
			b.Within++
		}
	}
	b.Edges = int64(len(b.Links))
	return b
}

// TestBundles draws random graphs: nodes are on the circle, each once, those of a group next to each other; every link
// but self-loops is drawn, begins and ends at its nodes, and stays in the circle.
func TestBundles(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 3))
	for range 100 {
		n := 1 + r.IntN(150)
		b := randomBundles(r, n, 1+r.IntN(n))
		f := newForest(b)
		checkForest(t, b, f)
		loops := 0
		for _, l := range b.Links {
			if l[0] == l[1] {
				loops++
				continue
			}
			curve := bundled(f.path(l[0], l[1]))
			if len(curve)%3 != 1 || distance(curve[0], f.at[l[0]]) > 1e-6 || distance(curve[len(curve)-1], f.at[l[1]]) > 1e-6 {
				t.Fatalf("link %v: %v", l, curve)
			}
			for _, p := range curve {
				if d := distance(p, point{centreX, centreY}); math.IsNaN(d) || d > radius+1e-6 {
					t.Fatalf("link %v leaves the circle: %v", l, p)
				}
			}
		}
		drawing := Bundles(b).SVG()
		rings, legend := len(b.Sizes), strings.Count(drawing, "nodes around")+2
		if got := elements(t, drawing)["path"]; got < len(b.Links)-loops+rings || got > len(b.Links)-loops+rings+legend {
			t.Fatalf("%d paths, %d links, %d groups", got, len(b.Links)-loops, rings)
		}
		if strings.Contains(drawing, "NaN") || Bundles(b).SVG() != drawing {
			t.Fatal("a drawing with NaN, or one that differs from the next")
		}
	}
}

func distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

func checkForest(t *testing.T, b *connector.Bundles, f *forest) {
	t.Helper()
	seen, runs := map[int32]bool{}, 0
	for i, v := range f.order {
		seen[v] = true
		if d := distance(f.at[v], point{centreX, centreY}); math.Abs(d-radius) > 1e-6 {
			t.Fatalf("node %d is at a distance of %v", v, d)
		}
		if i == 0 || b.Of[v] != b.Of[f.order[i-1]] {
			runs++
		}
		if steps := len(f.above(v)); float64(steps) > 4+2*math.Log2(float64(b.Nodes)) {
			t.Fatalf("node %d is %d steps below the root", v, steps)
		}
	}
	if len(seen) != len(b.Of) || len(f.order) != len(b.Of) || runs != len(b.Sizes) {
		t.Fatalf("%d of %d nodes, in %d runs of %d groups", len(f.order), len(b.Of), runs, len(b.Sizes))
	}
}

// TestStraightening: Holten's beta of a path through the middle, at the middle of the curve: a B-spline has a sixth,
// two thirds and a sixth of its points there, or what tripled ends make of it.
func TestStraightening(t *testing.T) {
	curve := bundled([]point{{0, 0}, {50, 80}, {100, 0}})
	highest := 0.0
	for _, p := range curve {
		highest = max(highest, p.y)
	}
	middle := curve[6] // the end of the second of four pieces
	if want := straightening * 80 * 2 / 3; math.Abs(middle.y-want) > 1e-9 || math.Abs(middle.x-50) > 1e-9 {
		t.Errorf("the middle is at %v, want a height of %v; the highest is %v", middle, want, highest)
	}
}

// TestGroupsAsPoints: a graph that is too large has a point for each group, and links as wide as they are many.
func TestGroupsAsPoints(t *testing.T) {
	b := &connector.Bundles{
		Nodes: 3_000_000, Edges: 9_000_000, Within: 8_999_000, Sizes: []int64{2_000_000, 999_999, 1},
		Merges: [][2]int32{{0, 1}}, Links: [][2]int32{{0, 1}, {1, 2}}, Counts: []int64{900, 100},
		Hubs: []connector.Name{{ID: "a"}, {ID: "b"}, {ID: "c"}},
	}
	drawing := Bundles(b).SVG()
	elements(t, drawing)
	if !strings.Contains(drawing, `stroke-width="6.5"`) || !strings.Contains(drawing, `stroke-width="2.5"`) ||
		strings.Contains(drawing, "NaN") {
		t.Error(drawing)
	}
}
