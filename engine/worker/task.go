package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// task is what an order asks for, checked.
type task struct {
	measure kernels.Measure // none for distances and for samples
	// job is on the graph as it is; ways to compute it take copies.
	job device.Job
	// engines are those of the worker, that auto prefers first.
	engines []device.Engine
	// strategy is the name of an engine, of a group of them, or auto.
	strategy string
	// nodes and edges are the scores to fill; nil when not wanted. ranges are those of several ranges: nodes and edges are
	// not used then.
	nodes, edges []float64
	ranges       []rangeScores
	// measured are the features of the graph that came with the order, and rates those of a device.
	measured plan.Measured
	rates    func(gpu.Info) *plan.Rates
	ticks    countedTicks
	// sample is a sample with a bound; nil otherwise.
	sample *sample
	// choice is what choiceOf made last, for choiceFor.
	choice    *choice.Choice
	choiceFor choiceAsked
}

// countedTicks are what lengths.WholeTicks says of a graph.
type countedTicks struct {
	graph    *export.Graph
	arc      []int64
	mul, div float64
	ok       bool
}

// wholeTicks is lengths.WholeTicks, which remembers the last graph: reductions that turn out not to pay have asked for
// it already.
func (t *task) wholeTicks(g *export.Graph) ([]int64, float64, float64, bool) {
	c := &t.ticks
	if c.graph != g {
		c.graph = g
		c.arc, c.mul, c.div, c.ok = lengths.WholeTicks(g)
	}
	return c.arc, c.mul, c.div, c.ok
}

// lengths measures the paths of the graph as it is.
func (t *task) lengths(ctx context.Context) (lengths.Lengths, error) {
	g, r := t.job.Host, t.job.Request
	if r.Weighted {
		if arc, mul, div, ok := t.wholeTicks(g); ok {
			return &lengths.Ticks{Arc: arc, Unit: lengths.Unit{Mul: mul, Div: div, Div2: 1}}, nil
		}
	}
	return lengths.New(ctx, g, r.Weighted, r.Tolerance)
}

// newTask makes the task of an order on a graph, and checks it.
func newTask(
	o protocol.Order, g *export.Graph, engines []device.Engine, progress func(done, total int),
) (*task, error) {
	r := kernels.Request{Params: o.Params, Nodes: o.Nodes, Edges: o.Edges, Scale: o.Scale, Reduce: o.Reduce,
		Journal: o.Journal, JournalOf: o.JournalOf}
	var err error
	if r.Pairs, err = pairsOf(o, g.N()); err != nil {
		return nil, err
	}
	if o.Sources != "" {
		if r.Sources, err = readSources(o.Sources, g.N()); err != nil {
			return nil, err
		}
	}
	if r.Shares, err = protocol.ReadShares(o.Shares); err != nil {
		return nil, fmt.Errorf("shares: %w", err)
	}
	t := &task{strategy: o.Strategy, engines: engines, rates: plan.For}
	name, err := t.check(o, r)
	if err == nil {
		err = r.CheckPairs(g.N())
	}
	if err != nil {
		return nil, err
	}
	if o.Params.Weighted && lengths.LongLengths(g) {
		return nil, notOnGPU("sums of path lengths could overflow float64; only the CPU measures them in larger units")
	}
	sources := order.OrAll(g, r.Sources)
	t.job = device.Job{
		Want: device.Want{
			Measure: name, Params: o.Params, Nodes: o.Nodes, Edges: o.Edges, Summary: o.Summary, Sources: len(sources),
			Single: o.Single, Bucket: o.Bucket, Profile: o.Profile, Size: device.SizeOf(g), Ranges: o.Ranges,
		}.Of(r.Pairs),
		Request: r, Host: g, Sources: sources, All: r.Sources == nil, C: o.C,
		Progress: func(done int) { progress(done, len(sources)) },
	}
	if o.Kind == protocol.OrderSample {
		t.drawSample(o, progress)
	}
	if t.job.Seeks() {
		t.job.Seeker = distances.NewSeek(t.measure, g, r)
	}
	if o.Wanted != "" {
		if t.job.Wanted, err = readSources(o.Wanted, g.N()); err != nil {
			return nil, fmt.Errorf("nodes of interest: %w", err)
		}
	}
	return t, t.use(o.Measured)
}

// pairsOf reads the pairs that an order is of, in a graph of n nodes; nil for all.
func pairsOf(o protocol.Order, n int) (*kernels.Pairs, error) {
	c := o.Chosen
	if c == nil {
		if o.Within > 0 {
			return &kernels.Pairs{Within: o.Within}, nil
		}
		return nil, nil
	}
	p := &kernels.Pairs{Within: o.Within}
	var err error
	if c.Targets != "" {
		if p.Targets, err = readSources(c.Targets, n); err != nil {
			return nil, fmt.Errorf("targets: %w", err)
		}
	}
	if c.Demand {
		sources, failed := protocol.ReadShares(c.SourceMasses)
		targets, err := protocol.ReadShares(c.TargetMasses)
		if err = errors.Join(failed, err); err != nil {
			return nil, fmt.Errorf("masses: %w", err)
		}
		p.Demand = &kernels.Demand{Sources: sources, Targets: targets}
	}
	if c.Trips != nil {
		if p.Demand, err = tripsOf(*c.Trips, n); err != nil {
			return nil, fmt.Errorf("listed pairs: %w", err)
		}
	}
	if p.Digest() != c.Digest {
		return nil, errors.New("the files hold other pairs than those of the order")
	}
	return p, nil
}

// tripsOf reads pairs that are listed, in a graph of n nodes.
func tripsOf(files protocol.Trips, n int) (*kernels.Demand, error) {
	sources, first := protocol.ReadNodes(files.Sources)
	targets, second := protocol.ReadNodes(files.Targets)
	amounts, third := protocol.ReadShares(files.Amounts)
	if err := errors.Join(first, second, third); err != nil {
		return nil, err
	}
	outside := func(v int32) bool { return v < 0 || int(v) >= n }
	if len(sources) != len(targets) || len(sources) != len(amounts) || slices.ContainsFunc(sources, outside) ||
		slices.ContainsFunc(targets, outside) {
		return nil, fmt.Errorf("files of %d sources, %d targets and %d numbers do not list pairs of %d nodes", len(sources),
			len(targets), len(amounts), n)
	}
	trips, _ := kernels.NewTrips(n, sources, targets, amounts)
	return &kernels.Demand{Trips: trips}, nil
}

// use takes the features that were measured for the order, if any.
func (t *task) use(m *plan.Measured) error {
	switch n := t.job.Host.N(); {
	case m == nil:
		return nil
	case !m.Sound(n):
		return fmt.Errorf("features that no graph of %d nodes has: %+v", n, *m)
	}
	if m.Depth != nil {
		t.job.SetDepth(*m.Depth)
	}
	if m.Likely != nil {
		t.job.SetLikelyDepth(*m.Likely)
	}
	t.measured = *m
	return nil
}

// check returns what Want.Measure says of an order, and refuses what no device could compute.
func (t *task) check(o protocol.Order, r kernels.Request) (string, error) {
	switch o.Kind {
	case protocol.OrderDistances:
		return device.Distances, nil
	case protocol.OrderSample:
		m, _ := kernels.Lookup("betweenness")
		name := device.Pairs
		if o.BySources {
			name = device.Sources
		}
		return name, errors.Join(m.Check(r), o.Accuracy.Check(r))
	case protocol.OrderAdaptive:
		m, _ := kernels.Lookup("betweenness")
		r.Nodes = true
		return device.Adaptive, m.Check(r)
	}
	var ok bool
	if t.measure, ok = kernels.Lookup(o.Measure); !ok {
		return "", fmt.Errorf("unknown measure %q", o.Measure)
	}
	return t.measure.Name, t.measure.Check(r)
}

// share makes parts of the file of scores what the task fills. They start as NaN, so that a score that was never
// written is found.
func (t *task) share(values []float64, o protocol.Order) {
	if values == nil {
		values = []float64{}
	}
	inparts.Do(len(values), func(first, last int) {
		for i := range values[first:last] {
			values[first+i] = math.NaN()
		}
	})
	j, n := &t.job, t.job.Host.N()
	switch {
	case o.Kind == protocol.OrderDistances && o.Summary:
		j.Farthest, j.Hops = values[:1:1], values[1:]
	case o.Kind == protocol.OrderDistances:
		j.Rows = values
	case o.Kind == protocol.OrderSample:
		t.sample.values = values
	case o.Kind == protocol.OrderAdaptive:
		j.Scores, j.Taken = values[:n:n], values[n:]
	case len(o.Ranges) > 0:
		t.shareRanges(values, o)
	default:
		if o.Nodes {
			t.nodes, values = values[:n:n], values[n:]
		}
		if o.Edges {
			t.edges = values
		}
	}
}

// partial is the empty partial result of the task by a request, hollow: its own, or the one by hops where all weights
// are equal, whose sums are of hops. Distances and adaptive samples have totals alone.
func (t *task) partial(r kernels.Request) *kernels.Partial {
	if t.measure.Name == "" {
		return &kernels.Partial{}
	}
	g := t.job.Host
	return kernels.NewHollow(t.measure, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
}

// readSources reads node indices, each once.
func readSources(path string, n int) ([]int32, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("sources: %w", err)
	}
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("sources: a file of %d bytes", len(data))
	}
	out, seen := make([]int32, len(data)/4), make([]bool, n)
	for i := range out {
		v := binary.LittleEndian.Uint32(data[4*i:])
		if v >= uint32(n) || seen[v] {
			return nil, fmt.Errorf("sources: node %d, twice or not among %d", v, n)
		}
		out[i], seen[v] = int32(v), true
	}
	return out, nil
}
