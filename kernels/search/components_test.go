package search

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestComponents compares with labels that spread along edges until none changes.
func TestComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		g := graphtest.Random(t, random, n, n%3 == 0, true, false)
		want, size := byLabels(g)
		if count, largest := Components(g); count != want || largest != size {
			t.Errorf("%d nodes: %d components, the largest of %d, want %d of %d", n, count, largest, want, size)
		}
	}
	g := graphtest.Links(t, 6, true, false, []graphtest.Link{{From: 1, To: 0}, {From: 1, To: 2}, {From: 4, To: 3}})
	if count, largest := Components(g); count != 3 || largest != 3 {
		t.Errorf("directed: %d components, the largest of %d", count, largest)
	}
}

func byLabels(g *export.Graph) (count, largest int64) {
	label := make([]int, g.N())
	for v := range label {
		label[v] = v
	}
	source, target := g.Ends()
	for changed := true; changed; {
		changed = false
		for e := range source {
			a, b := label[source[e]], label[target[e]]
			if a != b {
				label[source[e]], label[target[e]], changed = min(a, b), min(a, b), true
			}
		}
	}
	sizes := map[int]int64{}
	for _, l := range label {
		sizes[l]++
		largest = max(largest, sizes[l])
	}
	return int64(len(sizes)), largest
}
