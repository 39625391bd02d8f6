package picture

import (
	"cmp"
	"html/template"
	"math"
)

// Texts of drawings exist twice: in letters for a screen on which the drawing is large, and for a phone. CSS shows one.
const small, large = 13.0, 30.0

// bolder is how much wider a text is in bold.
const bolder = 1.1

// box is a rectangle that a label or a dot takes.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// labels adds names, the highest nodes first. A name that finds no free place next to its dot is left out: pointing at
// the dot shows it.
func (s *sheet) labels(c *Canvas, class string, size float64, order []int) {
	c.Add(`<g class="%s">`, class)
	letters := 26
	if size == large {
		letters = 18
	}
	var taken []box
	for _, i := range order {
		if r := s.radius(s.Nodes[i].Score); r > 4 {
			taken = append(taken, box{s.at[i].x - r, s.at[i].y - r, 2 * r, 2 * r})
		}
	}
	for rank, i := range order {
		text, weight, w := clip(label(s.Nodes[i]), letters), "halo", 1.0
		if rank < 10 {
			weight, w = "halo strong", bolder
		}
		w *= textWidth(text) * size
		at, ok := s.free(s.at[i], s.radius(s.Nodes[i].Score), w, size, taken)
		if !ok {
			continue
		}
		taken = append(taken, at)
		x, anchor := at.x+w/2, "middle"
		switch r := s.radius(s.Nodes[i].Score); {
		case at.x > s.at[i].x+r: // next to its dot, whatever its true width
			x, anchor = at.x, "start"
		case at.x+w < s.at[i].x-r:
			x, anchor = at.x+w, "end"
		}
		c.Text(x, at.y+.82*size, anchor, weight, text)
	}
	c.Add("</g>")
}

// free finds a place for a label around a dot: right, left, above, below, then the corners.
func (s *sheet) free(p point, r, w, h float64, taken []box) (box, bool) {
	const gap = 3
	d := r*math.Sqrt2/2 + 1
	for _, b := range []box{
		{p.x + r + gap, p.y - h/2, w, h}, {p.x - r - gap - w, p.y - h/2, w, h},
		{p.x - w/2, p.y - r - gap - h, w, h}, {p.x - w/2, p.y + r + gap, w, h},
		{p.x + d, p.y - d - h, w, h}, {p.x - d - w, p.y - d - h, w, h},
		{p.x + d, p.y + d, w, h}, {p.x - d - w, p.y + d, w, h},
	} {
		if b.x < 2 || b.y < 2 || b.x+b.w > drawWidth-2 || b.y+b.h > s.height-2 {
			continue
		}
		if !meetsAny(b, taken) {
			return b, true
		}
	}
	return box{}, false
}

func meetsAny(b box, taken []box) bool {
	for _, t := range taken {
		if b.meets(t) {
			return true
		}
	}
	return false
}

// textWidth estimates how wide a text is, in letters' heights.
func textWidth(text string) float64 {
	w := .2
	for _, r := range text {
		switch {
		case r > 0x2e80: // East Asian letters are as wide as they are high
			w++
		case r == 'i' || r == 'l' || r == '.' || r == ',' || r == ' ':
			w += .33
		case r >= 'A' && r <= 'Z' || r == 'm' || r == 'w':
			w += .76
		default:
			w += .6
		}
	}
	return w
}

// legend says what sizes and widths mean, with samples. It is as wide as the drawing, so that it scales with it.
func (s *sheet) legend(class string, size float64) template.HTML {
	rows := s.legendRows()
	row := max(38, 1.6*size)
	perLine := 2
	if size == large {
		perLine = 1
	}
	lines := (len(rows) + perLine - 1) / perLine
	c := open("chart legend "+class, drawWidth, row*float64(lines), `aria-hidden="true"`)
	for i, draw := range rows {
		draw(c, float64(i%perLine)*drawWidth/float64(perLine)+4, row*float64(i/perLine)+row/2, size)
	}
	return c.HTML()
}

type legendRow func(c *Canvas, x, y, size float64)

// legendRows has one for the nodes, and one for links that have scores.
func (s *sheet) legendRows() []legendRow {
	out := []legendRow{s.legendOf(cmp.Or(s.NodeProperty, "relationships per node"), s.mostNode,
		func(c *Canvas, x, y, score float64) float64 {
			r := s.radius(score)
			c.Add(`<circle class="dot" cx="%.1f" cy="%.1f" r="%.1f"/>`, x+r, y, r)
			return 2 * r
		})}
	if s.RelationshipProperty != "" && s.mostLink > 0 {
		out = append(out, s.legendOf(s.RelationshipProperty, s.mostLink, func(c *Canvas, x, y, score float64) float64 {
			c.Add(`<path class="link s4" d="M%.1f %.1fh34" stroke-width="%.1f"/>`, x, y, s.width(score))
			return 34
		}))
	}
	return out
}

// legendOf shows a property with samples of a hundredth, a quarter and all of its highest score.
func (s *sheet) legendOf(property string, most float64, sample func(c *Canvas, x, y, score float64) float64) legendRow {
	return func(c *Canvas, x, y, size float64) {
		c.Text(x, y+.35*size, "start", "strong", clip(property, 20))
		x += bolder*textWidth(clip(property, 20))*size + 14
		if most <= 0 {
			c.Text(x, y+.35*size, "start", "", "0 everywhere")
			return
		}
		for _, part := range []float64{.01, .25, 1} {
			score := round(most * part)
			x += sample(c, x, y, score) + 6
			text := Brief(score)
			c.Text(x, y+.35*size, "start", "", text)
			x += textWidth(text)*size + 14
		}
	}
}

// round keeps two digits.
func round(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}
