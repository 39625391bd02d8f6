package picture

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// The size of a chart in units of the drawing, and the room for numbers at its sides.
const (
	chartWidth, chartHeight = 420.0, 220.0
	chartLeft, chartRight   = 52.0, 20.0
	chartTop, chartBottom   = 30.0, 50.0
)

// Distribution shows how many scores lie in each bin: on a logarithmic axis if the summary has one. Scores that are 0
// have a bar of their own at its left. Scores that are all equal are a sentence. It is "" when there are no scores.
func Distribution(s connector.ScoreSummary) template.HTML {
	if s.Count == 0 || len(s.Histogram) == 0 && s.Logarithms == nil {
		return ""
	}
	if s.Min == s.Max {
		return template.HTML(`<p class="quiet">` + allEqual(s) + `</p>`)
	}
	if s.Logarithms != nil && len(s.Logarithms.Counts) > 0 {
		return logDistribution(s)
	}
	c := newChart(s, titleOf(s, ""), slices.Max(s.Histogram), "")
	width := s.Max/float64(len(s.Histogram)) - s.Min/float64(len(s.Histogram))
	c.bars(chartLeft, s.Histogram, func(i int) float64 { return s.Min + float64(i)*width })
	c.tick(chartLeft, "start", s.Min)
	c.tick((chartLeft+chartWidth-chartRight)/2, "middle", s.Min/2+s.Max/2)
	c.tick(chartWidth-chartRight, "end", s.Max)
	return c.HTML()
}

// allEqual says in a sentence what is the same of all scores, or of all groups.
func allEqual(s connector.ScoreSummary) string {
	switch {
	case s.Groups == nil:
		return fmt.Sprintf("All %s scores are %s.", Count(s.Count), Number(s.Min))
	case s.Groups.Count == 1:
		return fmt.Sprintf("One group has all %s %s.", Count(s.Count), s.On)
	}
	return fmt.Sprintf("All %s groups have the same size: %s.", Count(s.Groups.Count), Number(s.Min))
}

// titleOf says what a chart of the scores, or of the sizes of groups, shows on which axis.
func titleOf(s connector.ScoreSummary, axis string) string {
	what, things := s.Property, Count(s.Count)+" scores"
	if s.Groups != nil {
		what, things = "the sizes of groups in "+s.Property, Count(s.Groups.Count)+" groups"
	}
	return fmt.Sprintf("Distribution of %s%s: %s from %s to %s", what, axis, things, Number(s.Min), Number(s.Max))
}

// chart is a Canvas with two axes: bins from left to right, and numbers of scores upwards.
type chart struct {
	*Canvas
	most float64
}

const base = chartHeight - chartBottom

// newChart draws the axes and says what they count; most is the number of scores at the top, and scale the kind of the
// axis.
func newChart(s connector.ScoreSummary, title string, most int64, scale string) *chart {
	c := &chart{open("chart distribution", chartWidth, chartHeight, named(title)), float64(max(most, 1))}
	c.Line("axis", chartLeft, base, chartWidth-chartRight, base)
	c.Line("axis", chartLeft, chartTop, chartWidth-chartRight, chartTop)
	c.Text(chartLeft-6, base+4, "end", "", "0")
	c.Text(chartLeft-6, chartTop+4, "end", "", Brief(c.most))
	things, value := cmp.Or(string(s.On), "scores"), clip(s.Property, 24)
	if s.Groups != nil {
		things, value = "groups", string(s.On)+" in the group"
	}
	c.Text(chartWidth-chartRight, chartTop-9, "end", "", things+" per bar")
	c.Text((chartLeft+chartWidth-chartRight)/2, chartHeight-5, "middle", "", value+scale)
	return c
}

// bars draws bins from x to the right end; low is where a bin begins.
func (c *chart) bars(x float64, counts []int64, low func(int) float64) {
	step := (chartWidth - chartRight - x) / float64(len(counts))
	for i, n := range counts {
		if n > 0 {
			h := max(1.5, float64(n)/c.most*(base-chartTop))
			c.Bar("bar", x+float64(i)*step+.75, base-h, step-1.5, h,
				fmt.Sprintf("%s to %s: %s", Brief(low(i)), Brief(low(i+1)), Count(n)))
		}
	}
}

func (c *chart) tick(x float64, anchor string, value float64) {
	c.Line("axis", x, base, x, base+5)
	c.Text(x, base+20, anchor, "", Brief(value))
}

func logDistribution(s connector.ScoreSummary) template.HTML {
	l := s.Logarithms
	title := titleOf(s, " on a logarithmic axis")
	if l.Zeros > 0 {
		title += fmt.Sprintf(", %s of them 0", Count(l.Zeros))
	}
	c := newChart(s, title, slices.Max(l.Counts), ", logarithmic")
	left := chartLeft
	if l.Zeros > 0 {
		left += 56
		c.zeros(l.Zeros)
	}
	step := (l.High - l.Low) / float64(len(l.Counts))
	c.bars(left, l.Counts, func(i int) float64 { return math.Pow(10, l.Low+float64(i)*step) })
	for _, exponent := range decades(l.Low, l.High) {
		at := (exponent - l.Low) / (l.High - l.Low)
		c.tick(left+at*(chartWidth-chartRight-left), "middle", math.Pow(10, exponent))
	}
	return c.HTML()
}

// zeros draws the bar of scores that are 0. One that is higher than all others ends at the top, with a gap in it.
func (c *chart) zeros(n int64) {
	h := min(max(1.5, float64(n)/c.most*(base-chartTop)), base-chartTop)
	c.Bar("bar zero", chartLeft+6, base-h, 24, h, fmt.Sprintf("0: %s", Count(n)))
	if float64(n) > c.most {
		c.Line("gap", chartLeft+3, chartTop+16, chartLeft+33, chartTop+10)
	}
	c.Text(chartLeft+18, base-h-5, "middle", "strong", Brief(float64(n)))
	c.Text(chartLeft+18, base+20, "middle", "", "0")
}

// decades returns at most six whole exponents from low to high, evenly spaced.
func decades(low, high float64) []float64 {
	var out []float64
	every := max(1, math.Ceil((high-low)/5))
	for e := math.Ceil(low - 1e-9); e <= high+1e-9; e++ {
		if math.Mod(e, every) == 0 {
			out = append(out, e)
		}
	}
	return out
}

// Bar is one bar of Bars. Class is a further class of it; Note is what is written at its end, "" for the value.
type Bar struct {
	Label, Class, Note string
	Value              float64
}

// Bars shows values as bars below one another, each with its label; "" for none.
func Bars(title string, bars []Bar) template.HTML {
	if len(bars) == 0 {
		return ""
	}
	const width, row, label, note = 560.0, 30.0, 170.0, 100.0
	most := 0.0
	for _, b := range bars {
		most = max(most, b.Value)
	}
	c := New(width, row*float64(len(bars)), title)
	for i, b := range bars {
		y := row * float64(i)
		c.Text(label-8, y+20, "end", "strong", clip(b.Label, 24))
		w := max(2, share(b.Value, most)*(width-label-note))
		c.Bar("bar "+b.Class, label, y+7, w, row-12, b.Label+": "+Number(b.Value))
		c.Text(label+w+7, y+20, "start", "", cmp.Or(b.Note, Brief(b.Value)))
	}
	return c.HTML()
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// share is a part of the most, from 0 to 1.
func share(x, most float64) float64 {
	if most <= 0 || x <= 0 {
		return 0
	}
	return min(x/most, 1)
}
