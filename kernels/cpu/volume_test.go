package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestVolumeSearchesOncePerRow: a star is searched from its centre and from one leaf, whatever its size.
func TestVolumeSearchesOncePerRow(t *testing.T) {
	both := star(5000)
	for _, e := range star(5000) {
		both = append(both, edge{e.to, e.from, 1})
	}
	for directed, edges := range map[bool][]edge{false: star(5000), true: both} {
		g := build(t, 5000, directed, edges)
		searches := 0
		for radius := range 4 {
			r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true,
				Progress: func(_, total int) { searches = total }}
			got := compute(t, g, "volume", r).Nodes
			want := []float64{1, 5000, 9998, 9998}[radius]
			if searches != 2 || got[4999] != want || got[1] != want || got[0] != []float64{4999, 9998, 9998, 9998}[radius] {
				t.Errorf("directed %t, radius %d: %d searches, volumes %v and %v", directed, radius, searches, got[0], got[4999])
			}
		}
	}
}

// TestVolumeOfTwins compares nodes that share rows, on the way back to themselves or not, with the oracle.
func TestVolumeOfTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	shared := 0
	for i := range 150 {
		n, directed := 4+random.IntN(8), i%2 > 0
		var edges []edge
		rows := [][]int32{{0}, {1, 2}, {0, 3}, {2, 2}}
		for v := range int32(n) {
			for _, u := range rows[random.IntN(len(rows))] {
				edges = append(edges, edge{v, u, 1})
			}
		}
		g := build(t, n, directed, edges)
		if first, next := twinsOf(g); len(first) < n || slices.Max(next) >= 0 {
			shared++
		}
		o := oracle.Of(g, false)
		for radius := range 5 {
			got := compute(t, g, "volume", kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}).Nodes
			for v, x := range got {
				if want := float64(o.Ball(v, radius)); x != want {
					t.Fatalf("graph %d, directed %t, radius %d, node %d: %v, want %v; %v", i, directed, radius, v, x, want, edges)
				}
			}
		}
	}
	if shared < 50 {
		t.Errorf("%d graphs have nodes with one row", shared)
	}
}
