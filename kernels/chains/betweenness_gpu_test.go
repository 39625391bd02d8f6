//go:build cuda || emulate

package chains

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// task is one computation by chains.
type task struct {
	graph   *export.Graph
	request kernels.Request
	shards  int
	info    gpu.Info
}

// outcome is what came of a task.
type outcome struct {
	kernels.Scores
	note string
}

// engineOf reduces the graph of a request; nil where no reduction makes it smaller.
func engineOf(ctx context.Context, g *export.Graph, r kernels.Request) (*Betweenness, error) {
	r.Reduce = kernels.ReduceOn
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, err
	}
	plan, err := reductions.PlanChains(ctx, g, r, l, func(reduce.Info) bool { return true })
	if err != nil || plan.Reduced == nil {
		return nil, err
	}
	flat, err := plan.Reduced.Flatten(ctx)
	if err != nil {
		return nil, err
	}
	return New(plan.Reduced, flat), nil
}

// jobOf is the job of a request.
func jobOf(g *export.Graph, r kernels.Request) *device.Job {
	return &device.Job{
		Want: device.Want{
			Measure: "betweenness", Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Size: device.SizeOf(g),
		},
		Request: r, Progress: func(int) {},
	}
}

// run computes a task by an engine.
func (k task) run(ctx context.Context, d gpu.Device, e *Betweenness) (*outcome, error) {
	g, r := k.graph, k.request
	j := jobOf(g, r)
	j.Partial = NewPartial(e.flat)
	j.Want.Sources = e.Sources()
	p, err := e.Prepare(j, k.info, k.info.Free)
	if err != nil {
		return nil, err
	}
	result, err := device.Compute(ctx, d, p, j, k.shards)
	if err != nil {
		return nil, err
	}
	if len(result.Left) > 0 {
		return nil, fmt.Errorf("%d sources left", len(result.Left))
	}
	m, _ := kernels.Lookup(j.Measure)
	sums := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
	if err := e.LeadBack(j.Partial, sums); err != nil {
		return nil, err
	}
	out := &outcome{note: result.Note, Scores: kernels.Scores{Totals: sums.Totals, Ties: result.Ties}}
	if r.Nodes {
		out.Nodes = make([]float64, g.N())
	}
	if r.Edges {
		out.Edges = make([]float64, g.M())
	}
	return out, sums.Finish(m, g, r, out.Nodes, out.Edges)
}

func sameBits(a, b *outcome) bool {
	return slices.Equal(gpu.Bytes(a.Nodes), gpu.Bytes(b.Nodes)) && slices.Equal(gpu.Bytes(a.Edges), gpu.Bytes(b.Edges))
}

// compareChains computes by chains on the device, where any are left, and on the whole graph on the CPU. With 0
// multiprocessors there is one block, of which atoms are small, and shards are compared.
func compareChains(
	t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, r kernels.Request, sms int,
) (note string) {
	t.Helper()
	at := fmt.Sprintf("%s (n %d, m %d), %+v", name, g.N(), g.M(), r)
	e, err := engineOf(t.Context(), g, r)
	if err != nil || e == nil {
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		return "not reduced"
	}
	m, _ := kernels.Lookup("betweenness")
	plain := r
	plain.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, g, plain)
	if err != nil {
		t.Fatal(err)
	}
	k := task{graph: g, request: r, info: d.Info()}
	k.info.SMs = sms
	got, err := k.run(t.Context(), d, e)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-9 {
		t.Errorf("%s: nodes%s", at, where)
	}
	if difference, where := enginetest.Worst(got.Edges, want.Edges); difference > 1e-9 {
		t.Errorf("%s: edges%s", at, where)
	}
	if a, b := got.Totals.Pairs, want.Totals.Pairs; a != b || got.Ties != want.Ties {
		t.Errorf("%s: %d pairs, ties %q; the CPU has %d, %q", at, a, got.Ties, b, want.Ties)
	}
	if sms == 0 {
		k.shards = 2 + g.N()%7
	}
	again, err := k.run(t.Context(), d, e)
	if err != nil || !sameBits(again, got) {
		t.Errorf("%s: other bits the second time, in %d shards, %v", at, k.shards, err)
	}
	return got.note
}

func TestBetweenness(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		t.Run(fmt.Sprintf("weighted=%v", weighted), func(t *testing.T) {
			d := devicetest.Open(t)
			random := rand.New(rand.NewPCG(8, 5))
			count, taken := devicetest.Sized(300, 14), 0
			for i := range count {
				g := chainy(t, random, weighted)
				r := kernels.Request{
					Nodes: true, Edges: i%3 != 0, Params: kernels.Params{Weighted: weighted, Endpoints: i%4 == 0},
				}
				if i%5 == 0 {
					r.Normalized = new(bool)
					*r.Normalized = true
				}
				note := compareChains(t, d, fmt.Sprintf("graph %d", i), g, r, i%2*d.Info().SMs)
				if strings.Contains(note, "branch nodes") {
					taken++
				}
				if t.Failed() {
					return
				}
			}
			if 10*taken < 8*count {
				t.Errorf("only %d of %d graphs had chains", taken, count)
			}
		})
	}
}

// TestLargerCores has cores of more nodes than rows fit at a time, and counts of paths past float64: of ends of chains,
// and of others.
func TestLargerCores(t *testing.T) {
	d := devicetest.Open(t)
	r := kernels.Request{Nodes: true, Edges: true}
	random := rand.New(rand.NewPCG(8, 6))
	few, usual := 0, d.Info().SMs
	for _, c := range []struct {
		name  string
		graph *export.Graph
		sms   []int
		wide  bool
	}{
		{"grid", partial(t, int32(devicetest.Sized(40, 12)), random), []int{few, usual}, false},
		{"short ladder", ladder(t, 12), []int{few, usual}, false},
		{"long ladder", ladder(t, 84), []int{usual}, true},
		{"strip of few ways", strip(t, 20, 3, false), []int{few, usual}, false},
		{"strip of many ways", strip(t, 80, 3000, false), []int{few}, true},
		{"strip of chains", strip(t, 80, 3000, true), []int{few}, true},
	} {
		for _, sms := range c.sms {
			note := compareChains(t, d, c.name, c.graph, r, sms)
			if !strings.Contains(note, "branch nodes") || strings.Contains(note, "wide") != c.wide {
				t.Errorf("%s: %s", c.name, note)
			}
		}
	}
}

// TestOneClassOfTwins: nothing is left to search.
func TestOneClassOfTwins(t *testing.T) {
	d := devicetest.Open(t)
	var links []graphtest.Link
	for v := range int32(9) {
		for u := range v {
			links = append(links, graphtest.Link{From: u, To: v, Weight: 1})
			links = append(links, graphtest.Link{From: u + 9, To: v + 9, Weight: 1})
		}
	}
	for name, g := range map[string]*export.Graph{
		"two complete": graphtest.Links(t, 18, false, false, links),
		"weighted":     graphtest.Links(t, 18, false, true, links),
	} {
		r := kernels.Request{Nodes: true, Edges: true, Params: kernels.Params{Weighted: g.Weights != nil}}
		if note := compareChains(t, d, name, g, r, d.Info().SMs); !strings.Contains(note, "branch nodes") {
			t.Errorf("%s: %s", name, note)
		}
	}
}

// TestLittleMemory: fewer blocks take less memory, and the least that is needed is told.
func TestLittleMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, int32(devicetest.Sized(100, 12)), rand.New(rand.NewPCG(8, 7)))
	r := kernels.Request{Nodes: true, Edges: true}
	e, err := engineOf(t.Context(), g, r)
	if err != nil {
		t.Fatal(err)
	}
	k := task{graph: g, request: r, info: d.Info()}
	want, err := k.run(t.Context(), d, e)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prepare(jobOf(g, r), k.info, k.info.Free)
	if err != nil {
		t.Fatal(err)
	}
	least := (*gpu.TooLarge)(nil)
	if _, err = e.Prepare(jobOf(g, r), k.info, 2*int64(g.N())); !errors.As(err, &least) {
		t.Fatalf("2 bytes per node are enough: %v", err)
	}
	for _, k.info.Free = range []int64{least.Need, (least.Need + p.Plan().DeviceBytes) / 2} {
		less, err := e.Prepare(jobOf(g, r), k.info, k.info.Free)
		if err != nil {
			t.Fatal(err)
		}
		plan := less.Plan()
		said := strings.Contains(plan.Note, "memory is short")
		if plan.DeviceBytes > k.info.Free || plan.Blocks >= p.Plan().Blocks || !said {
			t.Errorf("%d bytes: %+v", k.info.Free, plan)
		}
		got, err := k.run(t.Context(), d, e)
		if err != nil {
			t.Fatal(err)
		}
		all, wanted := slices.Concat(got.Nodes, got.Edges), slices.Concat(want.Nodes, want.Edges)
		if difference, where := enginetest.Worst(all, wanted); difference > 1e-9 {
			t.Errorf("%d bytes: %s", k.info.Free, where)
		}
	}
}

// TestPlannedMemoryIsEnough: a run takes no more than its plan says, unless it counts in wide numbers.
func TestPlannedMemoryIsEnough(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(8, 10))
	for _, g := range []*export.Graph{partial(t, 12, random), ladder(t, 12), strip(t, 40, 2, false)} {
		k := task{graph: g, request: kernels.Request{Nodes: true, Edges: true}, info: d.Info()}
		e, err := engineOf(t.Context(), g, k.request)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Renew(); err != nil {
			t.Fatal(err)
		}
		if _, err := k.run(t.Context(), d, e); err != nil {
			t.Fatal(err)
		}
		p, err := e.Prepare(jobOf(g, k.request), k.info, k.info.Free)
		if err != nil {
			t.Fatal(err)
		}
		if peak, planned := d.Peak(), p.Plan().DeviceBytes; peak > planned || planned > 2*peak+2<<20 {
			t.Errorf("%d nodes take %d bytes, of %d planned", g.N(), peak, planned)
		}
	}
}

// TestGivenUp: sums that cannot be are not handed on.
func TestGivenUp(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, 4, rand.New(rand.NewPCG(8, 9)))
	k := task{graph: g, request: kernels.Request{Nodes: true, Edges: true}, info: d.Info()}
	e, err := engineOf(t.Context(), g, k.request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.run(t.Context(), deaf{d}, e); !errors.Is(err, reduce.ErrOptions) {
		t.Errorf("%v", err)
	}
}

// deaf is a device that leaves out the backward pass of chains.
type deaf struct{ gpu.Device }

func (d deaf) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	if strings.HasPrefix(kernel.Name, "chain_backward") {
		return nil
	}
	return d.Device.Launch(kernel, s, args...)
}

// TestCancelled: a run that is called off ends with the cause, and its progress only grows.
func TestCancelled(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, 12, rand.New(rand.NewPCG(8, 11)))
	r := kernels.Request{Nodes: true}
	e, err := engineOf(t.Context(), g, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0, 0.5, 0.9} {
		why := errors.New("called off")
		ctx, stop := context.WithCancelCause(t.Context())
		j, last := jobOf(g, r), 0
		j.Progress = func(done int) {
			if done < last || done > e.Sources() {
				t.Errorf("%d of %d done after %d", done, e.Sources(), last)
			}
			if last = done; float64(done) >= share*float64(e.Sources()) {
				stop(why)
			}
		}
		info := d.Info()
		info.SMs = 0
		p, err := e.Prepare(j, info, info.Free)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(ctx, d, j); !errors.Is(err, why) {
			t.Errorf("after %g: %v", share, err)
		}
		stop(nil)
	}
}

// TestEveryAllocationFails: whichever fails, the error says so and all is freed.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	g := partial(t, 4, rand.New(rand.NewPCG(8, 8)))
	k := task{graph: g, request: kernels.Request{Nodes: true, Edges: true}, info: d.Info()}
	e, err := engineOf(t.Context(), g, k.request)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		_, err := k.run(t.Context(), &devicetest.Failing{Device: d, At: n}, e)
		if d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
		}
		if err == nil {
			if n < 20 {
				t.Errorf("only %d allocations", n)
			}
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("allocation %d: %v", n, err)
		}
	}
}
