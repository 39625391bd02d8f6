package reduce_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// allSwitches are all combinations of reductions.
func allSwitches() []reduce.Switches {
	var out []reduce.Switches
	for i := range 16 {
		out = append(out, reduce.Switches{NoTrees: i&1 > 0, NoBlocks: i&2 > 0, NoChains: i&4 > 0, NoBundles: i&8 > 0})
	}
	return out
}

// difference is the largest relative error, or the largest score where it should be 0; infinite when a score is missing
// or not finite.
func difference(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range got {
		d := math.Abs(got[i] - want[i])
		if want[i] != 0 {
			d /= want[i]
		}
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

func scores(t *testing.T, g *export.Graph, o reduce.Options) (node, edge []float64, info reduce.Info) {
	t.Helper()
	o.Ticks = ticksOf(g)
	node, edge, info, err := reduce.Betweenness(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return node, edge, info
}

func TestSmallGraphsAgreeWithDefinition(t *testing.T) {
	const graphsPerKind = 400
	make := kinds()
	for _, name := range slices.Sorted(maps.Keys(make)) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(graphsPerKind) {
				r := rand.New(rand.NewPCG(seed, 7))
				s := make[name](r)
				disturb(r, s, seed%3 == 0, seed%5 < 2)
				g := s.graph(t)
				node, edge := bruteForce(g)
				for _, off := range allSwitches() {
					gotNode, gotEdge, _ := scores(t, g, reduce.Options{Switches: off, Threads: 1})
					if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-12 {
						t.Fatalf("seed %d, %+v: off by %g\n%s\nnodes %v, want %v\nedges %v, want %v",
							seed, off, d, describe(s), gotNode, node, gotEdge, edge)
					}
				}
			}
		})
	}
}

func describe(s *sketch) string {
	return fmt.Sprintf("n %d edges %v weights %v", s.n, s.edges, s.weights)
}
