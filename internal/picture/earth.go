package picture

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// projection puts places on Earth on paper. Maps of more than a continent are in the Equal Earth projection (Šavrič,
// Patterson and Jenny 2018), others in an equirectangular one that is true in their middle.
type projection struct {
	centre      float64 // the longitude in the middle
	world       bool
	stretch     float64 // of longitudes, when not the world
	scale       float64
	left, top   float64
	south       float64 // latitudes and longitudes of what is shown
	north       float64
	west, east  float64 // relative to the centre
	noLandShown bool
}

// Sizes of a map: the margin around the nodes, the least and the greatest height, and the least number of degrees for
// which the outline of the land is fine enough.
const (
	mapMargin             = 34.0
	mapLeast, mapMost     = 300.0, 760.0
	landDegrees           = 6.0
	worldDegrees          = 110.0
	poleward, longestStep = 84.0, 6.0
)

// project chooses a projection for the nodes, and returns it with the height of the map.
func project(nodes []connector.Dot) (*projection, float64) {
	p := &projection{centre: middle(nodes), scale: 1}
	south, north, west, east := 90.0, -90.0, 180.0, -180.0
	for _, n := range nodes {
		x := p.relative(n.Place.Longitude)
		south, north = min(south, n.Place.Latitude), max(north, n.Place.Latitude)
		west, east = min(west, x), max(east, x)
	}
	p.world = east-west > worldDegrees
	p.stretch = max(.05, math.Cos((south+north)/2*math.Pi/180))
	p.noLandShown = max(east-west, north-south) < landDegrees
	height := p.fit(nodes, max(north-south, (east-west)*p.stretch, .02))
	p.bounds(height)
	return p, height
}

// worldMiddle is the middle of a map of all the world: its edge goes through the Bering Strait.
const worldMiddle = 11.0

// middle is the longitude opposite to the widest gap between nodes, so that the edge of the map divides nothing. Nodes
// all around the world make the map that people know.
func middle(nodes []connector.Dot) float64 {
	all := make([]float64, 0, len(nodes))
	for _, n := range nodes {
		all = append(all, wrap(n.Place.Longitude))
	}
	slices.Sort(all)
	widest, at := 0.0, 0.0
	for i, x := range all {
		next := all[0] + 360
		if i+1 < len(all) {
			next = all[i+1]
		}
		if next-x > widest {
			widest, at = next-x, (x+next)/2
		}
	}
	if widest < 100 {
		return worldMiddle
	}
	return wrap(at + 180)
}

// wrap brings a longitude to -180 up to 180.
func wrap(x float64) float64 {
	return math.Mod(math.Mod(x+180, 360)+360, 360) - 180
}

func (p *projection) relative(longitude float64) float64 { return wrap(longitude - p.centre) }

// fit sets scale and margins, and returns the height. degrees is what the nodes span, for maps of a single spot.
func (p *projection) fit(nodes []connector.Dot, degrees float64) float64 {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, n := range nodes {
		q := p.plane(n.Place.Latitude, p.relative(n.Place.Longitude))
		low, high = point{min(low.x, q.x), min(low.y, q.y)}, point{max(high.x, q.x), max(high.y, q.y)}
	}
	w, h := max(high.x-low.x, .002*degrees), max(high.y-low.y, .002*degrees)
	p.scale = min((drawWidth-2*mapMargin)/w, (mapMost-2*mapMargin)/h)
	height := min(mapMost, max(mapLeast, h*p.scale+2*mapMargin))
	p.left = drawWidth/2 - (low.x+high.x)/2*p.scale
	p.top = height/2 - (low.y+high.y)/2*p.scale
	return height
}

// bounds finds the latitudes and longitudes that the map shows, with room to spare.
func (p *projection) bounds(height float64) {
	p.west, p.east, p.south, p.north = -180, 180, -60, poleward
	if p.world {
		return
	}
	unit := math.Pi / 180 * p.scale
	p.west, p.east = max(-180, -p.left/unit/p.stretch-2), min(180, (drawWidth-p.left)/unit/p.stretch+2)
	p.north, p.south = min(90, p.top/unit+2), max(-90, (p.top-height)/unit-2)
}

// plane is the projection itself. North is up, so y is negative there; longitude is relative to the centre.
func (p *projection) plane(latitude, longitude float64) point {
	phi, lambda := latitude*math.Pi/180, longitude*math.Pi/180
	if !p.world {
		return point{lambda * p.stretch, -phi}
	}
	const a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
	theta := math.Asin(math.Sqrt(3) / 2 * math.Sin(phi))
	t2 := theta * theta
	t6 := t2 * t2 * t2
	x := 2 * math.Sqrt(3) * lambda * math.Cos(theta) / (3 * (9*a4*t6*t2 + 7*a3*t6 + 3*a2*t2 + a1))
	return point{x, -theta * (a4*t6*t2 + a3*t6 + a2*t2 + a1)}
}

// on is a point of the map.
func (p *projection) on(latitude, longitude float64) point {
	q := p.plane(latitude, longitude)
	return point{q.x*p.scale + p.left, q.y*p.scale + p.top}
}

func (p *projection) point(at connector.Place) point {
	return p.on(at.Latitude, p.relative(at.Longitude))
}
