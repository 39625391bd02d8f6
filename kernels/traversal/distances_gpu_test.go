//go:build cuda || emulate

package traversal

import (
	"errors"
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// runJob runs what is no measure, which fill changes the job to, and checks that nothing stays allocated and that the
// plan bounds the memory.
func runJob(
	t *testing.T, d *built.GPU, inner gpu.Device, task enginetest.Task, fill func(j *device.Job),
) (*device.Job, error) {
	t.Helper()
	if err := d.Renew(); err != nil {
		t.Fatal(err)
	}
	var job *device.Job
	bound := int64(0)
	task.Change = func(j *device.Job) {
		fill(j)
		p, err := task.Engine.Prepare(j, d.Info(), d.Info().Free)
		if err != nil {
			t.Fatal(err)
		}
		job, bound = j, p.Plan().DeviceBytes+device.GraphBytes(j.Size, task.Engine.Parts(j.Want, j.Host.Directed))
	}
	_, err := enginetest.Compute(t.Context(), inner, task)
	if d.Ledger().Used != 0 {
		t.Fatalf("%d bytes left", d.Ledger().Used)
	}
	if peak := d.Peak(); err == nil && peak > bound {
		err = fmt.Errorf("took %d bytes, planned %d", peak, bound)
	}
	return job, err
}

// wantRows, wantSummary and wantSample change a job.
func wantRows(j *device.Job) {
	j.Measure, j.Rows = device.Distances, make([]float64, len(j.Sources)*j.Host.N())
}

func wantSummary(j *device.Job) {
	j.Measure, j.Summary, j.Farthest, j.Hops = device.Distances, true, make([]float64, 1), make([]float64, j.Host.N())
}

func wantSample(a adaptive.Sample) func(j *device.Job) {
	return func(j *device.Job) {
		j.Measure, j.Nodes, j.C, j.Wanted, j.All = device.Adaptive, true, a.C, a.Nodes, false
		j.Sources = a.Sources(j.Host)
		j.Want.Sources = len(j.Sources)
		j.Scores, j.Taken = make([]float64, j.Host.N()), make([]float64, j.Host.N())
	}
}

// TestDistances compares rows and summaries of every strategy with the CPU's.
func TestDistances(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			r := enginetest.SampledDistances(c.Graph, i, weighted)
			compareDistances(t, d, c, r, inTurn(accepting(device.Want{Measure: device.Distances, Params: r.Params}), i))
		}
	}
}

func compareDistances(t *testing.T, d *built.GPU, c enginetest.Named, r kernels.Request, engines []device.Engine) {
	t.Helper()
	want := enginetest.DistancesOf(t, c.Graph, r)
	for _, e := range engines {
		at, task := c.At("distances", r)+" by "+e.Name(), enginetest.Task{Engine: e, Graph: c.Graph, Request: r}
		got, err := runJob(t, d, d, task, wantRows)
		if refused(err, r) {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameRows(t, at, got.Rows)
		if got, err = runJob(t, d, d, task, wantSummary); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameSummary(t, at, got.Partial.Totals, got.Farthest[0], got.Hops)
	}
}

// TestAdaptive compares adaptive samples of every strategy with the CPU's, wherever they stop.
func TestAdaptive(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true}
			all := accepting(device.Want{Measure: device.Adaptive, Params: r.Params, Nodes: true})
			compareAdaptive(t, d, c, r, enginetest.DrawnSample(c.Graph, i), inTurn(all, i))
		}
	}
}

func compareAdaptive(
	t *testing.T, d *built.GPU, c enginetest.Named, r kernels.Request, a adaptive.Sample, engines []device.Engine,
) {
	t.Helper()
	want := enginetest.SampleOf(t, c.Graph, r, a)
	for _, e := range engines {
		at := fmt.Sprintf("%s, %+v by %s", c.At("sample", r), a, e.Name())
		got, err := runJob(t, d, d, enginetest.Task{Engine: e, Graph: c.Graph, Request: r}, wantSample(a))
		if refused(err, r) {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.Same(t, at, got.Scores, got.Taken)
	}
}

// TestJobsAreWhole: rows, summaries and samples refuse to be cut into shards.
func TestJobsAreWhole(t *testing.T) {
	d := devicetest.Open(t)
	for _, fill := range []func(j *device.Job){wantRows, wantSummary, wantSample(adaptive.Sample{C: 1})} {
		task := enginetest.Task{Engine: named(t, "hybrid"), Graph: directed(), Shards: 2}
		_, err := runJob(t, d, d, task, fill)
		if unsuited := (*device.Unsuited)(nil); !errors.As(err, &unsuited) {
			t.Error(err)
		}
	}
}

// TestEveryAllocationOfJobsFails is TestEveryAllocationFails for what is no measure.
func TestEveryAllocationOfJobsFails(t *testing.T) {
	d, g := devicetest.Open(t), directed()
	for kind, fill := range map[string]func(j *device.Job){
		"rows": wantRows, "summary": wantSummary, "adaptive": wantSample(adaptive.Sample{C: 1}),
	} {
		for _, weighted := range []bool{false, true} {
			for _, e := range Engines() {
				if !e.Accepts(device.Want{Measure: device.Distances, Params: kernels.Params{Weighted: weighted}}, true) {
					continue
				}
				for n := 1; ; n++ {
					task := enginetest.Task{Engine: e, Graph: g, Request: kernels.Request{Params: kernels.Params{Weighted: weighted}}}
					_, err := runJob(t, d, &devicetest.Failing{Device: d, At: n}, task, fill)
					if err == nil {
						break
					}
					if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
						t.Fatalf("%s by %s, allocation %d: %v", kind, e.Name(), n, err)
					}
				}
			}
		}
	}
}
