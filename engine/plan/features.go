// Package plan chooses who computes: it predicts the seconds of every way to compute a measure, on the CPU and on
// a device, and ranks them. It computes no scores itself. A way is one engine on the graph as it is,
// or on what exact reductions leave of it. See docs/notes/004-cost-model.md for how far predictions are
// from measurements.
package plan

import (
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/plan/looks"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Features are what predictions know of a graph and a request. Expensive ones are methods; each is computed
// when it is first asked for, and once. Make one with Of.
type Features struct {
	Traits
	Nodes, Edges, Arcs int64
	Directed           bool
	// Sources is the number of nodes to search from; All reports whether these are all nodes.
	Sources int64
	All     bool
	// Single allows float32 on a device.
	Single bool
	// Shallow, unless nil, is told about how deep a graph is that Candidates takes for shallow after a few looks.
	Shallow func(about order.Depth)

	// surely and spreads report whether predictions go by the depth itself, and by the spread itself, where not all nodes
	// are sources: not by estimates.
	surely, spreads bool
	// looked reports whether the looks that are made at the same time have been made.
	looked bool
	// shards is in how many shards the sources are; 0 for one. Predictions are then for one of them.
	shards int64
	lazy   lazy
	// measured are those that lazy has computed, or that were given.
	measured Measured
}

// Traits are what a measure asks for. No code that predicts knows a measure's name.
type Traits struct {
	Kind kernels.Kind
	// Folds reports whether distances are folded, and Fold how.
	Folds bool
	Fold  kernels.Fold
	// Reducible reports whether exact reductions apply to the measure at all, Chained whether devices
	// contract chains.
	Reducible, Chained bool
	Weighted           bool
	// EdgeScores reports whether edge scores are wanted.
	EdgeScores bool
	// Radius is that of balls, in hops.
	Radius int64
	// Error is that which a flow may have; 0 for the measure's own.
	Error float64
	// Batch is the share of edges that batches of a clustering cut; 0 where it cuts them one by one.
	Batch float64
	// Pairs reports whether only some pairs count, and Within the greatest distance of those that do; 0 for any.
	Pairs  bool
	Within float64
	// Chosen reports whether not all pairs within the range count once each.
	Chosen bool
	// Top reports whether the highest scores alone are wanted.
	Top bool
	// Triangles reports whether a measure of triangles looks for them; degrees alone do for Forman's curvature.
	Triangles bool
	// MayReduce reports whether the request lets the graph be reduced.
	MayReduce bool
}

// lazy are the features that take a look at all nodes or arcs. Depth and Weights take several.
type lazy struct {
	degrees  func() Degrees
	rows     func() Degrees                     // an estimate of degrees
	busy     func() int64                       // arcs of looks.Busy
	areNear  func(share float64, arcs int) bool // looks.AreNear
	depth    func() order.Depth
	likely   func() order.Depth // an estimate of depth
	reach    func() float64
	near     func() float64
	locality func() float64
	close    func(rows int) float64 // the share of neighbours next to one another, by so many rows
	weights  func() Weights
	ball     func() float64
	within   func() looks.Ball
	spread   func() float64
	wedges   func() float64
}

// Degrees summarise the lengths of rows.
type Degrees = looks.Degrees

// Of returns the features of a graph and a request.
func Of(g *export.Graph, m kernels.Measure, r kernels.Request, single bool) *Features {
	return With(g, TraitsOf(m, r), r.Sources, single)
}

// With returns the features of a graph and of what is asked for by its traits, from some sources, or all nodes where
// they are nil.
func With(g *export.Graph, t Traits, sources []int32, single bool) *Features {
	f := &Features{
		Traits: t, Nodes: int64(g.N()), Edges: int64(g.M()), Arcs: int64(g.Arcs()), Directed: g.Directed,
		Sources: int64(len(sources)), All: sources == nil, Single: single,
	}
	if f.All {
		f.Sources = f.Nodes
	}
	f.lazy = lazy{
		degrees:  once(&f.measured.Degrees, func() Degrees { return looks.DegreesOf(g) }),
		rows:     sync.OnceValue(func() Degrees { return looks.LikelyDegrees(g) }),
		busy:     func() int64 { return g.Degree(looks.Busy(g)) },
		areNear:  func(share float64, arcs int) bool { return looks.AreNear(g, share, arcs) },
		depth:    once(&f.measured.Depth, func() order.Depth { return order.DepthOf(g) }),
		likely:   once(&f.measured.Likely, func() order.Depth { return order.LikelyDepth(g) }),
		reach:    once(&f.measured.Reach, func() float64 { return f.largest(g) }),
		near:     once(&f.measured.Nearness, func() float64 { return looks.Nearness(g, sources) }),
		locality: once(&f.measured.Locality, func() float64 { return looks.Locality(g, !f.All) }),
		close:    func(rows int) float64 { return order.Locality(g, g.N()/(2*rows), rows, closeApart) },
		weights:  once(&f.measured.Weights, func() Weights { return weightsOf(g, lengths.WholeTicks) }),
		ball:     once(&f.measured.Ball, func() float64 { return looks.BallArcs(g, f.Radius) }),
		within:   once(&f.measured.Within, func() looks.Ball { return looks.BallWithin(g, f.Weighted, f.Within, sources) }),
		spread:   once(&f.measured.Spread, func() float64 { return looks.Spread(g, sources) }),
		wedges:   once(&f.measured.Wedges, func() float64 { return looks.Wedges(g) }),
	}
	return f
}

// Shard returns the features for one of so many equal shards of the run.
func (f *Features) Shard(of int64) *Features {
	shard := *f
	shard.shards = of
	return &shard
}

// Imagined returns the features of an undirected graph that does not exist, with all nodes as sources. Features that m
// does not have are those of a connected graph without weights whose neighbours lie anywhere.
func Imagined(t Traits, nodes, edges int64, m Measured) *Features {
	f := &Features{Traits: t, Nodes: nodes, Edges: edges, Arcs: 2 * edges, Sources: nodes, All: true, measured: m}
	f.lazy = lazy{
		degrees:  once(&f.measured.Degrees, func() Degrees { return Degrees{Branch: nodes} }),
		rows:     f.Degrees,
		busy:     func() int64 { return f.Degrees().Greatest },
		areNear:  func(float64, int) bool { return true },
		depth:    once(&f.measured.Depth, func() order.Depth { return order.Depth{Levels: 1} }),
		likely:   once(&f.measured.Likely, func() order.Depth { return order.Depth{Levels: 1} }),
		reach:    once(&f.measured.Reach, func() float64 { return 1 }),
		near:     once(&f.measured.Nearness, func() float64 { return 1 }),
		locality: once(&f.measured.Locality, func() float64 { return 0 }),
		close:    func(int) float64 { return f.Locality() },
		weights:  once(&f.measured.Weights, func() Weights { return Weights{} }),
		ball:     once(&f.measured.Ball, func() float64 { return 0 }),
		within: once(&f.measured.Within, func() looks.Ball {
			return looks.Ball{Nodes: float64(nodes), Arcs: 2 * float64(edges), Levels: float64(f.Depth().Levels)}
		}),
		spread: once(&f.measured.Spread, f.likelySpread),
		wedges: once(&f.measured.Wedges, func() float64 {
			return wedgesOfHubs * float64(edges) * min(math.Sqrt(2*float64(edges)), float64(f.Degrees().Greatest))
		}),
	}
	return f
}

// TraitsOf returns the traits of a measure and a request.
func TraitsOf(m kernels.Measure, r kernels.Request) Traits {
	fold, folds := kernels.FoldOf(m.Name)
	radius := int64(kernels.DefaultRadius)
	if r.Radius != nil {
		radius = int64(*r.Radius)
	}
	return Traits{
		Kind: m.Kind, Fold: fold, Folds: folds, Reducible: m.Reducible, Chained: m.Chained,
		Weighted: r.Weighted || m.Weights == kernels.RequiredWeights, EdgeScores: r.Edges, Radius: radius, Error: r.Error,
		Top: r.Top != nil, Batch: r.Batch, Pairs: r.Pairs != nil, Within: r.Within(),
		Chosen:    r.Pairs != nil && (r.Pairs.Targets != nil || r.HasDemand()),
		Triangles: m.Kind != kernels.Curvature || r.Variant == kernels.Augmented,
		MayReduce: r.Reduce != kernels.ReduceOff && r.Sources == nil && r.Pairs == nil,
	}
}

// Degrees returns a summary of the lengths of rows, after one look at all nodes.
func (f *Features) Degrees() Degrees { return f.lazy.degrees() }

// Depth returns how deep the graph is, after a breadth-first search. For some sources it is an estimate until
// Candidates finds that the search is worth its time.
func (f *Features) Depth() order.Depth {
	if f.estimates() {
		return f.lazy.likely()
	}
	return f.lazy.depth()
}

// estimates reports whether Depth is an estimate.
func (f *Features) estimates() bool {
	return !f.All && !f.surely && f.measured.Depth == nil && f.Nodes > order.WholeNodes
}

// UseDepth makes depth find out the depth, and likely the estimate of it, for who needs them as well.
func (f *Features) UseDepth(depth, likely func() order.Depth) {
	f.lazy.depth, f.lazy.likely = depth, likely
}

// UseTicks has ticks measure the weights, for who needs their ticks as well.
func (f *Features) UseTicks(g *export.Graph, ticks Ticks) {
	f.lazy.weights = once(&f.measured.Weights, func() Weights { return weightsOf(g, ticks) })
}

// largest is Reach. Where the search for the depth of an undirected graph finds most nodes, the other components make
// little difference, and it need not look for them: Reach is the sum of the squares of the components' shares.
func (f *Features) largest(g *export.Graph) float64 {
	if share := float64(f.Depth().Found) / max(1, f.reached()); !g.Directed && share >= mostNodes {
		return share * share
	}
	return looks.Reach(g)
}

// wedgesOfHubs is looks.Wedges of an R-MAT of scale 17, over its edges and the bound of its rows: the square root of
// twice the edges.
const wedgesOfHubs = 0.07

// mostNodes is the share of the nodes with arcs that a component has for the others to be left out of Reach.
const mostNodes = 0.75

// fewLooks is up to how many sources of a sample Reach is not looked for, which would take a tenth of their searches
// and more: they are taken to reach all, as where the depth is an estimate.
const fewLooks = 1000

// Reach returns the share of the nodes with arcs that lie in the component of one of them, in the mean:
// what a search of an undirected graph reaches. Of directed graphs, direction is ignored. With a range it is 1: within
// says what lies in the range.
func (f *Features) Reach() float64 {
	if f.Within > 0 || !f.All && f.Sources <= fewLooks || f.estimates() {
		return 1
	}
	return f.lazy.reach()
}

// Nearness returns the share of the arcs leaving sources that end at a source; 1 when all nodes are
// sources. Sources that are near one another make good batches.
func (f *Features) Nearness() float64 {
	if f.All {
		return 1
	}
	return f.lazy.near()
}

// Locality returns the share of neighbours whose numbers lie within 8 of the neighbour before them: nodes
// that a search finds together, and the device loads together.
func (f *Features) Locality() float64 { return f.lazy.locality() }

// Weights returns what kind of weights the graph has, after a look at all of them.
func (f *Features) Weights() Weights { return f.lazy.weights() }

// Spread returns at how many levels, about, a batch of the CPU reaches a node, after up to three searches. For some
// sources it is an estimate until Candidates finds that these are worth their time.
func (f *Features) Spread() float64 {
	if !f.All && !f.spreads {
		return f.likelySpread()
	}
	return f.lazy.spread()
}

// likelySpread is about what Spread is, without a search: twice the radius of a ball with as many sources as
// a batch has. Balls grow by the mean degree at the end of an arc, or of deep graphs as areas do.
func (f *Features) likelySpread() float64 {
	ball := float64(min(lanes.MaxLanes, f.Sources)) / math.Max(f.Nearness(), 1/float64(max(1, f.Nodes)))
	radius := 1 + math.Log(math.Max(1, ball/f.MeanDegree()))/math.Log(math.Max(2, f.Hub()))
	if f.Depth().Deep {
		radius = areaRadius * math.Sqrt(ball) / f.MeanDegree()
	}
	return math.Min(2*radius+1, f.levels())
}

// areaRadius is the radius of a ball on a deep graph, times the mean degree and over the root of its nodes.
const areaRadius = 5

// MeanDegree returns the mean number of arcs per node.
func (f *Features) MeanDegree() float64 { return float64(f.Arcs) / float64(max(f.Nodes, 1)) }

// Hub returns the mean degree at the end of an arc; the mean degree itself where all degrees are equal.
func (f *Features) Hub() float64 { return f.Degrees().Squares / float64(max(f.Arcs, 1)) }

// ByHops reports whether searches count hops: there are no weights, or all weights are equal and neither a range nor a
// demand uses their unit.
func (f *Features) ByHops() bool {
	return !f.Weighted || f.Within == 0 && !f.Chosen && f.Weights().Class == Equal
}

// reached is the number of nodes that some arc leaves or enters.
func (f *Features) reached() float64 { return float64(f.Nodes - f.Degrees().Isolated) }

// levels is the depth of searches as a number, at least 1. What lies within a range by weights is taken to be a part of
// an area.
func (f *Features) levels() float64 {
	depth := float64(f.Depth().Levels)
	switch {
	case f.Within > 0 && f.Weighted:
		depth *= math.Sqrt(f.lazy.within().Nodes / math.Max(1, f.reached()))
	case f.Within > 0:
		depth = f.lazy.within().Levels
	}
	return math.Max(1, depth)
}

// share is the share of all nodes that are sources.
func (f *Features) share() float64 {
	return math.Min(1, float64(f.Sources)/math.Max(1, f.reached()))
}

// narrow reports whether batches on a device count paths in float32. Searches one by one do by weights alone.
func (f *Features) narrow() bool {
	return f.Single && !f.Chosen && f.Kind.Divides() &&
		(f.Kind != kernels.Dependencies || f.Weighted || f.Depth().Levels <= kernels.SingleLevels)
}
