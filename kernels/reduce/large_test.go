package reduce_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// TestManyThreadsAgreeWithDefinition solves small graphs the way of large ones, with so little memory that rows come in
// batches, and hubs in turns.
func TestManyThreadsAgreeWithDefinition(t *testing.T) {
	const graphsPerKind = 200
	make := kinds()
	for _, name := range slices.Sorted(maps.Keys(make)) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(graphsPerKind) {
				r := rand.New(rand.NewPCG(seed, 8))
				s := make[name](r)
				disturb(r, s, seed%3 == 0, seed%5 < 2)
				g := s.graph(t)
				node, edge := bruteForce(g)
				for _, memory := range []int64{0, 1, 500} {
					o := reduce.Options{Threads: 1 + int(seed%3), Memory: memory,
						Switches: reduce.Switches{NoTrees: seed%2 == 0, NoBlocks: seed%4 < 2}}
					gotNode, gotEdge, _ := scores(t, g, o.AllLarge())
					if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-12 {
						t.Fatalf("seed %d, memory %d: off by %g\n%s", seed, memory, d, describe(s))
					}
				}
			}
		})
	}
}

// roadLike is a grid that lost edges, its edges made paths, with trees.
func roadLike(r *rand.Rand, rows, columns int, drop float64, longest, extra int) *sketch {
	return withTrees(r, subdivide(r, grid(r, rows, columns, drop), longest, .3), extra)
}

func largerGraphs(t testing.TB) map[string]*export.Graph {
	out := map[string]*export.Graph{}
	put := func(name string, s *sketch, r *rand.Rand, dirt, weighted bool) {
		disturb(r, s, dirt, weighted)
		out[name] = s.graph(t)
	}
	r := rand.New(rand.NewPCG(1, 9))
	put("road-like", roadLike(r, 8, 8, .25, 8, 60), r, false, false)
	put("road-like, weighted", roadLike(r, 9, 9, .3, 6, 80), r, false, true)
	put("road-like, dirty", roadLike(r, 8, 10, .2, 5, 40), r, true, true)
	put("grid", roadLike(r, 18, 18, .1, 1, 10), r, false, false)
	dense := twins(r)
	for range 300 {
		u, v := r.IntN(40)+dense.n, r.IntN(40)+dense.n
		dense.edges = append(dense.edges, [2]int32{int32(u), int32(v)})
	}
	dense.n += 40
	for range 150 {
		if u, v := r.IntN(dense.n), r.IntN(dense.n); u != v {
			dense.path(u, v, 2)
		}
	}
	put("dense with twins", dense, r, true, false)
	return out
}

func TestLargerGraphsAgreeWithDefinition(t *testing.T) {
	for name, g := range largerGraphs(t) {
		t.Run(name, func(t *testing.T) {
			node, edge := bruteForce(g)
			for _, off := range allSwitches() {
				for _, memory := range []int64{0, 10000} {
					o := reduce.Options{Switches: off, Threads: 2, Memory: memory}
					gotNode, gotEdge, _ := scores(t, g, o.AllLarge())
					if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-11 {
						t.Fatalf("%+v, memory %d: off by %g", off, memory, d)
					}
				}
			}
		})
	}
}

func TestSameBitsForEveryNumberOfThreads(t *testing.T) {
	type result struct{ Node, Edge []float64 }
	for name, g := range largerGraphs(t) {
		t.Run(name, func(t *testing.T) {
			for _, large := range []bool{false, true} {
				var want result
				for _, threads := range []int{1, 2, 5} {
					o := reduce.Options{Threads: threads, Memory: 20000}
					if large {
						o = o.AllLarge()
					}
					node, edge, _ := scores(t, g, o)
					if threads == 1 {
						want = result{node, edge}
					} else if d := cmp.Diff(want, result{node, edge}); d != "" {
						t.Fatalf("%d threads, large %v: %s", threads, large, d)
					}
				}
			}
		})
	}
}

// TestCancelStops cancels a search of minutes. It stops long before its end.
func TestCancelStops(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	g := roadLike(r, 200, 200, .1, 3, 1000).graph(t)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	done, all := 0, 0
	_, _, _, err := reduce.Betweenness(ctx, g, reduce.Options{Threads: 2, Progress: func(now, total int) {
		done, all = now, total
		cancel(cause)
	}})
	if !errors.Is(err, cause) {
		t.Fatalf("error %v, want the cause of the cancellation", err)
	}
	if done > all/2 {
		t.Fatalf("stopped after %d of %d", done, all)
	}
}

func TestCancelledBeforehand(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	for name, g := range largerGraphs(t) {
		for _, off := range []reduce.Switches{{}, {NoBlocks: true}} {
			if _, err := reduce.New(ctx, g, reduce.Options{Switches: off}); !errors.Is(err, cause) {
				t.Errorf("%s, %+v: error %v, want the cause of the cancellation", name, off, err)
			}
		}
	}
}
