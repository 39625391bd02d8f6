//go:build cuda || emulate

package weighted

import (
	"context"
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestEveryAllocationFails: whichever fails, the error reports it, all is freed, and the next run is right.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Links(t, 5, true, true, []graphtest.Link{
		{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 2}, {From: 0, To: 3, Weight: 1}, {From: 3, To: 2, Weight: 2},
		{From: 2, To: 4, Weight: 3},
	})
	for _, measure := range []string{"betweenness", "stress", "closeness", "eccentricity", "rows", "summary"} {
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: measure,
			Request: kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}}
		switch measure {
		case "rows":
			task.Request.Nodes, task.Request.Edges = false, false
			task.Change = func(j *device.Job) { j.Measure, j.Rows = device.Distances, make([]float64, 25) }
		case "summary":
			task.Request.Nodes, task.Request.Edges = false, false
			task.Change = func(j *device.Job) {
				j.Measure, j.Summary, j.Farthest, j.Hops = device.Distances, true, make([]float64, 1), make([]float64, 5)
			}
		}
		for n := 1; ; n++ {
			_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
			if d.Ledger().Used != 0 {
				t.Fatalf("%s, allocation %d: %d bytes left", measure, n, d.Ledger().Used)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("%s, allocation %d: %v", measure, n, err)
			}
		}
	}
}

// TestBegin orders while the graph is uploaded, and stops when it is cancelled.
func TestBegin(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Grid(t, 8, true)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	run, memory := runOn(t, d, g, r, teams{})
	p, err := Engine{}.Prepare(run.job, d.Info(), d.Info().Free)
	if err != nil {
		t.Fatal(err)
	}
	wait := p.(device.Beginner).Begin(run.job)
	if wait(); p.(*prepared).ordering == nil {
		t.Error("nothing was begun")
	}
	made := p.(*prepared).ordering
	if _, err := device.Compute(t.Context(), memory, p, run.job, 1); err != nil || p.(*prepared).ordering != made {
		t.Error("ordered again", err)
	}
	m, _ := kernels.Lookup("betweenness")
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	same(t, finished(t, run, memory), want, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := enginetest.Compute(ctx, d,
		enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r}); !errors.Is(err, cause) {
		t.Error(err)
	}
	if d.Ledger().Used != 0 {
		t.Errorf("%d bytes left", d.Ledger().Used)
	}
}
