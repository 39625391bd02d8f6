// Package report makes one HTML file of a run: what was computed and how, the scores, a picture of the graph, and how
// the run differs from the one before. The file needs no other file and no script.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Report is what a file shows.
type Report struct {
	// Title is the name of the job or of the file.
	Title string
	Run   connector.Run
	// Measures are what the run computed.
	Measures []Measure
	// Selection says which part of the database is the graph, or which file, one fact per line.
	Selection []Fact
	// Previous is the successful run before; nil for none.
	Previous *connector.Run
	// Notes are what a reader should know beyond the run's warnings.
	Notes []string
	Made  time.Time
}

// Fact is a word and what it says.
type Fact struct{ Name, Value string }

// Measure is a measure as the run computed it.
type Measure struct {
	kernels.Measure
	kernels.Params
	// Nodes and Relationships are the properties with the scores; "" for none.
	Nodes, Relationships string
	// Sampled is the number of source nodes drawn for an estimate; 0 for exact scores.
	Sampled int64
	Seed    int64
}

// Definition defines the scores in a sentence.
func (m Measure) Definition() string {
	if m.Nodes == "" && m.Measure.Edge != "" {
		return sentence("The score of a relationship: " + edgeWords(m.Measure))
	}
	text := "The score of a node: " + m.Measure.Node
	if m.Relationships != "" && m.Measure.Edge != "" {
		text += ". The score of a relationship: " + edgeWords(m.Measure)
	}
	return sentence(text)
}

// edgeWords defines scores of edges; a definition may refer to that of nodes.
func edgeWords(m kernels.Measure) string {
	if strings.HasPrefix(m.Edge, "the same") {
		return m.Edge + " (as for nodes: " + m.Node + ")"
	}
	return m.Edge
}

func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// How says in what way the scores were computed: exactly or from a sample, with which options.
func (m Measure) How() string {
	parts := []string{"exact: all shortest paths were counted"}
	switch {
	case m.Sampled > 0 && m.BySource:
		parts = []string{fmt.Sprintf("an estimate from %s source nodes, drawn with seed %d",
			picture.Count(m.Sampled), m.Seed)}
		if m.Bias != "" {
			parts = append(parts, m.Bias)
		}
	case !m.Kind.FromSources():
		parts = []string{"exact"}
	}
	if m.Kind.FromSources() {
		parts = append(parts, map[bool]string{true: "path lengths are sums of weights",
			false: "path lengths are hops"}[m.Weighted])
	}
	if m.Normalized != nil {
		parts = append(parts, fmt.Sprintf("normalized: %t", *m.Normalized))
	}
	if m.Variant != "" {
		parts = append(parts, "variant "+m.Variant)
	}
	if m.Radius != nil {
		parts = append(parts, fmt.Sprintf("radius %d", *m.Radius))
	}
	return strings.Join(parts, "; ")
}

//go:embed report.html
var layout string

//go:embed report.css
var style string

// parsed is the layout, parsed when it is first used.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"count": picture.Count, "number": number,
		"moment": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"entity": picture.Entity, "rank": func(x *float64) string { return picture.Likeness(*x) },
		"day":     func(t time.Time) string { return t.UTC().Format("2006-01-02") },
		"change":  func(before, after float64) string { return signed(after - before) },
		"inc":     func(i int) int { return i + 1 },
		"capital": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
		"total":   func(r connector.Run) string { return fmt.Sprintf("%.2f s", r.Elapsed(r.Finished).Seconds()) },
	}).Parse(layout))
})

// scores is one property with its pictures.
type scores struct {
	connector.ScoreSummary
	Measure string
	Chart   template.HTML
}

// Write writes the report as HTML.
func Write(w io.Writer, r Report) error {
	data := struct {
		Report
		Style      template.CSS
		Scores     []scores
		Drawing    template.HTML
		Map        bool
		Groups     []groups
		Backbones  []backbone
		Methods    []string
		References []string
	}{
		Report: r, Style: template.CSS(style + picture.CSS), Drawing: picture.Drawing(r.Run.Around),
		Map: picture.IsMap(r.Run.Around), Methods: methods(r), References: references(r),
	}
	data.Groups, data.Backbones = groupsOf(r.Run), backbonesOf(r.Run)
	for _, s := range r.Run.Scores {
		data.Scores = append(data.Scores, scores{s, r.measureOf(s), picture.Distribution(s)})
	}
	return parsed().Execute(w, data)
}

// measureOf returns the name of the measure whose scores a property has; "" when that is not known.
func (r Report) measureOf(s connector.ScoreSummary) string {
	for _, m := range r.Measures {
		if s.On == connector.OnNodes && m.Nodes == s.Property ||
			s.On == connector.OnRelationships && m.Relationships == s.Property {
			return m.Name
		}
	}
	return ""
}

func number(v any) string {
	switch x := v.(type) {
	case *float64:
		return picture.Number(*x)
	case float64:
		return picture.Number(x)
	}
	return fmt.Sprint(v)
}

func signed(x float64) string {
	if x > 0 {
		return "+" + picture.Number(x)
	}
	return strings.Replace(picture.Number(x), "-", "−", 1)
}
