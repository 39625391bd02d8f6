package reduce_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// plain computes the scores without reductions.
func plain(t testing.TB, g *export.Graph, sources []int32) (node, edge []float64) {
	t.Helper()
	r := kernels.Request{Nodes: true, Edges: true, Sources: sources, Reduce: kernels.ReduceOff}
	r.Weighted = g.Weights != nil
	return betweenness(t, g, r)
}

func betweenness(t testing.TB, g *export.Graph, r kernels.Request) (node, edge []float64) {
	t.Helper()
	m, ok := kernels.Lookup("betweenness")
	if !ok {
		t.Fatal("no betweenness in the table of measures")
	}
	s, err := cpu.Compute(context.Background(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	return s.Nodes, s.Edges
}

func TestRandomGraphsAgreeWithPlainKernel(t *testing.T) {
	const graphsPerKind = 300
	make := kinds()
	for _, name := range slices.Sorted(maps.Keys(make)) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(graphsPerKind) {
				r := rand.New(rand.NewPCG(seed, 11))
				s := make[name](r)
				if seed%4 == 0 {
					s = withTrees(r, subdivide(r, s, 7, .2), 12)
				}
				disturb(r, s, seed%3 == 0, seed%5 < 2)
				agreeWithPlain(t, s.graph(t), reduce.Switches{})
			}
		})
	}
}

func agreeWithPlain(t *testing.T, g *export.Graph, switches ...reduce.Switches) []reduce.Info {
	t.Helper()
	node, edge := plain(t, g, nil)
	var infos []reduce.Info
	for _, off := range switches {
		o := reduce.Options{Switches: off, Threads: 2}
		for _, o := range []reduce.Options{o, o.AllLarge()} {
			gotNode, gotEdge, info := scores(t, g, o)
			if d := max(difference(gotNode, node), difference(gotEdge, edge)); d > 1e-10 {
				t.Fatalf("%+v: off by %g", off, d)
			}
			infos = append(infos, info)
		}
	}
	return infos
}

// TestPathCountsPastFloat64 has pairs of nodes with 3^650 and 2^1100 shortest paths.
func TestPathCountsPastFloat64(t *testing.T) {
	ring, row := &sketch{n: 1300}, &sketch{n: 1101}
	for v := range ring.n {
		for range 3 {
			ring.add(v, (v+1)%ring.n)
		}
	}
	for v := range row.n - 1 {
		row.add(v, v+1)
		row.add(v, v+1)
	}
	for name, s := range map[string]*sketch{"ring": ring, "row": row} {
		t.Run(name, func(t *testing.T) {
			infos := agreeWithPlain(t, s.graph(t), reduce.Switches{}, reduce.Switches{NoTrees: true, NoBlocks: true},
				reduce.Switches{NoTrees: true, NoBlocks: true, NoChains: true})
			if infos[2].Wide == 0 || infos[4].Wide == 0 {
				t.Errorf("no search was wide: the test has lost its point; %+v", infos)
			}
		})
	}
}

func TestRealGraphsAgreeWithPlainKernel(t *testing.T) {
	for _, name := range []string{"karate", "lesmis", "london-tube"} {
		t.Run(name, func(t *testing.T) {
			agreeWithPlain(t, loadData(t, name, false).graph(t), allSwitches()...)
		})
	}
}

func TestPowerGridAgreesWithPlainKernel(t *testing.T) {
	agreeWithPlain(t, loadData(t, "power", false).graph(t), reduce.Switches{},
		reduce.Switches{NoBlocks: true, NoBundles: true})
}
