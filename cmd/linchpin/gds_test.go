package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/doctest"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestMovingFromGDS does what docs/gds.md says, in its order, and compares the scores of every node.
func TestMovingFromGDS(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server")
	}
	page, err := os.ReadFile("../../docs/gds.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := neo4jtest.Start(t.Context(), neo4jtest.Options{GDS: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Setenv("LINCHPIN_NEO4J_URI", s.URI())
	path := filepath.Join(t.TempDir(), "linchpin.yml")
	for _, block := range doctest.Blocks(string(page)) {
		switch block.Language {
		case "cypher":
			s.Query(t, block.Text, nil)
		case "yaml":
			if err := os.WriteFile(path, []byte(block.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out bytes.Buffer
	if status := run([]string{"run", "undirected", "directed", "sampled", "--config", path},
		&out, &out); status != statusDone {
		t.Fatalf("exit status %d: %s", status, out.String())
	}
	compareScores(t, s)
	compareSamples(t, s)
	compareTies(t, s)
	explainDocs(t, s)
}

// explainDocs has the server plan every statement of the pages: a misspelt word or an unknown function fails there.
func explainDocs(t *testing.T, s *neo4jtest.Server) {
	for _, path := range documentedPages(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, block := range doctest.Blocks(string(page)) {
				if block.Language != "cypher" || block.Reason != "" {
					continue
				}
				for _, statement := range strings.Split(block.Text, ";") {
					if strings.TrimSpace(statement) != "" {
						s.Query(t, "EXPLAIN "+statement, nil)
					}
				}
			}
		})
	}
}

// compareScores demands that linchpin has the score of each node that GDS has written.
func compareScores(t *testing.T, s *neo4jtest.Server) {
	t.Helper()
	rows := s.Query(t, "MATCH (v:V) UNWIND [k IN keys(v) WHERE k STARTS WITH 'gds_' | substring(k, 4)] AS score "+
		"RETURN score, v.id AS id, toFloat(v[score]) AS ours, v['gds_' + score] AS theirs", nil)
	const scores, nodes = 17, 8
	if len(rows) != scores*nodes {
		t.Errorf("%d scores, want %d of %d nodes", len(rows), scores, nodes)
	}
	for _, row := range rows {
		ours, ok := row["ours"].(float64)
		theirs, has := row["theirs"].(float64)
		if !ok || !has || math.Abs(ours-theirs) > 1e-9*max(1, math.Abs(theirs)) {
			t.Errorf("%s of node %v: %v, and %v by GDS", row["score"], row["id"], row["ours"], row["theirs"])
		}
	}
}

// compareSamples demands the stated difference on a ring, where every source adds the same: 3 of 9 sources have a third
// of the sum of all, which linchpin scales.
func compareSamples(t *testing.T, s *neo4jtest.Server) {
	t.Helper()
	s.Query(t, "UNWIND range(0, 8) AS i MERGE (a:Ring {id: i}) MERGE (b:Ring {id: (i + 1) % 9}) CREATE (a)-[:NEXT]->(b)",
		nil)
	s.Query(t, "CALL gds.graph.project('ring', 'Ring', {NEXT: {orientation: 'UNDIRECTED'}})", nil)
	s.Query(t, "CALL gds.betweenness.write('ring', {samplingSize: 3, writeProperty: 'theirs'})", nil)
	runOne(t, "ring", "{nodes: [Ring], relationships: [{type: NEXT, orientation: undirected}]}", "{sample: 3}")
	row := s.Query(t, "MATCH (v:Ring) RETURN sum(v.ours) AS ours, sum(v.theirs) AS theirs", nil)[0]
	// Each of 36 pairs has a path with 0 to 3 nodes inside: 9 times 0 + 1 + 2 + 3.
	ours, theirs := row["ours"].(float64), row["theirs"].(float64)
	if math.Abs(ours-54) > 1e-9 || math.Abs(theirs-54./3) > 1e-9 {
		t.Errorf("the sums are %v, and %v by GDS; want 54 and 18", ours, theirs)
	}
}

// compareTies demands the other one: two ways of the same length in decimals, of which GDS takes the direct one alone.
func compareTies(t *testing.T, s *neo4jtest.Server) {
	t.Helper()
	s.Query(t, "CREATE (a:Tie)-[:WAY {w: 0.1}]->(:Tie {middle: true})-[:WAY {w: 0.2}]->(b:Tie), (a)-[:WAY {w: 0.3}]->(b)",
		nil)
	s.Query(t, "CALL gds.graph.project('tie', 'Tie', {WAY: {orientation: 'UNDIRECTED', properties: 'w'}})", nil)
	s.Query(t, "CALL gds.betweenness.write('tie', {relationshipWeightProperty: 'w', writeProperty: 'theirs'})", nil)
	runOne(t, "tie", "{nodes: [Tie], relationships: [{type: WAY, orientation: undirected, weight: w}]}", "{}")
	row := s.Query(t, "MATCH (v:Tie {middle: true}) RETURN v.ours AS ours, v.theirs AS theirs", nil)[0]
	if row["ours"] != 0.5 || row["theirs"] != 0.0 {
		t.Errorf("%v, and %v by GDS; want 0.5 and 0", row["ours"], row["theirs"])
	}
}

// runOne runs a job that writes betweenness as the property ours.
func runOne(t *testing.T, name, graph, compute string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".yml")
	config := "version: 1\njobs:\n  - name: " + name + "\n    graph: " + graph +
		"\n    measures: [{measure: betweenness, nodes: ours}]\n    compute: " + compute + "\n"
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if status := run([]string{"run", name, "--config", path}, &out, &out); status != statusDone {
		t.Fatalf("exit status %d: %s", status, out.String())
	}
}
