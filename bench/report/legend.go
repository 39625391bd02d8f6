package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is one line or mark of a legend.
type entry struct {
	name  string
	line  draw.LineStyle
	glyph draw.GlyphStyle // none when its shape is nil
}

// Sizes of a legend: each entry has a column of this width, its sample takes the first part.
const (
	entryWidth  = 150
	entryHeight = 14
	sampleWidth = 22
)

func entriesAcross(width vg.Length) int { return max(1, int(width/vg.Points(entryWidth))) }

// legendHeight returns the height that the entries take below a picture of this width.
func legendHeight(entries []entry, width vg.Length) vg.Length {
	if len(entries) == 0 {
		return 0
	}
	across := entriesAcross(width)
	return vg.Points(float64((len(entries)+across-1)/across)*entryHeight + 10)
}

// drawLegend draws the entries from left to right in rows at the bottom of the canvas.
func drawLegend(c draw.Canvas, entries []entry) {
	across := entriesAcross(c.Max.X - c.Min.X)
	top := c.Min.Y + legendHeight(entries, c.Max.X-c.Min.X)
	style := newPanel("").Legend.TextStyle
	style.YAlign = draw.YCenter
	for i, e := range entries {
		x := c.Min.X + vg.Points(float64(i%across)*entryWidth+12)
		y := top - vg.Points((float64(i/across)+0.5)*entryHeight)
		c.StrokeLine2(e.line, x, y, x+vg.Points(sampleWidth), y)
		if e.glyph.Shape != nil {
			c.DrawGlyph(e.glyph, vg.Point{X: x + vg.Points(sampleWidth/2), Y: y})
		}
		c.FillText(style, vg.Point{X: x + vg.Points(sampleWidth+5), Y: y}, e.name)
	}
}
