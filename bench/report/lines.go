package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/linchpin-graph/linchpin/bench"
)

// lineColumns is the number of panels in a row of pictures of scaling.
const lineColumns = 3

// measured leaves out families that no record knows a graph of.
func measured(s *results, families []bench.ScalingFamily) []bench.ScalingFamily {
	return slices.DeleteFunc(families, func(f bench.ScalingFamily) bool {
		return !slices.ContainsFunc(f.Graphs, func(g string) bool { n, _ := s.sizeOf(g); return n > 0 })
	})
}

// scaling draws, a panel a family that was measured, a value against the number of nodes, a line a strategy. There must
// be one.
func scaling(s *results, families []bench.ScalingFamily, unit string, value func(q query) float64) ([]byte, error) {
	families = measured(s, families)
	var nodes, values []float64
	strategies := s.strategies()
	for _, f := range families {
		for _, g := range f.Graphs {
			n, _ := s.sizeOf(g)
			nodes = append(nodes, float64(n))
			for _, strategy := range strategies {
				values = append(values, value(query{graph: g, strategy: strategy}))
			}
		}
	}
	rows := (len(families) + lineColumns - 1) / lineColumns
	panels := make([][]*plot.Plot, rows)
	for i := range panels {
		panels[i] = make([]*plot.Plot, min(lineColumns, len(families)))
		for j := range panels[i] {
			at := i*lineColumns + j
			if at >= len(families) {
				continue
			}
			p := newPanel(families[at].Name + ": " + unit)
			tight(&p.X, nodes)
			tight(&p.Y, values)
			p.X.Label.Text = "nodes"
			if err := addLines(p, s, families[at], strategies, value); err != nil {
				return nil, err
			}
			panels[i][j] = p
		}
	}
	var legend []entry
	for i, strategy := range strategies {
		line, glyph := lineStyle(strategy, i)
		legend = append(legend, entry{strategy, line, glyph})
	}
	return svg(panels, legend, vg.Points(260*float64(len(panels[0]))), vg.Points(220*float64(rows)))
}

func addGrid(p *plot.Plot) {
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
}

func addLines(p *plot.Plot, s *results, f bench.ScalingFamily, strategies []string, value func(q query) float64) error {
	addGrid(p)
	for i, strategy := range strategies {
		var points plotter.XYs
		for _, g := range f.Graphs {
			n, _ := s.sizeOf(g)
			if y := value(query{graph: g, strategy: strategy}); n > 0 && y > 0 {
				points = append(points, plotter.XY{X: float64(n), Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.LineStyle, marks.GlyphStyle = lineStyle(strategy, i)
		p.Add(line, marks)
	}
	return nil
}

// lineStyle tells the i-th strategy of a picture apart by colour and by the shape of its points.
func lineStyle(strategy string, i int) (draw.LineStyle, draw.GlyphStyle) {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{},
		draw.RingGlyph{}, draw.CrossGlyph{}}
	c := strategyColor(strategy)
	return draw.LineStyle{Color: c, Width: vg.Points(1.2)},
		draw.GlyphStyle{Color: c, Radius: vg.Points(2.6), Shape: shapes[i%len(shapes)]}
}
