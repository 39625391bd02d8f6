package picture

import (
	"math"

	"github.com/linchpin-graph/linchpin/connector"
)

// layout finds places by Fruchterman and Reingold's forces (1991), from a start that is always the same: nodes push one
// another away, links pull their ends together, and a pull to the middle keeps parts without a link near.
func layout(p *connector.Picture, radius func(int) float64) ([]point, float64) {
	n := len(p.Nodes)
	height := 320 + 260*min(1, float64(n)/60)
	at := spiral(n, height)
	ideal := .75 * math.Sqrt(drawWidth*height/float64(n))
	const rounds = 300
	for round := range rounds {
		force := repulsion(at, ideal)
		for _, l := range p.Links {
			attract(at, force, l, ideal)
		}
		heat := .12 * drawWidth * math.Pow(1-float64(round)/rounds, 1.5)
		for i := range at {
			fx, fy := force[i].x-at[i].x*.3, force[i].y-at[i].y*.3*drawWidth/height
			d := max(math.Hypot(fx, fy), 1e-9)
			step := min(d, heat)
			at[i] = point{at[i].x + fx/d*step, at[i].y + fy/d*step}
		}
	}
	fit(at, height)
	spread(at, radius, height)
	return at, height
}

// spread moves dots apart that cover each other.
func spread(at []point, radius func(int) float64, height float64) {
	for range 60 {
		for i := range at {
			for k := range i {
				dx, dy := at[i].x-at[k].x, at[i].y-at[k].y
				d := max(math.Hypot(dx, dy), .01)
				if over := (radius(i) + radius(k) + 5 - d) / 2; over > 0 {
					x, y := dx/d*over/2, dy/d*over/2
					at[i], at[k] = inside(at[i].x+x, at[i].y+y, height), inside(at[k].x-x, at[k].y-y, height)
				}
			}
		}
	}
}

func inside(x, y, height float64) point {
	const edge = 18
	return point{min(max(x, edge), drawWidth-edge), min(max(y, edge), height-edge)}
}

// spiral places nodes around the origin, on a sunflower's spiral.
func spiral(n int, height float64) []point {
	at := make([]point, n)
	for i := range at {
		angle, r := float64(i)*2.399963, math.Sqrt((float64(i)+.5)/float64(n))
		at[i] = point{r * math.Cos(angle) * drawWidth / 2.4, r * math.Sin(angle) * height / 2.4}
	}
	return at
}

func repulsion(at []point, ideal float64) []point {
	force := make([]point, len(at))
	for i := range at {
		for k := range i {
			dx, dy := at[i].x-at[k].x, at[i].y-at[k].y
			d := dx*dx + dy*dy
			if d > 9*ideal*ideal { // parts without a link stay near
				continue
			}
			f := ideal * ideal / max(d, .01)
			force[i].x, force[i].y = force[i].x+dx*f, force[i].y+dy*f
			force[k].x, force[k].y = force[k].x-dx*f, force[k].y-dy*f
		}
	}
	return force
}

func attract(at, force []point, l connector.Link, ideal float64) {
	if min(l.From, l.To) < 0 || max(l.From, l.To) >= len(at) {
		return
	}
	dx, dy := at[l.From].x-at[l.To].x, at[l.From].y-at[l.To].y
	f := math.Hypot(dx, dy) / ideal
	force[l.From].x, force[l.From].y = force[l.From].x-dx*f, force[l.From].y-dy*f
	force[l.To].x, force[l.To].y = force[l.To].x+dx*f, force[l.To].y+dy*f
}

// fit scales places to the drawing, with room for dots and labels.
func fit(at []point, height float64) {
	const side, above = 60, 30
	low, high := at[0], at[0]
	for _, p := range at {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	for i, p := range at {
		at[i] = point{within(p.x, low.x, high.x, side, drawWidth-side), within(p.y, low.y, high.y, above, height-above)}
	}
}

// within maps x from one range to another; a range of no width to the middle.
func within(x, low, high, from, to float64) float64 {
	if high-low < 1e-9 {
		return (from + to) / 2
	}
	return from + (x-low)/(high-low)*(to-from)
}
