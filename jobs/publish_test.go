package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// The whole of a run under each mode that publishes at once: the second one beside the first, a third that ends between
// its last score and its publication, one from write that mends it, and one that is rolled back.
func TestRunsArePublishedWhole(t *testing.T) {
	for _, mode := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(mode), func(t *testing.T) {
			b := newBench(t, path(12)...)
			j := job("whole", betweenness())
			j.Write.Mode = string(mode)
			readers := neo4j.ReadersOf(j.Name, mode, jobs.Projection(j.Graph), []string{"bc"}, []string{"ebc"})
			reads := func(what string, want float64) {
				t.Helper()
				view, _, _ := strings.Cut(readers.Nodes, "\n}\n")
				if got := b.value(view + "\n} WITH n, bc WHERE n.i = 6 RETURN bc"); got != want {
					t.Errorf("%s: a reader sees %v, want %v", what, got, want)
				}
				if rows := len(b.cypher(strings.TrimSuffix(readers.Both, " LIMIT 10"))); rows < 13 {
					t.Errorf("%s: %d relationships", what, rows)
				}
			}
			b.run(j, jobs.Options{})
			reads("first", 30)
			if r := b.run(j, jobs.Options{}); !r.Unchanged {
				t.Error("nothing changed, and it ran")
			}
			b.cypher("MATCH (a:V {i: 0}), (b:V {i: 11}) CREATE (a)-[:E {w: 1}]->(b)") // a ring
			second := b.run(j, jobs.Options{})
			// The database may number the nodes in another order than it made them.
			at := slices.Index(second.Snapshot.Nodes.Ints, b.value("MATCH (n:V {i: 6}) RETURN id(n)").(int64))
			ring := second.Columns[0].Values[at]
			reads("second", ring)

			b.cypher("MATCH (a:V {i: 0})-[r:E]-(b:V {i: 11}) DELETE r")
			ctx, cancel := context.WithCancel(context.Background())
			b.notes.progress = func(s jobs.Step, done int64) {
				if s == jobs.Write && done == 25 { // the last of 12 nodes and 13 relationships
					cancel()
				}
			}
			r, err := b.runner.Run(ctx, j, jobs.Options{})
			cancel()
			if b.notes.progress = nil; !errors.Is(err, jobs.ErrUnfinished) || r.Run.Status != connector.Unfinished {
				t.Fatalf("cut off: %v, %+v", err, r.Run)
			}
			reads("cut off before it was published", ring)
			b.run(j, jobs.Options{From: jobs.Write})
			reads("from write", 30)

			back, err := b.db.Rollback(t.Context(), j.Name, "test")
			if err != nil || back.Run != second.Run.ID {
				t.Fatalf("%+v, %v; want %s", back, err, second.Run.ID)
			}
			reads("rolled back", ring)
			if r := b.run(j, jobs.Options{}); !r.Unchanged {
				t.Error("what was withdrawn came back by itself")
			}
			b.run(j, jobs.Options{Recompute: true})
			reads("asked for", 30)
		})
	}
}
