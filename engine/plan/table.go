package plan

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/engine/plan/structures"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/flow"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
)

// This file is what a new kind of measure, or a new engine, changes here: its name, its rates, and its ways. What they
// take is predicted in a file per engine.

// Names of engines that Candidates proposes.
const (
	Plain      = "plain"
	Reduced    = "reduced"
	Bounds     = "bounds"
	Levels     = "levels"
	Deep       = "deep"
	Hops       = "hops"
	Weighted   = "weighted"
	Small      = "small"
	Chains     = "chains"
	ChainFolds = "chain-folds"
	Volume     = "volume-bitmap"
	Pull       = "pull"
	Triangles  = "triangles"
	Cuts       = "cuts"
	OneByOne   = "work-efficient"
	OneByOne4  = "work-efficient-warp-4"
	OneByOne8  = "work-efficient-warp-8"
)

// IsBatched reports whether an engine is of the group Batched.
func IsBatched(engine string) bool {
	return slices.Contains([]string{Levels, Deep, Hops, Weighted, Small}, engine)
}

// kind is how the ways to compute the measures of a kind are predicted.
type kind struct {
	// onCPU is the time on the CPU besides what every run takes, of all threads together.
	onCPU func(r *Rates, f *Features, threads int) float64
	// onGPU adds the ways of a device; nil for none.
	onGPU func(l *list)
}

// kinds has an entry for every kind of measure, made once. A kind without one has no prediction at all.
func kinds() map[kernels.Kind]kind {
	if all := madeKinds.Load(); all != nil {
		return *all
	}
	flows := kind{func(r *Rates, f *Features, _ int) float64 {
		g := kernels.Size{Nodes: f.Nodes - f.Degrees().Isolated, Edges: f.Edges}
		return flow.Seconds(f.Kind, g, f.Degrees().Leaves, f.Error, f.Depth().Deep) * r.misses(f)
	}, nil}
	// Moves look at all nodes and arcs, as often as their rate includes. Nodes move one after the other, so more threads
	// are taken to change nothing.
	moves := func(rate func(CPURates) Rate, misses func(*Rates, *Features) float64) func(*Rates, *Features, int) float64 {
		return func(r *Rates, f *Features, threads int) float64 {
			return rate(r.CPU).in(float64(f.Nodes)+float64(f.Arcs)) * misses(r, f) * r.busy(f, threads)
		}
	}
	// Louvain takes the longer the larger the graph is, unless neighbours lie next to one another.
	far := func(r *Rates, f *Features) float64 {
		return 1 + r.CPU.ModulesMiss.Value*math.Pow((r.misses(f)-1)*(1-f.Locality()), 2)
	}
	paths := func(r *Rates, f *Features, threads int) float64 {
		if f.inLanes() != lanes.Single {
			return r.batchesOnCPU(f, threads)
		}
		return r.searchesOnCPU(f)
	}
	all := map[kernels.Kind]kind{
		kernels.Degrees:         {(*Rates).passesOnCPU, nil},
		kernels.Dependencies:    {paths, (*list).paths},
		kernels.PathCounts:      {paths, (*list).paths},
		kernels.FoldedDistances: {(*Rates).foldsOnCPU, (*list).paths},
		kernels.Balls:           {(*Rates).ballsOnCPU, (*list).balls},
		kernels.Communities: {(*Rates).cutsOnCPU, func(l *list) {
			r, base := l.m.Rates, l.m.Rates.CPU.CutBase.in(float64(l.f.Edges))
			l.gpu(Cuts, Cost{
				Prepare: r.Host.Upload.in(2 * float64(l.f.Arcs)),
				Search:  r.Host.Base.in(1) + base + (r.cutsOnCPU(l.f, 1)-base)/r.CutThreads.Value,
			}, "the scores of large blocks, from which edges are cut on the device")
		}},
		kernels.Backbones: {
			// Betweenness and distances, of the graph and of a backbone as large.
			func(r *Rates, f *Features, _ int) float64 { return 2 * (r.searchesOnCPU(f) + r.lanesOnCPU(f)) }, nil,
		},
		kernels.PageRanks:          {(*Rates).passesOnCPU, (*list).passes},
		kernels.ArticleRanks:       {(*Rates).passesOnCPU, (*list).passes},
		kernels.KatzSums:           {(*Rates).passesOnCPU, (*list).passes},
		kernels.Eigenvectors:       {(*Rates).passesOnCPU, nil},
		kernels.HubsAndAuthorities: {(*Rates).passesOnCPU, nil},
		kernels.Labels:             {moves(func(c CPURates) Rate { return c.Labels }, (*Rates).misses), nil},
		kernels.Modules:            {moves(func(c CPURates) Rate { return c.Modules }, far), nil},
		kernels.ConnectedModules:   {moves(func(c CPURates) Rate { return c.Connected }, (*Rates).misses), nil},
		kernels.Currents:           flows,
		kernels.CurrentCloseness:   flows,
		kernels.Resistances:        flows,
		kernels.SpanningTrees:      flows,
	}
	for _, structure := range structures.Kinds() {
		onCPU := func(r *Rates, f *Features, threads int) float64 {
			g := structures.Graph{Nodes: f.Nodes, Arcs: f.Arcs, Wedges: f.lazy.wedges}
			return structures.Seconds(structure, g, r.busy(f, threads), f.Triangles)
		}
		all[structure] = kind{onCPU, nil}
	}
	for _, triangles := range structures.OnDevices() {
		all[triangles] = kind{all[triangles].onCPU, func(l *list) {
			g := structures.Graph{Nodes: l.f.Nodes, Arcs: l.f.Arcs, Wedges: l.f.lazy.wedges}
			l.gpu(Triangles, Cost{
				Prepare: l.m.Rates.Host.Upload.in(2 * float64(l.f.Arcs)),
				Search:  l.m.Rates.Host.Base.in(1) + structures.DeviceSeconds(g, l.f.Triangles),
			}, "all triangles in one pass")
		}}
	}
	madeKinds.Store(&all)
	return all
}

var madeKinds atomic.Pointer[map[kernels.Kind]kind]

// Rates are those of a host and a device. Factors of a calibration multiply the predictions, not the rates. They are
// handed on by address, so nobody changes rates that others have: With and ScaledTo return others.
type Rates struct {
	// Device is the name of the device that the rates were measured on.
	Device    string
	Shape     Shape
	Host      HostRates
	CPU       CPURates
	Traversal TraversalRates
	Levels    LevelRates
	Deep      DeepRates
	Hops      HopRates
	Weighted  WeightedRates
	Small     SmallRates
	Chains    ChainRates
	Volume    VolumeRates
	Pull      PullRates
	// CutThreads is as how many threads of a CPU a device counts for the searches of a clustering by cuts.
	CutThreads Rate
	// Factors of the machine at hand over the one of the table; see Calibration.
	Factors Factors
}

// H200 returns the rates of an NVIDIA H200 with 16 threads of an Intel Xeon, and those of CPU threads.
func H200() *Rates {
	return &Rates{
		Device:    "NVIDIA H200",
		Shape:     Shape{SMs: 132, L2: 50e6, SharedBlock: 227 << 10, Bandwidth: fittedBandwidth},
		Host:      h200Host(),
		CPU:       cpuThread(),
		Traversal: h200Traversal(),
		Levels:    h200Levels(),
		Deep:      h200Deep(),
		Hops:      h200Hops(),
		Weighted:  h200Weighted(),
		Small: SmallRates{
			Arc: ns(0.0125, "arc", fromWeights+", docs/notes/001"), Node: ns(0.15, "node", fromWeights+", docs/notes/001"),
			Level: ns(8, "level", "docs/notes/001"), Double: of(1.14, "times", fromWeights),
			Distances: of(0.37, "times", fromWeights),
			Base:      ns(0.3e6, "run", fromWeights), NodeBytes: of(11, "bytes per node", "docs/notes/001"),
			NodeBytesDouble: of(15, "bytes per node", "docs/notes/001"), ArcBytes: of(0.2, "bytes per arc", "docs/notes/001"),
		},
		Chains: h200Chains(),
		Volume: VolumeRates{
			Arc: ns(0.11, "arc of a ball", fromCabral), Node: ns(2.5, "node", fromCabral),
			Base: ns(4e5, "run", fromCabral),
		},
		Pull: PullRates{
			Byte: ns(4e-4, "byte", fromProducts), Step: ns(1.5e4, "iteration", fromProducts),
			OrderArc: ns(0.5, "arc", fromProducts), OrderNode: ns(140, "node", fromProducts),
			OrderWeight: of(8, "times", fromProducts),
		},
		CutThreads: of(communities.DeviceThreads, "threads", fromDeviceCuts),
		Factors:    Factors{Device: 1, CPU: 1},
	}
}

// table is made once: to write the units of its rates takes as long as to choose for a small sample.
var table = sync.OnceValue(H200)

// Here returns the rates of the table for the processor at hand.
func Here() *Rates {
	r := *table()
	r.CPU.NoVectors = !lanes.Vectors()
	return &r
}
