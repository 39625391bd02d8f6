package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// sharing returns a task for each of some ranges, which share a pass.
func sharing(t Task, within ...float64) (all []Task) {
	shared, chosen := &kernels.Shared{}, kernels.Pairs{}
	if t.Request.Pairs != nil {
		chosen = *t.Request.Pairs
	}
	for i, x := range within {
		pairs := chosen
		pairs.Within, t.Request.Pairs = x, &pairs
		shared.Requests = append(shared.Requests, t.Request)
		t.Request.Shared, t.Request.Place = shared, i
		all = append(all, t)
		t.Request.Shared, t.Request.Place = nil, 0
	}
	return all
}

// TestRankSeveralRanges: the plan says whether a GPU takes one pass over several ranges, and what memory that needs.
func TestRankSeveralRanges(t *testing.T) {
	e := &Engine{device: &stubRunner{}}
	for _, c := range []struct {
		strategy string
		weighted bool
		shards   int
		targets  []int32
		onePass  bool
	}{
		{"work-efficient", false, 0, nil, true},
		{"work-efficient-warp-4", false, 0, nil, true},
		{"levels", false, 0, nil, false},
		{"hybrid", false, 0, nil, false},
		{"work-efficient", true, 0, nil, true},
		{"work-efficient-warp-8", true, 0, nil, true},
		{"weighted", true, 0, nil, false},
		{"vertex-parallel", true, 2, nil, false},
		{"work-efficient", false, 3, nil, false},
		{"work-efficient", false, 0, []int32{1, 2}, false},
	} {
		task := Task{Measure: "betweenness", Snapshot: spider(t, 10, 200), Strategy: c.strategy, Shards: c.shards,
			Device: GPU}
		task.Request.Nodes, task.Request.Weighted, task.Request.Pairs = true, c.weighted, &kernels.Pairs{Targets: c.targets}
		alone, err := e.Rank(t.Context(), sharing(task, 3)[0], freeMemory())
		if err != nil || alone.OnePass {
			t.Fatalf("%+v: %v, one pass %t of one range", c, err, alone.OnePass)
		}
		for _, task := range sharing(task, 3, 1, 2) {
			r, err := e.Rank(t.Context(), task, freeMemory())
			if err != nil {
				t.Fatal(err)
			}
			first := r.First()
			if first == nil || first.Device != plan.GPU || first.Engine != c.strategy || r.OnePass != c.onePass {
				t.Errorf("%+v: one pass %t by %s", c, r.OnePass, r)
			} else if more := first.DeviceBytes > alone.First().DeviceBytes; more != c.onePass {
				t.Errorf("%+v: %d bytes, and %d for one range", c, first.DeviceBytes, alone.First().DeviceBytes)
			}
		}
	}
}

// TestSeveralRangesOnce: the first task of several ranges has the pass made, and the others take their part. After a
// pass that failed, each range is computed as without the others.
func TestSeveralRangesOnce(t *testing.T) {
	task := Task{Measure: "betweenness", Snapshot: spider(t, 3, 20), Strategy: "work-efficient", Device: GPU}
	task.Request.Nodes = true
	both := &Outcome{Each: []*Outcome{
		{Device: "Fake 9000", Compute: 3, Scores: &kernels.Scores{Totals: kernels.Totals{Pairs: 1}}},
		{Device: "Fake 9000", Compute: 3, Scores: &kernels.Scores{Totals: kernels.Totals{Pairs: 2}}},
	}}
	device := &stubRunner{out: both}
	for i, one := range sharing(task, 5, 2) {
		out, err := (&Engine{device: device}).Compute(t.Context(), one)
		if err != nil || out.Scores.Totals.Pairs != int64(1+i) || device.calls != 1 || (out.Compute > 0) != (i == 0) {
			t.Errorf("range %d: %+v, %v after %d passes", i, out, err, device.calls)
		}
	}
	device = &stubRunner{err: refuse(protocol.TooLarge, "three ranges")}
	for i, one := range sharing(task, 5, 2) {
		_, err := (&Engine{device: device}).Compute(t.Context(), one)
		if !errors.Is(err, device.err) || device.calls != 2+i {
			t.Errorf("range %d: %v after %d passes", i, err, device.calls)
		}
	}
	for i, one := range sharing(task, 5, 2) {
		one.Device, one.Strategy = Auto, "work-efficient"
		out, err := (&Engine{device: device}).Compute(t.Context(), one)
		if err != nil || out.Device != "cpu" || i == 0 && !strings.Contains(out.Reason, "each range in a pass of its own: ") {
			t.Errorf("range %d: %+v, %v", i, out, err)
		}
	}
}
