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
	if status := run([]string{"run", "moved", "--config", path}, &out, &out); status != statusDone {
		t.Fatalf("exit status %d: %s", status, out.String())
	}
	for _, score := range []string{"betweenness", "closeness", "wasserman_faust", "harmonic"} {
		compareScores(t, s, score)
	}
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

// compareScores demands that both have scored all eight nodes alike.
func compareScores(t *testing.T, s *neo4jtest.Server, score string) {
	t.Helper()
	rows := s.Query(t, "MATCH (v:V) RETURN v.id AS id, v[$ours] AS ours, v[$theirs] AS theirs",
		map[string]any{"ours": score, "theirs": "gds_" + score})
	if len(rows) != 8 {
		t.Errorf("%d nodes, want 8", len(rows))
	}
	for _, row := range rows {
		ours, ok := row["ours"].(float64)
		theirs, has := row["theirs"].(float64)
		if !ok || !has || math.Abs(ours-theirs) > 1e-9*max(1, math.Abs(theirs)) {
			t.Errorf("%s of node %v: %v, and %v by GDS", score, row["id"], row["ours"], row["theirs"])
		}
	}
}
