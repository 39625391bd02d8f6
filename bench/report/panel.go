package report

import (
	"bytes"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/linchpin-graph/linchpin/bench"
)

// Sizes of letters.
const (
	labelSize = vg.Length(9)
	titleSize = vg.Length(11)
)

// newPanel returns a plot in the style of all pictures: sans serif, light grid lines left to the plotters.
func newPanel(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	sans := func(style *text.Style, size vg.Length) {
		style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	}
	sans(&p.Title.TextStyle, titleSize)
	sans(&p.Legend.TextStyle, labelSize)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		sans(&axis.Label.TextStyle, labelSize)
		sans(&axis.Tick.Label, labelSize)
		axis.Tick.LineStyle.Width, axis.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
		axis.Tick.Length = vg.Points(4)
	}
	p.Title.Padding = vg.Points(4)
	return p
}

// decades labels the powers of ten of a logarithmic axis, every second one when there are many.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	step := 1 + (last-first)/6
	for e := first; e <= last; e++ {
		for k := 1; k < 10; k++ {
			x := float64(k) * math.Pow10(e)
			if x < low*(1-1e-9) || x > high*(1+1e-9) {
				continue
			}
			tick := plot.Tick{Value: x}
			if k == 1 && (e-first)%step == 0 {
				tick.Label = decade(e)
			}
			out = append(out, tick)
		}
	}
	return out
}

// decade writes a power of ten as a number people read at once.
func decade(e int) string {
	if e < -4 || e > 4 {
		return "1e" + strconv.Itoa(e)
	}
	return strconv.FormatFloat(math.Pow10(e), 'f', -1, 64)
}

// wholeDecades makes an axis logarithmic, over whole decades that hold every value.
func wholeDecades(a *plot.Axis, values []float64) {
	low, high := extent(values)
	a.Min, a.Max = math.Pow10(int(math.Floor(math.Log10(low)))), math.Pow10(int(math.Ceil(math.Log10(high))))
	if a.Min == a.Max {
		a.Max *= 10
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
}

// tight makes an axis logarithmic, from a little below the least value to a little above the greatest.
func tight(a *plot.Axis, values []float64) {
	low, high := extent(values)
	a.Min, a.Max = low/1.4, high*1.4
	a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
}

// extent returns the least and the greatest positive value; 1 and 1 when there is none.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, x := range values {
		if x > 0 {
			low, high = min(low, x), max(high, x)
		}
	}
	if high == 0 {
		return 1, 1
	}
	return low, high
}

// svg draws the panels in rows, their axes aligned, with the legend below them, and returns the picture.
func svg(panels [][]*plot.Plot, legend []entry, width, height vg.Length) ([]byte, error) {
	below := legendHeight(legend, width)
	canvas := vgsvg.New(width, height+below)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{
		Rows: len(panels), Cols: len(panels[0]), PadX: vg.Points(12), PadY: vg.Points(12),
		PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(14),
	}
	for i, row := range plot.Align(panels, tiles, draw.Crop(all, 0, 0, below, 0)) {
		for j, c := range row {
			if panels[i][j] != nil {
				panels[i][j].Draw(c)
			}
		}
	}
	drawLegend(all, legend)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, err
	}
	// Arial and Helvetica have the widths of Liberation Sans, which few machines but those with Linux have.
	return bytes.ReplaceAll(out.Bytes(), []byte("font-family:Liberation Sans"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif")), nil
}

// strategyColor gives every strategy a colour of its own, and those of one kind shades of one; precisions have theirs.
func strategyColor(strategy string) color.Color {
	shades := map[string]color.RGBA{
		"vertex-parallel": {31, 84, 140, 255}, "vertex-warp-4": {66, 122, 181, 255}, "vertex-warp-8": {107, 154, 204, 255},
		"vertex-warp-16": {148, 186, 222, 255}, "vertex-warp-32": {189, 213, 236, 255},
		"edge-parallel": {128, 62, 148, 255}, "vertex-pull": {0, 140, 140, 255},
		"work-efficient": {20, 105, 40, 255}, "work-efficient-warp-4": {55, 140, 70, 255},
		"work-efficient-warp-8":  {95, 170, 105, 255},
		"work-efficient-warp-16": {140, 196, 146, 255}, "work-efficient-warp-32": {185, 220, 188, 255},
		"hybrid": {215, 125, 0, 255}, "sampling": {160, 110, 50, 255}, "auto": {200, 30, 45, 255},
		"batched": {120, 0, 20, 255}, "levels": {150, 40, 60, 255}, "deep": {175, 80, 95, 255}, "hops": {195, 115, 125, 255},
		"weighted": {215, 150, 155, 255}, "small": {232, 185, 188, 255}, "chains": {90, 70, 150, 255},
		"volume-lists": {31, 84, 140, 255}, "volume-bitmap": {20, 105, 40, 255}, bench.Single: {120, 0, 20, 255},
		bench.Double: {31, 84, 140, 255},
	}
	if c, ok := shades[strategy]; ok {
		return c
	}
	return color.RGBA{110, 110, 110, 255}
}
