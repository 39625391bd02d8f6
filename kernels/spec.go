// Package kernels says what the measures are: their table, their options, what can be asked of them, and how sums over
// paths become scores, for any engine. It computes nothing; kernels/cpu does, and device code. Measures is the one
// table that the config, the command line, the planner and the documentation read.
package kernels

import (
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/internal/reuse"
)

// WeightUse says whether a measure reads edge weights.
type WeightUse int

// A measure never reads weights, reads them when asked to, or always.
const (
	NoWeights WeightUse = iota
	OptionalWeights
	RequiredWeights
)

// Measure describes one centrality measure.
type Measure struct {
	Name string
	Kind Kind
	// Summary is one line: what the score of a node says.
	Summary string
	// Node and Edge define the scores; empty when the measure has none of that kind.
	Node, Edge string
	// EdgeSums says that a relationship that stands for two edges scores their sum.
	EdgeSums bool
	Weights  WeightUse
	// Options names those of Params that the measure has, besides those of weights.
	Options []string
	// Variants lists the values of the option variant, the default first.
	Variants []string
	// BySource says that the score is a sum over source nodes, so that sources can be sampled.
	BySource bool
	// Bias is one line on how the score of a drawn sample misses the exact one on average; "" when it does not.
	Bias string
	// fold is nil unless Kind is FoldedDistances.
	fold *distanceFold
	// Reducible says that undirected graphs can be reduced first: see Request.Reduce.
	Reducible bool
	// Strategies lists the device strategies that search a graph as it is, unweighted and weighted; see StrategiesFor.
	Strategies, WeightedStrategies []string
	// Engines and WeightedEngines are those of the group batched, by their own names; auto takes the one that suits a
	// graph.
	Engines, WeightedEngines []string
	// Chained says that the device strategy Chains computes it, too.
	Chained bool
}

// Chains is the device strategy that searches what exact reductions leave of an undirected graph.
const Chains = "chains"

// StrategiesFor lists every device strategy that can be asked for; auto is always allowed, and takes one of them.
func (m Measure) StrategiesFor(weighted bool) []string {
	all := append(slices.Clip(m.Strategies), m.Engines...)
	if weighted {
		all = append(slices.Clip(m.WeightedStrategies), m.WeightedEngines...)
	}
	if m.Chained {
		all = append(slices.Clip(all), Chains)
	}
	return all
}

// OnDevices reports whether devices compute the measure at all.
func (m Measure) OnDevices() bool {
	return len(m.Strategies)+len(m.WeightedStrategies)+len(m.Engines) > 0
}

// Size is what planning needs to know of a graph.
type Size struct {
	Nodes, Edges int64
	Directed     bool
}

// BothEdges returns how the scores of the two edges that one relationship stands for make the score of the
// relationship; nil when the first is taken.
func (m Measure) BothEdges(p Params) func(first, second float64) float64 {
	switch {
	case m.Kind == Backbones:
		return func(first, second float64) float64 { return max(first, second) }
	case !m.EdgeSums:
		return nil
	case p.Log:
		return sumOfLogs
	}
	return sumOf
}

// SampleBias returns one line on how scores from a drawn sample of sources miss the exact ones on average; "" when they
// do not: then each score is a sum over sources, and the sample's is scaled up.
func (m Measure) SampleBias(p Params) string {
	if p.Log {
		return "the logarithm of a sampled score is biased"
	}
	return m.Bias
}

// Request asks for the scores of one measure.
type Request struct {
	Params
	// Nodes and Edges say which scores are wanted; one pass gives both.
	Nodes, Edges bool
	// Sources are the nodes that searches start from, each once; nil for all. For kinds that restart, the nodes that
	// scores start again from.
	Sources []int32
	// Shares are how much of a restart falls to each of Sources, over 0; nil for the same to each.
	Shares []float64
	// Pairs says which pairs of a source and a target count, and how much; nil for all, once each.
	Pairs *Pairs
	// Scale multiplies scores that are sums over sources (n/N for a sample of N); 0 for 1.
	Scale float64
	// Seed chooses among results of kinds that are Seeded: the same seed gives the same result.
	Seed int64
	// Threads is the number of CPU threads; 0 for all. Scores do not depend on it.
	Threads int
	// Reduce says whether undirected graphs are reduced, exactly, before they are searched from all nodes: auto where it
	// pays ("" is the same), on wherever it can be, off, or by some of Reductions, separated by commas. Scores do not
	// depend on it but for rounding.
	Reduce string
	// MostLeft is the share of the work that reductions on the CPU may leave under auto for them to pay, as a cost model
	// predicts it; 0 takes them where they leave any less than all. MostInBlocks is the share that trees and blocks alone
	// may leave, for searches from many sources at a time; 0 for none.
	MostLeft, MostInBlocks float64
	// Shared is what the computation shares with others of the same graph, and Place is that of this request in it; nil
	// for nothing.
	Shared *Shared
	Place  int
	// Journal is a file that keeps the cuts of Communities, so that a run that was interrupted goes on from there; "" for
	// none. JournalOf names the graph.
	Journal, JournalOf string
	// Reuse has what earlier runs found, and takes what this one finds; nil for none. Scores do not depend on what it has.
	// Only betweenness and the closeness family on the CPU use it.
	Reuse *reuse.Store
	// Progress, when set, is told how many of all sources are done, from one goroutine at a time.
	Progress func(done, total int)
}

// Scores is what an engine computed. Every value is finite, except that NaN stands for null: under the option log the
// logarithm of a score of 0, under the option top a score that is not among the highest.
type Scores struct {
	// Nodes has one score a node, by index; nil when not asked for.
	Nodes []float64
	// Edges has one score an edge of the graph (not an arc), by edge index; nil when not asked for.
	Edges []float64
	// Kept is how many nodes have a score under the option top; 0 without it.
	Kept int
	// Totals are sums of the forward passes over all sources, for checking; see kernels/check.
	Totals Totals
	// Single says that a device computed in float32: right to 1e-5 relative.
	Single bool
	// Ties is how equal path lengths were told: "" (hops), "exact" or "tolerance".
	Ties string
	// Reduction says what came of Request.Reduce; nil for off, and for what knows no reductions.
	Reduction *Reduction
	// Grouping is what the scores were made from of kinds with Groups; nil of other kinds.
	Grouping *Grouping
	// Convergence says how the iteration ended; nil of kinds that do not iterate.
	Convergence *Convergence
	// Solution says how the equations of a flow were solved; nil of other kinds.
	Solution *Solution
	// Backbone is what the scores of Backbones were made from; nil of other kinds.
	Backbone *Backbone
}

// Totals are sums over the ordered pairs (source, target), target reached from source and different from it, before
// scaling and halving.
type Totals struct {
	Pairs    int64   // how many
	Distance float64 // sum of distances
	// NoDistance says that distances were not summed: reductions do not meet every pair.
	NoDistance bool
	// Demand and DemandDistance are the sums over the pairs of their demand, and of that times their distance; 0 where
	// each counts once.
	Demand, DemandDistance float64
}

// Lookup finds a measure by name. Nobody may change what its slices have.
func Lookup(name string) (Measure, bool) { return among(tableOfAll(), name) }

func among(table []Measure, name string) (Measure, bool) {
	for _, m := range table {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

// tableOfAll is the table of measures, made once: a run asks for its measure many times.
var tableOfAll = sync.OnceValue(Measures)

// KindOf returns the kind of a measure; that of no measure is Degrees.
func KindOf(name string) Kind {
	m, _ := Lookup(name)
	return m.Kind
}
