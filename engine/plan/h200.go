package plan

import "github.com/linchpin-graph/linchpin/gpu"

// Where the rates of H200 come from.
const (
	fromSearches   = "h200-samples, h200-random, h200-scaling, h200-unweighted, docs/notes/090"
	fromSamples    = "h200-samples"
	fromLevels     = "h200-goals, h200-samples, h200-scaling, h200-auto"
	fromHops       = "h200-closeness, h200-auto"
	fromWeights    = "h200-weights, h200-weighted-auto"
	fromChains     = "h200-goals, h200-weighted-auto, docs/notes/002"
	fromCabral     = "h200-cabral"
	fromCPU        = "docs/notes/004"
	fromReals      = "docs/notes/066"
	fromRecords    = "docs/notes/068"
	fromCuts       = "docs/notes/016"
	fromRank       = "docs/notes/026"
	fromLanes      = "docs/notes/027"
	fromMoves      = "docs/notes/029"
	fromTop        = "docs/notes/031"
	fromSought     = "docs/notes/060"
	fromProducts   = "h100-products.jsonl"
	fromDeviceCuts = "docs/notes/047"
	fromLooks      = "docs/notes/067"
	fromAlike      = "docs/notes/075"
	fromLast       = "docs/notes/076"
	fromTeams      = "h200-random, h200-samples, h200-goals, docs/notes/090"
	fromDeep       = "h200-goals, h200-samples, h200-random, h200-scaling, h200-auto, docs/notes/090"
	fromFew        = "h200-samples, h200-random, docs/notes/090"
	fromTraces     = "docs/notes/078"
	fromRandom     = "h200-samples, h200-random, h100-random, docs/notes/062 and 077"
)

func ns(value float64, unit, from string) Rate { return Rate{value, "ns per " + unit, from} }
func of(value float64, unit, from string) Rate { return Rate{value, unit, from} }

// ScaledTo returns the rates for a device at hand: those of the table, scaled to its multiprocessors and caches
// by the models. Where nothing is known of the device, its shape is that of the table.
func (r *Rates) ScaledTo(d gpu.Info) *Rates {
	out := *r
	if d.SMs > 0 {
		out.Shape.SMs = d.SMs
	}
	if d.L2 > 0 {
		out.Shape.L2 = float64(d.L2)
	}
	if d.Bandwidth > 0 {
		out.Shape.Bandwidth = float64(d.Bandwidth)
	}
	if d.SharedBlock > 0 {
		out.Shape.SharedBlock = float64(d.SharedBlock)
	}
	return &out
}

// For returns the rates for a device at hand: those of the table, or those of a calibration that was made before.
// Without either they are the table's, scaled to the shape of the device.
func For(d gpu.Info) *Rates {
	r := Here().ScaledTo(d)
	if c, ok := Cached(d); ok {
		return r.With(c)
	}
	return r
}

// Known reports whether the table has the rates of a device.
func Known(d gpu.Info) bool { return d.Name == H200().Device }

func h200Host() HostRates {
	return HostRates{
		Start: ns(0.5e9, "worker", "h200-small.txt"), WayBase: ns(0.9e6, "run", fromSamples),
		WayArc: ns(12, "arc", fromTraces), Upload: ns(0.112, "arc", fromFew), Base: ns(0.297e6, "run", fromFew),
		OrderArc: ns(35, "arc", fromLevels), OrderNode: ns(200, "node", fromLevels),
		Alloc:   ns(0.0107, "node and block", fromFew),
		Sums:    ns(1.46, "node", fromFew),
		SortArc: ns(0.169, "arc", fromFew), SortNode: ns(13.2, "node", fromFew),
		Alike: ns(108, "source", fromFew), Places: ns(500, "drawn source", fromRandom),
		DepthArc: ns(0.5, "arc", fromLooks), DepthNode: ns(15, "node", fromLooks),
		DeepArc: ns(5, "arc", fromLooks), DeepNode: ns(40, "node", fromLooks),
		Plan: ns(130, "node or edge", fromLevels), PlanBlocks: ns(90, "node or edge", "docs/notes/095"),
		PlanWeights: of(1.2, "times", "docs/notes/097"),
		Trees:       ns(55, "node or edge", "docs/notes/002"), Join: ns(30, "score and shard", "BenchmarkJoin"),
	}
}

func h200Traversal() TraversalRates {
	return TraversalRates{
		AloneArc: ns(11.6, "arc", fromSearches), AloneNode: ns(35.5, "node", fromSearches),
		AloneHub: ns(421, "arc of the longest row", fromSearches), AloneLevel: ns(3870, "level", fromSearches),
		AloneRow:     ns(1240, "level and four arcs of a row", fromSearches),
		AloneThreads: of(0.837, "power of threads", fromSearches),
		Block:        ns(230, "block", fromSearches), IntoCells: ns(33400, "run", fromSearches),
		Number: ns(28.6, "node", fromSearches),
		Arc:    ns(2.25, "arc and multiprocessor", fromSearches), Node: ns(4.76, "node and multiprocessor", fromSearches),
		Lanes: of(0.827, "power of threads per node", fromSearches), Local: of(0.276, "share", fromSearches),
		LocalAlone: of(0.541, "share", fromSearches), Skew: of(0.115, "times", fromSearches),
		Miss: of(0.105, "of L2", fromSearches), MissPower: of(0.0471, "power", fromSearches),
		MissAlone:      of(0.0424, "of L2", fromSearches),
		MissAlonePower: of(0.455, "power", fromSearches),
		WeightArc:      ns(7.1, "arc and multiprocessor", fromWeights),
		WeightNode:     ns(3.1, "node and multiprocessor", fromWeights),
		WeightLevel:    ns(14.6, "level", fromWeights), WeightArcLanes: of(0.369, "power of threads per node", fromWeights),
		WeightNodeLanes: of(0.904, "power of threads per node", fromWeights), WeightMiss: of(0.328, "power", fromWeights),
		Wide: of(1.81, "times", fromWeights), Real: of(1.07, "times", fromWeights),
		Distances:    of(0.338, "times", fromWeights),
		HopDistances: of(0.486, "times", "h200-auto, docs/notes/087"), Edge: of(1.2, "times", "h200-edges"),
		CellsNear: of(0.694, "times", fromSearches), CellsMany: of(0.979, "times", fromSearches),
	}
}

func h200Levels() LevelRates {
	return LevelRates{
		Arc: ns(0.121, "arc", fromTeams), Hub: of(0.726, "power", fromTeams), Depth: of(1.58, "power", fromTeams),
		Drawn: of(0.492, "power", fromTeams), Alone: of(0.168, "times", fromTeams), Barrier: ns(16500, "level", fromTeams),
		Row: ns(5.55, "node and batch", fromTeams), Base: ns(0.299e6, "run", fromTeams), Miss: of(0.04, "power", fromTeams),
		Double: of(0.57, "times", fromTeams), Edge: of(0.178, "times", "h200-goals"),
	}
}

func h200Deep() DeepRates {
	return DeepRates{
		Arc: ns(6.58, "arc", fromDeep), Node: ns(403, "node", fromDeep), Level: ns(93000, "level", fromDeep),
		Base: ns(26.6e6, "run", fromDeep), Miss: of(0.0378, "power", fromDeep), Double: of(0.567, "times", fromDeep),
		Edge: of(0.032, "times", "h200-goals"), Tail: of(0.102, "waves", fromDeep), Drawn: of(0.248, "power", fromDeep),
		Apart: of(1.86, "times", fromDeep),
	}
}

func h200Hops() HopRates {
	return HopRates{
		Arc: ns(0, "arc", fromHops), Node: ns(2.02, "node and batch", fromHops), Depth: of(0.358, "power", fromHops),
		Level: ns(5680, "level and batch", fromHops), Base: ns(6e6, "run", fromHops),
		OrderArc: ns(5.5, "arc", fromHops), OrderNode: ns(340, "node", fromHops), Edge: of(1.25, "times", fromHops),
		EdgeInverse: of(1.45, "times", fromHops), Sought: of(0.1, "of the nodes", fromSought),
	}
}

func h200Weighted() WeightedRates {
	return WeightedRates{
		Arc: ns(21.9, "arc", fromWeights), Node: ns(70.8, "node", fromWeights), Level: ns(17600, "level", fromWeights),
		Base: ns(0.26e6, "run", fromWeights), Miss: of(0.0302, "power", fromWeights), Tail: of(4.77, "waves", fromWeights),
		Shallow: of(1.35, "times", fromWeights), Wide: of(2.01, "times", fromWeights), Real: of(1.13, "times", fromWeights),
		Far: of(1.3, "times", fromWeights), Distances: of(0.301, "times", fromWeights),
		Edge:          of(0.0255, "times", fromWeights),
		EdgeDistances: of(1.37, "times", fromWeights),
	}
}

func h200Chains() ChainRates {
	return ChainRates{
		Link: ns(0.2, "branch node and link", fromChains), Pair: ns(0.1, "pair of chains", fromChains),
		Branch: ns(7000, "branch node", fromChains), Base: ns(1e6, "run", fromChains),
		FoldLink: ns(1.0/17, "branch node and link", "docs/notes/002"),
		FoldPair: ns(1.0/25, "pair of chains", "docs/notes/002"),
		FoldEdge: of(1.7, "times", fromHops),
	}
}
