package jobs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestDendrogram: a job writes how its groups join, to a file and as nodes next to its supernodes. A label that other
// nodes have is refused before anything is written. A run from the computed scores writes the same.
func TestDendrogram(t *testing.T) {
	b := newBench(t, append(groupsOf6(), "CREATE (:Taken)")...)
	j := job("circles", config.Measure{Measure: "communities", Nodes: "circle"})
	file := filepath.Join(t.TempDir(), "circles.json")
	j.Supernodes = &config.Supernodes{Of: "circle", Label: "Circle", Relationship: "PART_OF"}
	j.Dendrogram = &config.Dendrogram{Of: "circle", File: file, Label: "Taken", Relationship: "JOINED"}
	_, err := b.runner.Run(t.Context(), j, jobs.Options{})
	if err == nil || !strings.Contains(err.Error(), `the label "Taken" exists`) {
		t.Fatalf("%v", err)
	}
	if n := b.value("MATCH (x) WHERE x.circle IS NOT NULL OR x:LinchpinSupernode RETURN count(*)"); n != int64(0) {
		t.Errorf("the refused run wrote %v nodes", n)
	}
	j.Dendrogram.Label = "Split"
	r := b.run(j, jobs.Options{})
	b.checkSplits(r.Run.ID)
	b.checkDendrogramFile(file)
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("the second run is not unchanged")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	again := b.run(j, jobs.Options{From: jobs.Write})
	b.checkSplits(again.Run.ID)
	b.checkDendrogramFile(file)
	if !reflect.DeepEqual(again.Run.Dendrogram, r.Run.Dendrogram) {
		t.Errorf("from the computed scores: %+v", again.Run.Dendrogram)
	}
	last, err := b.db.LastSuccess(t.Context(), "circles")
	if err != nil || !reflect.DeepEqual(last.Dendrogram, r.Run.Dendrogram) {
		t.Errorf("%v: the record has another dendrogram than the run: %+v", err, last.Dendrogram)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if r := b.run(j, jobs.Options{}); r.Unchanged {
		t.Error("unchanged, and the file is gone")
	}
	b.checkDendrogramFile(file)
	j.Supernodes, j.Dendrogram = nil, nil
	b.run(j, jobs.Options{})
	if n := b.value("MATCH (x:LinchpinSupernode) RETURN count(*)"); n != int64(0) {
		t.Errorf("%v nodes are left, and no job asks for them", n)
	}
}

// checkSplits looks at the dendrogram of four groups in one component: seven nodes, each but the root a part of one
// other.
func (b *bench) checkSplits(run string) {
	b.t.Helper()
	for query, want := range map[string]int64{
		"MATCH (x:Split:LinchpinSupernode {job: 'circles', run: '" + run + "'}) RETURN count(*)":                     7,
		"MATCH (x:Circle:LinchpinSupernode {job: 'circles', run: '" + run + "'}) RETURN count(*)":                    7,
		"MATCH (x:LinchpinSupernode) RETURN count(*)":                                                                14,
		"MATCH (:Split)-[r:JOINED]->(:Split) RETURN count(r)":                                                        6,
		"MATCH (x:Split) WHERE NOT (x)-[:JOINED]->() AND x.groups = 1 AND x.modularity = 0 RETURN sum(x.nodes)":      24,
		"MATCH (x:Split) WHERE x.group IS NOT NULL AND COUNT {(v:V {circle: x.group})} = x.nodes RETURN count(*)":    4,
		"MATCH (x:Split)-[:JOINED]->(p) WITH p, sum(x.nodes) AS n WHERE n = p.nodes AND p.score > 0 RETURN count(*)": 3,
		"MATCH (x:Split)-[:JOINED]->(p:Split) WHERE p.groups IS NOT NULL AND p.number > x.number RETURN count(*)":    6,
		"MATCH (x:Taken) RETURN count(*)": 1,
		"MATCH (x:Split) WHERE x.links IS NOT NULL OR x.affinity IS NOT NULL RETURN count(*)":                                            0,
		"MATCH (x:Circle) WHERE x.score IS NOT NULL OR x.groups IS NOT NULL OR x.modularity IS NOT NULL RETURN count(*)":                 0,
		"MATCH (x:Split) WHERE x.groups IS NOT NULL WITH x.groups AS g ORDER BY g RETURN CASE collect(g) WHEN [1,2,3] THEN 1 ELSE 0 END": 1,
	} {
		if n := b.value(query); n != want {
			b.t.Errorf("%v instead of %d: %s", n, want, query)
		}
	}
}

// checkDendrogramFile compares a file with the database: the nodes that it has in one of four groups are those of one
// circle.
func (b *bench) checkDendrogramFile(path string) {
	b.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	var d struct {
		Leaves [][]string
		Merges []struct {
			A, B          int32
			Nodes, Groups int
			Modularity    float64
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		b.t.Fatal(err)
	}
	if len(d.Leaves) != 24 || len(d.Merges) != 23 {
		b.t.Fatalf("%d leaves, %d merges", len(d.Leaves), len(d.Merges))
	}
	sets := disjoint.New(47)
	for i, m := range d.Merges[:20] {
		sets.Join(m.A, int32(24+i))
		sets.Join(m.B, int32(24+i))
	}
	if m := d.Merges[19]; m.Groups != 4 || m.Modularity < 0.6 {
		b.t.Errorf("%+v", m)
	}
	circle := map[string]any{}
	for _, row := range b.cypher("MATCH (v:V) RETURN toString(id(v)) AS id, v.circle AS circle") {
		circle[row["id"].(string)] = row["circle"]
	}
	seen := map[int32]any{}
	for leaf, nodes := range d.Leaves {
		root := sets.Find(int32(leaf))
		if was, ok := seen[root]; len(nodes) != 1 || ok && was != circle[nodes[0]] {
			b.t.Errorf("leaf %d of %v is in circle %v, others of its group in %v", leaf, nodes, circle[nodes[0]], was)
		}
		seen[root] = circle[nodes[0]]
	}
	if len(seen) != 4 {
		b.t.Errorf("%d groups", len(seen))
	}
}
