package jobs

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

func ints(ids ...int64) export.IDs   { return export.IDs{Ints: ids} }
func texts(ids ...string) export.IDs { return export.IDs{Texts: ids} }
func scores(x ...float64) []float64  { return x }
func onNodes(ids export.IDs, x ...float64) *connector.Scores {
	return &connector.Scores{On: connector.OnNodes, IDs: ids, Values: x}
}

// TestScoresArePaired by what they belong to, whatever the order of the rows.
func TestScoresArePaired(t *testing.T) {
	between := func(ids, source, target export.IDs, x ...float64) *connector.Scores {
		return &connector.Scores{On: connector.OnRelationships, IDs: ids, Source: source, Target: target, Values: x}
	}
	for _, c := range []struct {
		name string
		a, b *connector.Scores
		want []float64 // of b
	}{
		{"nodes", onNodes(ints(1, 2, 3), 1, 2, 3), onNodes(ints(3, 1, 2), 30, 10, 20), scores(10, 20, 30)},
		{"texts and integers", onNodes(ints(1, 2, 3), 1, 2, 3), onNodes(texts("3", "1", "2"), 30, 10, 20),
			scores(10, 20, 30)},
		{"relationships of a database", between(ints(7, 8), ints(1, 1), ints(2, 2), 1, 2),
			between(ints(8, 7), ints(1, 1), ints(2, 2), 20, 10), scores(10, 20)},
		{"parallel rows", between(export.IDs{}, ints(1, 2, 1), ints(2, 1, 2), 1, 2, 3),
			between(export.IDs{}, ints(2, 1, 1), ints(1, 2, 2), 20, 10, 30), scores(10, 20, 30)},
		{"a database and a file", between(ints(9, 7, 8), ints(1, 1, 2), ints(2, 2, 3), 3, 1, 2),
			between(export.IDs{}, texts("1", "1", "2"), texts("2", "2", "3"), 10, 30, 20), scores(30, 10, 20)},
	} {
		got, err := Compare(c.a, c.b, false, []int{1, 5})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !cmp.Equal(got.A, c.a.Values) || !cmp.Equal(got.B, c.want) || *got.Spearman != 1 || *got.Kendall != 1 {
			t.Errorf("%s: %+v", c.name, got)
		}
		if !cmp.Equal(got.Overlap, []Overlap{{1, 1}}) {
			t.Errorf("%s: %v", c.name, got.Overlap)
		}
	}
}

func TestDifferentGraphsAreRefused(t *testing.T) {
	a := onNodes(ints(1, 2, 3), 1, 2, 3)
	a.Graph = "x"
	other := onNodes(ints(1, 2, 3), 1, 2, 3)
	other.Graph = "y"
	relationships := *a
	relationships.On = connector.OnRelationships
	for _, c := range []struct {
		b      *connector.Scores
		want   string
		common int // how many are compared if that is asked for; 0 if it is refused then, too
	}{
		{other, "digests differ", 3},
		{onNodes(ints(1, 2, 4), 1, 2, 3), "1 have the first score alone and 1 the second alone, such as 3", 2},
		{onNodes(ints(1, 2, 3, 9), 1, 2, 3, 4), "0 have the first score alone and 1 the second alone, such as 9", 3},
		{onNodes(ints(5), 1), "none of the nodes has both scores", 0},
		{&relationships, "the first is of nodes, the second of relationships", 0},
	} {
		_, err := Compare(a, c.b, false, nil)
		var different *DifferentGraphs
		if !errors.As(err, &different) || !strings.Contains(err.Error(), c.want) || different.Share != (c.common > 0) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if got, err := Compare(a, c.b, true, nil); (err == nil) != (c.common > 0) || err == nil && got.Count != c.common {
			t.Errorf("in common: %+v, %v", got, err)
		}
	}
	if _, err := Compare(a, onNodes(ints(1, 2, 2), 1, 2, 3), false, nil); err == nil ||
		!strings.Contains(err.Error(), "two scores of 2") {
		t.Error(err)
	}
}

// TestConstantScoresHaveNoCorrelation: it is null in JSON.
func TestConstantScoresHaveNoCorrelation(t *testing.T) {
	got, err := Compare(onNodes(ints(1, 2), 3, 3), onNodes(ints(1, 2), 1, 2), false, nil)
	if err != nil || got.Spearman != nil || got.Kendall != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
