package lengths

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestWholeTicks: whole numbers become the ticks that all other weights do, up to the longest path that 62 bits hold.
func TestWholeTicks(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights []float64
		fits    bool
	}{
		{"no arcs", nil, true},
		{"whole", []float64{7, 3, 1200}, true},
		{"with a common divisor", []float64{6, 4, 1200}, true},
		{"the greatest", []float64{1<<53 - 1, 1}, true},
		{"past 2^53", []float64{1 << 53, 1 << 60, 1 << 54}, true},
		{"decimals", []float64{0.1, 0.25, 3}, true},
		{"too large beside the least", []float64{1 << 61, 1}, false},
		{"real", []float64{math.Pi, math.E, 1e-30}, false},
	} {
		var links []graphtest.Link
		for i, w := range c.weights {
			links = append(links, graphtest.Link{From: int32(i), To: int32(i + 1), Weight: w})
		}
		g := graphtest.Links(t, 1+len(links), false, true, links)
		arc, mul, div, ok := WholeTicks(g)
		want, exact := convert(context.Background(), g)
		if ok != c.fits || ok && (!exact || want.wide || want.Unit != Unit{mul, div, 1} ||
			!slices.Equal(arc, want.narrow().Arc)) {
			t.Errorf("%s: %d of %g/%g, %t; want %+v", c.name, arc, mul, div, ok, want)
		}
	}
	// A path of all nodes passes 2^62 where every node but the last may have the longest arc.
	var long []graphtest.Link
	for i := range int32(1 << 10) {
		long = append(long, graphtest.Link{From: i, To: i + 1, Weight: 1<<53 - 1 - 2*float64(i%2)})
	}
	if _, _, _, ok := WholeTicks(graphtest.Links(t, 1+len(long), true, true, long)); ok {
		t.Error("a path of 2^63 ticks fits")
	}
}
