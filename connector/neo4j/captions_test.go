package neo4j

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestNodeNames names nodes by the first property that is a text or a number. A missing name must not hide a title, as
// in Neo4j's own movies database.
func TestNodeNames(t *testing.T) {
	s := neo4jtest.Shared(t)
	cases := []struct{ properties, caption, want string }{
		{"{name: 'Keanu', born: 1964}", "", "Keanu"},
		{"{title: 'The Matrix', released: 1999}", "", "The Matrix"},
		{"{name: ' ', code: 'ANC', city: 'Anchorage'}", "", "ANC"},
		{"{name: 'Anchorage', code: 'ANC'}", "code", "ANC"},
		{"{name: 'Anchorage'}", "code", "Anchorage"},
		{"{id: 42}", "", "42"},
		{"{id: 42, `my rank`: 2.5}", "my rank", "2.5"},
		{"{name: ['a', 'b'], label: true, key: 'k'}", "", "k"},
		{"{released: 1999}", "", ""},
	}
	db := open(t, s)
	for _, c := range cases {
		id := s.Query(t, "CREATE (n:Named "+c.properties+") RETURN id(n) AS id", nil)[0]["id"].(int64)
		names, err := db.NodeNames(t.Context(), export.IDs{Ints: []int64{id}}, c.caption)
		if err != nil || !slices.Equal(names, []string{c.want}) {
			t.Errorf("%s, caption %q: %q, %v; want %q", c.properties, c.caption, names, err, c.want)
		}
	}
}
