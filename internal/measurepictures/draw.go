package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/kernels"
)

const width, height = 200, 150

// style is added to the colours of the theme. The highest nodes have a colour of their own, and text to name it.
const style = `.edge { stroke: var(--accent); stroke-opacity: .55; stroke-linecap: round; }
.edge.plain { stroke: var(--quiet); }
.dot { fill: var(--accent); stroke: var(--card); stroke-width: 1; }
.dot.top { fill: #c2470c; }
.dot.plain { fill: var(--card); stroke: var(--quiet); }
text { fill: var(--text); font-size: 10px; }
@media (prefers-color-scheme: dark) { .dot.top { fill: #ffb070; } }
`

// Sizes from the lowest score to the highest: radius of a dot, width of an edge.
const (
	smallest, largest = 2.5, 10
	thinnest, widest  = .8, 6
	plainEdge         = 1.4
)

// picture draws the scores of one measure: dots and, if edges have scores, lines grow with them.
func (e *example) picture(s scored) string {
	if s.Grouping != nil {
		return e.groups(s)
	}
	low, high := slices.Min(s.Nodes), slices.Max(s.Nodes)
	c := newCanvas(describe(s, low, high))
	e.edges(c, s)
	for i, p := range places {
		class := "dot"
		if same(s.Nodes[i], high) {
			class = "dot top"
		}
		dot(c, class, p.x, p.y, radius(s.Nodes[i], low, high))
	}
	dot(c, "dot", 10, 139, smallest)
	c.Text(17, 142.5, "start", "", fmt.Sprintf("%.3g", low))
	dot(c, "dot top", 66, 138, largest)
	c.Text(80, 142.5, "start", "", fmt.Sprintf("%.3g", high))
	return finish(c)
}

// groups draws a community per colour, with edges between two of them thin.
func (e *example) groups(s scored) string {
	c := newCanvas(fmt.Sprintf("%s on the example graph: %d groups, with thin lines between them", s.measure.Name,
		s.Grouping.Count))
	source, target := e.graph.Ends()
	for i, between := range s.Edges {
		a, b, class, wide := places[source[i]], places[target[i]], "edge", 3.0
		if between == 1 {
			class, wide = "edge plain", thinnest
		}
		c.Add(`<line class="%s" stroke-width="%.2g" x1="%g" y1="%g" x2="%g" y2="%g"/>`+"\n", class, wide, a.x, a.y, b.x, b.y)
	}
	for v, p := range places {
		class := "dot plain"
		if s.Grouping.Of[v]%2 == 1 {
			class = "dot top"
		}
		dot(c, class, p.x, p.y, 8)
		c.Text(p.x, p.y+3.5, "middle", "", fmt.Sprint(s.Grouping.Of[v]))
	}
	return finish(c)
}

// named draws the graph without scores, with the names of the nodes.
func (e *example) named() string {
	c := newCanvas("The example graph: a hub H with the leaves A to E, a bridge X, a ring P to U, and a tail Z")
	e.edges(c, scored{})
	for _, p := range places {
		dot(c, "dot plain", p.x, p.y, 8)
		c.Text(p.x, p.y+3.5, "middle", "", p.name)
	}
	return finish(c)
}

// edges draws the lines, as wide as their scores or, where a measure reads weights, as their weights.
func (e *example) edges(c *picture.Canvas, s scored) {
	values := []float64(nil)
	switch {
	case s.Scores != nil && s.Edges != nil:
		values = s.Edges
	case s.measure.Weights == kernels.RequiredWeights:
		for _, l := range links {
			values = append(values, l.weight)
		}
	}
	source, target := e.graph.Ends()
	for i := range source {
		a, b, class, wide := places[source[i]], places[target[i]], "edge plain", plainEdge
		if values != nil {
			class, wide = "edge", thinnest+(widest-thinnest)*share(values[i], slices.Min(values), slices.Max(values))
		}
		c.Add(`<line class="%s" stroke-width="%.2g" x1="%g" y1="%g" x2="%g" y2="%g"/>`+"\n", class, wide, a.x, a.y, b.x, b.y)
	}
}

func newCanvas(title string) *picture.Canvas {
	c := picture.NewFile(width, height, title, style)
	c.Add(`<title>%s</title><rect class="ground" width="100%%" height="100%%" rx="6"/>`+"\n", title)
	return c
}

func finish(c *picture.Canvas) string { return string(c.HTML()) + "\n" }

func dot(c *picture.Canvas, class string, x, y, r float64) {
	c.Add(`<circle class="%s" cx="%g" cy="%g" r="%.2f"/>`+"\n", class, x, y, r)
}

// radius makes areas grow evenly from the lowest score to the highest.
func radius(score, low, high float64) float64 {
	return math.Sqrt(smallest*smallest + share(score, low, high)*(largest*largest-smallest*smallest))
}

// share says where a value lies between the lowest and the highest, from 0 to 1.
func share(value, low, high float64) float64 {
	if high <= low {
		return 1
	}
	return (value - low) / (high - low)
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// describe says in words what the picture shows.
func describe(s scored, low, high float64) string {
	return fmt.Sprintf("%s on the example graph: highest at %s with %s, lowest at %s with %s", s.measure.Name,
		holders(s.Nodes, high), picture.Number(high), holders(s.Nodes, low), picture.Number(low))
}

// holders names the nodes with a score.
func holders(scores []float64, score float64) string {
	var names []string
	for i, p := range places {
		if same(scores[i], score) {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}
