package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
)

// raster is a surface of pixels. A shape covers each pixel by a share, and is blended once, however often it crosses
// itself.
type raster struct {
	image   *image.RGBA
	scale   float64 // pixels per unit
	colours map[string]color.RGBA
	pen     pen
	share   []float32 // by pixel, of the shape under way
	touched []int32   // pixels with a share
}

// colourOf finds the colours of CSS; those of light come first.
var colourOf = regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6})`)

// PNG writes the figure in light colours, with so many pixels per unit. Letters are those of alphabet.
func (f Figure) PNG(w io.Writer, scale float64) error {
	colours, err := lightColours()
	if err != nil {
		return err
	}
	width, height := int(math.Ceil(f.width*scale)), int(math.Ceil(f.height*scale))
	r := &raster{image: image.NewRGBA(image.Rect(0, 0, width, height)), scale: scale, colours: colours,
		share: make([]float32, width*height)}
	for i := range r.image.Pix {
		r.image.Pix[i] = 255
	}
	f.draw(r)
	return png.Encode(w, r.image)
}

// lightColours are those of CSS, by name.
func lightColours() (map[string]color.RGBA, error) {
	colours := map[string]color.RGBA{}
	for _, m := range colourOf.FindAllStringSubmatch(theme+CSS, -1) {
		if _, dark := colours[m[1]]; dark {
			continue
		}
		x, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			return nil, fmt.Errorf("colour %s: %w", m[1], err)
		}
		colours[m[1]] = color.RGBA{uint8(x >> 16), uint8(x >> 8), uint8(x), 255}
	}
	return colours, nil
}

// piece is the length, in units, of the straight lines that a curve is made of. Long ones would look at many pixels
// that they miss.
const piece = 6

func (r *raster) use(p pen) { r.pen = p }

func (r *raster) curve(points []point) {
	at := points[0]
	for i := 1; i+2 < len(points); i += 3 {
		p := points[i-1 : i+3]
		steps := 2 + int((length(p[0], p[1])+length(p[1], p[2])+length(p[2], p[3]))/piece)
		for k := 1; k <= steps; k++ {
			next := bezier(p, float64(k)/float64(steps))
			r.cover(at, next, r.pen.width/2)
			at = next
		}
	}
	r.blend(r.pen.stroke)
}

// bezier is a point of a cubic curve.
func bezier(p []point, t float64) point {
	a, b, c, d := (1-t)*(1-t)*(1-t), 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
	return point{a*p[0].x + b*p[1].x + c*p[2].x + d*p[3].x, a*p[0].y + b*p[1].y + c*p[2].y + d*p[3].y}
}

func length(p, q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }

func (r *raster) dot(at point, radius float64, _ string) {
	if r.pen.stroke != "" {
		r.cover(at, at, radius+r.pen.width/2)
		r.blend(r.pen.stroke)
		radius -= r.pen.width / 2
	}
	r.cover(at, at, radius)
	r.blend(r.pen.fill)
}

// cover adds what is within a distance of a straight line to the shape.
func (r *raster) cover(from, to point, distance float64) {
	from, to = point{from.x * r.scale, from.y * r.scale}, point{to.x * r.scale, to.y * r.scale}
	distance *= r.scale
	thin := min(1, 2*distance) // a line of less than a pixel covers less
	bounds, reach := r.image.Bounds(), distance+1
	left, right := max(0, int(min(from.x, to.x)-reach)), min(bounds.Dx()-1, int(max(from.x, to.x)+reach))
	top, bottom := max(0, int(min(from.y, to.y)-reach)), min(bounds.Dy()-1, int(max(from.y, to.y)+reach))
	dx, dy := to.x-from.x, to.y-from.y
	square := dx*dx + dy*dy
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			px, py := float64(x)+.5-from.x, float64(y)+.5-from.y
			t := 0.0
			if square > 0 {
				t = max(0, min(1, (px*dx+py*dy)/square))
			}
			share := float32(thin * max(0, min(1, max(distance, .5)+.5-math.Hypot(px-t*dx, py-t*dy))))
			if i := y*bounds.Dx() + x; share > r.share[i] {
				if r.share[i] == 0 {
					r.touched = append(r.touched, int32(i))
				}
				r.share[i] = share
			}
		}
	}
}

// blend paints the shape, and begins another one.
func (r *raster) blend(name string) {
	c := r.colours[name]
	for _, i := range r.touched {
		share := float64(r.share[i]) * r.pen.opacity
		r.share[i] = 0
		for k, x := range []uint8{c.R, c.G, c.B} {
			under := &r.image.Pix[4*int(i)+k]
			*under = uint8(math.Round(float64(*under)*(1-share) + float64(x)*share))
		}
	}
	r.touched = r.touched[:0]
}

// label writes letters of 5 by 7 points, joined to strokes.
func (r *raster) label(at point, l lettering, text string) {
	unit := l.size / 10 // capitals are seven units high
	pen := .55 * unit
	if l.bold {
		pen = .75 * unit
	}
	wide := float64(6*len([]rune(text))-1) * unit
	from := map[string]float64{"middle": -wide / 2, "end": -wide}[l.anchor]
	sin, cos := math.Sincos(l.angle * math.Pi / 180)
	for i, letter := range []rune(text) {
		for _, s := range strokesOf(letter) {
			var ends [2]point
			for k, p := range s {
				x, y := from+(float64(6*i)+p.x)*unit, (p.y-6.5)*unit
				ends[k] = point{at.x + x*cos - y*sin, at.y + x*sin + y*cos}
			}
			r.cover(ends[0], ends[1], pen)
		}
	}
	r.blend(r.pen.fill)
}
