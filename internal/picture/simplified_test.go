package picture

import (
	"strings"
	"testing"
)

// TestSimplified: both panels have all nodes, in the same places; the second one has only the kept links.
func TestSimplified(t *testing.T) {
	n := Network{
		Links:     []Pair{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}},
		KeptLinks: []bool{true, true, false, true, false}, KeptNodes: []bool{true, true, true, true, false},
	}
	drawing := Simplified(n)
	count := elements(t, drawing)
	if count["line.all"] != 5 || count["line.kept"] != 3 || count["circle.node"] != 10 || strings.Count(drawing, "node out") != 1 {
		t.Errorf("%v", count)
	}
	if !strings.Contains(drawing, "Whole graph: 5 nodes, 5 links") || !strings.Contains(drawing, "Backbone: 4 nodes, 3 links") {
		t.Error("the captions lack the counts")
	}
	circles := strings.Split(drawing, "<circle ")[1:]
	for v := range 4 {
		if place := strings.SplitN(circles[v], "cx", 2)[1][:20]; !strings.Contains(circles[v+5], place) {
			t.Errorf("node %d moved: %s, %s", v, circles[v], circles[v+5])
		}
	}
	if Simplified(n) != drawing {
		t.Error("a second drawing differs")
	}
}
