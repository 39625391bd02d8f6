package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/kernels"
)

// sample is a report of a run with n nodes in its picture.
func sample(n int, places bool) Report {
	spec, _ := kernels.Lookup("betweenness")
	at := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	rank := .9731
	p := &connector.Picture{NodeProperty: "bc", RelationshipProperty: "route_bc"}
	for i := range n {
		d := connector.Dot{ID: fmt.Sprint(i), Name: fmt.Sprintf("Saint <%d>-sur-Mer", i), Score: 1e6 / float64(i+1),
			Top: i < 10}
		if places {
			d.Place = &connector.Place{Latitude: float64(i*53%120) - 50, Longitude: float64(i*97%360) - 180}
		}
		p.Nodes = append(p.Nodes, d)
		if i > 0 {
			p.Links = append(p.Links, connector.Link{From: i, To: i / 2, Score: float64(n - i)},
				connector.Link{From: i, To: i / 3, Score: 1})
		}
	}
	s := connector.ScoreSummary{
		On: connector.OnNodes, Property: "bc", Digest: strings.Repeat("ab", 16), Count: 1_000_000, Max: 1e6, Mean: 12.5,
		Histogram: []int64{999_990, 8, 2}, Logarithms: &connector.LogHistogram{Zeros: 600_000, Low: 0, High: 6,
			Counts: []int64{200_000, 150_000, 49_000, 900, 90, 10}},
		Rank: &rank, Compared: 999_000,
	}
	for i := range 10 {
		s.Top = append(s.Top, connector.Ranked{ID: fmt.Sprint(i),
			Name: fmt.Sprintf("Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch %d", i), Score: 1e6 / float64(i+1)})
		s.Movers = append(s.Movers, connector.Mover{ID: fmt.Sprint(i), Name: "Mover", Before: 100, After: 12345.678})
	}
	edges := s
	edges.On, edges.Property, edges.Rank, edges.Movers = connector.OnRelationships, "route_bc", nil, nil
	edges.Top = []connector.Ranked{{ID: "1", Source: "Anchorage", Target: "Bethel", Score: 107739}}
	return Report{
		Title: "hubs", Made: at,
		Measures:  []Measure{{Measure: spec, Nodes: "bc", Relationships: "route_bc", Sampled: 512, Seed: 7}},
		Selection: []Fact{{"Nodes", "Airport"}, {"Relationships", "ROUTE, undirected"}},
		Previous:  &connector.Run{Finished: at.Add(-24 * time.Hour), Nodes: 999_000},
		Run: connector.Run{
			ID: "20260301-030000-1", Job: "hubs", Status: connector.Succeeded, Started: at, Finished: at.Add(4 * time.Second),
			Nodes: 1_000_000, Relationships: 4_000_000, Edges: 4_000_000, Graph: strings.Repeat("0f", 32), Config: "c0ffee",
			Device: "cpu", Version: "v0.1.0", Warnings: []string{"12 relationships <without> a weight were left out"},
			Reductions: []connector.Reduction{{Measure: "betweenness", Taken: []string{"trees"}, Reason: "graph reduced"}},
			Scores:     []connector.ScoreSummary{s, edges}, Around: p,
		},
	}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, sample(120, true)); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"Map of the highest scores", "1\u202f000\u202f000 nodes", "Saint &lt;0&gt;-sur-Mer",
		"an estimate from 512 source nodes, drawn with seed 7", "Centrality estimation in large networks",
		"Anchorage – Bethel", "&#43;12\u202f246", "&lt;without&gt; a weight", "the order is nearly the same",
		"Exact reductions (trees) came first", "c0ffee", "linchpin v0.1.0",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	for _, bad := range []string{"<script", " src=", "<link", "@import", "url(", "ZgotmplZ", "Saint <", "NaN"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the report", bad)
		}
	}
	if b.Len() > 1<<20 {
		t.Errorf("%d bytes", b.Len())
	}
}

// TestGroupsAreListedBySize: of numbers of groups no highest are shown.
func TestGroupsAreListedBySize(t *testing.T) {
	r := sample(3, false)
	r.Run.Scores = []connector.ScoreSummary{{On: connector.OnNodes, Property: "part", Count: 1236, Min: 1, Max: 1234,
		Mean: 412, Histogram: []int64{2, 1}, Groups: &connector.Groups{Count: 3,
			Largest: []connector.Group{{Number: 7, Size: 1234}, {Number: 0, Size: 1}, {Number: 1, Size: 1}}}}}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h3>Largest groups</h3>",
		`<th scope="row">7</th><td class="right">1` + "\u202f" + `234</td>`, "<dt>Groups</dt><dd>3</dd>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	if strings.Contains(b.String(), "<h3>Highest</h3>") {
		t.Error("numbers of groups are ranked")
	}
}

// grouped is a report of groups and a backbone: of n nodes, or for 0 of a graph too large to draw each node.
func grouped(n int) Report {
	r := sample(3, false)
	b := connector.Bundles{Measure: "communities", Nodes: 3_000_000, Edges: 8_000_000, Within: 7_000_000,
		Merges: [][2]int32{{0, 1}, {2, 5}, {3, 4}}, Sizes: []int64{2_000_000, 999_995, 3, 1, 1}}
	s := connector.Simplified{Measure: "backbone", Nodes: 3_000_000, Edges: 8_000_000, Points: 40, Kept: 39}
	for i := range b.Sizes {
		b.Hubs = append(b.Hubs, connector.Name{ID: fmt.Sprint(i), Name: fmt.Sprintf("Saint <%d>-sur-Mer", i)})
		b.Links, b.Counts = append(b.Links, [2]int32{0, int32(i)}), append(b.Counts, int64(1+i))
	}
	for v := range int32(s.Points - 1) {
		s.Links = append(s.Links, [2]int32{v / 3, v + 1})
	}
	if n > 0 {
		b.Nodes, b.Edges, b.Within, b.Sizes, b.Counts, b.Links = int64(n), 0, 0, make([]int64, len(b.Sizes)), nil, nil
		s.Nodes, s.Points, s.Dropped = int64(n), n, []int32{int32(n - 1)}
		for v := range int32(n) {
			b.Of, b.Names = append(b.Of, v%5),
				append(b.Names, connector.Name{ID: fmt.Sprint(v), Name: fmt.Sprintf("مطار & %d", v)})
			b.Sizes[v%5]++
			b.Links = append(b.Links, [2]int32{v, (v + 5) % int32(n)}, [2]int32{v, v / 2})
		}
		s.Links = append(s.Links, b.Links...)
		b.Edges, s.Edges = int64(len(b.Links)), int64(len(s.Links))
	}
	r.Run.Bundles, r.Run.Simplified = []connector.Bundles{b}, []connector.Simplified{s}
	rank := .8125
	r.Run.Backbones = []connector.Backbone{{
		Measure: "backbone", Before: &connector.Shape{Components: 1, LargestComponent: 60, Mean: 2.5, Diameter: 5},
		After: &connector.Shape{Components: 2, LargestComponent: 57, Mean: 3.5, Diameter: 9}, Rank: &rank,
	}}
	return r
}

// TestDrawings: groups and backbones are drawn, and names are escaped.
func TestDrawings(t *testing.T) {
	for n, want := range map[int][]string{
		60: {"Groups by communities", "12 nodes around Saint &lt;0&gt;-sur-Mer", "Nodes are on the circle",
			"Whole graph: 60 nodes", "Backbone: 59 nodes, 39 links", "0.8125", "مطار &amp; 7"},
		0: {"a group is one point", "Backbone: 40 nodes, 39 links", "Mean distance"},
	} {
		var b bytes.Buffer
		if err := Write(&b, grouped(n)); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%d nodes: %q is not in the report", n, text)
			}
		}
		for _, bad := range []string{"NaN", "ZgotmplZ", "Saint <", "style=\""} {
			if strings.Contains(b.String(), bad) {
				t.Errorf("%d nodes: %q is in the report", n, bad)
			}
		}
		if strings.Contains(b.String(), "Whole graph: ") != (n > 0) {
			t.Errorf("%d nodes: the whole graph is drawn, or is not", n)
		}
	}
}

// odd is a report of names and scores that few graphs have, on a graph without relationships.
func odd() Report {
	r := sample(3, false)
	names := []string{`<img src=x onerror="alert(1)"> & 'quoted'`, strings.Repeat("Wide", 50), "مطار القاهرة الدولي",
		"נמל התעופה בן גוריון", " ", "line\nbreak"}
	r.Title = names[0]
	r.Run.Nodes, r.Run.Relationships, r.Run.Edges, r.Run.Reductions, r.Previous = int64(len(names)), 0, 0, nil, nil
	r.Run.Warnings = []string{"the graph has no relationships: every score is 0"}
	zero := connector.ScoreSummary{On: connector.OnNodes, Property: "bc", Count: int64(len(names)),
		Histogram: []int64{int64(len(names))}}
	r.Run.Around = &connector.Picture{NodeProperty: "bc"}
	for i, name := range names {
		zero.Top = append(zero.Top, connector.Ranked{ID: fmt.Sprint(i), Name: name})
		r.Run.Around.Nodes = append(r.Run.Around.Nodes, connector.Dot{ID: fmt.Sprint(i), Name: name})
	}
	pairs := connector.ScoreSummary{On: connector.OnRelationships, Property: strings.Repeat("long_property_", 8), Count: 3,
		Min: -1e-9, Max: 2e20, Mean: 7e19, Histogram: []int64{2, 1}}
	for i, name := range names {
		pairs.Top = append(pairs.Top,
			connector.Ranked{ID: fmt.Sprint(i), Source: name, Target: names[(i+1)%len(names)], Score: 2e20 / float64(i+1)})
	}
	r.Run.Scores = []connector.ScoreSummary{zero, pairs}
	return r
}

func TestWriteOdd(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, odd()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"All 6 scores are 0.", "0 everywhere", "&lt;img src=x onerror=", "2·10²⁰", "-10⁻⁹",
		strings.Repeat("Wide", 50), "\u2068مطار القاهرة الدولي\u2069 – "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	for _, bad := range []string{"<img", "NaN", "Inf", "ZgotmplZ"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the report", bad)
		}
	}
}

// TestWriteOfLittle has a record without a summary, as versions before had.
func TestWriteOfLittle(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Report{Title: "old",
		Run:   connector.Run{Scores: []connector.ScoreSummary{{On: connector.OnNodes, Property: "x"}}},
		Notes: []string{"no summary"}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "no summary") || !strings.Contains(b.String(), "No scores.") {
		t.Error(b.String())
	}
}

// TestEveryMeasureHasADefinition reads what a report says of each measure of the table.
func TestEveryMeasureHasADefinition(t *testing.T) {
	for _, spec := range kernels.Measures() {
		m := Measure{Measure: spec, Nodes: "n"}
		if spec.Edge != "" {
			m.Relationships = "r"
		}
		if text := m.Definition(); len(text) < 40 || !strings.HasSuffix(text, ".") || m.How() == "" {
			t.Errorf("%s: %s %s", spec.Name, text, m.How())
		}
	}
}
