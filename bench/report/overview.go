package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the picture of dots, in points.
const (
	dotRow   = 19
	dotWidth = 560
)

// series is one kind of dot: a value a graph, 0 for none.
type series struct {
	name   string
	glyph  draw.GlyphStyle
	values []float64
}

// dots is a plotter of one row a graph: a thin line and the dots of every series on it.
type dots struct {
	rows   int
	series []series
}

// Plot implements plot.Plotter.
func (d *dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for row := range d.rows {
		at := y(float64(row))
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{215}, Width: vg.Points(0.6)}, c.Min.X, at, c.Max.X, at)
	}
	for _, s := range d.series {
		for row, value := range s.values {
			if value > 0 {
				c.DrawGlyph(s.glyph, vg.Point{X: x(value), Y: y(float64(row))})
			}
		}
	}
}

// overview draws, a row a graph, the rate of auto, of the best other strategy, and of other programs.
func overview(s *results, precision string) ([]byte, error) {
	graphs := s.graphs()
	d := &dots{rows: len(graphs), series: overviewSeries(s, precision, graphs)}
	p := newPanel("")
	p.Add(d)
	var all []float64
	var legend []entry
	for _, one := range d.series {
		all = append(all, one.values...)
		if slices.Max(one.values) > 0 {
			legend = append(legend, entry{name: one.name, glyph: one.glyph})
		}
	}
	wholeDecades(&p.X, all)
	p.X.Label.Text = "GTEPS"
	p.Y.Min, p.Y.Max = -0.6, float64(len(graphs))-0.4
	var ticks []plot.Tick
	for row, g := range graphs {
		ticks = append(ticks, plot.Tick{Value: float64(len(graphs) - 1 - row), Label: g})
	}
	p.Y.Tick.Marker, p.Y.Tick.LineStyle.Width = plot.ConstantTicks(ticks), 0
	return svg([][]*plot.Plot{{p}}, legend, vg.Points(dotWidth), vg.Points(float64(len(graphs))*dotRow+50))
}

// overviewSeries returns the series, their values from the last graph, which is the lowest row, to the first.
func overviewSeries(s *results, precision string, graphs []string) []series {
	glyph := func(shape draw.GlyphDrawer, c color.Color) draw.GlyphStyle {
		return draw.GlyphStyle{Shape: shape, Color: c, Radius: vg.Points(3.6)}
	}
	out := []series{
		{name: "cuGraph, earlier", glyph: glyph(draw.CrossGlyph{}, color.Gray{90})},
		{name: "hybrid_BC, earlier", glyph: glyph(draw.RingGlyph{}, color.Black)},
		{name: "EasyGraph, earlier", glyph: glyph(draw.RingGlyph{}, color.Black)},
		{name: "best other strategy", glyph: glyph(draw.BoxGlyph{}, strategyColor("work-efficient"))},
		{name: "auto", glyph: glyph(draw.CircleGlyph{}, strategyColor("auto"))},
	}
	for row := len(graphs) - 1; row >= 0; row-- {
		g := graphs[row]
		e := earlierRates()[g]
		best := 0.0
		for _, strategy := range s.strategies() {
			if strategy != "auto" {
				best = max(best, s.rate(query{graph: g, strategy: strategy, precision: precision}))
			}
		}
		auto := s.rate(query{graph: g, strategy: "auto", precision: precision})
		for i, value := range []float64{e.CuGraph, e.HybridBC, e.EasyGraph, best, auto} {
			out[i].values = append(out[i].values, value)
		}
	}
	return out
}
