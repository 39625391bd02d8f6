package main

import (
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

func TestTopQuery(t *testing.T) {
	roads := []config.Relationship{{Type: "ROAD"}, {Type: "a road"}}
	for _, c := range []struct {
		graph config.Graph
		run   connector.Run
		want  string
	}{
		{config.Graph{Nodes: []string{"City", "Big town"}, Relationships: roads},
			connector.Run{NodeProperties: []string{"bc"}, RelationshipProperties: []string{"x"}},
			"MATCH (n:City|`Big town`) WHERE n.bc IS NOT NULL RETURN n ORDER BY n.bc DESC LIMIT 10"},
		{config.Graph{NodeQuery: "MATCH (n) RETURN n", Relationships: roads}, connector.Run{NodeProperties: []string{"b c"}},
			"MATCH (n) WHERE n.`b c` IS NOT NULL RETURN n ORDER BY n.`b c` DESC LIMIT 10"},
		{config.Graph{Nodes: []string{"City"}, Relationships: roads}, connector.Run{RelationshipProperties: []string{"x"}},
			"MATCH (a)-[r:ROAD|`a road`]->(b) WHERE r.x IS NOT NULL RETURN a, r, b ORDER BY r.x DESC LIMIT 10"},
		{config.Graph{Nodes: []string{"City"}, Relationships: roads}, connector.Run{}, ""},
	} {
		if got := topQuery(config.Job{Graph: c.graph}, c.run); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
