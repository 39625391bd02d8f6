package picture

import (
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// pixels is the width of a PNG.
const pixels = 2000

// palette are the colours of the style sheets by their names, in light and then in dark.
var palette = func() map[string][2]color.NRGBA {
	colours := map[string][2]color.NRGBA{}
	for _, found := range regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6})`).FindAllStringSubmatch(theme+CSS, -1) {
		c := colourOf(found[2])
		if both, again := colours[found[1]]; again {
			colours[found[1]] = [2]color.NRGBA{both[0], c}
		} else {
			colours[found[1]] = [2]color.NRGBA{c, c}
		}
	}
	return colours
}()

func colourOf(hex string) color.NRGBA {
	n, _ := strconv.ParseUint(hex, 16, 32) // six digits
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// raster draws pixels.
type raster struct {
	*gg.Context
	scale float64
	dark  int // 1 for dark colours
	pen   pen
	faces map[lettering]font.Face
	err   error
}

// newRaster makes an empty picture of some size in units of the drawing.
func newRaster(width, height float64, dark bool) *raster {
	scale := pixels / width
	r := &raster{Context: gg.NewContext(pixels, int(math.Ceil(height*scale))), scale: scale, faces: map[lettering]font.Face{}}
	if dark {
		r.dark = 1
	}
	r.SetColor(palette["card"][r.dark])
	r.Clear()
	r.SetLineCapRound()
	return r
}

// encode writes the picture as a PNG.
func (r *raster) encode(w io.Writer) error {
	if r.err != nil {
		return r.err
	}
	return r.EncodePNG(w)
}

func (r *raster) use(p pen) { r.pen = p }

func (r *raster) colour(name string) color.NRGBA {
	c := palette[name][r.dark]
	c.A = uint8(math.Round(255 * r.pen.opacity))
	return c
}

func (r *raster) curve(points []point) {
	r.MoveTo(points[0].x*r.scale, points[0].y*r.scale)
	for i := 1; i+2 < len(points); i += 3 {
		a, b, c := points[i], points[i+1], points[i+2]
		r.CubicTo(a.x*r.scale, a.y*r.scale, b.x*r.scale, b.y*r.scale, c.x*r.scale, c.y*r.scale)
	}
	r.paint()
}

func (r *raster) dot(at point, radius float64, _ string) {
	r.DrawCircle(at.x*r.scale, at.y*r.scale, radius*r.scale)
	r.paint()
}

// paint fills what was drawn, and then strokes it.
func (r *raster) paint() {
	if r.pen.fill != "" {
		r.SetColor(r.colour(r.pen.fill))
		r.FillPreserve()
	}
	if r.pen.stroke != "" {
		r.SetColor(r.colour(r.pen.stroke))
		r.SetLineWidth(r.pen.width * r.scale)
		r.StrokePreserve()
	}
	r.ClearPath()
}

func (r *raster) label(at point, l lettering, text string) {
	face, err := r.face(l)
	if err != nil {
		r.err = err
		return
	}
	r.SetFontFace(face)
	r.SetColor(palette["text"][r.dark])
	r.Push()
	defer r.Pop()
	x, y := at.x*r.scale, at.y*r.scale
	r.RotateAbout(l.angle*math.Pi/180, x, y)
	r.DrawStringAnchored(text, x, y, map[string]float64{"start": 0, "middle": .5, "end": 1}[l.anchor], 0)
}

// face is the font of a lettering.
func (r *raster) face(l lettering) (font.Face, error) {
	l.anchor, l.angle = "", 0
	if face, ok := r.faces[l]; ok {
		return face, nil
	}
	data := goregular.TTF
	if l.bold {
		data = gobold.TTF
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: l.size * r.scale, DPI: 72, Hinting: font.HintingNone})
	r.faces[l] = face
	return face, err
}
