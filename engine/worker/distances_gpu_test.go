//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// runJob runs a job that is no measure by a strategy, as the worker does, and checks that nothing stays allocated and that
// the plan bounds the memory.
func runJob(ctx context.Context, d *built.GPU, inner gpu.Device, g *export.Graph, strategy string, job device.Job) (*protocol.Result, *device.Job, error) {
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

// sampleStrategies are those with sums of single sources.
func sampleStrategies(weighted bool) []string {
	return slices.DeleteFunc(distanceStrategies(weighted), func(name string) bool { return name == "batched" })
}

// distanceStrategies are those that find rows of distances.
func distanceStrategies(weighted bool) []string {
	m, _ := kernels.Lookup("stress")
	if weighted {
		return m.WeightedStrategies
	}
	return m.Strategies
}

// TestDistances compares rows and summaries of every strategy with the CPU's.
func TestDistances(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}}
			if g := c.Graph; i%3 == 1 || g.N() > 500 {
				r.Sources = kernels.DrawSources(g.N(), min(g.N(), 150), int64(i))
				rand.New(rand.NewPCG(1, 2)).Shuffle(len(r.Sources), func(i, j int) { r.Sources[i], r.Sources[j] = r.Sources[j], r.Sources[i] })
			}
			compareDistances(t, d, c, r)
		}
	}
}

func compareDistances(t *testing.T, d *built.GPU, c enginetest.Named, r kernels.Request) {
	t.Helper()
	g := c.Graph
	var want []float64
	if err := cpu.Distances(t.Context(), g, r, func(_ int32, row []float64) error {
		want = append(want, row...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all, err := cpu.SummarizeDistances(t.Context(), g, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range distanceStrategies(r.Weighted) {
		at := fmt.Sprintf("%s (n %d, m %d, weighted %t) by %s", c.Name, g.N(), g.M(), r.Weighted, s)
		job := device.Job{Want: device.Want{Measure: device.Distances}, Request: r, Sources: r.Sources, Rows: make([]float64, len(want))}
		var refused *device.Unsuited
		if _, got, err := runJob(t.Context(), d, d, g, s, job); errors.As(err, &refused) && r.Weighted {
			continue // exact in 128 bits only
		} else if err != nil {
			t.Fatalf("%s: %v", at, err)
		} else if difference, where := enginetest.Worst(got.Rows, want); difference > 1e-12 {
			t.Fatalf("%s: %s", at, where)
		}
		compareSummary(t, d, at, c.Graph, r, s, all)
	}
	if !r.Weighted {
		compareSummary(t, d, fmt.Sprintf("%s (n %d, m %d) by batched", c.Name, g.N(), g.M()), g, r, "batched", all)
	}
}

func compareSummary(t *testing.T, d *built.GPU, at string, g *export.Graph, r kernels.Request, strategy string, all *kernels.DistanceSummary) {
	t.Helper()
	job := device.Job{Want: device.Want{Measure: device.Distances, Summary: true}, Request: r, Sources: r.Sources, Farthest: make([]float64, 1), Hops: make([]float64, g.N())}
	result, got, err := runJob(t.Context(), d, d, g, strategy, job)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	hops := slices.DeleteFunc(slices.Clone(got.Hops), func(x float64) bool { return x == 0 })
	if result.Pairs != all.Pairs || math.Abs(got.Farthest[0]-all.Diameter) > 1e-12*all.Diameter || !r.Weighted && len(hops) != max(0, len(all.Hops)-1) {
		t.Fatalf("%s: %d pairs, greatest %v, hops %v; want %+v", at, result.Pairs, got.Farthest[0], hops, all)
	}
	if distance := all.Mean * float64(all.Pairs); math.Abs(result.Distance-distance) > 1e-9*distance {
		t.Fatalf("%s: distances sum to %v, want %v", at, result.Distance, distance)
	}
	for h, pairs := range all.Hops {
		if got.Hops[h] != float64(pairs) {
			t.Fatalf("%s: %v pairs %d hops apart, want %d", at, got.Hops[h], h, pairs)
		}
	}
}

// TestAdaptive compares adaptive samples of every strategy with the CPU's, wherever they stop.
func TestAdaptive(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), weighted) {
			a := kernels.Adaptive{C: []float64{0.0371, 0.713, 2.917, 1e9}[i%4], Seed: int64(i), Limit: i % 3 * 40}
			if g := c.Graph; i%2 == 1 {
				a.Nodes = kernels.DrawSources(g.N(), 1+g.N()/50, int64(i))
			}
			compareAdaptive(t, d, c, kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true}, a, nil)
		}
	}
}

func compareAdaptive(t *testing.T, d *built.GPU, c enginetest.Named, r kernels.Request, a kernels.Adaptive, strategies []string) {
	t.Helper()
	g := c.Graph
	want, taken, err := cpu.AdaptiveBetweenness(t.Context(), g, r, a)
	if err != nil {
		t.Fatal(err)
	}
	if strategies == nil {
		strategies = sampleStrategies(r.Weighted)
	}
	for _, s := range strategies {
		at := fmt.Sprintf("%s (n %d, m %d, weighted %t, %+v) by %s", c.Name, g.N(), g.M(), r.Weighted, a, s)
		job := device.Job{
			Want: device.Want{Measure: device.Adaptive, Nodes: true}, Request: r, Sources: a.Sources(g), C: a.C, Wanted: a.Nodes,
			Scores: make([]float64, g.N()), Taken: make([]float64, g.N()),
		}
		_, got, err := runJob(t.Context(), d, d, g, s, job)
		var refused *device.Unsuited
		if errors.As(err, &refused) && r.Weighted {
			continue // exact in 128 bits only
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if difference, where := enginetest.Worst(got.Scores, want.Nodes); difference > 1e-9 {
			t.Fatalf("%s: %s", at, where)
		}
		for v, count := range taken {
			if got.Taken[v] != float64(count) {
				t.Fatalf("%s: node %d took %v sources, want %d", at, v, got.Taken[v], count)
			}
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
						Want: device.Want{Measure: device.Distances, Summary: true}, Farthest: make([]float64, 1), Hops: make([]float64, g.N()),
					}
				},
				"adaptive": func() device.Job {
					return device.Job{Want: device.Want{Measure: device.Adaptive, Nodes: true}, C: 1, Scores: make([]float64, g.N()), Taken: make([]float64, g.N())}
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
