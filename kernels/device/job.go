package device

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// Engine computes measures on a device in one way.
type Engine interface {
	// Name is the name that a person asks for it by.
	Name() string
	// Accepts reports whether the engine computes what is wanted, on graphs of this kind.
	Accepts(w Want, directed bool) bool
	// Parts returns what Job.Graph must hold.
	Parts(w Want, directed bool) Parts
	// Prepare plans a run of the job in free bytes of device memory; what the graph takes is already subtracted. The run
	// that it returns is what is executed. The error is *gpu.TooLarge when the least that it needs does not fit.
	Prepare(j *Job, d gpu.Info, free int64) (Prepared, error)
}

// Prepared is a run that was planned, for the job that it was planned for.
type Prepared interface {
	Plan() Plan
	// Run computes the job and fills what it wants. It frees what it allocates.
	Run(ctx context.Context, d gpu.Device, j *Job) (Result, error)
}

// Want is what a task asks for, as far as a plan depends on it.
type Want struct {
	Measure string
	kernels.Params
	Nodes, Edges bool
	// Within is the greatest distance of a pair that counts, in hops or in weights; 0 for no limit.
	Within float64
	// Targets reports whether pairs count only if they end in some nodes, Demand whether they count by the masses of their
	// nodes. Engines read which nodes, and which masses, from Job.Request.
	Targets, Demand bool
	// Trips is the number of pairs that are listed; 0 for no list.
	Trips int64
	// Summary asks for the summary of distances, not for their rows.
	Summary bool
	// Sources is the number of searches, Size the size of the graph.
	Sources int
	Size    kernels.Size
	// Folded reports whether Job has Masses and Insides.
	Folded bool
	// Single allows float32 where the result is right to 1e-5.
	Single bool
	// Bucket is the width of buckets, for measurements; 0 for the engine's own.
	Bucket float64
	// Profile asks for counting kernels, for measurements.
	Profile bool
	// Ranges are several ranges to compute in one pass, ascending; Within is then the greatest. nil for one, or none.
	Ranges []float64
}

// What Want.Measure holds besides the names of measures: distances from sources, an adaptive sample of betweenness, and
// samples of pairs and of sources for it.
const (
	Distances = "distances"
	Adaptive  = "adaptive sample of betweenness"
	Pairs     = "sample of pairs for betweenness"
	Sources   = "sample of sources for betweenness"
)

// Kind is what the measure adds up. It is that of no measure for distances and for samples.
func (w Want) Kind() kernels.Kind { return kernels.KindOf(w.Measure) }

// Folds reports whether the measure is one of the closeness family.
func (w Want) Folds() bool {
	_, ok := kernels.FoldOf(w.Measure)
	return ok
}

// Seeks reports whether the highest scores alone are wanted.
func (w Want) Seeks() bool { return w.Top != nil }

// LevelsOnly reports whether searches from all sources need no path counts: for distances and what is folded from them.
func (w Want) LevelsOnly() bool { return w.Folds() && !w.Seeks() || w.Measure == Distances }

// MasksOnly reports whether batches by hops need no path counts.
func (w Want) MasksOnly() bool {
	return w.Folds() || w.Kind() == kernels.Balls || w.Measure == Distances && w.Summary
}

// CountsPaths reports whether the kernels of betweenness compute it.
func (w Want) CountsPaths() bool {
	return w.Kind() == kernels.Dependencies || w.Measure == Adaptive || w.Measure == Sources
}

// Of is w of the pairs that a request chooses.
func (w Want) Of(p *kernels.Pairs) Want {
	if p != nil {
		w.Within, w.Targets, w.Demand = p.Within, p.Targets != nil, p.Demand != nil
		if w.Demand && p.Demand.Trips != nil {
			w.Trips = int64(len(p.Demand.Trips.Targets))
		}
	}
	return w
}

// Chooses reports whether not all pairs within the range count once each.
func (w Want) Chooses() bool { return w.Targets || w.Demand }

// EqualByHops reports whether the measure by equal weights follows from the one by hops.
func (w Want) EqualByHops() bool { return w.Kind() == kernels.Dependencies || w.Folds() }

// Radius is that of the balls that are wanted.
func (w Want) Radius() int64 {
	if w.Params.Radius == nil {
		return kernels.DefaultRadius
	}
	return int64(*w.Params.Radius)
}

// Levels is the last level that searches by hops are to find.
func (w Want) Levels() int64 {
	if w.Within == 0 {
		return math.MaxInt32
	}
	return levelsWithin(w.Within)
}

// LevelsOfRanges are the last levels of several ranges; nil for one, or none.
func (w Want) LevelsOfRanges() []int64 {
	var out []int64
	for _, within := range w.Ranges {
		out = append(out, levelsWithin(within))
	}
	return out
}

// levelsWithin is the last level within a range by hops.
func levelsWithin(within float64) int64 { return int64(min(within, math.MaxInt32)) }

// String names what is wanted in a few words.
func (w Want) String() string {
	text := w.Measure
	if w.Seeks() {
		text = "the highest " + text
	}
	if w.Weighted {
		text = "weighted " + text
	}
	switch {
	case w.Nodes && w.Edges:
		text += " of nodes and edges"
	case w.Edges:
		text += " of edges"
	default:
		text += " of nodes"
	}
	switch {
	case w.Trips > 0:
		text += " of listed pairs"
	case w.Demand:
		text += " by demand"
	case w.Targets:
		text += " to some targets"
	}
	switch {
	case len(w.Ranges) > 0:
		text += " within several ranges"
	case w.Within > 0:
		text += " within a range"
	}
	return text
}

// Plan is what a run takes.
type Plan struct {
	// HostBytes and DeviceBytes bound the memory besides the uploaded graph and its snapshot.
	HostBytes, DeviceBytes int64
	// Blocks is the number of thread blocks.
	Blocks int
	// Note is one line on what was chosen and why; "" for nothing to say.
	Note string
}

// Parts says which arrays of a graph an engine reads on the device, besides offsets and targets.
type Parts struct {
	Edges     bool // edge of each arc
	Tails     bool // node that each arc leaves
	Weights   bool // weight of each arc as float64; with Ticks, where the graph has no ticks
	Ticks     bool // weight of each arc as int64 ticks, where the graph has them
	Transpose bool // the same arrays of the transposed graph
}

// Graph is a graph on the device. Pointers of parts that were not asked for are 0.
type Graph struct {
	N, Arcs int64
	Offsets gpu.Ptr // int64, n+1
	Targets gpu.Ptr // int32 per arc
	Tails   gpu.Ptr // int32 per arc
	Edges   gpu.Ptr // int32 per arc; 0 as well when arc i is edge i
	Weights gpu.Ptr // float64 per arc
	Ticks   gpu.Ptr // int64 per arc
	// In is the transposed graph; the graph itself when undirected; nil when not asked for.
	In *Graph
}

// Job is one task, ready to run.
type Job struct {
	Want
	Request kernels.Request
	// Host is the graph in host memory; Graph the same on the device.
	Host  *export.Graph
	Graph *Graph
	// Sources are the nodes to search from, always listed. All reports whether they are all nodes in their order.
	Sources []int32
	All     bool
	// Masses is how many nodes each node stands for, as a source and as a target of paths: for betweenness on a graph that
	// was reduced. nil where each stands for itself.
	Masses []float64
	// Insides is what the distances from each node to those that it stands for fold to: for measures of the closeness
	// family on a graph that was reduced. Folds are then of all nodes, but counts without those that a node stands for.
	Insides []float64
	// Partial gets the sums of the measure: those of nodes by Host's numbers, those of edges by Host's edges.
	Partial *kernels.Partial
	// Values are room for the values of Partial's sums, where it gets nothing but what this run adds, and scores are then
	// made of it. If the run leaves no sources, the device makes them. Partial has no words then. nil where others add to
	// it.
	Values *Values
	// Shard is the part of the sources to search from, in the order of the engine.
	Shard Shard
	// Pass is the first pass to run, and Only the sources that earlier passes of all shards left, nil for all of Sources.
	// Orders depend on Sources and not on Only.
	Pass int
	Only []int32
	// Rows is for distances: one of all nodes per source, +Inf for none. Farthest (one number) and Hops (how many pairs
	// lie 0, 1, ... hops apart) are for their summary. nil when not wanted.
	Rows, Farthest, Hops []float64
	// C and Wanted (nil for all) are for an adaptive sample: sums stop at C n, all stops when the wanted nodes have.
	// Scores and Taken, the number of sources that each node took, are to be filled.
	C             float64
	Wanted        []int32
	Scores, Taken []float64
	// Sample is for a sample of pairs: the engine calls it with the tally of the device.
	Sample func(adaptive.Tally) error
	// SampleSources is for a sample of sources: the engine calls it with the sums of the device.
	SampleSources func(adaptive.Summer) error
	// Seeker is for the highest scores alone.
	Seeker Seeker
	// TickMul and TickDiv convert whole ticks to weights: ticks * TickMul / TickDiv. Zero when weights have no ticks.
	TickMul, TickDiv float64
	// Ticks are those of the arcs of Host, or nil: they are on the device then as well.
	Ticks []int64
	// Once finds orders of nodes once for all workers that share the run. It may be nil.
	Once order.Once
	// Progress is told how many sources are done. It is never nil.
	Progress func(done int)

	// Ranges get the sums of several ranges, in the order of Want.Ranges, and engines leave Partial and Values alone. nil
	// for one range, or none.
	Ranges []Range

	// depth is the depth of depthOf, once known, and likely an estimate of that of likelyOf.
	depth, likely     order.Depth
	depthOf, likelyOf *export.Graph
}

// Values are room for the values of exact sums of nodes and edges.
type Values struct{ Nodes, Edges []float64 }

// Range is what a range of a job gets: see Job.Partial and Job.Values.
type Range struct {
	Partial *kernels.Partial
	Values  *Values
}

// Each returns the ranges of the job: one, of Partial and Values, unless it has several.
func (j *Job) Each() []Range {
	if len(j.Ranges) > 0 {
		return j.Ranges
	}
	return []Range{{j.Partial, j.Values}}
}

// Room is the room for values, none where a run leaves sources: others add to Partial then.
func (j *Job) Room(left []int32) Values { return Range{j.Partial, j.Values}.Room(left) }

// Room is Job.Room of a range.
func (r Range) Room(left []int32) Values {
	if r.Values == nil || len(left) > 0 {
		return Values{}
	}
	return *r.Values
}

// Depth is how deep Host is, found out once.
func (j *Job) Depth() order.Depth {
	if j.depthOf != j.Host {
		j.SetDepth(order.DepthOf(j.Host))
	}
	return j.depth
}

// SetDepth is for who has found out how deep Host is.
func (j *Job) SetDepth(d order.Depth) { j.depthOf, j.depth = j.Host, d }

// SetLikelyDepth is for who has made the estimate.
func (j *Job) SetLikelyDepth(d order.Depth) { j.likelyOf, j.likely = j.Host, d }

// LikelyDepth is an estimate of Depth, made once.
func (j *Job) LikelyDepth() order.Depth {
	switch {
	case j.Host.N() <= order.WholeNodes:
		return j.Depth()
	case j.likelyOf != j.Host:
		j.SetLikelyDepth(order.LikelyDepth(j.Host))
	}
	return j.likely
}

// Deep reports whether Host is deep. For some of the nodes as sources an estimate may say that it is not.
func (j *Job) Deep() bool {
	if !j.All && j.depthOf != j.Host && !j.LikelyDepth().Deep {
		return false
	}
	return j.Depth().Deep
}

// Seeker finds the highest scores of a measure of the closeness family. It says which nodes a device is to search from.
type Seeker interface {
	// Begin bounds all scores, on threads of its own. The function that it returns ends that, and what comes after it.
	Begin() (end func())
	// Find calls fold with nodes that may be among the highest, each once, until no other node can be. fold adds the
	// distances to them to a partial result, which holds nothing before. Up to batch nodes are searched from at a time.
	Find(ctx context.Context, into *kernels.Partial, batch int, fold func(nodes []int32) error) error
}

// Shard is a part of a run; see kernels.Shard.
type Shard = kernels.Shard

// Result is what Run returns besides the sums. Totals are in Job.Partial.
type Result struct {
	// Left are the sources that were not done: none of their sums are in the partial result. Where Pass is not 0 the same
	// engine does them, by that pass, once all shards are done. Otherwise they are for an engine with numbers of a wider
	// range, or for the CPU where Doubtful. Where some are left of path counts, Compute forgets the sums and leaves all.
	Left []int32
	Pass int
	// Doubtful reports that only 128-bit integers tell lengths of paths from the sources left apart.
	Doubtful bool
	// Ties as in kernels.Scores.
	Ties string
	// Convergence as in kernels.Scores.
	Convergence *kernels.Convergence
	// Preprocess is the part of the time, in seconds, that does not depend on the number of sources.
	Preprocess float64
	// Note is one line on what was done and why; "" for nothing to say.
	Note string
	// Profile is nil unless it was asked for.
	Profile *profile.Profile
}

// Unsuited is the error of a job that the CPU can do and the device cannot.
type Unsuited struct{ Why string }

func (e *Unsuited) Error() string { return e.Why }
