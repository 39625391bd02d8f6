package picture

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// elements parses a drawing, so that it is well-formed, and counts its elements by name and first class.
func elements(t *testing.T, drawing string) map[string]int {
	t.Helper()
	out := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(drawing))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %.200s", err, drawing)
		}
		if start, ok := token.(xml.StartElement); ok {
			name := start.Name.Local
			for _, a := range start.Attr {
				if a.Name.Local == "class" && a.Value != "" {
					name += "." + strings.Fields(a.Value)[0]
				}
				if a.Name.Local == "style" {
					t.Errorf("%s has a style of its own, which a strict policy drops", name)
				}
			}
			out[name]++
		}
	}
}

func TestDistribution(t *testing.T) {
	logarithmic := connector.ScoreSummary{Property: "bc", Count: 10, Max: 1000, Histogram: []int64{9, 1},
		Logarithms: &connector.LogHistogram{Zeros: 5, Low: 0, High: 3, Counts: []int64{3, 0, 2}}}
	linear := logarithmic
	linear.Logarithms = nil // a record of an earlier version
	one := connector.ScoreSummary{Property: "d", Count: 2, Min: 3, Max: 3, Histogram: []int64{2}}
	for _, c := range []struct {
		name  string
		s     connector.ScoreSummary
		bars  int
		ticks []string
	}{
		{"logarithmic", logarithmic, 3, []string{"0", "1", "10", "100", "1\u202f000"}},
		{"linear", linear, 2, []string{"0", "500", "1\u202f000"}},
	} {
		drawing := string(Distribution(c.s))
		if n := elements(t, drawing)["rect.bar"]; n != c.bars {
			t.Errorf("%s: %d bars, want %d", c.name, n, c.bars)
		}
		for _, tick := range c.ticks {
			if !strings.Contains(drawing, ">"+tick+"</text>") {
				t.Errorf("%s: no tick %s", c.name, tick)
			}
		}
	}
	if text := string(Distribution(one)); !strings.Contains(text, "All 2 scores are 3.") || strings.Contains(text, "svg") {
		t.Errorf("equal scores: %s", text)
	}
	groups := logarithmic
	groups.On, groups.Groups = connector.OnNodes, &connector.Groups{Count: 4}
	if drawing := string(Distribution(groups)); !strings.Contains(drawing,
		"the sizes of groups in bc on a logarithmic axis: 4 groups") ||
		!strings.Contains(drawing, ">groups per bar<") || !strings.Contains(drawing, ">nodes in the group, logarithmic<") {
		t.Errorf("groups: %s", drawing)
	}
	groups.Min, groups.Groups.Count = groups.Max, 1
	if text := string(Distribution(groups)); !strings.Contains(text, "One group has all 10 nodes.") {
		t.Errorf("one group: %s", text)
	}
	groups.Groups.Count = 2
	if text := string(Distribution(groups)); !strings.Contains(text, "All 2 groups have the same size: 1\u202f000.") {
		t.Errorf("equal groups: %s", text)
	}
	if Distribution(connector.ScoreSummary{}) != "" {
		t.Error("no scores have a drawing")
	}
}

// sample has n nodes on a ring with spokes to the first one; of places each has one.
func sample(n int, places bool) *connector.Picture {
	p := &connector.Picture{NodeProperty: "bc", RelationshipProperty: "route_bc"}
	for i := range n {
		d := connector.Dot{ID: fmt.Sprint(i), Name: fmt.Sprintf("<node %d>", i), Score: float64(n - i), Top: i < 10}
		if places {
			d.Place = &connector.Place{Latitude: float64(i%140) - 60, Longitude: wrap(float64(i * 37))}
		}
		p.Nodes = append(p.Nodes, d)
		p.Links = append(p.Links, connector.Link{From: i, To: (i + 1) % n, Score: float64(i)})
	}
	return p
}

func TestDrawing(t *testing.T) {
	for _, n := range []int{1, 2, 3, 40, 150} {
		for _, places := range []bool{false, true} {
			p := sample(n, places)
			drawing := string(Drawing(p))
			got := elements(t, drawing)
			wantLand := places && n > 2
			if got["circle.dot"] < n || got["path.link"] < n || (got["path.land"] > 0) != wantLand && n != 2 ||
				got["svg.chart"] != 3 {
				t.Errorf("%d nodes, places %t: %v", n, places, got)
			}
			if drawing != string(Drawing(p)) {
				t.Errorf("%d nodes, places %t: two drawings of one picture differ", n, places)
			}
			if strings.Contains(drawing, "NaN") || strings.Contains(drawing, "Inf") {
				t.Errorf("%d nodes, places %t: a coordinate is not a number", n, places)
			}
			elements(t, File(p))
		}
	}
	if Drawing(nil) != "" || Drawing(&connector.Picture{}) != "" || File(nil) != "" {
		t.Error("nothing has a drawing")
	}
}

// TestNodesAreOnThePaper places nodes in corners, over the date line, and all at one spot.
func TestNodesAreOnThePaper(t *testing.T) {
	for name, places := range map[string][]connector.Place{
		"poles":     {{Latitude: 90, Longitude: 0}, {Latitude: -90, Longitude: 180}, {Latitude: 0, Longitude: -180}},
		"date line": {{Latitude: -18, Longitude: 178}, {Latitude: -17, Longitude: -179}, {Latitude: -21, Longitude: -175}},
		"one spot":  {{Latitude: 52, Longitude: 13}, {Latitude: 52, Longitude: 13}},
		"a street":  {{Latitude: 52.0001, Longitude: 13}, {Latitude: 52, Longitude: 13.0002}},
	} {
		p := &connector.Picture{Links: []connector.Link{{From: 0, To: 1, Score: 1}}}
		for i := range places {
			p.Nodes = append(p.Nodes, connector.Dot{ID: fmt.Sprint(i), Score: 1, Place: &places[i]})
		}
		s := newSheet(p)
		for i, at := range s.at {
			if !(at.x >= 0 && at.x <= drawWidth && at.y >= 0 && at.y <= s.height) {
				t.Errorf("%s: node %d is at %v of %g x %g", name, i, at, drawWidth, s.height)
			}
		}
		if name == "date line" && math.Abs(s.at[0].x-s.at[1].x) > drawWidth/2 {
			t.Error("the date line divides neighbours")
		}
		elements(t, string(Drawing(p)))
	}
}

// TestLabelsDoNotOverlap reads the boxes of labels back from the drawing.
func TestLabelsDoNotOverlap(t *testing.T) {
	s := newSheet(sample(120, true))
	for class, size := range map[string]float64{"desk": small, "phone": large} {
		c := &Canvas{}
		s.labels(c, class, size, s.highest())
		var taken []box
		for _, m := range regexp.MustCompile(
			`x="([0-9.]+)" y="([0-9.]+)" text-anchor="(\w+)"[^>]*>([^<]*)<`,
		).FindAllStringSubmatch(string(c.HTML()), -1) {
			var x, y float64
			if _, err := fmt.Sscan(m[1]+" "+m[2], &x, &y); err != nil {
				t.Fatal(err)
			}
			w := textWidth(strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(m[4])) * size
			left := map[string]float64{"start": 0, "middle": w / 2, "end": w}[m[3]]
			b := box{x - left + .1, y - .82*size + .1, w - .2, size - .2}
			if meetsAny(b, taken) {
				t.Errorf("%s: the label %s covers another", class, m[4])
			}
			taken = append(taken, b)
		}
		if len(taken) < 5 {
			t.Errorf("%s: %d labels", class, len(taken))
		}
	}
}

// TestRouteOverTheEdge cuts a way over the Pacific at the edges of a map of the world.
func TestRouteOverTheEdge(t *testing.T) {
	p, _ := project(sample(150, true).Nodes)
	anchorage, tokyo, paris := connector.Place{Latitude: 61, Longitude: -150},
		connector.Place{Latitude: 36, Longitude: 140}, connector.Place{Latitude: 49, Longitude: 2}
	if parts := strings.Count(p.route(anchorage, tokyo), "M"); parts != 2 {
		t.Errorf("Anchorage to Tokyo has %d parts", parts)
	}
	if parts := strings.Count(p.route(anchorage, paris), "M"); parts != 1 {
		t.Errorf("Anchorage to Paris has %d parts", parts)
	}
}

// TestEntity: names from right to left do not change sides with what is next to them.
func TestEntity(t *testing.T) {
	for want, got := range map[string]string{
		"A – B": Entity("7", "", "A", "B"), "n": Entity("7", "n", "", ""), "7": Entity("7", "", "", ""),
		"\u2068نمل\u2069 – B": Entity("7", "", "نمل", "B"), "A – \u2068חיפה\u2069": Entity("7", "", "A", "חיפה"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDrawingOfNothingMuch: scores that are all 0, and a node alone.
func TestDrawingOfNothingMuch(t *testing.T) {
	alone := &connector.Picture{NodeProperty: "bc", Nodes: []connector.Dot{{ID: "1", Name: "<b>&"}}}
	drawing := string(Drawing(alone))
	for _, want := range []string{"0 everywhere", "&lt;b&gt;&amp;: 0</title>",
		`aria-label="Drawing of 1 nodes and 0 links`} {
		if !strings.Contains(drawing, want) {
			t.Errorf("no %q in %s", want, drawing)
		}
	}
	if strings.Contains(drawing, "NaN") || strings.Contains(drawing, "Inf") {
		t.Error(drawing)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", .1234567: "0.123457", 7999: "7\u202f999", 7999.5: "7\u202f999.5", -1234.5678: "-1\u202f234.57",
		2087341.25: "2\u202f087\u202f341", 1.23456e-7: "1.2346·10⁻⁷", 189650195011: "1.8965·10¹¹", 1e-5: "10⁻⁵",
		1e300: "10³⁰⁰", -2e20: "-2·10²⁰", math.Inf(1): "+Inf",
	} {
		if got := Number(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", .25: ".25", 1500: "1\u202f500", 12345: "12.3k", 2.5e6: "2.5M", 1e9: "1G", 1e-5: "10⁻⁵",
		3e20: "3·10²⁰", -2e4: "-20k",
	} {
		if got := Brief(x); got != strings.Replace(want, ".25", "0.25", 1) {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
	if got := decades(-3, 9); !slices.Equal(got, []float64{-3, 0, 3, 6, 9}) {
		t.Error(got)
	}
}

func TestScatter(t *testing.T) {
	few := Scatter(Series{"a<b", []float64{0, 1, 10, 5000, math.Inf(-1)}}, Series{"y", []float64{1, 2, 3, 4, 5}})
	if n := elements(t, few)["circle.point"]; n != 4 || !strings.Contains(few, "a&lt;b, logarithmic") ||
		!strings.Contains(few, "5 points") {
		t.Errorf("%d dots in %s", n, few)
	}
	many := Series{"x", make([]float64, 2000)}
	for i := range many.Values {
		many.Values[i] = float64(i)
	}
	if n := elements(t, Scatter(many, many))["rect.cell"]; n < cells || n > 2*cells {
		t.Errorf("%d cells on a line", n)
	}
	for _, values := range [][]float64{{}, {3, 3}, {math.Inf(1)}, {0, 0}, {-1, 0, 1e9}} {
		s := Series{"s", values}
		if drawing := Scatter(s, s); strings.Contains(drawing, "NaN") || strings.Contains(drawing, "Inf") {
			t.Errorf("%v: %s", values, drawing)
		}
	}
}
