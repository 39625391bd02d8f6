package neo4j

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/contract"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// harness puts the contract suite's graphs into the shared server, under names that need quoting.
type harness struct {
	server *neo4jtest.Server
	db     *DB
	id     string
}

func (h *harness) Terms() contract.Terms {
	return contract.Terms{
		Labels: []string{"a`b c", `\u0060 MATCH 東京 🚆`}, Types: []string{"LINKS``TO", "r:x|y"}, Weight: "the `weight`",
		Isolated: true,
	}
}

func (h *harness) Source() connector.Source { return h.db }
func (h *harness) Sink() connector.Sink     { return h.db }

func (h *harness) Load(t *testing.T, m contract.Model) {
	h.server.Clear(t) // and leave the constraints, which take their time to make
	terms := h.Terms()
	var nodes, rels []any
	for _, name := range m.Nodes {
		nodes = append(nodes, map[string]any{"name": name})
	}
	// Some nodes before and between, so that ids are not places.
	h.server.Query(t, "UNWIND range(1, 7) AS i CREATE (:Other)", nil)
	h.server.Query(t, fmt.Sprintf("UNWIND $nodes AS n CREATE (:%s:%s {name: n.name}) CREATE (:Other)",
		quote(terms.Labels[0]), quote(terms.Labels[1])),
		map[string]any{"nodes": nodes})
	for _, r := range m.Rels {
		var w any
		if r.Weight != nil {
			w = *r.Weight
		}
		rels = append(rels, map[string]any{"s": m.Nodes[r.Source], "t": m.Nodes[r.Target], "type": r.Type, "w": w})
	}
	for _, kind := range terms.Types {
		h.server.Query(t, fmt.Sprintf("UNWIND $rels AS r WITH r WHERE r.type = $type "+
			"MATCH (s {name: r.s}), (t {name: r.t}) CREATE (s)-[:%s {%s: r.w}]->(t)", quote(kind), quote(terms.Weight)),
			map[string]any{"rels": rels, "type": kind})
	}
}

func (h *harness) Names(t *testing.T, s *export.Snapshot) []string {
	function := h.id
	byID := map[string]string{}
	for _, row := range h.server.Query(t, "MATCH (n) WHERE n.name IS NOT NULL RETURN toString("+function+
		"(n)) AS id, n.name AS name", nil) {
		byID[row["id"].(string)] = row["name"].(string)
	}
	names := make([]string, s.Nodes.Len())
	for v := range names {
		names[v] = byID[s.Nodes.String(v)]
	}
	return names
}

func (h *harness) ReadBack(t *testing.T, on connector.Entity, property string) []contract.Score {
	match := "MATCH (s) WHERE s." + quote(property) + " IS NOT NULL RETURN s.name AS s, '' AS t, null AS w, s." +
		quote(property) + " AS v"
	if on == connector.OnRelationships {
		match = "MATCH (s)-[r]->(t) WHERE r." + quote(property) + " IS NOT NULL RETURN s.name AS s, t.name AS t, r." +
			quote(h.Terms().Weight) + " AS w, r." + quote(property) + " AS v"
	}
	var out []contract.Score
	for _, row := range h.server.Query(t, match, nil) {
		score := contract.Score{Source: row["s"].(string), Target: row["t"].(string), Value: row["v"].(float64)}
		if w, ok := row["w"].(float64); ok {
			score.Weight = &w
		}
		out = append(out, score)
	}
	return out
}

func TestContract(t *testing.T) {
	s := neo4jtest.Shared(t)
	for _, elements := range []bool{false, true} {
		h := &harness{server: s, id: "id", db: open(t, s, func(o *Options) { o.ElementIDs = elements })}
		name := "integer ids"
		if elements {
			h.id, name = "elementId", "element ids"
		}
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) { contract.Run(t, h) })
	}
}

// TestContractOfCalendarVersion runs the suite on a server whose databases default to Cypher 25.
func TestContractOfCalendarVersion(t *testing.T) {
	t.Parallel()
	s := neo4jtest.StartFor(t, neo4jtest.Options{Version: neo4jtest.CalendarVersion,
		Conf: map[string]string{"db.query.default_language": "CYPHER_25"}})
	db := open(t, s)
	if got := db.Server(); got.Version != neo4jtest.CalendarVersion || got.Cypher != "5" || !got.IntegerIDs {
		t.Errorf("%+v", got)
	}
	contract.Run(t, &harness{server: s, id: "id", db: db})
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} { // read in Cypher 25
		s.Empty(t)
		s.Query(t, chain, nil)
		p := publishingOn(t, s, open(t, s), m)
		p.run(1)
		p.run(2)
		p.wants("the second run", m, 2)
		if _, err := p.db.Rollback(t.Context(), "job", "me"); err != nil {
			t.Error(err)
		}
		p.wants("rolled back", m, 1)
	}
}
