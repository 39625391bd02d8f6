package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the picture of bars.
const (
	barColumns  = 4
	barHeight   = 11 // of one strategy, in points
	panelWidth  = 210
	panelMargin = 62
)

// bars is a plotter of one horizontal bar a strategy, from the left edge, and of dashed lines for other programs.
type bars struct {
	names  []string
	values []float64 // 0: none
	marks  []mark
}

// mark is another program's rate.
type mark struct {
	name  string
	value float64
}

// Plot implements plot.Plotter.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, value := range b.values {
		if value <= 0 {
			continue
		}
		at, half := y(float64(i)), vg.Points(barHeight)*0.38
		c.FillPolygon(strategyColor(b.names[i]), []vg.Point{
			{X: c.Min.X, Y: at - half}, {X: x(value), Y: at - half}, {X: x(value), Y: at + half}, {X: c.Min.X, Y: at + half},
		})
	}
	for _, m := range b.marks {
		c.StrokeLine2(markStyle(m.name), x(m.value), c.Min.Y, x(m.value), c.Max.Y)
	}
}

// markStyle tells the lines of other programs apart.
func markStyle(name string) draw.LineStyle {
	if name == "cuGraph" {
		return draw.LineStyle{Color: color.Gray{90}, Width: vg.Points(1.2), Dashes: []vg.Length{vg.Points(1), vg.Points(2)}}
	}
	return draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: []vg.Length{vg.Points(4), vg.Points(2)}}
}

// sideBySide draws the rates of every strategy, a panel a graph.
func sideBySide(s *results, precision string) ([]byte, error) {
	graphs, strategies := s.graphs(), s.strategies()
	slices.Reverse(strategies) // the first at the top
	var all []float64
	var legend []entry
	for _, g := range graphs {
		b := barsOf(s, g, precision, strategies)
		all = append(all, b.values...)
		for _, m := range b.marks {
			all = append(all, m.value)
			if !slices.ContainsFunc(legend, func(e entry) bool { return e.name == m.name+", earlier" }) {
				legend = append(legend, entry{name: m.name + ", earlier", line: markStyle(m.name)})
			}
		}
	}
	rows := (len(graphs) + barColumns - 1) / barColumns
	columns := min(barColumns, len(graphs))
	panels := make([][]*plot.Plot, rows)
	for i := range panels {
		panels[i] = make([]*plot.Plot, columns)
		for j := range panels[i] {
			if at := i*columns + j; at < len(graphs) {
				panels[i][j] = barPanel(s, graphs[at], precision, strategies, all, j == 0, i == rows-1 || at+columns >= len(graphs))
			}
		}
	}
	height := float64(rows) * (float64(len(strategies))*barHeight + panelMargin)
	return svg(panels, legend, vg.Points(panelWidth*float64(columns)+110), vg.Points(height))
}

func barsOf(s *results, graph, precision string, strategies []string) *bars {
	b := &bars{names: strategies}
	for _, strategy := range strategies {
		b.values = append(b.values, s.rate(query{graph: graph, strategy: strategy, precision: precision}))
	}
	e := earlierRates()[graph]
	for _, m := range []mark{{"hybrid_BC", e.HybridBC}, {"EasyGraph", e.EasyGraph}, {"cuGraph", e.CuGraph}} {
		if m.value > 0 {
			b.marks = append(b.marks, m)
		}
	}
	return b
}

func barPanel(s *results, graph, precision string, strategies []string, all []float64, names, unit bool) *plot.Plot {
	b := barsOf(s, graph, precision, strategies)
	n, m := s.sizeOf(graph)
	p := newPanel(graph + ": n " + short(n) + ", m " + short(m))
	p.Add(b)
	wholeDecades(&p.X, all)
	if unit {
		p.X.Label.Text = "GTEPS"
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(strategies))-0.4
	var ticks []plot.Tick
	for i, name := range strategies {
		if !names {
			name = " "
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.LineStyle.Width = 0
	return p
}
