package report

import (
	"bytes"
	"math"
	"text/template"
)

// peerBar is the ratios of a group, and where the picture has them.
type peerBar struct {
	Title             string
	Mean, Least, Most float64
	Text              string
	Y                 int
	From, To          float64 // of the bar, from 1 to the mean
	Low, High         float64 // of the line, from the least to the most
}

// barOfGroup sums up the ratios of a group. Rows without another program count for nothing.
func barOfGroup(g peerGroup, rows []peerRow) peerBar {
	bar := peerBar{Title: g.title, Least: math.Inf(1)}
	var ratios []float64
	for _, row := range rows {
		ratio := row.ratio(row.first())
		if ratio == 0 {
			continue
		}
		ratios = append(ratios, ratio)
		bar.Least, bar.Most = min(bar.Least, ratio), max(bar.Most, ratio)
	}
	if len(ratios) == 0 {
		return peerBar{Title: g.title}
	}
	bar.Mean = geometricMean(ratios)
	return bar
}

// The picture's axis is logarithmic.
const (
	peerBarsLeft, peerBarsWidth = 220.0, 400.0
	peerBarsTop, peerBarsStep   = 40, 26
)

// drawPeers draws a bar for each group from 1 to the mean of its ratios, and a line from the least to the most.
func drawPeers(bars []peerBar) ([]byte, error) {
	low, high := 1.0, 2.0
	var drawn []peerBar
	for _, b := range bars {
		if b.Mean > 0 {
			low, high = min(low, b.Least), max(high, b.Most)
			drawn = append(drawn, b)
		}
	}
	x := func(ratio float64) float64 {
		return math.Round(peerBarsLeft + peerBarsWidth*math.Log(ratio/low)/math.Log(high/low))
	}
	for i := range drawn {
		b := &drawn[i]
		b.Y, b.Text = peerBarsTop+i*peerBarsStep, number(b.Mean)
		b.From, b.To = min(x(1), x(b.Mean)), max(x(1), x(b.Mean))
		b.Low, b.High = x(b.Least), x(b.Most)
	}
	var out bytes.Buffer
	err := peersTemplate.Execute(&out, map[string]any{
		"Bars": drawn, "One": x(1), "Height": peerBarsTop + len(drawn)*peerBarsStep + 6,
	})
	return out.Bytes(), err
}

// peersTemplate is legible on a light and on a dark page.
var peersTemplate = template.Must(template.New(peersPicture).Funcs(template.FuncMap{
	"minus": func(a, b float64) float64 { return a - b },
	"plus":  func(a, b int) int { return a + b },
}).Parse(`<svg viewBox="0 0 690 {{.Height}}" width="690" height="{{.Height}}" ` +
	`xmlns="http://www.w3.org/2000/svg" role="img" aria-label="linchpin on a CPU over the fastest other program:` +
	`{{range .Bars}} {{.Title}} {{.Text}} times.{{end}}">
<style>
text { font: 13px system-ui, "Open Sans", sans-serif; fill: #171a26 }
.title { font-size: 12px; fill: #565d75 }
.mean { fill: #2f4fcf }
.range, .one { stroke: #9aa1b5; stroke-width: 2 }
.one { stroke-width: 1 }
@media (prefers-color-scheme: dark) { text { fill: #e9ebf4 } .title { fill: #a3abc4 } .mean { fill: #9db1ff } .range, .one { stroke: #6b728a } }
</style>
<text class="title" x="0" y="14">Times as fast as the fastest other program: geometric mean, and from the least to the most</text>
<line class="one" x1="{{.One}}" y1="28" x2="{{.One}}" y2="{{.Height}}"/>
{{range .Bars -}}
<text x="0" y="{{plus .Y 13}}">{{.Title}}</text>
<line class="range" x1="{{.Low}}" y1="{{plus .Y 8}}" x2="{{.High}}" y2="{{plus .Y 8}}"/>
<rect class="mean" x="{{.From}}" y="{{.Y}}" width="{{minus .To .From}}" height="16" rx="2"/>
<text x="{{.High}}" y="{{plus .Y 13}}">&#160;&#160;{{.Text}}</text>
{{end -}}
</svg>
`))
