package jobs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// shared returns a job that scores the undirected graph of a label and a type, under the same names as the others.
func shared(name, label, kind, mode string) config.Job {
	j := job(name, betweenness())
	j.Graph.Nodes, j.Graph.Relationships[0].Type, j.Write.Mode = []string{label}, kind, mode
	return j
}

// Two jobs that write the same properties on other labels and types run in turn, and go one by one.
func TestJobsShareProperties(t *testing.T) {
	for _, mode := range []string{"inplace", "ab", "stamp"} {
		t.Run(mode, func(t *testing.T) {
			other := strings.NewReplacer(":V", ":W", ":E", ":F")
			statements := path(12)
			for _, s := range path(7) {
				statements = append(statements, other.Replace(s))
			}
			b := newBench(t, statements...)
			v, w := shared("v", "V", "E", mode), shared("w", "W", "F", mode)
			// scores reads how many nodes and relationships have a score, and that of one node.
			scores := func(j config.Job) (nodes, relationships int, sixth any) {
				t.Helper()
				r := neo4j.ReadersOf(j.Name, connector.Mode(mode), jobs.Projection(j.Graph), []string{"bc"}, []string{"ebc"})
				for _, row := range b.cypher(strings.Replace(r.Nodes, "RETURN n, `bc` ORDER BY `bc` DESC LIMIT 10",
					"RETURN n.i AS i, `bc`", 1)) {
					if nodes++; row["i"] == int64(5) {
						sixth = row["bc"]
					}
				}
				return nodes, len(b.cypher(strings.TrimSuffix(r.Relationships, " LIMIT 10"))), sixth
			}
			wants := func(j config.Job, nodes, relationships int, sixth any) {
				t.Helper()
				if n, r, x := scores(j); n != nodes || r != relationships || x != sixth {
					t.Errorf("%s: %d nodes and %d relationships have scores, the sixth node %v; want %d, %d, %v", j.Name, n, r, x,
						nodes, relationships, sixth)
				}
			}
			for range 2 {
				b.run(v, jobs.Options{Recompute: true})
				b.run(w, jobs.Options{Recompute: true})
				wants(v, 12, 13, 30.0)
				wants(w, 7, 8, 5.0)
			}
			if r := b.run(v, jobs.Options{}); !r.Unchanged {
				t.Error("the other job's run made this one run")
			}
			b.cypher("MATCH (n:V {i: 11}) REMOVE n:V")
			b.run(v, jobs.Options{})
			wants(v, 11, 12, 25.0)
			wants(w, 7, 8, 5.0)

			b.cypher("MATCH (n:W {i: 6}) SET n:V")
			_, err := b.runner.Run(context.Background(), v, jobs.Options{Recompute: true})
			if connector.KindOf(err) != connector.NotOurs ||
				!strings.Contains(err.Error(), "label V and label W, on which the job w writes property") {
				t.Errorf("a node with both labels: %v", err)
			}
			wants(w, 7, 8, 5.0)
			b.cypher("MATCH (n:W {i: 6}) REMOVE n:V")

			for _, step := range []struct {
				drop             config.Job
				nodes, relations int
				sixth            any
			}{{v, 7, 8, 5.0}, {w, 0, 0, nil}} {
				if _, err := b.db.Drop(t.Context(), step.drop.Name, "test", nil); err != nil {
					t.Fatal(err)
				}
				wants(v, 0, 0, nil)
				wants(w, step.nodes, step.relations, step.sixth)
			}
		})
	}
}
