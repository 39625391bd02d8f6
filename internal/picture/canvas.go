// Package picture draws what a run found as SVG, and some of it as PNG: distributions, maps, backbones and bars. It
// needs no script and no inline style, so that a strict content policy lets it pass. Colours come from classes in CSS,
// which follow light and dark.
package picture

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"strings"
)

// CSS is the style of all pictures. It takes the colours of the page (--accent and others) and adds its own.
//
//go:embed picture.css
var CSS string

// Canvas is a drawing under way.
type Canvas struct{ b strings.Builder }

// New begins a drawing whose title says in words what it shows.
func New(width, height float64, title string) *Canvas {
	return open("chart", width, height, named(title))
}

// named are the attributes of a picture that is read out as its title.
func named(title string) string { return `role="img" aria-label="` + html.EscapeString(title) + `"` }

func open(class string, width, height float64, attributes string) *Canvas {
	c := &Canvas{}
	c.Add(`<svg class="%s" viewBox="0 0 %.6g %.6g" %s>`, class, width, height, attributes)
	return c
}

// Add adds an element. Texts from outside must have been escaped.
func (c *Canvas) Add(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// Text adds a text with its anchor (start, middle or end) at a point.
func (c *Canvas) Text(x, y float64, anchor, class, text string) {
	c.Add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, html.EscapeString(text))
}

// Line adds a straight line.
func (c *Canvas) Line(class string, x1, y1, x2, y2 float64) {
	c.Add(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

// Bar adds a rectangle; tip is what a reader sees who points at it.
func (c *Canvas) Bar(class string, x, y, width, height float64, tip string) {
	c.Add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="1.5"><title>%s</title></rect>`,
		html.EscapeString(class), x, y, width, height, html.EscapeString(tip))
}

// HTML ends the drawing.
func (c *Canvas) HTML() template.HTML {
	c.b.WriteString("</svg>")
	return template.HTML(c.b.String()) // every text in it was escaped
}
