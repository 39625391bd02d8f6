package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/chains"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// reducedWays are those for betweenness on what exact reductions leave, where these are asked for or pay: with chains,
// and with trees and blocks alone. about says what came of it; more is false when nobody wants more ways.
func (t *task) reducedWays(
	ctx context.Context, d gpu.Info, yield func(*way, error) bool,
) (about *kernels.Reduction, more bool) {
	j, r := &t.job, t.request()
	g := j.Host
	asked := r.Reduce != "" && r.Reduce != kernels.ReduceAuto
	if j.Kind() != kernels.Dependencies || r.Reduce == kernels.ReduceOff || !asked && (g.Directed || !j.All) {
		return nil, true
	}
	withChains := t.taking().OfChains() && t.computes() && (asked || t.pays(d, choice.ByChains))
	union := !t.taking().AsksForChains() && (asked || t.taking().OfBatches() && t.pays(d, choice.ByBatches))
	if !withChains && !union {
		return nil, true
	}
	need := reduce.Bytes(int64(g.N()), int64(g.M()), reduce.Options{Threads: 1, Memory: 1})
	if err := fitsHost("reducing the graph", need); err != nil {
		return nil, !asked || yield(nil, err)
	}
	l, err := t.lengths(ctx)
	if err != nil {
		yield(nil, err)
		return nil, false
	}
	made := &reductions.ChainPlan{}
	if withChains {
		w, p, err := t.chained(ctx, d, r, l)
		if err != nil {
			yield(nil, err)
			return nil, false
		}
		if made, about = p, p.About; w != nil && !yield(w, nil) {
			return about, false
		}
	}
	if !union {
		return about, true
	}
	return t.unionWays(ctx, d, r, l, made, about, yield)
}

// computes reports whether some engine does the job without chains: what does not fit by chains falls back on it.
func (t *task) computes() bool {
	want := device.Want{Measure: t.job.Measure, Nodes: true}
	want.Weighted = t.job.Weighted
	return slices.ContainsFunc(t.engines, func(e device.Engine) bool { return e.Accepts(want, false) })
}

// request is that of the task; strategy chains asks for reductions.
func (t *task) request() kernels.Request {
	r := t.job.Request
	if t.taking().AsksForChains() && (r.Reduce == "" || r.Reduce == kernels.ReduceAuto) {
		r.Reduce = kernels.ReduceOn
	}
	return r
}

// chained is the way by searches from branch nodes alone; nil where the plan, which is returned in any case, says why
// not.
func (t *task) chained(
	ctx context.Context, d gpu.Info, r kernels.Request, l lengths.Lengths,
) (*way, *reductions.ChainPlan, error) {
	made, err := reductions.PlanChains(ctx, t.job.Host, r, l, func(i reduce.Info) bool {
		c := t.choiceOf(&t.job, d)
		c.Know(plan.ReductionsOf(i, 0)) // its time is over
		return c.ChainsFirst(t.taking())
	})
	if err != nil || made.Reduced == nil {
		return nil, made, err
	}
	flat, err := made.Reduced.Flatten(ctx)
	if errors.Is(err, reduce.ErrOptions) {
		made.About.Taken, made.About.Searched = []string{}, int64(t.job.Host.N())
		made.About.NotReduced(err.Error())
		return nil, made, nil
	}
	if err != nil {
		return nil, nil, err
	}
	e := chains.New(made.Reduced, flat)
	w := &way{engine: e, job: t.job, why: t.asked(made.About), reduction: made.About, unfit: reduce.ErrOptions}
	w.job.Want.Sources, w.job.Want.Single = e.Sources(), false // it adds up in float64
	w.job.Partial = chains.NewPartial(flat)
	w.finish = func(part *kernels.Partial) (kernels.Totals, error) {
		p := t.partial(t.job.Request)
		fill(p, t.job.Host)
		if err := e.LeadBack(part, p); err != nil {
			return kernels.Totals{}, err
		}
		return p.Totals, p.Finish(t.measure, t.job.Host, t.job.Request, t.nodes, t.edges)
	}
	if t.job.Weighted {
		w.ties = "exact"
	}
	return w, made, nil
}

// asked is why a way on what reductions leave is taken.
func (t *task) asked(about *kernels.Reduction) string {
	if t.taking().Any() {
		return "auto: " + about.Reason
	}
	return "asked for"
}

// unionWays are those on what trees and blocks leave; with is what came of planning with chains, notChains what that
// says.
func (t *task) unionWays(
	ctx context.Context, d gpu.Info, r kernels.Request, l lengths.Lengths, with *reductions.ChainPlan,
	notChains *kernels.Reduction, yield func(*way, error) bool,
) (about *kernels.Reduction, more bool) {
	left, about, err := with.Searches(ctx, t.job.Host, r, l, t.choiceOf(&t.job, d).MostLeftOfBatches(t.taking()))
	if err == nil && left == nil {
		if notChains != nil {
			about = notChains
		}
		return about, true
	}
	var union *reduce.Union
	if err == nil {
		union, err = left.Union()
	}
	if err != nil {
		yield(nil, err)
		return nil, false
	}
	job := t.onUnion(union)
	engines, why, err := t.choose(&job, d)
	if err != nil {
		yield(nil, err)
		return nil, false
	}
	for _, e := range inTurn(engines, &job, d) {
		of, note := inPrecision(job, e)
		w := &way{engine: e, job: of, why: why + note, reduction: about, rest: restOf(e)}
		w.job.Partial = kernels.NewHollow(t.measure, union.Graph.N(), union.Graph.M(), job.Request,
			t.boundsOn(union.Graph, job.Request))
		w.room = t.roomOn(union.Graph)
		w.finish = func(p *kernels.Partial) (kernels.Totals, error) { return t.fromUnion(left, union, p) }
		if t.job.Weighted {
			w.ties = "exact" // also where nothing is left to search
		}
		if !yield(w, nil) {
			return about, false
		}
	}
	return about, true
}

// bounds are those of the graph as it is: they hold for what nodes stand for, too.
func (t *task) bounds() kernels.Bounds { return kernels.BoundsOf(t.job.Host, t.job.Request, 0) }

// boundsOn are those of a graph that is left, by its own lengths, whose nodes stand for all of the graph as it is.
func (t *task) boundsOn(g *export.Graph, r kernels.Request) kernels.Bounds {
	b := kernels.BoundsOf(g, r, 0)
	b.Mass = float64(t.job.Host.N())
	return b
}

// roomOn is room for the values of sums on a graph that is left.
func (t *task) roomOn(g *export.Graph) *device.Values {
	room := &device.Values{}
	if t.nodes != nil {
		room.Nodes = make([]float64, g.N())
	}
	if t.edges != nil {
		room.Edges = make([]float64, g.M())
	}
	return room
}

// onUnion asks for sums over ordered pairs on the graph that is left.
func (t *task) onUnion(union *reduce.Union) device.Job {
	g, job := union.Graph, t.job
	job.Host, job.Masses, job.Endpoints = g, union.Omega, false
	job.Size = device.SizeOf(g)
	job.Sources, job.All = order.All(g), true
	job.Want.Sources = len(job.Sources)
	job.Request = kernels.Request{Nodes: job.Want.Nodes, Edges: job.Want.Edges}
	job.Request.Weighted = job.Weighted
	return job
}

// fromUnion fills the scores of the whole graph from sums on what was left.
func (t *task) fromUnion(left *reduce.Reduced, union *reduce.Union, p *kernels.Partial) (kernels.Totals, error) {
	nodes, edges := make([]float64, union.Graph.N()), make([]float64, union.Graph.M())
	if p.Nodes != nil {
		nodes = p.Nodes.Values()
	}
	if p.Edges != nil {
		edges = p.Edges.Values()
	}
	nodes, edges, err := left.FromUnion(union, nodes, edges)
	if err != nil {
		return kernels.Totals{}, err
	}
	forNodes, forEdges := kernels.BetweennessFactors(t.job.Host, t.job.Request)
	for v := range t.nodes {
		t.nodes[v] = 2 * forNodes * nodes[v]
	}
	for e := range t.edges {
		t.edges[e] = 2 * forEdges * edges[e]
	}
	return kernels.Totals{Pairs: left.Info.Pairs, NoDistance: true}, nil
}
