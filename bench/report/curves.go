package report

import (
	"cmp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// curves is a picture of a value against points that have names, a panel a graph, a line a curve.
type curves struct {
	panels, points []string
	lines          []curve
	// axis says what the points are; value returns the GTEPS, or what unit says, of a panel at a point, 0 for none.
	axis  string
	unit  string
	value func(panel, point string, of curve) float64
}

// curve is one line. key and own tell what it is of; own is drawn without marks, in dashes.
type curve struct {
	name, key string
	own       bool
}

// dashes are those of own curves.
func dashes() []vg.Length { return []vg.Length{vg.Points(4), vg.Points(3)} }

// measuredPanels leaves out the panels without a value.
func (c *curves) measuredPanels() {
	var out []string
	for _, panel := range c.panels {
		if len(c.values(panel)) > 0 {
			out = append(out, panel)
		}
	}
	c.panels = out
}

// values lists the positive values of panels.
func (c *curves) values(panels ...string) (out []float64) {
	for _, panel := range panels {
		for _, point := range c.points {
			for _, of := range c.lines {
				if y := c.value(panel, point, of); y > 0 {
					out = append(out, y)
				}
			}
		}
	}
	return out
}

// draw draws the picture, all panels on one scale. There must be a panel.
func (c *curves) draw() ([]byte, error) {
	rows := make([][]*plot.Plot, (len(c.panels)+lineColumns-1)/lineColumns)
	for i := range rows {
		rows[i] = make([]*plot.Plot, min(lineColumns, len(c.panels)))
	}
	for i, panel := range c.panels {
		p := newPanel(panel + ": " + cmp.Or(c.unit, "GTEPS"))
		tight(&p.Y, c.values(c.panels...))
		p.NominalX(c.points...)
		p.X.Min, p.X.Max, p.X.Label.Text = -0.4, float64(len(c.points))-0.6, c.axis
		addGrid(p)
		if err := c.addCurves(p, panel); err != nil {
			return nil, err
		}
		rows[i/lineColumns][i%lineColumns] = p
	}
	var legend []entry
	for i, of := range c.lines {
		line, mark := lineStyle(of.key, i)
		if of.own {
			line.Dashes, mark.Shape = dashes(), nil
		}
		legend = append(legend, entry{of.name, line, mark})
	}
	return svg(rows, legend, vg.Points(260*float64(len(rows[0]))), vg.Points(220*float64(len(rows))))
}

func (c *curves) addCurves(p *plot.Plot, panel string) error {
	for i, of := range c.lines {
		var points plotter.XYs
		for x, point := range c.points {
			if y := c.value(panel, point, of); y > 0 {
				points = append(points, plotter.XY{X: float64(x), Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		if line.LineStyle, marks.GlyphStyle = lineStyle(of.key, i); of.own {
			line.Dashes = dashes()
			p.Add(line)
			continue
		}
		p.Add(line, marks)
	}
	return nil
}
