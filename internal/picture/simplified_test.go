package picture

import (
	"math"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

func fiveNodes() *connector.Simplified {
	return &connector.Simplified{
		Nodes: 5, Edges: 5, Points: 5, Links: [][2]int32{{0, 1}, {1, 2}, {2, 3}, {2, 0}, {3, 4}}, Kept: 3,
		Dropped: []int32{4},
	}
}

// TestSimplified: both panels have all nodes, in the same places; the second one has only the kept links.
func TestSimplified(t *testing.T) {
	drawing := Simplified(fiveNodes()).SVG()
	count := elements(t, drawing)
	if count["path"] != 5+3 || count["circle"] != 10 {
		t.Errorf("%v", count)
	}
	if !strings.Contains(drawing, "Whole graph: 5 nodes, 5 links") ||
		!strings.Contains(drawing, "Backbone: 4 nodes, 3 links") {
		t.Error("the captions lack the counts")
	}
	p := newSimplified(fiveNodes())
	for v, at := range p.at {
		if math.IsNaN(at.x+at.y) || at.x < 0 || at.x > drawWidth || at.y < 0 || at.y > p.height {
			t.Errorf("node %d is at %v", v, at)
		}
	}
	if Simplified(fiveNodes()).SVG() != drawing {
		t.Error("a second drawing differs")
	}
}

// TestBackboneAlone: of a graph that is not known in whole there is one panel.
func TestBackboneAlone(t *testing.T) {
	s := &connector.Simplified{Nodes: 1_000_000, Edges: 3_000_000, Points: 3, Links: [][2]int32{{0, 1}, {1, 2}}, Kept: 2}
	drawing := Simplified(s).SVG()
	if len(Panels(s)) != 1 || strings.Contains(drawing, "Whole graph") ||
		!strings.Contains(drawing, "Backbone: 3 nodes, 2 links") {
		t.Error(drawing)
	}
	if len(Panels(fiveNodes())) != 2 {
		t.Error("the whole graph is left out")
	}
}

// TestClasses: every colour of a pen has a class in the style.
func TestClasses(t *testing.T) {
	for _, name := range []string{"card", "text", "accent", "quiet", "node", "other", "between", "hue0", "hue9"} {
		if !strings.Contains(CSS, ".fill-"+name+" ") && !strings.Contains(CSS, ".stroke-"+name+" ") {
			t.Errorf("%s has no class", name)
		}
	}
}
