package device

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestJobRemembersItsGraph: what is kept about one graph is not said of another.
func TestJobRemembersItsGraph(t *testing.T) {
	road, random := graphtest.Ring(t, 5000, 0), graphtest.Ring(t, 5000, 20000)
	j := &Job{Host: road}
	for _, g := range []*export.Graph{road, road, random, road} {
		if j.Host = g; j.Deep() != (g == road) {
			t.Errorf("a ring with %d edges: deep %t", g.M(), j.Deep())
		}
	}
}
