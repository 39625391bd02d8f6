package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// reserve is device memory that plans leave alone: modules, the kernels' stacks, the driver's own.
const reserve = 256 << 20

// work is one order on its way.
type work struct {
	order   protocol.Order
	host    Host
	speaker *speaker
	// open opens a device, which is not to be closed.
	open func(index int) (gpu.OpenDevice, error)

	graph   *export.Graph // to search: what reductions left, if any
	reduced *reduced      // nil when the graph is searched as it is
	folded  *foldedJob    // nil unless trees are folded
	// reduction says what came of the request to reduce; nil for nothing.
	reduction *kernels.Reduction
	// chains is nil unless the graph is searched from branch nodes alone; whole is then the graph. tooLarge says that this
	// did not fit the device.
	chains   *chained
	whole    *export.Graph
	tooLarge bool
	strategy Strategy
	parts    Parts // of the graph, that the strategy needs
	job      Job
	ticks    []int64
	counted  countedTicks
	plan     protocol.Planned
}

// countedTicks are what lengths.WholeTicks says of a graph.
type countedTicks struct {
	graph    *export.Graph
	arc      []int64
	mul, div float64
	ok       bool
}

// wholeTicks is lengths.WholeTicks, which remembers the last graph: reductions that turn out not to pay have asked for it already.
func (w *work) wholeTicks(g *export.Graph) ([]int64, float64, float64, bool) {
	c := &w.counted
	if c.graph != g {
		c.graph = g
		c.arc, c.mul, c.div, c.ok = lengths.WholeTicks(g)
	}
	return c.arc, c.mul, c.div, c.ok
}

// do computes the order and leaves the scores in their file.
func (w *work) do(ctx context.Context) (*protocol.Result, error) {
	snapshot, err := export.OpenSnapshot(w.order.Snapshot)
	if err != nil {
		return nil, refusal{err, protocol.BadSnapshot}
	}
	defer snapshot.Close()
	w.graph = snapshot.Graph
	if protocol.Fingerprint(w.graph) != w.order.Graph {
		return nil, refusal{fmt.Errorf("snapshot %s holds another graph than the one to compute on", w.order.Snapshot), protocol.BadSnapshot}
	}
	if err := w.request(); err != nil {
		return nil, err
	}
	scores, err := mapScores(w.order.Scores, protocol.ScoreBytes(w.graph, w.order, len(w.job.Sources)))
	if err != nil {
		return nil, fmt.Errorf("file of scores: %w", err)
	}
	defer scores.close()
	w.job.share(scores.values, w.order)
	d, err := w.open(w.order.Device)
	if err != nil {
		return nil, err
	}
	return w.on(ctx, d)
}

// share makes parts of the file of scores what the job fills.
func (j *Job) share(values []float64, o protocol.Order) {
	if values == nil {
		values = []float64{}
	}
	n := j.Host.N()
	switch {
	case o.Kind == protocol.OrderDistances && o.Summary:
		j.Farthest, j.Hops = values[:1:1], values[1:]
	case o.Kind == protocol.OrderDistances:
		j.Rows = values
	case o.Kind == protocol.OrderAdaptive:
		j.Nodes, j.Taken = values[:n:n], values[n:]
	default:
		if o.Nodes {
			j.Nodes, values = values[:n:n], values[n:]
		}
		if o.Edges {
			j.Edges = values
		}
	}
}

// request makes the job's request of the order and checks it.
func (w *work) request() error {
	o := w.order
	r := kernels.Request{Params: o.Params, Nodes: o.Nodes, Edges: o.Edges, Scale: o.Scale, Reduce: o.Reduce}
	var err error
	if o.Sources != "" {
		if r.Sources, err = readSources(o.Sources, w.graph.N()); err != nil {
			return err
		}
	}
	measure, err := checkOrder(o, r)
	if err != nil {
		return err
	}
	if o.Params.Weighted && lengths.LongLengths(w.graph) {
		return notOnGPU("sums of path lengths could overflow float64; only the CPU measures them in larger units")
	}
	sources := r.Sources
	if sources == nil {
		sources = order.All(w.graph)
	}
	w.job = Job{
		Want: Want{
			Measure: measure, Params: o.Params, Nodes: o.Nodes, Edges: o.Edges, Summary: o.Summary, Sources: len(sources), Single: o.Single, Bucket: o.Bucket, Profile: o.Profile,
			Size: sizeOf(w.graph),
		},
		Request: r, Host: w.graph, Sources: sources, All: r.Sources == nil, C: o.C,
	}
	w.job.Progress = func(done int) { w.speaker.done(done, len(w.job.Sources)) }
	if o.Wanted != "" {
		if w.job.Wanted, err = readSources(o.Wanted, w.graph.N()); err != nil {
			return fmt.Errorf("nodes of interest: %w", err)
		}
	}
	return nil
}

// checkOrder returns what Want.Measure says of an order, and refuses what no device could compute.
func checkOrder(o protocol.Order, r kernels.Request) (string, error) {
	switch o.Kind {
	case protocol.OrderDistances:
		return distances, nil
	case protocol.OrderAdaptive:
		m, _ := kernels.Lookup("betweenness")
		r.Nodes = true
		return adaptive, m.Check(r)
	}
	m, ok := kernels.Lookup(o.Measure)
	if !ok {
		return "", fmt.Errorf("unknown measure %q", o.Measure)
	}
	return m.Name, m.Check(r)
}

// on computes the job on an open device.
func (w *work) on(ctx context.Context, d gpu.Device) (*protocol.Result, error) {
	start := time.Now()
	why, err := w.ready(ctx, d)
	if err != nil {
		return nil, err
	}
	w.plan.Reason = why
	if err := w.speaker.say(protocol.Event{Event: protocol.EventPlanned, Planned: &w.plan}); err != nil {
		return nil, err
	}
	prepared := time.Since(start).Seconds()
	result, err := w.compute(ctx, d)
	seconds := time.Since(start).Seconds()
	if err != nil {
		return nil, err
	}
	return &protocol.Result{
		Pairs: result.Totals.Pairs, Distance: result.Totals.Distance, NoDistance: result.Totals.NoDistance, Reduction: w.reduction, Ties: result.Ties, Note: result.Note, Profile: result.Profile,
		Preprocess: prepared + result.Preprocess, Compute: seconds, PeakBytes: d.Peak(),
	}, nil
}

// ready reduces the graph, chooses a strategy and fits it into memory. It returns one line on why this one.
func (w *work) ready(ctx context.Context, d gpu.Device) (string, error) {
	if err := w.reduce(ctx); err != nil {
		return "", err
	}
	why, err := w.prepare(d)
	if tooLarge := (*gpu.TooLarge)(nil); w.made() != nil && w.order.Strategy == "auto" && errors.As(err, &tooLarge) {
		if err := w.withoutChains(ctx); err != nil {
			return "", err
		}
		why, err = w.prepare(d)
		why += "; not by chains: " + tooLarge.Error()
	}
	return why, err
}

// compute runs the job and fills the scores of the graph as it was before reductions. Where chains turn out not to fit the
// device, or to give sums that cannot be, it does without them.
func (w *work) compute(ctx context.Context, d gpu.Device) (Result, error) {
	result, err := w.runHeld(ctx, d)
	if tooLarge := (*gpu.TooLarge)(nil); w.made() != nil && w.order.Strategy == "auto" && (errors.Is(err, reduce.ErrOptions) || errors.As(err, &tooLarge)) {
		givenUp := fmt.Sprintf("chains given up: %v", err)
		if err := w.withoutChains(ctx); err != nil {
			return Result{}, err
		}
		if _, err := w.prepare(d); err != nil {
			return Result{}, err
		}
		if result, err = w.runHeld(ctx, d); err == nil {
			result.Note = strings.TrimPrefix(result.Note+"; "+givenUp, "; ")
		}
	}
	if w.order.Strategy == kernels.Chains && errors.Is(err, reduce.ErrOptions) {
		return Result{}, notByChains(err.Error())
	}
	var back leadsBack
	switch {
	case w.folded != nil:
		if back = w.folded; w.job.Weighted {
			result.Ties = "exact" // also where nothing was left to search
		}
	case w.reduced != nil:
		back = w.reduced
	}
	if err != nil || back == nil {
		return result, err
	}
	start := time.Now()
	result.Totals, err = back.scores(&w.job)
	result.Preprocess += time.Since(start).Seconds()
	return result, err
}

// runHeld is run, after which nothing stays allocated.
func (w *work) runHeld(ctx context.Context, d gpu.Device) (Result, error) {
	a := &gpu.Arena{Device: d}
	result, err := w.run(ctx, a)
	return result, errors.Join(err, a.Release())
}

// run uploads the graph and runs the strategy. Scores start as NaN, so that one that was never written is found.
func (w *work) run(ctx context.Context, d gpu.Device) (Result, error) {
	start := time.Now()
	blanked := make(chan struct{}) // while the device copies, which leaves this processor idle
	go func() {
		w.job.blank()
		close(blanked)
	}()
	var err error
	if s, ok := w.strategy.(starter); ok {
		defer s.start(&w.job, d.Info())()
	}
	w.job.Graph, err = upload(d, w.graph, w.parts, w.ticks)
	<-blanked
	if err != nil {
		return Result{}, err
	}
	if err := d.Sync(); err != nil {
		return Result{}, err
	}
	uploaded := time.Since(start).Seconds()
	result, err := w.strategy.Run(ctx, d, &w.job)
	result.Preprocess += uploaded
	return result, err
}

// blank sets what the job is to fill to NaN.
func (j *Job) blank() {
	for _, scores := range [][]float64{j.Nodes, j.Edges, j.Rows, j.Hops, j.Farthest, j.Taken} {
		for i := range scores {
			scores[i] = math.NaN()
		}
	}
}

// prepare chooses a strategy and fits it into memory. It returns one line on why this one. For auto, a strategy that does
// not fit into memory leaves its place to the next.
func (w *work) prepare(d gpu.Device) (string, error) {
	if made := w.made(); made != nil {
		why, err := w.prepareAmong([]Strategy{made}, d)
		if w.order.Strategy == "auto" {
			why = "auto: " + w.reduction.Reason
		}
		return why, err
	}
	if w.order.Strategy == kernels.Chains {
		why := "reductions are off"
		if w.reduction != nil {
			why = strings.TrimPrefix(w.reduction.Reason, "not reduced: ")
		}
		return "", notByChains(why)
	}
	inDouble := w.inDouble()
	among := suited(w.host.Strategies, w.order.Strategy, &w.job, d.Info())
	why, err := w.prepareAmong(among, d)
	first := err
	for tooLarge := (*gpu.TooLarge)(nil); w.order.Strategy == "auto" && errors.As(err, &tooLarge) && len(among) > 1; {
		among = slices.DeleteFunc(among, func(s Strategy) bool { return s.Name() == w.strategy.Name() })
		why, err = w.prepareAmong(among, d)
	}
	if err != nil {
		return "", first
	}
	return why + inDouble, nil
}

// notByChains is the error of strategy chains on a graph that it does not suit.
func notByChains(why string) error {
	return notOnGPU("strategy %s does not suit this graph: %s", kernels.Chains, why)
}

// made is the strategy that was made for what reductions leave of the graph, or nil.
func (w *work) made() Strategy {
	switch {
	case w.chains != nil:
		return w.chains
	case w.folded != nil && w.folded.chains != nil:
		return w.folded.chains
	case w.folded != nil && w.mayChain() && w.folded.trees.Graph.N() == 0:
		return treesAlone{}
	}
	return nil
}

// inDouble gives up single precision where float32 would not be right to 1e-5, and returns a note on that, or "".
func (w *work) inDouble() string {
	j := &w.job
	if !j.Single || j.Profile || j.kind() != kernels.Dependencies {
		return ""
	}
	levels := j.depthOfHost().Levels
	if levels <= singleLevels {
		return ""
	}
	j.Single = false
	return fmt.Sprintf("; in double precision, because %d levels are too many for float32", levels)
}

// prepareAmong is prepare with the given strategies.
func (w *work) prepareAmong(among []Strategy, d gpu.Device) (string, error) {
	g, info := w.graph, d.Info()
	strategy, why, err := find(among, w.order.Strategy, w.job.Want, g.Directed, info)
	if err != nil {
		return "", refusal{err, protocol.NotOnGPU}
	}
	w.strategy = strategy
	parts := strategy.Parts(w.job.Want, g.Directed)
	w.job.Ticks = nil
	if parts.Ticks {
		var ok bool
		if w.ticks, w.job.TickMul, w.job.TickDiv, ok = w.wholeTicks(g); !ok && !parts.Weights {
			return "", refusal{fmt.Errorf("path lengths do not fit 64-bit ticks, which strategy %s counts in", strategy.Name()), protocol.NotOnGPU}
		}
		w.job.Ticks, parts.Weights = w.ticks, parts.Weights && !ok
	}
	w.parts = parts
	size := sizeOf(g)
	bytes := GraphBytes(size, parts)
	free := info.Free - reserve
	if bytes > free {
		return "", &gpu.TooLarge{What: "the graph", Need: bytes + reserve, Free: info.Free}
	}
	if w.job.Plan, err = strategy.Plan(size, w.job.Want, info, free-bytes); err != nil {
		return "", err
	}
	if w.job.Plan.Note != "" {
		why += "; " + w.job.Plan.Note
	}
	w.plan = protocol.Planned{
		Device: info.Name, Strategy: strategy.Name(), Blocks: w.job.Plan.Blocks,
		HostBytes: w.job.Plan.HostBytes, DeviceBytes: w.job.Plan.DeviceBytes + bytes,
	}
	return why, fitsHost(strategy.Name(), w.job.Plan.HostBytes)
}

// leastPlan is what a plan may take of host memory unasked: what is free takes 0.2 ms to find out, closeness of air-routes 2.4.
const leastPlan = 16 << 20

// fitsHost refuses a plan for more host memory than there is. Where that cannot be told, it lets it pass.
func fitsHost(name string, bytes int64) error {
	if bytes <= leastPlan {
		return nil
	}
	if free, err := hostmem.Available(); err == nil && bytes > free {
		return refusal{fmt.Errorf("%s needs %s of host memory, %s are free", name, hostmem.FormatBytes(bytes), hostmem.FormatBytes(free)), protocol.TooLarge}
	}
	return nil
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
