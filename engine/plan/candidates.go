package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
)

// Device tells a CPU from a GPU.
type Device string

// A way computes on the CPU or on a GPU.
const (
	CPU Device = "cpu"
	GPU Device = "gpu"
)

// Candidate is one way to compute, with what it is predicted to take.
type Candidate struct {
	Device Device `json:"device"`
	Engine string `json:"engine"`
	// Reductions names the exact reductions that come first; nil for none.
	Reductions []string `json:"reductions,omitempty"`
	// Single reports whether paths are counted in float32.
	Single bool `json:"single,omitempty"`
	// Shards is into how many the run is cut; 0 for one.
	Shards int `json:"shards,omitempty"`
	// Devices is how many share the run; 0 for one.
	Devices int `json:"devices,omitempty"`
	// Cost is Seconds in parts.
	Cost    Cost    `json:"-"`
	Seconds float64 `json:"seconds"`
	// HostBytes and DeviceBytes are filled by Rank.
	HostBytes   int64 `json:"hostBytes"`
	DeviceBytes int64 `json:"deviceBytes,omitempty"`
	// Misfit says why the way does not fit the memory; "" when it does.
	Misfit string `json:"misfit,omitempty"`
	// Why says in some words what the way does.
	Why string `json:"why"`
}

// Machine is what there is to compute with.
type Machine struct {
	Rates *Rates
	// Threads is the number of CPU threads; 0 where the CPU is not to compute.
	Threads int
	// GPU reports whether there is a device, Warm whether a worker holds it.
	GPU, Warm bool
	// Shards is into how many a run is to be cut; 0 for one.
	Shards int
}

// Candidates lists the ways to compute, in no particular order. left is what reductions leave, of a plan or by
// Features.Guess. Of some sources, the depth of the graph and the spread of batches are looked for where that may be
// worth it; features know them from then on.
func Candidates(f *Features, left Reductions, m Machine) []Candidate {
	if l := (&list{f: f, left: left, m: m}); l.few() {
		return l.out
	}
	var together []func()
	switch searches := f.Kind == kernels.Dependencies || f.Kind == kernels.FoldedDistances; {
	case f.looked || f.Nodes+f.Arcs < looksApart:
	case f.Weighted && m.GPU && searches:
		together = []func(){func() { f.lazy.degrees() }, func() { f.lazy.weights() }, func() { f.Depth() }}
	case !f.Weighted && !f.All:
		together = []func(){func() { f.lazy.degrees() }, func() { f.lazy.likely() }, func() { f.lazy.near() },
			func() { f.lazy.locality() }}
	}
	f.looked = true
	var looking sync.WaitGroup
	for _, look := range together {
		looking.Go(look)
	}
	looking.Wait()
	for {
		l := &list{f: f, left: left, m: m}
		if m.Threads > 0 {
			l.onCPU()
		}
		if add := kinds()[f.Kind].onGPU; m.GPU && add != nil {
			add(l)
		}
		if f.All || len(l.out) < 2 || !l.looks() { // of one way there is no choice
			return l.out
		}
	}
}

// looksApart is from how many nodes and arcs on looks are made at the same time: to wake threads takes longer than
// those at a smaller graph.
const looksApart = 1 << 18

// lookShare is the share of the time of the fastest way that a look takes at most, unless the way needs what it finds.
// Where parts of a large graph may lie apart, it is apartShare of the fastest way by another engine: levels may take
// several times as long there as is estimated (note 094).
const lookShare, apartShare = 0.05, 0.1

// looks reports whether the features are to know something from now on that was an estimate: where a look takes little
// time next to the fastest way, and another engine comes near it, or where the fastest way looks anyway. Where parts of
// the graph may lie apart, the look takes little time next to another engine.
func (l *list) looks() bool {
	f, r := l.f, l.m.Rates
	faster := func(a, b Candidate) int { return cmp.Compare(a.Seconds, b.Seconds) }
	first := slices.MinFunc(l.out, faster)
	computing := first.Cost.Prepare + first.Cost.Search
	look := func(perArc, perNode Rate) float64 { return perArc.in(float64(f.Arcs)) + perNode.in(float64(f.Nodes)) }
	if f.estimates() {
		depth := look(r.Host.DepthArc, r.Host.DepthNode)
		if f.Depth().Deep {
			depth = look(r.Host.DeepArc, r.Host.DeepNode)
		}
		// Batches look for the depth where the graph is deep, and by weights in single precision.
		f.surely = IsBatched(first.Engine) && first.Engine != Small && (f.Depth().Deep || f.Weighted && f.Single)
		others := slices.DeleteFunc(slices.Clone(l.out), func(c Candidate) bool { return c.Engine == first.Engine })
		if !f.surely && len(others) > 0 {
			other := slices.MinFunc(others, faster)
			near := other.Seconds < clearTimes*first.Seconds
			apart := first.Engine == Levels && f.Nodes+f.Arcs > shortGraph && f.isSmallDense() &&
				!f.lazy.areNear(nearShare, nearArcs)
			f.surely = near && depth <= lookShare*computing ||
				apart && depth <= apartShare*(other.Cost.Prepare+other.Cost.Search)
		}
		if f.surely {
			return true
		}
	}
	if l.m.Threads > 0 && !f.spreads {
		f.spreads = first.Device == CPU || spreadSearches*look(r.CPU.HopArc, r.CPU.HopNode) <= lookShare*computing
		return f.spreads
	}
	return false
}

// clearTimes is how many times as long as the fastest way all other engines take, at least, where a look could hardly
// change the choice (note 081).
const clearTimes = 1.5

// spreadSearches is how many searches of the CPU find the spread of batches.
const spreadSearches = 3

// list collects candidates.
type list struct {
	f    *Features
	left Reductions
	m    Machine
	out  []Candidate
}

func (l *list) add(c Candidate) {
	by := l.m.Rates.Factors.CPU
	if c.Device == GPU {
		by = l.m.Rates.Factors.Device
		c.Single = (l.f.Weighted || IsBatched(c.Engine) || l.f.Kind != kernels.Dependencies) && l.f.narrow()
		c.Cost.Way = l.m.Rates.Host.WayBase.in(1) + l.m.Rates.Host.WayArc.in(float64(l.f.Arcs))
		if !l.m.Warm {
			c.Cost.Start = l.m.Rates.Host.Start.in(1)
		}
	}
	if l.m.Shards > 1 {
		c.Shards = l.m.Shards
	}
	c.Cost.Search *= by
	c.Seconds = c.Cost.Seconds()
	l.out = append(l.out, c)
}

func (l *list) onCPU() {
	r, f := l.m.Rates, l.f
	if f.Top && !f.Weighted { // searches from some nodes: from more of them on a deep graph
		work := r.CPU.HopArc.in(r.CPU.TopSearches.Value * f.levels() * (float64(f.Nodes) + float64(f.Arcs)))
		searches := math.Min(work*r.misses(f), 2*r.lanesOnCPU(f)) / r.busy(f, l.m.Threads)
		cost := Cost{Search: r.CPU.Base.in(1) + r.topBounds(f, l.m.Threads) + searches}
		l.add(Candidate{Device: CPU, Engine: Bounds, Cost: cost, Why: "searches from nodes that may be among the highest"})
		return
	}
	l.add(Candidate{Device: CPU, Engine: Plain, Cost: r.plainCost(f, l.m.Threads), Why: "searches the graph as it is"})
	if f.mayReduce(CPU) {
		l.add(Candidate{
			Device: CPU, Engine: Reduced, Reductions: l.left.taken(true), Cost: r.reducedCost(f, l.left, l.m.Threads),
			Why: "searches what reductions leave",
		})
	}
	if f.mayReduce(CPU) && !f.Weighted && f.inLanes() != lanes.Single {
		l.add(Candidate{
			Device: CPU, Engine: Reduced, Reductions: l.left.taken(false), Cost: r.blocksCost(f, l.left, l.m.Threads),
			Why: "searches what trees and blocks leave, from many sources at a time",
		})
	}
}

// paths adds searches for shortest paths.
func (l *list) paths() {
	switch {
	case l.f.Top:
		cost := l.m.Rates.hopsCost(l.f)
		cost.Prepare += l.m.Rates.topBounds(l.f, l.m.Threads)
		l.gpu(Hops, cost, "batches by hops, from nodes that may be among the highest")
	case l.f.Chosen: // no other engine knows which pairs count
		l.oneByOne()
	case l.f.Within > 0:
		l.within()
		l.oneByOne()
	case l.quick():
	case l.f.ByHops():
		l.byHops()
		l.oneByOne()
	default:
		l.byWeights()
		l.oneByOne()
	}
}

// within adds batches that end at a range. Those by weights and those on deep graphs go over what they keep of all
// nodes, whatever they reach.
func (l *list) within() {
	r, f := l.m.Rates, l.f
	switch {
	case !f.ByHops():
		cost := r.weightedCost(f, f.size())
		cost.Search = r.weightedCost(f, f.within(weightedLanes)).Search
		cost.Search += math.Ceil(f.size().sources/weightedLanes) * weightedPasses * weightedRow * f.size().nodes /
			r.Shape.Bandwidth
		l.gpu(Weighted, cost, "batches by weights, as far as the range")
	case f.Kind == kernels.FoldedDistances && !f.EdgeScores:
		l.gpu(Hops, r.hopsCost(f), "batches by hops, as far as the range")
	case f.Kind == kernels.Dependencies && f.goesDeep():
		cost := r.deepCost(f, f.size())
		cost.Search = r.deepCost(f, f.within(f.lanes())).Search
		cost.Search += math.Ceil(f.size().sources/f.lanes()) * deepBytes * f.size().nodes / r.Shape.Bandwidth
		l.gpu(Deep, cost, "batches by hops on a deep graph, distances first, as far as the range")
	case f.Kind == kernels.Dependencies:
		cost := r.levelsCost(f, f.size())
		cost.Search = r.levelsSearch(f, f.within(f.lanes()))
		l.gpu(Levels, cost, "batches by hops, level by level, as far as the range")
	}
}

func (l *list) gpu(engine string, cost Cost, why string) {
	l.add(Candidate{Device: GPU, Engine: engine, Cost: cost, Why: why})
}

func (l *list) reduced(engine string, chains bool, cost Cost, why string) {
	l.add(Candidate{Device: GPU, Engine: engine, Reductions: l.left.taken(chains), Cost: cost, Why: why})
}

// quick adds searches of a graph so small that no other way need be considered, and reports whether it is.
func (l *list) quick() bool {
	cost, quick := l.m.Rates.quick(l.f)
	if quick {
		l.gpu(Small, cost, "one search per thread block in shared memory: done before other ways are weighed")
	}
	return quick
}

// threadsPerNode are those of searches one by one.
var threadsPerNode = map[string]float64{OneByOne: 1, OneByOne4: 4, OneByOne8: 8}

// oneByOne adds searches of one source per thread block.
func (l *list) oneByOne() {
	for _, engine := range []string{OneByOne, OneByOne4, OneByOne8} {
		why := "one search per thread block: no order of nodes to make"
		if k := threadsPerNode[engine]; k > 1 {
			why = fmt.Sprintf("one search per thread block, %.0f threads per node", k)
		}
		l.gpu(engine, l.m.Rates.traversal(l.f, threadsPerNode[engine]), why)
	}
}

func (l *list) byHops() {
	r, f := l.m.Rates, l.f
	switch f.Kind {
	case kernels.FoldedDistances:
		l.gpu(Hops, r.hopsCost(f), "batches by hops")
		l.chains(ChainFolds, r.chainFoldsCost)
	case kernels.Dependencies:
		engine, cost, why := Levels, r.levelsCost, "batches by hops, level by level"
		if f.goesDeep() {
			engine, cost, why = Deep, r.deepCost, "batches by hops on a deep graph, distances first"
		}
		l.gpu(engine, cost(f, f.size()), why)
		if f.mayReduce(GPU) {
			l.reduced(engine, false, r.onUnion(f, l.left, cost), why+", on what trees and blocks leave")
		}
		l.chains(Chains, r.chainsCost)
	}
}

func (l *list) byWeights() {
	r, f := l.m.Rates, l.f
	if r.fitsShared(f) && f.Kind != kernels.PathCounts {
		l.gpu(Small, r.smallAt(f, f.levels()), "one search per thread block in shared memory")
	}
	l.gpu(Weighted, r.weightedCost(f, f.size()), "batches by weights")
	folded := f.Kind == kernels.FoldedDistances
	if f.mayReduce(GPU) && !(folded && f.EdgeScores) {
		cost := r.onUnion(f, l.left, r.weightedCost)
		l.reduced(Weighted, false, cost, "batches by weights, on what is left without trees")
	}
	if folded {
		l.chains(ChainFolds, r.chainFoldsCost)
		return
	}
	l.chains(Chains, r.chainsCost)
}

// branchingShare is the share of nodes of degree 3 and more up to which chains are contracted by hops: a quarter of it
// on shallow graphs, whose batches are fast. To plan them in vain takes longer than trees and blocks alone.
const branchingShare = 1.0 / 3

// mayContract reports whether so few nodes have three neighbours or more that chains are worth a plan. By weights,
// trees are reason enough.
func (f *Features) mayContract() bool {
	share := float64(f.Degrees().Branch) / float64(max(f.Nodes, 1))
	return !f.ByHops() || share <= branchingShare/4 || share <= branchingShare && f.Depth().Deep
}

// chains adds searches between branch nodes, where there are others.
func (l *list) chains(engine string, cost func(*Features, Reductions) Cost) {
	if l.f.mayReduce(GPU) && l.f.Chained && l.left.Search < 1 && l.f.mayContract() {
		l.reduced(engine, true, cost(l.f, l.left), "searches between branch nodes alone")
	}
}
