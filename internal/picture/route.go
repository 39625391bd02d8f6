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
	return connector.Place{Latitude: math.Atan2(v[2], math.Hypot(v[0], v[1])) * 180 / math.Pi, Longitude: math.Atan2(v[1], v[0]) * 180 / math.Pi}
}

// route is the great circle between two places as a path. It is cut where it leaves the map at one edge and comes back at
// the other.
func (p *projection) route(from, to connector.Place) string {
	var path strings.Builder
	a, b := onSphere(from), onSphere(to)
	angle := math.Acos(max(-1, min(1, a[0]*b[0]+a[1]*b[1]+a[2]*b[2])))
	steps := max(1, int(math.Ceil(angle*180/math.Pi/longestStep)))
	last := math.NaN()
	for i := range steps + 1 {
		at := between(a, b, angle, float64(i)/float64(steps)).place()
		x := p.relative(at.Longitude)
		command := "L"
		if i == 0 {
			command = "M"
		} else if math.Abs(x-last) > 180 {
			edge := math.Copysign(180, last)
			t := (edge - last) / (x + math.Copysign(360, last) - last)
			before := between(a, b, angle, (float64(i-1)+t)/float64(steps)).place()
			fmt.Fprintf(&path, "L%sM%s", text(p.on(before.Latitude, edge)), text(p.on(before.Latitude, -edge)))
		}
		path.WriteString(command + text(p.on(at.Latitude, x)))
		last = x
	}
	return path.String()
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
