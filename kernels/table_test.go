package kernels

import (
	"math"
	"slices"
	"testing"
)

// TestTable holds every entry of the table to what its readers rely on.
func TestTable(t *testing.T) {
	for _, m := range Measures() {
		if m.Name == "" || m.Summary == "" || m.Node == "" {
			t.Errorf("%q lacks a part", m.Name)
		}
		if m.OnDevices() && m.Kind != Communities && (m.Weights == OptionalWeights) != (len(m.WeightedStrategies) > 0) {
			t.Errorf("%s: weights %v, weighted strategies %v", m.Name, m.Weights, m.WeightedStrategies)
		}
		if _, folds := FoldOf(m.Name); folds != (m.Kind == FoldedDistances) {
			t.Errorf("%s: has a fold: %t", m.Name, folds)
		}
	}
}

// TestNumbersGroups: the measures whose scores name groups. All others rank.
func TestNumbersGroups(t *testing.T) {
	ofNodes, ofEdges := []string{}, []string{}
	for _, m := range Measures() {
		nodes, edges := m.NumbersGroups(Params{})
		if nodes {
			ofNodes = append(ofNodes, m.Name)
		}
		if edges {
			ofEdges = append(ofEdges, m.Name)
		}
		if sized, _ := m.NumbersGroups(Params{Variant: GroupSize}); sized && slices.Contains(m.Variants, GroupSize) {
			t.Errorf("%s: sizes of groups rank", m.Name)
		}
	}
	slices.Sort(ofNodes)
	if want := []string{"communities", "components", "edgeComponents", "labelPropagation", "leiden", "louvain",
		"strongComponents"}; !slices.Equal(ofNodes, want) {
		t.Errorf("of nodes %v, want %v", ofNodes, want)
	}
	if want := []string{"biconnectedComponents"}; !slices.Equal(ofEdges, want) {
		t.Errorf("of edges %v, want %v", ofEdges, want)
	}
}

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
