package kernels

import (
	"math"
	"testing"
)

// TestBothEdgesOfARelationship: the logarithm of a sum is not the sum of the logarithms.
func TestBothEdgesOfARelationship(t *testing.T) {
	none := math.NaN() // log2 of 0
	for _, c := range []struct {
		measure            string
		params             Params
		first, second, sum float64
	}{
		{"betweenness", Params{}, 3, 5, 8},
		{"stress", Params{}, 3, 5, 8},
		{"stress", Params{Log: true}, math.Log2(3), math.Log2(5), 3},
		{"stress", Params{Log: true}, 5000, 5000, 5001},
		{"stress", Params{Log: true}, 5000, 1, 5000},
		{"stress", Params{Log: true}, none, 2, 2},
		{"stress", Params{Log: true}, 2, none, 2},
		{"stress", Params{Log: true}, none, none, none},
	} {
		spec, _ := Lookup(c.measure)
		got := spec.BothEdges(c.params)(c.first, c.second)
		if math.Abs(got-c.sum) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.sum) {
			t.Errorf("%s of edges with %g and %g is %g, want %g", c.measure, c.first, c.second, got, c.sum)
		}
	}
	if spec, _ := Lookup("closeness"); spec.BothEdges(Params{}) != nil {
		t.Error("closeness of two edges is none of their scores' sum")
	}
}
