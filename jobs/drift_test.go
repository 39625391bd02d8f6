package jobs

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// The highest are those that sorting everything puts first.
func TestHighestAreTheFirstOfASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Float64Range(-5, 5)).Draw(t, "values")
		for i := range values {
			values[i] = math.Round(values[i]) // so that there are ties
		}
		n := rapid.IntRange(1, 12).Draw(t, "n")
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(values[b] - values[a]) })
		if got := highest(values, n); !slices.Equal(got, order[:min(n, len(order))]) {
			t.Fatalf("%v, want %v", got, order)
		}
	})
}

func TestCompareScoresMatchesByID(t *testing.T) {
	ids := export.IDs{Ints: []int64{7, 8, 9, 11}}
	before := previousScores{On: connector.OnNodes, Property: "bc", IDs: export.IDs{Ints: []int64{11, 9, 8, 5}},
		Values: []float64{4, 3, 2, 100}}
	s := describeScores(connector.Column{On: connector.OnNodes, Property: "bc", Values: []float64{1, 2, 30, 4}}, ids)
	compareScores(&s, []float64{1, 2, 30, 4}, ids, before)
	if s.Compared != 3 || s.Rank == nil || math.Abs(*s.Rank-.5) > 1e-12 {
		t.Errorf("%d compared, rank %v", s.Compared, s.Rank)
	}
	if want := []connector.Mover{{ID: "9", Before: 3, After: 30}}; !slices.Equal(s.Movers, want) {
		t.Errorf("movers %v", s.Movers)
	}
	sum := int64(0)
	for _, n := range s.Histogram {
		sum += n
	}
	if sum != 4 || s.Min != 1 || s.Max != 30 || s.Mean != 37./4 || s.Top[0].ID != "9" {
		t.Errorf("%+v", s)
	}
}

// Scores whose logarithm was taken may be infinite; they are left out, and nothing breaks.
func TestDescribeScoresLeavesOutWhatIsNoNumber(t *testing.T) {
	s := describeScores(connector.Column{Values: []float64{math.Inf(-1), 2, math.NaN()}},
		export.IDs{Ints: []int64{1, 2, 3}})
	if s.Count != 1 || s.Min != 2 || s.Max != 2 || s.Mean != 2 {
		t.Errorf("%+v", s)
	}
	if s := describeScores(connector.Column{Values: []float64{math.NaN()}}, export.IDs{Ints: []int64{1}}); s.Count != 0 ||
		s.Max != 0 {
		t.Errorf("%+v", s)
	}
}
