package engine

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCommunitiesOfAWorker: what a worker cuts has the groups, the merges and the edges of the CPU, with a journal of
// its own and with one of the request. The second run goes on from that.
func TestCommunitiesOfAWorker(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	two := 2
	for _, groups := range []*int{nil, &two} {
		task := testTask(CPU)
		task.Measure, task.Request.Groups = "communities", groups
		e := &Engine{device: testMachine("good")}
		want, err := e.Compute(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		task.Device = GPU
		journal := filepath.Join(t.TempDir(), "cuts")
		for _, task.Request.Journal = range []string{"", journal, journal} {
			got, err := e.Compute(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.Scores.Grouping, got.Scores.Grouping); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(want.Scores.Edges, got.Scores.Edges); d != "" || got.Device != "Fake 9000" ||
				got.Scores.Ties != "" {
				t.Errorf("%s, ties %q, %s", got.Device, got.Scores.Ties, d)
			}
			if task.Request.Journal != "" {
				want.Scores.Grouping.Resumed = want.Scores.Grouping.Cuts
			}
		}
	}
}
