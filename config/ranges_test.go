package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRangesAreMeasures: a list of ranges is read as a measure of each.
func TestRangesAreMeasures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "linchpin.yml")
	text := `version: 1
jobs:
  - name: hubs
    graph:
      nodes: [Airport]
      relationships:
        - {type: ROUTE, weight: miles, orientation: undirected}
    measures:
      - {measure: betweenness, weighted: false, nodes: bc, relationships: rbc, within: [10, 2]}
      - {measure: closeness, nodes: near, within: {miles: [0.5, 1e6]}}
      - {measure: degree, nodes: degree}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file, Checks{})
	if err != nil {
		t.Fatal(err)
	}
	var nodes, relationships []string
	var most []float64
	for _, m := range c.Jobs[0].Measures {
		nodes, relationships = append(nodes, m.Nodes), append(relationships, m.Relationships)
		if m.Within != nil {
			most = append(most, m.Within.Most)
		}
	}
	if want := []string{"bc_10", "bc_2", "near_0_5", "near_1000000", "degree"}; !slices.Equal(nodes, want) {
		t.Errorf("properties of nodes are %q; want %q", nodes, want)
	}
	if want := []string{"rbc_10", "rbc_2", "", "", ""}; !slices.Equal(relationships, want) {
		t.Errorf("properties of relationships are %q; want %q", relationships, want)
	}
	if want := []float64{10, 2, 0.5, 1e6}; !slices.Equal(most, want) {
		t.Errorf("ranges are %v; want %v", most, want)
	}
}
