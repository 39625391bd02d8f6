package reduce_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// sketch is a graph in the making: edges between 0..n-1, with weights or without.
type sketch struct {
	n       int
	edges   [][2]int32
	weights []float64
	ids     []string // of nodes that were read from a file
}

func (s *sketch) add(u, v int) { s.edges = append(s.edges, [2]int32{int32(u), int32(v)}) }

// path adds a path of so many edges from u to v, over new nodes.
func (s *sketch) path(u, v, hops int) {
	for ; hops > 1; hops-- {
		s.add(u, s.n)
		u = s.n
		s.n++
	}
	s.add(u, v)
}

func (s *sketch) graph(t testing.TB) *export.Graph {
	t.Helper()
	rels := export.Rels{Source: make([]int32, len(s.edges)), Target: make([]int32, len(s.edges))}
	for i, e := range s.edges {
		rels.Source[i], rels.Target[i] = e[0], e[1]
	}
	rels.Weights = s.weights
	return graphtest.Build(t, export.Undirected, s.n, rels)
}

// kinds are the random graphs of the tests, by name.
func kinds() map[string]func(r *rand.Rand) *sketch {
	return map[string]func(r *rand.Rand) *sketch{
		"tree": randomTree, "cycle": cycle, "theta": theta, "multigraph": multigraph, "equal chains": equalChains,
		"cactus": cactus, "grid": randomGrid, "gnp": gnp, "treed": treed, "subdivided gnp": subdividedGnp,
		"disjoint": disjoint, "twins": twins, "copies": copies, "hub of loops": hubOfLoops,
	}
}

func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

func randomTree(r *rand.Rand) *sketch {
	s := &sketch{n: between(r, 1, 14)}
	for v := 1; v < s.n; v++ {
		s.add(between(r, max(0, v-between(r, 1, 4)), v-1), v)
	}
	return s
}

func cycle(r *rand.Rand) *sketch {
	s := &sketch{n: 1}
	s.path(0, 0, between(r, 3, 14))
	return s
}

// theta has two ends and several chains between them, often of equal length.
func theta(r *rand.Rand) *sketch {
	s, hops := &sketch{n: 2}, between(r, 1, 5)
	for range between(r, 3, 5) {
		if r.Float64() < 0.6 {
			s.path(0, 1, hops)
		} else {
			s.path(0, 1, between(r, 1, 6))
		}
	}
	return s
}

// multigraph is a random multigraph with loops, its edges made paths.
func multigraph(r *rand.Rand) *sketch {
	b := between(r, 1, 5)
	longest, keep := []int{2, 3, 6}[r.IntN(3)], []float64{0, .3}[r.IntN(2)]
	s := &sketch{n: b}
	for range between(r, 1, 9) {
		hops := between(r, 1, longest)
		if r.Float64() < keep {
			hops = 1
		}
		s.path(r.IntN(b), r.IntN(b), hops)
	}
	return s
}

func equalChains(r *rand.Rand) *sketch {
	b, hops := between(r, 2, 5), between(r, 2, 4)
	s := &sketch{n: b}
	for range between(r, 2, 8) {
		s.path(r.IntN(b), r.IntN(b), hops)
	}
	return s
}

func cactus(r *rand.Rand) *sketch {
	s := &sketch{n: 1}
	for range between(r, 1, 6) {
		at, k := r.IntN(s.n), between(r, 1, 6)
		first := s.n
		s.n += k
		s.add(at, first)
		for v := first + 1; v < s.n; v++ {
			s.add(v-1, v)
		}
		if k > 1 && r.Float64() < 0.8 {
			s.add(s.n-1, at)
		}
	}
	return s
}

func randomGrid(r *rand.Rand) *sketch {
	return grid(r, between(r, 1, 5), between(r, 1, 5), []float64{0, .1, .3, .5}[r.IntN(4)])
}

// grid loses a share of its edges.
func grid(r *rand.Rand, rows, columns int, drop float64) *sketch {
	s := &sketch{n: rows * columns}
	for v := range s.n {
		if v%columns+1 < columns && r.Float64() >= drop {
			s.add(v, v+1)
		}
		if v+columns < s.n && r.Float64() >= drop {
			s.add(v, v+columns)
		}
	}
	return s
}

func gnp(r *rand.Rand) *sketch {
	s, p := &sketch{n: r.IntN(13)}, []float64{.1, .2, .3, .5, 1}[r.IntN(5)]
	for u := range s.n {
		for v := range u {
			if r.Float64() < p {
				s.add(u, v)
			}
		}
	}
	return s
}

func treed(r *rand.Rand) *sketch {
	base := []func(*rand.Rand) *sketch{cycle, theta, multigraph, equalChains, cactus, randomGrid, gnp, twins}
	return withTrees(r, base[r.IntN(len(base))](r), r.IntN(9))
}

func withTrees(r *rand.Rand, s *sketch, extra int) *sketch {
	for range extra {
		if s.n++; s.n > 1 {
			s.add(r.IntN(s.n-1), s.n-1)
		}
	}
	return s
}

func subdividedGnp(r *rand.Rand) *sketch {
	return subdivide(r, gnp(r), []int{2, 3, 5, 8}[r.IntN(4)], []float64{0, .3, .6}[r.IntN(3)])
}

// subdivide makes each edge a path of random length, but keeps a share.
func subdivide(r *rand.Rand, s *sketch, longest int, keep float64) *sketch {
	out := &sketch{n: s.n}
	for _, e := range s.edges {
		hops := 1
		if r.Float64() >= keep {
			hops = between(r, 1, longest)
		}
		out.path(int(e[0]), int(e[1]), hops)
	}
	return out
}

func disjoint(r *rand.Rand) *sketch {
	base := []func(*rand.Rand) *sketch{randomTree, cycle, theta, multigraph, cactus, gnp, treed}
	out := &sketch{}
	for range between(r, 2, 3) {
		s := base[r.IntN(len(base))](r)
		for _, e := range s.edges {
			out.add(int(e[0])+out.n, int(e[1])+out.n)
		}
		out.n += s.n
	}
	return out
}

// twins has many nodes of degree 2 with the same neighbours.
func twins(r *rand.Rand) *sketch {
	s := &sketch{n: between(r, 2, 5)}
	for range between(r, 2, 14) {
		u := r.IntN(s.n)
		if v := r.IntN(min(s.n, 5)); u != v {
			s.path(u, v, 2)
		}
	}
	return s
}

// copies is a random graph some of whose nodes are there several times, with the same neighbours, joined with one
// another or not.
func copies(r *rand.Rand) *sketch {
	s := &sketch{n: between(r, 3, 6)}
	for u := range s.n {
		for v := range u {
			if r.Float64() < .7 {
				s.add(u, v)
			}
		}
	}
	for v := range s.n {
		class, joined := []int{v}, r.IntN(2) == 0
		for range r.IntN(4) {
			for _, e := range s.edges {
				if u := e[0] + e[1] - int32(v); (e[0] == int32(v)) != (e[1] == int32(v)) && !slices.Contains(class, int(u)) {
					s.add(s.n, int(u))
				}
			}
			for _, u := range class {
				if joined {
					s.add(s.n, u)
				}
			}
			class = append(class, s.n)
			s.n++
		}
	}
	return s
}

func hubOfLoops(r *rand.Rand) *sketch {
	s := &sketch{n: 1}
	for range between(r, 1, 6) {
		s.path(0, 0, between(r, 3, 5))
	}
	return s
}

// disturb permutes the nodes and, with dirt, adds loops and repeats edges; weights are few values, so that ties are
// common.
func disturb(r *rand.Rand, s *sketch, dirt, weighted bool) {
	if dirt && s.n > 0 {
		for range between(r, 1, 3) {
			v := r.IntN(s.n)
			s.add(v, v)
		}
		for range min(len(s.edges), between(r, 1, 6)) {
			s.edges = append(s.edges, s.edges[r.IntN(len(s.edges))])
		}
	}
	label := r.Perm(s.n)
	for i, e := range s.edges {
		s.edges[i] = [2]int32{int32(label[e[0]]), int32(label[e[1]])}
	}
	if weighted {
		top := []int{1, 2, 3, 10, 1000}[r.IntN(5)]
		for range s.edges {
			s.weights = append(s.weights, float64(between(r, 1, top)))
		}
		if s.weights == nil {
			s.weights = []float64{}
		}
	}
}

func ticksOf(g *export.Graph) []int64 {
	if g.Weights == nil {
		return nil
	}
	t := make([]int64, len(g.Weights))
	for i, w := range g.Weights {
		t[i] = int64(w)
	}
	return t
}
