package worker

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// TestRowsGoAhead: while a sample is chosen for, the rows of its graph go to the device, from where the upload of the
// graph takes them. Where one of the two allocations fails they do not. Nothing stays.
func TestRowsGoAhead(t *testing.T) {
	g := madeGraph(t, generate.Spec{Kind: generate.ErdosRenyi, Nodes: 3000, Edges: 60_000, Seed: 1})
	other := graphtest.Ring(t, 30, 60)
	for failing := 1; failing <= 3; failing++ {
		d := devicetest.NewFake(t)
		task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: "auto"})
		task.job.All, task.job.Sources, task.job.Want.Sources = false, some(0, 40, 64), 64
		task.ahead = task.aheadOf(&devicetest.Failing{Device: d, At: failing})
		engines, _, err := task.choose(&task.job, h200())
		if err != nil || len(engines) == 0 {
			t.Fatal(err)
		}
		rows, err := task.ahead.of(g)
		if there := failing == 3; err != nil || (rows != nil) != there {
			t.Fatalf("allocation %d fails: %+v, %v", failing, rows, err)
		}
		if rows != nil {
			on, err := device.UploadGraph(d, g, rows, device.Parts{}, nil)
			if err != nil || on.Offsets != rows.Offsets || on.Targets != rows.Targets || on.Arcs != int64(g.Arcs()) ||
				!slices.Equal(devicetest.Read[int64](t, d, on.Offsets, g.N()+1), g.Offsets) ||
				!slices.Equal(devicetest.Read[int32](t, d, on.Targets, g.Arcs()), g.Targets) {
				t.Errorf("%+v of %+v, %v", on, rows, err)
			}
			if of, err := task.ahead.of(other); of != nil || err != nil {
				t.Errorf("rows of another graph: %+v, %v", of, err)
			}
		}
		if err := task.ahead.release(); err != nil || len(d.Ledger().Left()) > 0 {
			t.Errorf("left %v, %v", d.Ledger().Left(), err)
		}
	}
}

// TestWhoseRowsGoAhead: only those of a sample do, which is not to be reduced and whose engine is not named.
func TestWhoseRowsGoAhead(t *testing.T) {
	g := graphtest.Ring(t, 30, 60)
	for _, c := range []struct {
		what, strategy, reduce string
		all, want              bool
	}{
		{"a sample", "auto", "", false, true},
		{"a sample that may be reduced", "auto", kernels.ReduceAuto, false, true},
		{"a sample of the graph as it is", "auto", kernels.ReduceOff, false, true},
		{"a sample that is to be reduced", "auto", kernels.ReduceOn, false, false},
		{"a sample by name", "levels", "", false, false},
		{"all nodes", "auto", "", true, false},
	} {
		task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: c.strategy, Reduce: c.reduce})
		task.job.All = c.all
		if got := task.aheadOf(devicetest.NewFake(t)) != nil; got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}
