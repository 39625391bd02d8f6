package plan

import (
	"slices"

	"github.com/linchpin-graph/linchpin/kernels"
)

// This file is what a new kind of measure, or a new engine, changes here: its name, its rates, and its ways. What they take is
// predicted in a file per engine.

// Names of engines that Candidates proposes.
const (
	Plain      = "plain"
	Reduced    = "reduced"
	Levels     = "levels"
	Deep       = "deep"
	Hops       = "hops"
	Weighted   = "weighted"
	Small      = "small"
	Chains     = "chains"
	ChainFolds = "chain-folds"
	Volume     = "volume-bitmap"
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
	onCPU func(r Rates, f *Features, threads int) float64
	// onGPU adds the ways of a device; nil for none.
	onGPU func(l *list)
}

// kinds has an entry for every kind of measure. A kind without one has no prediction at all.
func kinds() map[kernels.Kind]kind {
	return map[kernels.Kind]kind{
		kernels.Degrees:         {Rates.degreesOnCPU, nil},
		kernels.Dependencies:    {Rates.countsOnCPU, (*list).paths},
		kernels.PathCounts:      {Rates.countsOnCPU, (*list).paths},
		kernels.FoldedDistances: {Rates.foldsOnCPU, (*list).paths},
		kernels.Balls:           {Rates.ballsOnCPU, (*list).balls},
		kernels.Communities:     {Rates.cutsOnCPU, nil},
		kernels.Backbones: {
			// Betweenness and distances, of the graph and of a backbone as large.
			func(r Rates, f *Features, _ int) float64 { return 2 * (r.searchesOnCPU(f) + r.lanesOnCPU(f)) }, nil,
		},
	}
}

// Rates are those of a host and a device. Factors of a calibration multiply the predictions, not the rates.
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
	// Factors of the machine at hand over the one of the table; see Calibration.
	Factors Factors
}

// H200 returns the rates of an NVIDIA H200 with 16 threads of an Intel Xeon, and those of CPU threads.
func H200() Rates {
	return Rates{
		Device:    "NVIDIA H200",
		Shape:     Shape{SMs: 132, L2: 50e6, SharedBlock: 227 << 10, Bandwidth: fittedBandwidth},
		Host:      h200Host(),
		CPU:       cpuThread(),
		Traversal: h200Traversal(),
		Levels:    h200Levels(),
		Deep:      h200Deep(),
		Hops:      h200Hops(),
		Weighted:  h200Weighted(),
		Small:     h200Small(),
		Chains:    h200Chains(),
		Volume:    h200Volume(),
		Factors:   Factors{Device: 1, CPU: 1},
	}
}
