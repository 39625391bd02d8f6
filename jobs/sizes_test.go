package jobs

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// TestGroupsAreDescribedBySize: numbers of groups are counted, and never ranked.
func TestGroupsAreDescribedBySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 30).Draw(t, "sizes")
		var numbers []float64
		for group, n := range sizes {
			numbers = append(numbers, slices.Repeat([]float64{float64(group)}, n)...)
		}
		numbers = rapid.Permutation(numbers).Draw(t, "numbers")
		s := describeScores(connector.Column{On: connector.OnNodes, Property: "part", Groups: true, Values: numbers},
			export.IDs{})
		var want []connector.Group
		for group, n := range sizes {
			want = append(want, connector.Group{Number: int64(group), Size: int64(n)})
		}
		slices.SortStableFunc(want, func(a, b connector.Group) int { return cmp.Compare(b.Size, a.Size) })
		if s.Groups == nil || int(s.Groups.Count) != len(sizes) ||
			!slices.Equal(s.Groups.Largest, want[:min(len(want), listed)]) {
			t.Fatalf("sizes %v: %+v", sizes, s.Groups)
		}
		if s.Top != nil || int(s.Count) != len(numbers) || s.Max != float64(want[0].Size) ||
			s.Min != float64(want[len(want)-1].Size) {
			t.Fatalf("sizes %v: %+v", sizes, s)
		}
	})
}

// TestPictureLeavesOutNumbersOfGroups: the group with the highest number is not the one to look at.
func TestPictureLeavesOutNumbersOfGroups(t *testing.T) {
	s, columns := wheel(t, 10)
	parts := connector.Column{On: connector.OnNodes, Property: "part", Groups: true, Values: make([]float64, 10)}
	blocks := connector.Column{On: connector.OnRelationships, Property: "block", Groups: true,
		Values: make([]float64, s.Rels.Len())}
	if p := pictureOf(s, []connector.Column{parts, blocks}); p != nil {
		t.Errorf("of numbers alone: %+v", p)
	}
	if p := pictureOf(s, append([]connector.Column{parts, blocks}, columns...)); p.NodeProperty != "bc" ||
		p.RelationshipProperty != "ebc" {
		t.Errorf("of %s and %s", p.NodeProperty, p.RelationshipProperty)
	}
}

// TestCompareGroups: two runs are compared by the sizes of their groups, and not by lists of the highest.
func TestCompareGroups(t *testing.T) {
	of := func(numbers ...float64) connector.Run {
		c := connector.Column{On: connector.OnNodes, Property: "part", Groups: true, Values: numbers}
		return connector.Run{Scores: []connector.ScoreSummary{describeScores(c, export.IDs{})}}
	}
	facts := map[string]Difference{}
	for _, d := range CompareRuns(of(0, 0, 1, 1), of(0, 1, 1, 1), time.UTC) {
		facts[d.What] = d
	}
	if d := facts["part largest group"]; d.A != "2" || d.B != "3" || !d.Differ {
		t.Errorf("largest: %+v", d)
	}
	if d := facts["part groups"]; d.A != "2" || d.B != "2" || d.Differ {
		t.Errorf("groups: %+v", d)
	}
	for _, ranked := range []string{"part top 1", "part max", "part rank correlation"} {
		if _, there := facts[ranked]; there {
			t.Errorf("%s of numbers of groups", ranked)
		}
	}
}
