package jobs_test

import (
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestCaption runs a job that names the property its nodes are called by. The choice changes no score, so that a run
// after it is "unchanged".
func TestCaption(t *testing.T) {
	b := newBench(t, append(path(3), "MATCH (v:V) SET v.name = 'the ' + v.i, v.code = 10 * v.i")...)
	j := job("names", betweenness())
	if r := b.run(j, jobs.Options{}); r.Run.Scores[0].Top[0].Name != "the 1" {
		t.Errorf("without a caption the node is called %q", r.Run.Scores[0].Top[0].Name)
	}
	j.Graph.Caption = "code"
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("another caption counts as another graph")
	}
	if r := b.run(j, jobs.Options{Recompute: true}); r.Run.Scores[0].Top[0].Name != "10" {
		t.Errorf("with a caption the node is called %q", r.Run.Scores[0].Top[0].Name)
	}
	b.cypher("MATCH (v:V) REMOVE v.code")
	if r := b.run(j, jobs.Options{Recompute: true}); r.Run.Scores[0].Top[0].Name != "the 1" {
		t.Errorf("with a caption that no node has the node is called %q", r.Run.Scores[0].Top[0].Name)
	}
	j.Graph.Caption = "cod"
	_, err := b.runner.Run(t.Context(), j, jobs.Options{})
	if connector.KindOf(err) != connector.UnknownName || connector.HintOf(err) != "did you mean code?" {
		t.Errorf("a caption that nothing ever had: %v, hint %q", err, connector.HintOf(err))
	}
}
