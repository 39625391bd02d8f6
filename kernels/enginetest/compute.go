//go:build cuda || emulate

package enginetest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Task is one computation of a test.
type Task struct {
	Engine  device.Engine
	Graph   *export.Graph
	Measure string
	Request kernels.Request
	Single  bool
	// Shards is the number of parts that the run is cut into.
	Shards int
	// Free bounds the device memory of the run, besides the graph; 0 for all.
	Free int64
	// Change, unless nil, changes the job before it is prepared.
	Change func(j *device.Job)
}

// Outcome is what came of a task.
type Outcome struct {
	kernels.Scores
	device.Result
	Partial *kernels.Partial
	Plan    device.Plan
}

// Compute runs a task on a device by its engine alone, with the CPU for the sources that the engine leaves, and reports
// what stays allocated as an error.
func Compute(ctx context.Context, d gpu.Device, t Task) (out *Outcome, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	m, _ := kernels.Lookup(t.Measure)
	j, err := newJob(memory, m, t)
	if err != nil {
		return nil, err
	}
	p, err := t.Engine.Prepare(j, d.Info(), cmp.Or(t.Free, d.Info().Free))
	if err != nil {
		return nil, err
	}
	result, err := device.Compute(ctx, d, p, j, t.Shards)
	if err != nil {
		return nil, err
	}
	out = &Outcome{
		Result: result, Partial: j.Partial, Plan: p.Plan(),
		Scores: kernels.Scores{Totals: j.Partial.Totals, Ties: result.Ties},
	}
	if t.Request.Nodes {
		out.Nodes = make([]float64, t.Graph.N())
	}
	if t.Request.Edges {
		out.Edges = make([]float64, t.Graph.M())
	}
	if err := j.Partial.Finish(m, t.Graph, t.Request, out.Nodes, out.Edges); err != nil {
		return nil, err
	}
	if top := t.Request.Top; top != nil {
		out.Kept = cpu.KeepTop(out.Nodes, *top)
	}
	return out, out.addLeft(ctx, m, t)
}

// newJob makes the job of a task, with its graph on the device.
func newJob(d gpu.Device, m kernels.Measure, t Task) (*device.Job, error) {
	g, r := t.Graph, t.Request
	sources := order.OrAll(g, r.Sources)
	j := &device.Job{
		Want: device.Want{
			Measure: m.Name, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: len(sources), Single: t.Single,
			Size: device.SizeOf(g),
		}.Of(r.Pairs),
		Request: r, Host: g, Sources: sources, All: r.Sources == nil, Progress: func(int) {},
		Partial: kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0)),
	}
	if j.Seeks() {
		j.Seeker = distances.NewSeek(m, g, r)
	}
	if t.Change != nil {
		t.Change(j)
	}
	parts := t.Engine.Parts(j.Want, g.Directed)
	var ticks []int64
	if parts.Ticks {
		var ok bool
		if ticks, j.TickMul, j.TickDiv, ok = lengths.WholeTicks(g); !ok && !parts.Weights {
			return nil, &device.Unsuited{Why: "path lengths do not fit 64-bit ticks"}
		} else if ok {
			j.Ticks, parts.Weights = ticks, false
		}
	}
	var err error
	j.Graph, err = device.UploadGraph(d, g, parts, ticks)
	return j, err
}

// addLeft adds the scores of the sources that the engine left, from the CPU.
func (o *Outcome) addLeft(ctx context.Context, m kernels.Measure, t Task) error {
	if len(o.Left) == 0 {
		return nil
	}
	r := t.Request
	r.Sources, r.Reduce = o.Left, kernels.ReduceOff
	left, err := cpu.Compute(ctx, m, t.Graph, r)
	if err != nil {
		return err
	}
	if m.Kind == kernels.PathCounts { // all are left
		o.Nodes, o.Edges, o.Totals = left.Nodes, left.Edges, left.Totals
		return nil
	}
	for i := range o.Nodes {
		o.Nodes[i] += left.Nodes[i]
	}
	for i := range o.Edges {
		o.Edges[i] += left.Edges[i]
	}
	o.Totals.Pairs += left.Totals.Pairs
	o.Totals.Distance += left.Totals.Distance
	o.Totals.Demand += left.Totals.Demand
	o.Totals.DemandDistance += left.Totals.DemandDistance
	return nil
}

// quick reports whether tests leave out what repeats, because the emulated device takes long for it.
func quick() bool { return devicetest.Emulated && testing.Short() }

// shardCounts are the numbers of shards that a run on a graph is cut into: one of them where tests are to be quick.
func shardCounts(g *export.Graph) []int {
	all := []int{2, 3, 8}
	if quick() {
		return all[g.M()%3:][:1]
	}
	return all
}

// Agree compares an engine with the CPU, and the same run in 2, 3 and 8 shards with the whole, bit by bit.
func Agree(t *testing.T, d gpu.Device, at string, task Task) {
	t.Helper()
	m, _ := kernels.Lookup(task.Measure)
	r := task.Request
	r.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, task.Graph, r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Compute(t.Context(), d, task)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	most := 1e-9
	if task.Single {
		most = 1e-5
	}
	compare := Worst
	if r.Log { // that of 1 and a billionth is as uncertain as the billionth
		compare = worstLogs
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := compare(part[0], part[1]); difference > most {
			t.Errorf("%s: %s (%s)", at, where, got.Note)
		}
	}
	if got.Totals.Pairs != want.Totals.Pairs {
		t.Errorf("%s: %d pairs, the CPU has %d", at, got.Totals.Pairs, want.Totals.Pairs)
	}
	for name, pair := range map[string][2]float64{
		"demand":                {got.Totals.Demand, want.Totals.Demand},
		"demand times distance": {got.Totals.DemandDistance, want.Totals.DemandDistance},
	} {
		if !(math.Abs(pair[0]-pair[1]) <= 1e-9*pair[1]) {
			t.Errorf("%s: %s of %v, the CPU has %v", at, name, pair[0], pair[1])
		}
	}
	for _, task.Shards = range shardCounts(task.Graph) {
		parts, err := Compute(t.Context(), d, task)
		if err != nil {
			t.Fatalf("%s in %d shards: %v", at, task.Shards, err)
		}
		if !slices.Equal(gpu.Bytes(parts.Nodes), gpu.Bytes(got.Nodes)) ||
			!slices.Equal(gpu.Bytes(parts.Edges), gpu.Bytes(got.Edges)) {
			_, where := Worst(parts.Nodes, got.Nodes)
			t.Errorf("%s: other bits in %d shards: %s", at, task.Shards, where)
		}
	}
}

// SameScores compares scores with the CPU's, checks them, and returns the largest relative difference.
func SameScores(
	t *testing.T, at string, m kernels.Measure, g *export.Graph, r kernels.Request, got, want *kernels.Scores,
) (most float64) {
	t.Helper()
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		difference, where := Worst(part[0], part[1])
		if most = max(most, difference); difference > 1e-9 {
			t.Errorf("%s: %s", at, where)
		}
	}
	if m.Kind != kernels.Balls && (got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties) {
		t.Errorf("%s: %d pairs, ties %q; the CPU has %d, %q", at, got.Totals.Pairs, got.Ties, want.Totals.Pairs, want.Ties)
	}
	if err := check.Scores(m, g, r, got); err != nil {
		t.Errorf("%s: %v", at, err)
	}
	return most
}

// At names a graph in messages.
func (n Named) At(measure string, r kernels.Request) string {
	g := n.Graph
	return fmt.Sprintf("%s of %s (n %d, m %d, directed %v, weighted %v)", measure, n.Name, g.N(), g.M(),
		g.Directed, r.Weighted)
}
