//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// runJob runs a job that is no measure by a strategy, as the worker does, and checks that nothing stays allocated and
// that the plan bounds the memory.
func runJob(
	ctx context.Context, d *built.GPU, inner gpu.Device, g *export.Graph, strategy string, job device.Job,
) (*protocol.Result, *device.Job, error) {
	t := &task{engines: Engines(), strategy: strategy, rates: plan.For}
	if job.All = job.Sources == nil; job.All {
		for v := range int32(g.N()) {
			job.Sources = append(job.Sources, v)
		}
	}
	job.Want.Sources, job.Want.Size = len(job.Sources), device.SizeOf(g)
	job.Want.Params, job.Host, job.Progress = job.Request.Params, g, func(int) {}
	t.job = job
	if err := d.Renew(); err != nil {
		return nil, nil, err
	}
	planned := int64(0)
	result, err := t.compute(ctx, inner, 1, func(p protocol.Planned) error { planned = p.DeviceBytes; return nil })
	if peak := d.Peak(); err == nil && peak > planned {
		err = fmt.Errorf("took %d bytes, planned %d", peak, planned)
	}
	return result, &t.job, err
}

// distanceStrategies are those of tasks for distances; kernels/traversal compares the others of papers.
func distanceStrategies(weighted bool) []string {
	if weighted {
		return []string{auto, batched, ofPapers}
	}
	return []string{auto, ofPapers}
}

// TestDistances compares rows and summaries with the CPU's.
func TestDistances(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			compareDistances(t, d, c, enginetest.SampledDistances(c.Graph, i, weighted))
		}
	}
}

func compareDistances(t *testing.T, d *built.GPU, c enginetest.Named, r kernels.Request) {
	t.Helper()
	g, want := c.Graph, enginetest.DistancesOf(t, c.Graph, r)
	summarize := func(s, at string) {
		farthest, hops := make([]float64, 1), make([]float64, g.N())
		job := device.Job{
			Want: device.Want{Measure: device.Distances, Summary: true}, Request: r, Sources: r.Sources,
			Farthest: farthest, Hops: hops,
		}
		result, _, err := runJob(t.Context(), d, d, g, s, job)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameSummary(t, at, kernels.Totals{Pairs: result.Pairs, Distance: result.Distance}, farthest[0], hops)
	}
	for _, s := range distanceStrategies(r.Weighted) {
		at := c.At("distances", r) + " by " + s
		job := device.Job{
			Want: device.Want{Measure: device.Distances}, Request: r, Sources: r.Sources, Rows: make([]float64, len(want.Rows)),
		}
		var refused *device.Unsuited
		_, got, err := runJob(t.Context(), d, d, g, s, job)
		if errors.As(err, &refused) && r.Weighted {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameRows(t, at, got.Rows)
		summarize(s, at)
	}
	if !r.Weighted {
		summarize(batched, c.At("summary", r)+" by batched")
	}
}

// TestAdaptive compares adaptive samples under auto with the CPU's, wherever they stop.
func TestAdaptive(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			g, a := c.Graph, enginetest.DrawnSample(c.Graph, i)
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true}
			at := fmt.Sprintf("%s, %+v", c.At("sample", r), a)
			job := device.Job{
				Want: device.Want{Measure: device.Adaptive, Nodes: true}, Request: r, Sources: a.Sources(g), C: a.C,
				Wanted: a.Nodes, Scores: make([]float64, g.N()), Taken: make([]float64, g.N()),
			}
			_, got, err := runJob(t.Context(), d, d, g, auto, job)
			var refused *device.Unsuited
			if errors.As(err, &refused) && weighted {
				continue // exact in 128 bits only
			}
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			enginetest.SampleOf(t, g, r, a).Same(t, at, got.Scores, got.Taken)
		}
	}
}

// TestEveryAllocationOfJobsFails is TestEveryAllocationOfEveryStrategyFails for what is no measure.
func TestEveryAllocationOfJobsFails(t *testing.T) {
	d, g := devicetest.Open(t), directed()
	for _, weighted := range []bool{false, true} {
		for _, s := range distanceStrategies(weighted) {
			for kind, job := range map[string]func() device.Job{
				"rows": func() device.Job {
					return device.Job{Want: device.Want{Measure: device.Distances}, Rows: make([]float64, g.N()*g.N())}
				},
				"summary": func() device.Job {
					return device.Job{
						Want: device.Want{Measure: device.Distances, Summary: true}, Farthest: make([]float64, 1),
						Hops: make([]float64, g.N()),
					}
				},
				"adaptive": func() device.Job {
					return device.Job{Want: device.Want{Measure: device.Adaptive, Nodes: true}, C: 1, Scores: make([]float64, g.N()),
						Taken: make([]float64, g.N())}
				},
			} {
				for n := 1; kind != "adaptive" || s != "batched"; n++ {
					j := job()
					j.Request.Weighted = weighted
					_, _, err := runJob(t.Context(), d, &devicetest.Failing{Device: d, At: n}, g, s, j)
					if d.Ledger().Used != 0 {
						t.Fatalf("%s by %s, allocation %d: %d bytes left", kind, s, n, d.Ledger().Used)
					}
					if err == nil {
						break
					}
					if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
						t.Fatalf("%s by %s, allocation %d: %v", kind, s, n, err)
					}
				}
			}
		}
	}
}
