package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestScoresAreCheckedAsWhatWasDone: scores in double precision are held to it, also where single was asked for.
func TestScoresAreCheckedAsWhatWasDone(t *testing.T) {
	task := testTask(Auto)
	out, err := (&Engine{}).Compute(t.Context(), testTask(CPU))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := kernels.Lookup(task.Measure)
	wrong := func(single bool) *kernels.Scores {
		s := *out.Scores
		s.Nodes, s.Single = slices.Clone(s.Nodes), single
		s.Nodes[2] *= 1 + 1e-7
		return &s
	}
	if err := checkOnCPU(m, task, wrong(false)); err == nil || !strings.HasPrefix(err.Error(), "check: betweenness: ") {
		t.Errorf("wrong scores of the CPU: %v", err)
	}
	for _, c := range []struct {
		asked  string
		done   bool
		passes bool
	}{{kernels.Single, true, true}, {kernels.Single, false, false}, {"double", true, false}} {
		task.Precision = c.asked
		err := checkOfDevice(m, task, wrong(c.done))
		if r, _ := ReasonOf(err); (err == nil) != c.passes || err != nil && r != protocol.BadScores {
			t.Errorf("asked for %s, done in single %t: %v", c.asked, c.done, err)
		}
	}
}
