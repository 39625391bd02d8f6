package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// paint draws on 100 by 100 units, and returns the ink: how dark all pixels are, in square units.
func paint(t *testing.T, scale float64, draw func(surface)) (image.Image, float64) {
	t.Helper()
	var b bytes.Buffer
	if err := (Figure{width: 100, height: 100, draw: draw}).PNG(&b, scale); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	ink := 0.0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			_, g, _, _ := m.At(x, y).RGBA()
			ink += 1 - float64(g)/0xffff
		}
	}
	_, g, _, _ := image.NewUniform(colourNamed(t, "text")).RGBA()
	return m, ink / (1 - float64(g)/0xffff) / scale / scale
}

// colourNamed is a colour of CSS in light.
func colourNamed(t *testing.T, name string) color.Color {
	t.Helper()
	colours, err := lightColours()
	if c, ok := colours[name]; err == nil && ok {
		return c
	}
	t.Fatalf("%v: CSS has no colour %s", err, name)
	return nil
}

// TestRasterAreas: shapes have the ink of their areas, wherever they lie between pixels, and twice over itself a line
// is no darker.
func TestRasterAreas(t *testing.T) {
	turned := func(x0, y0, length, angle float64) []point {
		from, to := point{x0, y0}, point{x0 + length*math.Cos(angle), y0 + length*math.Sin(angle)}
		return []point{from, from, to, to}
	}
	for _, scale := range []float64{1, 2, 3.5} {
		for i := range 12 {
			angle, shift := float64(i)*math.Pi/11, float64(i)/11
			for name, c := range map[string]struct {
				draw func(surface)
				want float64
			}{
				"disc": {func(s surface) { s.use(pen{fill: "text", opacity: 1}); s.dot(point{40 + shift, 50 - shift}, 12, "") },
					math.Pi * 144},
				"line": {func(s surface) {
					s.use(pen{stroke: "text", width: 4, opacity: 1})
					s.curve(turned(50+shift, 50, 30, angle))
				}, 4*30 + math.Pi*4},
				"thin": {func(s surface) {
					s.use(pen{stroke: "text", width: .5, opacity: 1})
					s.curve(turned(50+shift, 50, 40, angle))
				}, 20},
				"twice": {func(s surface) {
					s.use(pen{stroke: "text", width: 4, opacity: .5})
					s.curve(append(turned(50, 50, 30, angle), turned(50, 50, 30, angle)[0], turned(50, 50, 30, angle)[0],
						point{50, 50}))
				}, (4*30 + math.Pi*4) / 2},
			} {
				if _, ink := paint(t, scale, c.draw); math.Abs(ink-c.want) > .06*c.want {
					t.Errorf("%s at scale %g, %.2f: %.2f square units instead of %.2f", name, scale, angle, ink, c.want)
				}
			}
		}
	}
}

// TestRasterCurve: a curve of Bézier pieces that is a circle passes at its radius, and nowhere else.
func TestRasterCurve(t *testing.T) {
	m, _ := paint(t, 2, func(s surface) {
		s.use(pen{stroke: "text", width: 3, opacity: 1})
		var points []point
		for _, p := range arc(30, 0, 2*math.Pi) {
			points = append(points, point{p.x - centreX + 50, p.y - centreY + 50})
		}
		s.curve(points)
	})
	for y := range 200 {
		for x := range 200 {
			off := math.Abs(math.Hypot((float64(x)+.5)/2-50, (float64(y)+.5)/2-50) - 30)
			_, g, _, _ := m.At(x, y).RGBA()
			if off < .9 && g > 0x4000 || off > 2.1 && g < 0xffff {
				t.Fatalf("pixel %d,%d, %.2f units from the circle: %x", x, y, off, g)
			}
		}
	}
}

// TestAlphabet: every printable character but the space is drawn, no two alike, and others as a box.
func TestAlphabet(t *testing.T) {
	if len(alphabet) != 5*('~'-' '+1) {
		t.Fatalf("%d columns", len(alphabet))
	}
	seen := map[string]rune{}
	for letter := ' '; letter <= '~'; letter++ {
		columns := alphabet[5*(letter-' ') : 5*(letter-' ')+5]
		if was, ok := seen[columns]; ok {
			t.Errorf("%c and %c look alike", was, letter)
		}
		seen[columns] = letter
		if empty := len(strokesOf(letter)) == 0; empty != (letter == ' ') {
			t.Errorf("%c: empty %t", letter, empty)
		}
	}
	if len(strokesOf('é')) != len(strokesOf('中')) || len(strokesOf('é')) == 0 {
		t.Error("no box")
	}
	if len(strokesOf('…')) != 3 || len(strokesOf([]rune(Count(1000))[1])) != 0 {
		t.Error("no ellipsis, or a number with a gap that is drawn")
	}
}

// TestPNG draws groups and a backbone. Every colour that they use has one in CSS.
func TestPNG(t *testing.T) {
	for name, f := range map[string]Figure{
		"bundles": Bundles(randomBundles(rand.New(rand.NewPCG(1, 2)), 40, 4)),
		"simplified": Simplified(&connector.Simplified{
			Measure: "backbone", Nodes: 3, Edges: 3, Points: 3, Kept: 2, Dropped: []int32{2},
			Links: [][2]int32{{0, 1}, {1, 2}, {0, 2}},
		}),
	} {
		var b, again bytes.Buffer
		if err := f.PNG(&b, 2); err != nil {
			t.Fatal(err)
		}
		if err := f.PNG(&again, 2); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: %v: not the same twice", name, err)
		}
		m, err := png.Decode(&b)
		if err != nil || m.Bounds().Dx() != int(math.Ceil(2*f.width)) || m.Bounds().Dy() != int(math.Ceil(2*f.height)) {
			t.Errorf("%s: %v, %v", name, err, m.Bounds())
		}
		f.draw(coloured{t})
	}
}

// coloured is a surface that looks at colours alone.
type coloured struct{ t *testing.T }

func (c coloured) use(p pen) {
	for _, name := range []string{p.stroke, p.fill} {
		if name != "" {
			colourNamed(c.t, name)
		}
	}
}
func (coloured) curve([]point)                  {}
func (coloured) dot(point, float64, string)     {}
func (coloured) label(point, lettering, string) {}

func TestTextOfAPNGIsThere(t *testing.T) {
	for _, l := range []lettering{{anchor: "start", size: 10}, {anchor: "middle", size: 10, angle: 90},
		{anchor: "end", size: 10, bold: true}} {
		m, ink := paint(t, 3, func(s surface) { s.use(pen{fill: "text", opacity: 1}); s.label(point{50, 50}, l, "H") })
		if ink < 8 || ink > 40 {
			t.Errorf("%+v: %.1f square units of ink", l, ink)
		}
		left, right := 0, 0
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if _, g, _, _ := m.At(x, y).RGBA(); g < 0x8000 && x < 150 {
					left++
				} else if g < 0x8000 {
					right++
				}
			}
		}
		if l.anchor == "start" && left > right/2 || l.anchor == "end" && right > left/2 {
			t.Errorf("%+v: %d pixels left of the point, %d right of it", l, left, right)
		}
	}
}
