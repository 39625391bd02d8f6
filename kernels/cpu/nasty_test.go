package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

func star(n int) (edges []edge) {
	for i := int32(1); i < int32(n); i++ {
		edges = append(edges, edge{0, i, 1})
	}
	return edges
}

func path(n int) (edges []edge) {
	for i := int32(1); i < int32(n); i++ {
		edges = append(edges, edge{i - 1, i, 1})
	}
	return edges
}

func cycle(n int) []edge { return append(path(n), edge{int32(n) - 1, 0, 1}) }

func complete(n int) (edges []edge) {
	for i := range int32(n) {
		for j := range i {
			edges = append(edges, edge{j, i, 1})
		}
	}
	return edges
}

func grid(side int) (edges []edge) {
	for v := range int32(side * side) {
		if int(v)%side+1 < side {
			edges = append(edges, edge{v, v + 1, 1})
		}
		if int(v)+side < side*side {
			edges = append(edges, edge{v, v + int32(side), 1})
		}
	}
	return edges
}

func weighing(edges []edge, weights ...float64) []edge {
	for i := range edges {
		edges[i].weight = weights[i%len(weights)]
	}
	return edges
}

func TestNastyGraphsAgainstOracle(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		edges []edge
	}{
		{"no nodes", 0, nil},
		{"one node", 1, nil},
		{"one node with a loop", 1, []edge{{0, 0, 2}}},
		{"two nodes", 2, nil},
		{"two joined nodes", 2, []edge{{0, 1, 0.5}}},
		{"two nodes joined thrice", 2, []edge{{0, 1, 0.5}, {1, 0, 0.5}, {0, 1, 0.7}}},
		{"three nodes", 3, []edge{{0, 1, 1}, {1, 2, 1}}},
		{"isolated nodes", 9, nil},
		{"star", 50, star(50)},
		{"path", 60, path(60)},
		{"cycle, even", 24, cycle(24)},
		{"cycle, odd", 25, cycle(25)},
		{"complete", 20, complete(20)},
		{"two components and an isolated node", 9, append(path(4), edge{5, 6, 1}, edge{6, 7, 1}, edge{5, 7, 3})},
		{"parallel edges on a path", 4, append(path(4), path(4)...)},
		{"parallel edges of unlike weight", 4, append(path(4), weighing(path(4), 2)...)},
		{"loops everywhere", 4, append(path(4), edge{0, 0, 1}, edge{1, 1, 1}, edge{1, 1, 1}, edge{3, 3, 0.1})},
		{"0.1 + 0.2 = 0.3", 3, []edge{{0, 1, 0.1}, {1, 2, 0.2}, {0, 2, 0.3}}},
		{"0.1 * 10 = 1", 11, append(weighing(path(11), 0.1), edge{0, 10, 1})},
		{"24 decades of powers of ten", 30, weighing(cycle(30), 1e-12, 1e12, 1, 1e-3, 1e7)},
		{"24 decades, all digits", 30,
			weighing(cycle(30), 1.2345678901234567e-12, 9.876543210987654e-3, 3.3333333333333335, 7e-9)},
		{"16 digits", 30, append(weighing(cycle(30), 0.1234567890123456), weighing(star(30), 0.7654321098765432)...)},
		{"large integers", 12, append(weighing(cycle(12), 1<<53-1), weighing(star(12), 1<<54-2)...)},
		{"beyond 2^53", 12, append(weighing(cycle(12), 1e20), weighing(star(12), 2e20)...)},
		{"tiny", 12, append(weighing(cycle(12), 1e-310), weighing(star(12), 2e-310)...)},
	} {
		for _, directed := range []bool{false, true} {
			for _, weighted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, directed %t, weighted %t", c.name, directed, weighted), func(t *testing.T) {
					if c.name == "tiny" && weighted {
						t.Log("harmonic closeness of such weights overflows; see TestOverflowIsAnError")
						g := build(t, c.n, directed, c.edges)
						r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
						betweennessAgainstOracle(t, g, oracle.Of(g, true), r, ints(allNodes(g)))
						return
					}
					againstOracle(t, build(t, c.n, directed, c.edges), weighted, nil)
				})
			}
		}
	}
}

func TestGridAgainstOracle(t *testing.T) {
	g := build(t, 1600, false, grid(40))
	againstOracle(t, g, false, kernels.DrawSources(1600, 3, 1))
	againstOracle(t, g, true, kernels.DrawSources(1600, 3, 2))
}

// gridDependencies returns the dependency of a source on every node of a grid, from the closed form of its path counts:
// sigma(s,v) is a binomial coefficient, so of the paths to a node a columns and b rows away, the share |a|/(|a|+|b|)
// comes along its row and the rest along its column. No paths are counted.
func gridDependencies(side int, s int32) (nodes []float64, pairs float64) {
	row, column := int(s)/side, int(s)%side
	nodes = make([]float64, side*side)
	for distance := 2 * side; distance > 0; distance-- {
		for b := -row; b < side-row; b++ {
			for _, a := range []int{distance - abs(b), abs(b) - distance} {
				if abs(a)+abs(b) != distance || column+a < 0 || column+a >= side || a == 0 && distance-abs(b) != 0 {
					continue
				}
				v := (row+b)*side + column + a
				carried := 1 + nodes[v]
				if a != 0 {
					nodes[v-sign(a)] += carried * float64(abs(a)) / float64(distance)
				}
				if b != 0 {
					nodes[v-sign(b)*side] += carried * float64(abs(b)) / float64(distance)
				}
				if a == 0 {
					break // a and -a are the same node
				}
			}
		}
	}
	nodes[s] = 0
	return nodes, float64(side*side - 1)
}

func abs(x int) int { return max(x, -x) }

func sign(x int) int {
	if x < 0 {
		return -1
	}
	return 1
}

// TestGridsOfAnySize has grids whose path counts pass float32 (67x67), int64 (35x35) and float64 (516x516), and one row
// of sources by weights, where counts have no levels to be scaled by.
func TestGridsOfAnySize(t *testing.T) {
	for _, c := range []struct {
		side, sources int
		weighted      bool
	}{{35, 1225, false}, {67, 200, false}, {516, 3, false}, {600, 64, false}, {600, 3, true}} {
		t.Run(fmt.Sprintf("%dx%d, weighted %t", c.side, c.side, c.weighted), func(t *testing.T) {
			g := build(t, c.side*c.side, false, weighing(grid(c.side), 0.3))
			sources := kernels.DrawSources(g.N(), c.sources, 7)
			sources[0] = 0 // a corner sees the greatest counts
			r := kernels.Request{Params: kernels.Params{Weighted: c.weighted}, Nodes: true, Edges: true, Sources: sources}
			got := compute(t, g, "betweenness", r)
			want := make([]float64, g.N())
			for _, s := range sources {
				nodes, _ := gridDependencies(c.side, s)
				for v, x := range nodes {
					want[v] += x / 2
				}
			}
			same(t, "node", got.Nodes, want)
		})
	}
}

// TestCountsTooFarApartForOneScale puts, on the same levels, a chain of double edges with 2^k paths and one with a
// single path: at 1,700 levels no power of two brings both into float64.
func TestCountsTooFarApartForOneScale(t *testing.T) {
	const length = 1700
	var edges []edge
	for i := range int32(length) {
		edges = append(edges, edge{i, i + 1, 1}, edge{i, i + 1, 1}) // 0, 1, ..., length
		previous := length + i
		if i == 0 {
			previous = 0
		}
		edges = append(edges, edge{previous, length + 1 + i, 1})
	}
	last := int32(2*length + 1)
	edges = append(edges, edge{length, last, 1}, edge{2 * length, last, 1})
	for _, weighted := range []bool{false, true} {
		g := build(t, int(last)+1, true, edges)
		r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Sources: []int32{0}}
		got := compute(t, g, "betweenness", r)
		for i := range int32(length) {
			// The double chain carries all to its later nodes and to the end; the single one only the former.
			double, single := got.Nodes[i+1], got.Nodes[length+1+i]
			if !within(double, float64(length-i), 1e-12) || !within(single, float64(length-1-i), 1e-12) {
				t.Fatalf("weighted %t: dependencies on step %d: %v and %v", weighted, i, double, single)
			}
		}
		stop := stopper.New(context.Background())
		l, err := lengths.New(context.Background(), g, r.Weighted, r.Tolerance)
		if err != nil {
			t.Fatal(err)
		}
		d := dependencies.NewFinder(g, search.Of(g, l)(true, stop), stop)
		if p, err := d.From(0, nil, nil); err != nil || p.Fit {
			t.Errorf("weighted %t: the counts needed no wide numbers (%v): this graph is no test of them", weighted, err)
		}
	}
}

func TestStressBeyondFloat64(t *testing.T) {
	g := build(t, 600*600, false, grid(600))
	m, _ := kernels.Lookup("stress")
	r := kernels.Request{Nodes: true, Edges: true, Sources: []int32{0}}
	if _, err := Compute(context.Background(), m, g, r); !errors.Is(err, kernels.ErrStress) {
		t.Fatalf("stress of a 600x600 grid: %v, want %v", err, kernels.ErrStress)
	}
	r.Log = true
	got := compute(t, g, "stress", r)
	// All paths from the corner 0 that pass its neighbour 1, which is half of all paths longer than 1, plus none of
	// the one to 1 itself: the sum over all nodes but those of C(i+j, i), halved for its symmetry.
	lg := func(x float64) float64 { y, _ := math.Lgamma(x); return y / math.Ln2 }
	all := lg(1201) - 2*lg(601) + 0.0 // log2 C(1200, 600) = log2 (1 + the sum of C(i+j, i) over 0 <= i, j <= 599)
	want := all - 1 - 1               // one half for symmetry, one half for unordered pairs
	if math.Abs(got.Nodes[1]-want) > 1e-6 {
		t.Fatalf("log2 stress of the corner's neighbour: %v, want %v", got.Nodes[1], want)
	}
	if !math.IsNaN(got.Nodes[0]) {
		t.Fatalf("log2 stress of 0: %v, want NaN for null", got.Nodes[0])
	}
}

func TestOverflowIsAnError(t *testing.T) {
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}
	for _, c := range []struct {
		measure string
		edges   []edge
	}{
		{"harmonic", []edge{{0, 1, 1e-310}, {1, 2, 1e-310}}},
		{"closeness", []edge{{0, 1, 1e-310}, {1, 2, 1e-310}}},
		{"strength", []edge{{0, 1, 1e308}, {1, 2, 1e308}}},
		{"eccentricity", []edge{{0, 1, 1.5e308}, {1, 2, 1.4e308}}},
		{"betweenness", []edge{{0, 1, 1.123e308}, {1, 2, 1.1e-300}, {1, 2, 1.4e308}}},
	} {
		m, _ := kernels.Lookup(c.measure)
		if _, err := Compute(context.Background(), m, build(t, 3, false, c.edges), r); err == nil {
			t.Errorf("%s of %v: no error", c.measure, c.edges)
		} else {
			t.Log(err)
		}
	}
}

func TestLostWeightIsNamed(t *testing.T) {
	g := build(t, 3, true, []edge{{0, 1, 1e300}, {1, 2, 1.23456789e-300}})
	m, _ := kernels.Lookup("betweenness")
	_, err := Compute(context.Background(), m, g, kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true})
	var lost *export.NodesError
	if !errors.Is(err, lengths.ErrLength) || !errors.As(err, &lost) || !slices.Equal(lost.Nodes, []int32{1, 2}) ||
		!strings.Contains(err.Error(), "1.23456789e-300") {
		t.Fatalf("a weight lost beside a path 600 decades longer: %v", err)
	}
}

// TestSelfLoopDegrees has loops, which count two arcs when undirected and one when directed.
func TestSelfLoopDegrees(t *testing.T) {
	edges := []edge{{0, 0, 0.5}, {0, 1, 2}, {0, 1, 3}}
	for directed, want := range map[bool][4]float64{false: {4, 2, 6, 5}, true: {3, 0, 5.5, 0}} {
		g := build(t, 2, directed, edges)
		degrees := compute(t, g, "degree", kernels.Request{Nodes: true}).Nodes
		strengths := compute(t, g, "strength", kernels.Request{Nodes: true}).Nodes
		if got := [4]float64{degrees[0], degrees[1], strengths[0], strengths[1]}; got != want {
			t.Errorf("directed %t: degrees and strengths %v, want %v", directed, got, want)
		}
	}
}

func TestVolumeAgainstOracle(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g := build(t, 40, directed, append(append(grid(6), edge{3, 3, 1}, edge{0, 35, 1}, edge{0, 1, 1}), star(3)...))
		o := oracle.Of(g, false)
		for radius := range 5 {
			got := compute(t, g, "volume", kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}).Nodes
			for v, x := range got {
				if want := float64(o.Ball(v, radius)); x != want {
					t.Fatalf("directed %t, radius %d, node %d: %v, want %v", directed, radius, v, x, want)
				}
			}
		}
	}
}

// TestLengthsPastFloat64 has paths and sums of paths that overflow float64: scores are those of the same graph in
// larger units, in these units.
func TestLengthsPastFloat64(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 6))
	for i := range 60 {
		n := 3 + random.IntN(12)
		var small, large []edge
		for range 3 * n {
			e := edge{int32(random.IntN(n)), int32(random.IntN(n)), float64(1+random.IntN(15)) / 10}
			if i%3 == 2 { // as many digits as 128 bits hold, or more
				e.weight = 0.1 + random.Float64()*math.Pow10(-random.IntN(i))
			}
			small, large = append(small, e), append(large, edge{e.from, e.to, shifted(t, e.weight, "e308")})
		}
		directed := i%2 > 0
		for measure, units := range map[string]float64{"closeness": 1e-308, "harmonic": 1e-308, "graph": 1e-308,
			"betweenness": 1, "stress": 1} {
			r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true,
				Reduce: []string{"", kernels.ReduceOff}[i/2%2]}
			got, want := compute(t, build(t, n, directed, large), measure, r),
				compute(t, build(t, n, directed, small), measure, r)
			scale(want.Nodes, units)
			scale(want.Edges, units)
			same(t, measure+" of node", got.Nodes, want.Nodes)
			same(t, measure+" of edge", got.Edges, want.Edges)
		}
	}
}

// shifted is the decimal of w with another exponent.
func shifted(t *testing.T, w float64, exponent string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strconv.FormatFloat(w, 'f', -1, 64)+exponent, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
