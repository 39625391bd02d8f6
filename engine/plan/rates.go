package plan

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Rate is one rate of a machine: a value, its unit, and where it was measured or fitted. Times are in
// nanoseconds.
type Rate struct {
	Value float64
	Unit  string
	From  string
}

// Shape is what predictions need to know of a device.
type Shape struct {
	// SMs is the number of multiprocessors, L2 the size of the second-level cache in bytes, SharedBlock the
	// most shared memory of a thread block in bytes.
	SMs         int
	L2          float64
	SharedBlock float64
	// Bandwidth is that of the memory, in bytes per second.
	Bandwidth float64
	// Blocks is how many thread blocks of batches the memory has room for; 0 where it does not limit them.
	Blocks int
}

// room is how many of so many thread blocks the memory has room for.
func (s Shape) room(blocks float64) float64 {
	if s.Blocks > 0 {
		return math.Min(blocks, float64(s.Blocks))
	}
	return blocks
}

// Factors multiply predicted times; 1 on the machine of the table.
type Factors struct {
	Device float64 `json:"device"`
	CPU    float64 `json:"cpu"`
}

// HostRates are what a run on a device costs the host.
type HostRates struct {
	// Start is the time until a worker has its device, WayBase and WayArc the way to a worker and back per arc.
	Start, WayBase, WayArc Rate
	// Upload is the time to copy an arc to the device, Base that of allocations and first launches, Alloc that of the
	// arrays of a search for a node, Sums that of the host's exact sum of a node.
	Upload, Base, Alloc, Sums Rate
	// OrderArc and OrderNode put nodes in order for batches, Alike finds sources that are alike on shallow graphs. SortArc
	// and SortNode are for the order by degree.
	OrderArc, OrderNode, Alike, SortArc, SortNode Rate
	// DepthArc and DepthNode look for the depth of shallow graphs, DeepArc and DeepNode for that of deep ones.
	DepthArc, DepthNode, DeepArc, DeepNode Rate
	// Places takes batches of drawn sources apart by place, on deep graphs.
	Places Rate
	// Plan plans reductions, and leads the scores back, per node and edge, PlanBlocks does without chains, and by weights
	// they take PlanWeights times as long; Trees folds trees alone.
	Plan, PlanBlocks, PlanWeights, Trees Rate
	// Join writes, reads and joins the partial result of a shard.
	Join Rate
}

// CPURates are those of one thread.
type CPURates struct {
	// HopArc and HopNode are for counting paths by hops, WeightArc and WeightNode by weights.
	HopArc, HopNode, WeightArc, WeightNode Rate
	// Real multiplies by real weights, RealTree the same for betweenness, and RealLink that for what reductions leave.
	// Distances multiplies where no paths are counted, and DistancesAlike once more where what is found at a distance is
	// only counted. Stress multiplies where counts have any size.
	Real, RealTree, RealLink, Distances, DistancesAlike, Stress Rate
	// CountArc and CountNode are for counting paths by hops from 64 sources at a time, per visit. Visits are the power
	// CountSpread of the spread, over the power CountHub of the mean degree at the end of an arc. CountMiss is as Miss for
	// rows of lanes, CountAway the same for rows that are not near. CountLocal is the part that is saved where all nodes
	// are sources and neighbours lie together. CountEdge is for edge scores, CountLook for looks at the graph and its
	// order. CountStress multiplies where counts have any size, CountPlain where NoVectors says that the processor has no
	// kernels of vectors. CountNarrow is the power by which fewer lanes take longer.
	CountArc, CountNode, CountSpread, CountHub, CountMiss, CountAway, CountLocal Rate
	CountEdge, CountLook, CountStress, CountNarrow, CountPlain                   Rate
	NoVectors                                                                    bool
	// FarArc and FarNode are for counting paths after all distances are found, FarShallow times as long where the graph is
	// not deep. FarMiss is as Miss.
	FarArc, FarNode, FarShallow, FarMiss Rate
	// LaneArc is for distances in hops from many sources at a time, of so many arcs of a node as the power LaneDegree of
	// its degree. A node is visited as often as the power LaneSpread of the spread, over the power LaneHub of the mean
	// degree at the end of an arc. LaneLocal is the part of the time that neighbours which lie next to one another save.
	LaneArc, LaneDegree, LaneSpread, LaneHub, LaneLocal Rate
	// Miss grows with the logarithm of how many times a search exceeds a core's cache.
	Miss Rate
	// Link and WeightLink are for searches between branch nodes, by hops at most Dense times a plain search, and at
	// least Least times, LeastSparse on sparse graphs.
	Link, WeightLink, Dense, Least, LeastSparse Rate
	// Plan plans reductions, per node and edge.
	Plan Rate
	// BallArc and BallNode are for volumes, BallBase for what each thread needs to begin.
	BallArc, BallNode, BallBase Rate
	// Base is the least time of a run. Edge multiplies when edge scores are wanted. More than two threads count as the
	// power Crowd of their number.
	Base, Edge, Crowd Rate
	// Cut is for the searches of a clustering by cuts. CutShare is the part of all searches that a cut costs, per edge;
	// CutBase what it takes at the least.
	Cut, CutShare, CutBase Rate
	// RankArc and RankNode are for one iteration of a measure that iterates, by weights RankWeight times as long per arc;
	// RankStep is what each thread adds to it.
	RankArc, RankNode, RankWeight, RankStep Rate
	// TopBounds is for bounds of the highest scores, TopSearches how many nodes are then searched from.
	TopBounds, TopSearches Rate
	// Labels, Modules and Connected are for label propagation, Louvain and Leiden. ModulesMiss grows with the square of
	// what misses add.
	Labels, Modules, Connected, ModulesMiss Rate
}

// TraversalRates are those of searches of one source per thread block.
type TraversalRates struct {
	// AloneArc, AloneNode, AloneHub, AloneLevel and AloneRow are for a search that has the device for itself, by
	// smallThreads threads. AloneThreads is the exponent of how many more there are.
	AloneArc, AloneNode, AloneHub, AloneLevel, AloneRow, AloneThreads Rate
	// Block is what a thread block takes to begin and to hand its sums over. IntoCells puts rows into cells, Number gives
	// nodes other numbers.
	Block, IntoCells, Number Rate
	// Arc and Node are for searches that share the whole device, per multiprocessor.
	Arc, Node Rate
	// Lanes is the exponent of the number of threads per node with which nodes cost more.
	Lanes Rate
	// Local is the share of the time of arcs that is saved where neighbours lie together.
	Local, LocalAlone Rate
	// Skew is by how much longer arcs take where the root mean square of the rows is longer than their mean, for each time
	// that it is: a warp waits for its longest row.
	Skew Rate
	// Miss, MissPower, MissAlone and MissAlonePower say how searches slow down when they exceed the L2 cache.
	Miss, MissPower, MissAlone, MissAlonePower Rate
	// WeightArc, WeightNode and WeightLevel are by weights, with exponents of the threads per node;
	// WeightMiss is as MissPower.
	WeightArc, WeightNode, WeightLevel, WeightArcLanes, WeightNodeLanes, WeightMiss Rate
	Wide, Real, Distances                                                           Rate
	// HopDistances multiplies searches by hops that count no paths, Edge those that score edges, CellsNear those of rows
	// in cells whose neighbours lie near one another, and CellsMany those with one bit per node in shared memory.
	HopDistances, Edge, CellsNear, CellsMany Rate
}

// LevelRates are those of batches by hops, level by level.
type LevelRates struct {
	// Arc is the time that a batch takes of the whole device, per level at which it reaches a node.
	Arc Rate
	// Hub, Depth and Drawn say at how many levels a batch reaches a node: 1 + hub^-Hub *
	// levels^Depth * share^-Drawn.
	Hub, Depth, Drawn Rate
	// Alone multiplies what a batch takes of the blocks of a team, Barrier is per level.
	Alone, Barrier Rate
	// Row is the time to clear a row of a batch, Base that of launches.
	Row, Base Rate
	// Miss is the exponent of how many times the rows exceed the L2 cache. Double multiplies in float64,
	// whose batches are half as large; Edge adds for edge scores.
	Miss, Double, Edge Rate
}

// DeepRates are those of batches by hops, distances first. A batch is a thread block's.
type DeepRates struct {
	Arc, Node, Level, Base Rate
	// Miss and Double are as in LevelRates; Tail is the last wave, in which blocks are idle; Drawn is the
	// exponent of the share of nodes that are sources.
	Miss, Double, Edge, Tail, Drawn Rate
	// Apart multiplies where sources were drawn: batches are not full, and their sources not next to each other.
	Apart Rate
}

// HopRates are those of batches that need distances in hops alone.
type HopRates struct {
	// Arc and Node are per batch; nodes cost more on deep graphs: levels^Depth.
	Arc, Node, Depth, Level, Base Rate
	// OrderArc and OrderNode are the host's order of nodes for them.
	OrderArc, OrderNode Rate
	// Edge and EdgeInverse multiply for edge scores.
	Edge, EdgeInverse Rate
	// Sought is the share of the nodes of a shallow graph that are searched from to find the highest scores.
	Sought Rate
}

// WeightedRates are those of batches by weights.
type WeightedRates struct {
	Arc, Node, Level, Base Rate
	// Miss and Tail are as in DeepRates. Shallow multiplies on shallow graphs, Wide on those with wide weights.
	Miss, Tail, Shallow, Wide, Real Rate
	// Far multiplies where fewer than half of the nodes are sources. Distances is for the closeness family.
	Far, Distances, Edge, EdgeDistances Rate
}

// SmallRates are those of searches by weights in shared memory.
type SmallRates struct {
	Arc, Node, Level, Double, Distances, Base Rate
	// NodeBytes, NodeBytesDouble and ArcBytes are what a search takes of shared memory.
	NodeBytes, NodeBytesDouble, ArcBytes Rate
}

// ChainRates are those of searches between branch nodes.
type ChainRates struct {
	Link, Pair, Branch, Base Rate
	// FoldLink, FoldPair and FoldEdge are for the closeness family.
	FoldLink, FoldPair, FoldEdge Rate
}

// Entry is one line of a table of rates.
type Entry struct {
	Name string
	Rate
}

// Table lists all rates by name.
func (r *Rates) Table() []Entry {
	var out []Entry
	all := reflect.ValueOf(*r)
	for i := range all.NumField() {
		group := all.Field(i)
		if !strings.HasSuffix(group.Type().Name(), "Rates") {
			continue
		}
		for k := range group.NumField() {
			rate, ok := group.Field(k).Interface().(Rate)
			if ok {
				name := fmt.Sprintf("%s.%s", all.Type().Field(i).Name, group.Type().Field(k).Name)
				out = append(out, Entry{Name: name, Rate: rate})
			}
		}
	}
	return out
}
