package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// pen has colours by their names in CSS; "" for none.
type pen struct {
	stroke, fill   string
	width, opacity float64
}

// lettering is how a text is set: from, about or up to its point, and turned by an angle in degrees.
type lettering struct {
	anchor string // start, middle or end
	angle  float64
	size   float64
	bold   bool
	minor  bool // left out on a phone
}

// surface is what figures are drawn on.
type surface interface {
	// use sets how what follows looks.
	use(p pen)
	// curve draws cubic Bézier curves that join: a start, and then three points for each.
	curve(points []point)
	// dot draws a disc. The tip is what a reader sees who points at it.
	dot(at point, radius float64, tip string)
	label(at point, l lettering, text string)
}

// drawn is a surface that is SVG. What one pen draws is one group, so that it is said once how it looks.
type drawn struct {
	*Canvas
	open bool
}

func (v *drawn) use(p pen) {
	v.end()
	v.Add(`<g class="%s" stroke-width="%.2g"`, p.classes(), p.width)
	if p.opacity < 1 {
		v.Add(` stroke-opacity="%.3g" fill-opacity="%.3g"`, p.opacity, p.opacity)
	}
	v.Add(">")
	v.open = true
}

func (v *drawn) end() {
	if v.open {
		v.Add("</g>")
	}
	v.open = false
}

func (p pen) classes() string {
	stroke, fill := "stroke-none", "fill-none"
	if p.stroke != "" {
		stroke = "stroke-" + p.stroke
	}
	if p.fill != "" {
		fill = "fill-" + p.fill
	}
	return stroke + " " + fill
}

func (v *drawn) curve(points []point) { v.Add(`<path d="%s"/>`, relative(points)) }

func (v *drawn) dot(at point, radius float64, tip string) {
	if tip == "" {
		v.Add(`<circle cx="%.1f" cy="%.1f" r="%.3g"/>`, at.x, at.y, radius)
		return
	}
	v.Add(`<circle cx="%.1f" cy="%.1f" r="%.3g"><title>%s</title></circle>`, at.x, at.y, radius, html.EscapeString(tip))
}

func (v *drawn) label(at point, l lettering, text string) {
	weight := "halo"
	if l.bold {
		weight = "halo strong"
	}
	if l.minor {
		weight += " desk"
	}
	turn := ""
	if l.angle != 0 {
		turn = fmt.Sprintf(` transform="rotate(%.4g %.1f %.1f)"`, l.angle, at.x, at.y)
	}
	v.Add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s" font-size="%g"%s>%s</text>`,
		at.x, at.y, l.anchor, weight, l.size, turn, html.EscapeString(text))
}

// relative writes curves as a path, in tenths, each point relative to the end of the piece before. Where a curve goes
// on smoothly, its first control point is left out.
func relative(points []point) string {
	var b strings.Builder
	b.WriteByte('M')
	at := tenths(points[0])
	write(&b, at, whole{})
	mirror := at
	for i := 1; i+2 < len(points); i += 3 {
		first, second, end := tenths(points[i]), tenths(points[i+1]), tenths(points[i+2])
		if first == at && second == end {
			b.WriteByte('l')
			write(&b, end, at)
			mirror, at = end, end
			continue
		}
		if i > 1 && near(first, mirror) {
			b.WriteByte('s')
		} else {
			b.WriteByte('c')
			write(&b, first, at)
			b.WriteByte(' ')
		}
		write(&b, second, at)
		b.WriteByte(' ')
		write(&b, end, at)
		mirror, at = whole{2*end.x - second.x, 2*end.y - second.y}, end
	}
	return b.String()
}

// whole is a point in tenths of a unit.
type whole struct{ x, y int }

func tenths(p point) whole { return whole{int(math.Round(10 * p.x)), int(math.Round(10 * p.y))} }

func near(p, q whole) bool { return max(p.x-q.x, q.x-p.x) <= 2 && max(p.y-q.y, q.y-p.y) <= 2 }

func write(b *strings.Builder, p, from whole) {
	x, y := inTenths(p.x-from.x), inTenths(p.y-from.y)
	b.WriteString(x)
	if y[0] != '-' {
		b.WriteByte(' ')
	}
	b.WriteString(y)
}

func inTenths(n int) string { return strconv.FormatFloat(float64(n)/10, 'f', -1, 64) }
