package neo4j

import (
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestNodePlaces reads coordinates in every form, and none where there is none.
func TestNodePlaces(t *testing.T) {
	s := neo4jtest.Shared(t)
	anchorage := &connector.Place{Latitude: 61.25, Longitude: -150}
	cases := []struct {
		properties string
		by         connector.Coordinates
		want       *connector.Place
	}{
		{"{lat: 61.25, lon: -150}", connector.Coordinates{}, anchorage},
		{"{latitude: '61.25', longitude: '-150.0'}", connector.Coordinates{}, anchorage},
		{"{lat: 61.25, lng: -150.0}", connector.Coordinates{}, anchorage},
		{"{location: point({latitude: 61.25, longitude: -150})}", connector.Coordinates{}, anchorage},
		{"{position: point({latitude: 61.25, longitude: -150, height: 40})}", connector.Coordinates{}, anchorage},
		{"{n: 61.25, e: -150.0, lat: 1, lon: 1}", connector.Coordinates{Latitude: "n", Longitude: "e"}, anchorage},
		{"{at: point({latitude: 61.25, longitude: -150})}", connector.Coordinates{Point: "at"}, anchorage},
		{"{location: point({x: 61.25, y: -150})}", connector.Coordinates{}, nil},
		{"{lat: 'north', lon: 'east'}", connector.Coordinates{}, nil},
		{"{lat: 610, lon: -150}", connector.Coordinates{}, nil},
		{"{lat: 61.25, lon: -150}", connector.Coordinates{Latitude: "n", Longitude: "e"}, nil},
		{"{location: 'Anchorage'}", connector.Coordinates{}, nil},
	}
	db := open(t, s)
	for _, c := range cases {
		id := s.Query(t, "CREATE (n:Placed "+c.properties+") RETURN id(n) AS id", nil)[0]["id"].(int64)
		places, err := db.NodePlaces(t.Context(), export.IDs{Ints: []int64{id}}, c.by)
		if err != nil || len(places) != 1 || (places[0] == nil) != (c.want == nil) || c.want != nil && *places[0] != *c.want {
			t.Errorf("%s by %+v: %+v, %v; want %+v", c.properties, c.by, places[0], err, c.want)
		}
	}
}
