package picture

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Natural Earth's land in 1:110m, which is in the public domain: one outline per line, as differences of longitudes and
// latitudes in tenths of a degree.
//
//go:generate landgen/generate.sh
//go:embed land.txt
var landText string

// degrees is a longitude and a latitude.
type degrees [2]float64

var outlines = sync.OnceValue(func() [][]degrees {
	var out [][]degrees
	for line := range strings.Lines(landText) {
		var ring []degrees
		var x, y int
		fields := strings.Fields(line)
		for i := 0; i+1 < len(fields); i += 2 {
			dx, _ := strconv.Atoi(fields[i])
			dy, _ := strconv.Atoi(fields[i+1])
			x, y = x+dx, y+dy
			ring = append(ring, degrees{float64(x) / 10, float64(y) / 10})
		}
		out = append(out, unwrap(ring))
	}
	return out
})

// unwrap turns a ring that jumps from 180 to -180 into one that goes on east. One around a pole has to jump, and stays.
func unwrap(ring []degrees) []degrees {
	out := slices.Clone(ring)
	for i := 1; i < len(out); i++ {
		for out[i][0]-out[i-1][0] > 180 {
			out[i][0] -= 360
		}
		for out[i][0]-out[i-1][0] < -180 {
			out[i][0] += 360
		}
	}
	if math.Abs(out[len(out)-1][0]-out[0][0]) > 180 {
		return ring
	}
	return out
}

// land draws the outlines that the map shows, if they are fine enough for it.
func (p *projection) land(c *Canvas, height float64) {
	if p.noLandShown {
		return
	}
	var path strings.Builder
	for _, ring := range outlines() {
		for _, turn := range []float64{-360, 0, 360} {
			p.outline(&path, clipRing(ring, turn-p.centre, [4]float64{p.west, p.south, p.east, p.north}))
		}
	}
	if path.Len() > 0 {
		c.Add(`<path class="land" d="%s"/>`, path.String())
	}
}

// outline adds a closed line to the path of the land.
func (p *projection) outline(path *strings.Builder, ring []degrees) {
	command := "M"
	before := ""
	for _, d := range ring {
		q := p.on(d[1], d[0])
		text := fmt.Sprintf("%.1f %.1f", q.x, q.y)
		if text != before {
			path.WriteString(command + text)
			command, before = "L", text
		}
	}
	if len(ring) > 0 {
		path.WriteString("Z")
	}
}

// clipRing moves a ring east and cuts it to a window of west, south, east and north (Sutherland and Hodgman 1974).
func clipRing(ring []degrees, east float64, window [4]float64) []degrees {
	out := make([]degrees, len(ring))
	for i, d := range ring {
		out[i] = degrees{d[0] + east, d[1]}
	}
	for side := range 4 {
		axis, sign := side%2, 1.0
		if side >= 2 {
			sign = -1
		}
		out = clipSide(out, axis, sign, window[side])
	}
	return out
}

// clipSide keeps what lies beyond a limit on one axis, or before it for a sign of -1.
func clipSide(ring []degrees, axis int, sign, limit float64) []degrees {
	var out []degrees
	for i, d := range ring {
		before := ring[(i+len(ring)-1)%len(ring)]
		in, was := sign*(d[axis]-limit) >= 0, sign*(before[axis]-limit) >= 0
		if in != was {
			t := (limit - before[axis]) / (d[axis] - before[axis])
			cut := degrees{before[0] + t*(d[0]-before[0]), before[1] + t*(d[1]-before[1])}
			cut[axis] = limit
			out = append(out, cut)
		}
		if in {
			out = append(out, d)
		}
	}
	return out
}
