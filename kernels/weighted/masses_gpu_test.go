//go:build cuda || emulate

package weighted

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// leafy is a connected graph by weights, the same with leaves at its nodes, and what they add up to.
type leafy struct {
	core, whole               *export.Graph
	masses, insides, farthest []float64
}

// newLeafy draws one of about 50 nodes. Node v of the core is node v of the whole, and so are edges.
func newLeafy(t testing.TB, random *rand.Rand, kind int) leafy {
	n := int32(40 + random.IntN(20))
	var links []graphtest.Link
	for v := int32(1); v < n; v++ {
		for k := 0; k == 0 || random.IntN(3) == 0; k++ {
			links = append(links, graphtest.Link{From: int32(random.IntN(int(v))), To: v,
				Weight: enginetest.Weights(random, kind, v)})
		}
	}
	l := leafy{core: graphtest.Links(t, int(n), false, true, links)}
	all := n
	for v := range n {
		mass, inside, farthest := 1.0, 0.0, 0.0
		for range random.IntN(3) {
			w := enginetest.Weights(random, kind, v)
			links = append(links, graphtest.Link{From: v, To: all, Weight: w})
			mass, inside, farthest = mass+1, inside+w, max(farthest, w)
			all++
		}
		l.masses, l.insides, l.farthest = append(l.masses, mass), append(l.insides, inside), append(l.farthest, farthest)
	}
	l.whole = graphtest.Links(t, int(all), false, true, links)
	return l
}

// of computes a measure of the core, whose nodes stand for their leaves.
func (l leafy) of(t *testing.T, measure string, insides []float64, shards int) *kernels.Partial {
	t.Helper()
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: measure == "betweenness"}
	whole, m := kernels.BoundsOf(l.whole, r, 0), 0
	if r.Edges {
		m = l.core.M()
	}
	var partial *kernels.Partial
	_, err := enginetest.Compute(t.Context(), devicetest.Open(t), enginetest.Task{
		Engine: Engine{}, Graph: l.core, Measure: measure, Request: r, Shards: shards,
		Change: func(j *device.Job) {
			spec, _ := kernels.Lookup(measure)
			partial = kernels.NewPartial(spec, l.core.N(), m, r, whole)
			j.Masses, j.Insides, j.Folded, j.Partial = l.masses, insides, true, partial
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return partial
}

// TestMasses searches from nodes that stand for several, and compares with a search of the whole graph on the CPU.
func TestMasses(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 5))
	for i := range devicetest.Sized(40, 2) {
		l := newLeafy(t, random, i%2)
		at := fmt.Sprintf("graph %d (n %d, m %d)", i, l.core.N(), l.core.M())
		m, _ := kernels.Lookup("betweenness")
		r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: true}}
		want, err := cpu.Compute(t.Context(), m, l.whole, r)
		if err != nil {
			t.Fatal(err)
		}
		nodes, edges := want.Nodes[:l.core.N()], make([]float64, l.core.M())
		for v, mass := range l.masses { // paths from and to leaves of v pass through it
			nodes[v] = 2*nodes[v] - 2*(mass-1)*(float64(l.whole.N())-mass) - (mass-1)*(mass-2)
		}
		for e := range edges {
			edges[e] = 2 * want.Edges[edgeIn(l, e)]
		}
		for _, shards := range []int{1, 2} {
			got := l.of(t, m.Name, nil, shards)
			for _, part := range [][2][]float64{{got.Nodes.Values(), nodes}, {got.Edges.Values(), edges}} {
				if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
					t.Errorf("%s in %d shards: %s", at, shards, where)
				}
			}
		}
	}
}

// edgeIn is the number that an edge of the core has in the whole graph, which has those of equal ends in the same
// order.
func edgeIn(l leafy, e int) int32 {
	from, to := l.core.Ends()
	nth := 0
	for k := range e {
		if from[k] == from[e] && to[k] == to[e] {
			nth++
		}
	}
	wholeFrom, wholeTo := l.whole.Ends()
	for k := range wholeFrom {
		if wholeFrom[k] == from[e] && wholeTo[k] == to[e] {
			if nth--; nth < 0 {
				return int32(k)
			}
		}
	}
	return -1
}

// TestInsides folds distances of nodes that stand for several, and compares with a search of the whole graph on the
// CPU.
func TestInsides(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 6))
	for i := range devicetest.Sized(40, 3) {
		l := newLeafy(t, random, i%2)
		r := kernels.Request{Params: kernels.Params{Weighted: true}}
		var sums, most, counts []float64
		if err := distances.Rows(t.Context(), l.whole, r, func(_ int32, row []float64) error {
			if len(sums) < l.core.N() {
				sum := 0.0
				for _, x := range row {
					sum += x
				}
				v := len(sums)
				sums, counts = append(sums, sum-l.insides[v]), append(counts, float64(l.whole.N())-l.masses[v])
				most = append(most, farthestBut(l, row, v))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, shards := range []int{1, 2} {
			got := l.of(t, "closeness", l.insides, shards)
			if difference, where := enginetest.Worst(got.Nodes.Values(), sums); difference > 1e-9 {
				t.Errorf("graph %d in %d shards: sums %s", i, shards, where)
			}
			if !slices.EqualFunc(got.NodeCounts, counts, func(a int64, b float64) bool { return float64(a) == b }) {
				t.Errorf("graph %d in %d shards: counts %v, want %v", i, shards, got.NodeCounts, counts)
			}
			got = l.of(t, "eccentricity", l.farthest, shards)
			if difference, where := enginetest.Worst(got.MostNodes, most); difference > 1e-9 {
				t.Errorf("graph %d in %d shards: greatest %s", i, shards, where)
			}
		}
	}
}

// farthestBut is the greatest distance in the row of node v of the core to a node that v does not stand for.
func farthestBut(l leafy, row []float64, v int) float64 {
	most := 0.0
	for u, x := range row {
		own := u == v || u >= l.core.N() && int(l.whole.Row(int32(u))[0]) == v
		if !own {
			most = max(most, x)
		}
	}
	return most
}
