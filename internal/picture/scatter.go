package picture

import (
	"fmt"
	"math"
)

// The size of a scatter plot in units of the drawing, with the room for numbers at its sides.
const (
	scatterWidth, scatterHeight = 620.0, 560.0
	scatterLeft, scatterRight   = 74.0, 24.0
	scatterTop, scatterBottom   = 24.0, 62.0
	// zeroRoom is the room for scores of 0 in front of a logarithmic axis.
	zeroRoom = 40.0
	// mostDots is the number of points beyond which they are counted in cells instead.
	mostDots = 1500
	// cells is the number of cells in each direction.
	cells = 56
)

const scatterCSS = `.cell { fill: var(--accent); }
.c0 { fill-opacity: .22; } .c1 { fill-opacity: .4; } .c2 { fill-opacity: .6; } .c3 { fill-opacity: .8; } .c4 { fill-opacity: 1; }
.point { fill: var(--accent); fill-opacity: .55; }
`

// Series is a list of scores with its name.
type Series struct {
	Name   string
	Values []float64
}

// Scatter is a scatter plot of two scores as an SVG file of its own. An axis is logarithmic where its scores span three
// decades and none is negative. Many points are counted in cells. Infinite scores are left out.
func Scatter(x, y Series) string {
	title := fmt.Sprintf("%s against %s: %s points", y.Name, x.Name, Count(int64(len(x.Values))))
	c := NewFile(scatterWidth, scatterHeight, title, CSS+scatterCSS)
	c.Add(`<rect class="ground" width="100%%" height="100%%" rx="14"/>`)
	h := newAxis(x.Values, scatterLeft, scatterWidth-scatterRight)
	v := newAxis(y.Values, scatterHeight-scatterBottom, scatterTop)
	h.draw(func(at float64, text string) {
		c.Line("axis", at, scatterTop, at, scatterHeight-scatterBottom)
		c.Text(at, scatterHeight-scatterBottom+20, "middle", "", text)
	})
	v.draw(func(at float64, text string) {
		c.Line("axis", scatterLeft, at, scatterWidth-scatterRight, at)
		c.Text(scatterLeft-8, at+4, "end", "", text)
	})
	c.Text((scatterLeft+scatterWidth-scatterRight)/2, scatterHeight-16, "middle", "strong", clip(x.Name, 60)+h.kind())
	c.Add(`<g transform="translate(18 %g) rotate(-90)">`, (scatterTop+scatterHeight-scatterBottom)/2)
	c.Text(0, 0, "middle", "strong", clip(y.Name, 60)+v.kind())
	c.Add("</g>")
	if len(x.Values) > mostDots {
		c.cells(h, v, x.Values, y.Values)
	} else {
		c.dots(h, v, x.Values, y.Values)
	}
	return string(c.HTML()) + "\n"
}

func (c *Canvas) dots(h, v axis, x, y []float64) {
	for i := range x {
		if p, q := h.at(x[i]), v.at(y[i]); !math.IsNaN(p + q) {
			c.Add(`<circle class="point" cx="%.1f" cy="%.1f" r="3.2"/>`, p, q)
		}
	}
}

// cells draws a square for each cell that has points, the darker the more there are.
func (c *Canvas) cells(h, v axis, x, y []float64) {
	const wide, high = (scatterWidth - scatterLeft - scatterRight) / cells,
		(scatterHeight - scatterTop - scatterBottom) / cells
	var counts [cells][cells]int64
	most := int64(1)
	for i := range x {
		p, q := h.at(x[i]), v.at(y[i])
		if math.IsNaN(p + q) {
			continue
		}
		n := &counts[min(cells-1, int((p-scatterLeft)/wide))][min(cells-1, int((q-scatterTop)/high))]
		*n++
		most = max(most, *n)
	}
	for i := range counts {
		for k, n := range counts[i] {
			if n > 0 {
				class := min(4, int(5*math.Log(float64(n))/math.Log(float64(most)+1)))
				c.Bar(fmt.Sprintf("cell c%d", class), scatterLeft+float64(i)*wide, scatterTop+float64(k)*high, wide, high, Count(n))
			}
		}
	}
}

// axis maps scores to places in the drawing, from start to end.
type axis struct {
	start, end  float64
	low, high   float64 // of the scores, or of their decimal logarithms
	logarithmic bool
	zeros       bool // on a logarithmic axis there are scores of 0, which are at start
}

func newAxis(values []float64, start, end float64) axis {
	low, high, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, x := range values {
		if math.IsInf(x, 0) {
			continue
		}
		low, high = min(low, x), max(high, x)
		if x > 0 {
			least = min(least, x)
		}
	}
	a := axis{start: start, end: end, low: low, high: high}
	if low >= 0 && high >= 1000*least {
		a.logarithmic, a.zeros, a.low, a.high = true, low == 0, math.Log10(least), math.Log10(high)
	}
	return a
}

// kind says that the axis is logarithmic.
func (a axis) kind() string {
	if a.logarithmic {
		return ", logarithmic"
	}
	return ""
}

// at is the place of a score; NaN for an infinite one.
func (a axis) at(x float64) float64 {
	start := a.start
	if a.zeros {
		start += math.Copysign(zeroRoom, a.end-a.start)
	}
	switch {
	case math.IsInf(x, 0):
		return math.NaN()
	case a.logarithmic && x == 0:
		return a.start
	case a.logarithmic:
		x = math.Log10(x)
	}
	if a.high == a.low {
		return (start + a.end) / 2
	}
	return start + (x-a.low)/(a.high-a.low)*(a.end-start)
}

// draw calls line for some scores on the axis.
func (a axis) draw(line func(at float64, text string)) {
	if a.zeros {
		line(a.start, "0")
	}
	switch {
	case a.logarithmic:
		for _, e := range decades(a.low, a.high) {
			x := math.Pow(10, e)
			line(a.at(x), Brief(x))
		}
	case a.low > a.high: // no finite score
	case a.low == a.high:
		line(a.at(a.low), Brief(a.low))
	default:
		for i := range 5 {
			x := a.low + float64(i)/4*(a.high-a.low)
			line(a.at(x), Brief(x))
		}
	}
}
