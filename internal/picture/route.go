package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// vector is a point of the unit sphere.
type vector [3]float64

func onSphere(p connector.Place) vector {
	phi, lambda := p.Latitude*math.Pi/180, p.Longitude*math.Pi/180
	return vector{math.Cos(phi) * math.Cos(lambda), math.Cos(phi) * math.Sin(lambda), math.Sin(phi)}
}

func (v vector) place() connector.Place {
	return connector.Place{Latitude: math.Atan2(v[2], math.Hypot(v[0], v[1])) * 180 / math.Pi,
		Longitude: math.Atan2(v[1], v[0]) * 180 / math.Pi}
}

// bend is how far a route on a map is on its way from a straight line to the great circle. The great circle itself
// would leave the map over the poles.
const bend = .35

// route is the way between two places as a path. It is cut where it leaves the map at one edge and comes back at the
// other.
func (p *projection) route(from, to connector.Place) string {
	var path strings.Builder
	a, b := onSphere(from), onSphere(to)
	angle := math.Acos(max(-1, min(1, a[0]*b[0]+a[1]*b[1]+a[2]*b[2])))
	steps := max(1, int(math.Ceil(angle*180/math.Pi/longestStep)))
	start := p.relative(from.Longitude)
	east := wrap(to.Longitude - from.Longitude)
	last := start
	circle := start
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		at := between(a, b, angle, t).place()
		circle += wrap(p.relative(at.Longitude) - circle) // without a jump
		x := (1-bend)*(start+t*east) + bend*circle
		y := (1-bend)*(from.Latitude+t*(to.Latitude-from.Latitude)) + bend*at.Latitude
		p.step(&path, i, last, x, y)
		last = x
	}
	return path.String()
}

// step goes on to a point. Longitudes beyond the edge are on the other side of the map.
func (p *projection) step(path *strings.Builder, i int, last, x, y float64) {
	turn := 360 * math.Round(x/360)
	switch {
	case i == 0:
		path.WriteString("M")
	case turn != 360*math.Round(last/360):
		edge := math.Copysign(180, x-last)
		fmt.Fprintf(path, "L%sM%sL", text(p.on(y, edge)), text(p.on(y, -edge)))
	default:
		path.WriteString("L")
	}
	path.WriteString(text(p.on(y, x-turn)))
}

func text(q point) string { return fmt.Sprintf("%.1f %.1f", q.x, q.y) }

// between is a point of the great circle from a to b, t of the way.
func between(a, b vector, angle, t float64) vector {
	if angle < 1e-9 || math.Pi-angle < 1e-6 {
		return a
	}
	s, u := math.Sin((1-t)*angle)/math.Sin(angle), math.Sin(t*angle)/math.Sin(angle)
	return vector{s*a[0] + u*b[0], s*a[1] + u*b[1], s*a[2] + u*b[2]}
}
