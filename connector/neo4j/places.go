package neo4j

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// The properties that may say where a node is, the best first: latitude and longitude in pairs, then points.
var (
	degreesNorthEast = [][2]string{{"lat", "lon"}, {"latitude", "longitude"}, {"lat", "lng"}, {"lat", "long"}}
	points           = []string{"location", "position", "point", "coordinates"}
)

// NodePlaces returns where on Earth the nodes are, in the order of their ids: by the properties c, or by those that are
// common for it if c is empty. It is nil for a node that has none of them.
func (db *DB) NodePlaces(ctx context.Context, ids export.IDs, c connector.Coordinates) ([]*connector.Place, error) {
	pairs, single := degreesNorthEast, points
	if c != (connector.Coordinates{}) {
		pairs, single = nil, nil
	}
	if c.Latitude != "" && c.Longitude != "" {
		pairs = [][2]string{{c.Latitude, c.Longitude}}
	}
	if c.Point != "" {
		single = []string{c.Point}
	}
	var values []string
	for _, p := range pairs {
		values = append(values, "n."+quote(p[0]), "n."+quote(p[1]))
	}
	for _, p := range single {
		values = append(values, "n."+quote(p))
	}
	out := make([]*connector.Place, ids.Len())
	rows, err := db.query(ctx, "places", "UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE "+db.id("n")+" = $ids[i] "+
		"RETURN i, ["+strings.Join(values, ", ")+"]", map[string]any{"ids": parameter(ids)})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		i, _ := row[0].(int64)
		out[i] = firstPlace(list(row[1]), len(pairs))
	}
	return out, nil
}

// firstPlace returns the first pair of values, or the first single one after them, that is a place on Earth.
func firstPlace(values []any, pairs int) *connector.Place {
	for i := range pairs {
		if p := place(degrees(values[2*i]), degrees(values[2*i+1])); p != nil {
			return p
		}
	}
	for _, v := range values[2*pairs:] {
		if p := placeOfPoint(v); p != nil {
			return p
		}
	}
	return nil
}

// degrees is a number, or a text that shows one; NaN for everything else.
func degrees(v any) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case int64:
		return float64(x)
	case string:
		if parsed, err := strconv.ParseFloat(strings.TrimSpace(x), 64); err == nil {
			return parsed
		}
	}
	return math.NaN()
}

// place is nil for what is no place on Earth.
func place(north, east float64) *connector.Place {
	if !(math.Abs(north) <= 90 && math.Abs(east) <= 180) {
		return nil
	}
	return &connector.Place{Latitude: north, Longitude: east}
}

// placeOfPoint reads points of WGS 84, with and without a height.
func placeOfPoint(v any) *connector.Place {
	switch p := v.(type) {
	case dbtype.Point2D:
		if p.SpatialRefId == 4326 {
			return place(p.Y, p.X)
		}
	case dbtype.Point3D:
		if p.SpatialRefId == 4979 {
			return place(p.Y, p.X)
		}
	}
	return nil
}
