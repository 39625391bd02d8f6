package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// What Want.Measure says besides the names of measures: distances from sources, and an adaptive sample of betweenness.
const (
	distances = "distances"
	adaptive  = "adaptive sample of betweenness"
)

// Want is what a task asks for, as far as a plan depends on it.
type Want struct {
	Measure string
	kernels.Params
	Nodes, Edges bool
	// Summary asks for the summary of distances, not for their rows.
	Summary bool
	// Sources is the number of searches, Size the size of the graph.
	Sources int
	Size    kernels.Size
	// Folded says that Job has Masses and Insides.
	Folded bool
	// Single allows float32 where the result is right to 1e-5.
	Single bool
	// Bucket is protocol.Order.Bucket, Profile protocol.Order.Profile.
	Bucket  float64
	Profile bool
}

// kind says what the measure adds up; it is that of no measure for distances and for an adaptive sample.
func (w Want) kind() kernels.Kind { return kernels.KindOf(w.Measure) }

// masksOnly says whether batches need no counts of paths for what is wanted, by hops.
func (w Want) masksOnly() bool {
	_, folds := kernels.FoldOf(w.Measure)
	return folds || w.kind() == kernels.Balls || w.Measure == distances && w.Summary
}

// folds says whether the measure is one of the closeness family.
func (w Want) folds() bool {
	_, ok := kernels.FoldOf(w.Measure)
	return ok
}

// equalByHops says whether batched computes it by hops where all weights are equal.
func (w Want) equalByHops() bool { return w.kind() == kernels.Dependencies || w.folds() }

// Plan is what a strategy will take. Blocks and Lanes are the strategy's own numbers, handed back to it in Job.Plan.
type Plan struct {
	// HostBytes and DeviceBytes bound the memory besides the uploaded graph and its snapshot.
	HostBytes   int64 `json:"hostBytes"`
	DeviceBytes int64 `json:"deviceBytes"`
	Blocks      int   `json:"blocks"`
	Threads     int   `json:"threads"`
	Lanes       int   `json:"lanes,omitempty"`
	// Note is one line on what the strategy chose and why; "" for nothing to say.
	Note string `json:"note,omitempty"`
}

// Parts says which arrays of a graph a strategy reads on the device, besides offsets and targets.
type Parts struct {
	Edges     bool // edge of each arc
	Tails     bool // node that each arc leaves
	Weights   bool // weight of each arc as float64; with Ticks, where the graph has no ticks
	Ticks     bool // weight of each arc as int64 ticks, where the graph has them
	Transpose bool // the same arrays of the graph turned round
}

// Strategy is one way to compute measures on a device.
type Strategy interface {
	// Name is the name in the table of measures, such as "work-efficient".
	Name() string
	// Fits says whether the strategy computes what is wanted, on graphs of this kind.
	Fits(w Want, directed bool) bool
	// Parts says what Job.Graph must hold.
	Parts(w Want, directed bool) Parts
	// Plan fits the strategy into free bytes of device memory, what the graph takes already subtracted. It returns a
	// *TooLarge error when the least that it needs does not fit.
	Plan(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error)
	// Run computes all sources of the job and fills its scores. It frees what it allocates.
	Run(ctx context.Context, d gpu.Device, job *Job) (Result, error)
}

// starter is a Strategy that can prepare without the device, on threads of its own, while the graph is uploaded.
type starter interface {
	// start begins on the job that is to be run next. The function that it returns waits until nothing reads the job's graph any more.
	start(job *Job, d gpu.Info) (wait func())
}

// Graph is a graph on the device. Pointers of parts that were not asked for are 0.
type Graph struct {
	N, Arcs int64
	Offsets gpu.Ptr // int64, n+1
	Targets gpu.Ptr // int32 an arc
	Tails   gpu.Ptr // int32 an arc
	Edges   gpu.Ptr // int32 an arc; 0 as well when arc i is edge i
	Weights gpu.Ptr // float64 an arc
	Ticks   gpu.Ptr // int64 an arc
	// In is the graph turned round; the graph itself when undirected; nil when not asked for.
	In *Graph
}

// Job is one task, ready to run.
type Job struct {
	Want
	Request kernels.Request
	// Host is the graph in host memory; Graph the same on the device.
	Host  *export.Graph
	Graph *Graph
	// Sources are the nodes to search from, always listed. All says that they are all nodes in their order.
	Sources []int32
	All     bool
	// Masses is how many nodes each node stands for, as a source and as a target of paths: for betweenness on a graph that
	// was reduced. nil where each stands for itself.
	Masses []float64
	// Insides is what the distances from each node to those that it stands for fold to: for measures of the closeness family on a graph
	// that was reduced. Nodes then gets folds, and Counts from how many nodes they are, without those that a node stands for.
	Insides, Counts []float64
	Plan            Plan
	// Nodes and Edges are the scores to fill, final: scaled, halved, normalised as Request says. nil when not wanted.
	Nodes, Edges []float64
	// Rows is for distances: one of all nodes a source, +Inf for none. Farthest (one number) and Hops (how many pairs lie 0,
	// 1, ... hops apart) are for their summary. nil when not wanted.
	Rows, Farthest, Hops []float64
	// C, Wanted (nil for all) and Taken are for an adaptive sample: sums stop at C n, all stops when the wanted nodes have,
	// and Taken, to be filled, is the number of sources that each node took.
	C      float64
	Wanted []int32
	Taken  []float64
	// Ticks converts whole ticks to weights: ticks * TickMul / TickDiv. Zero when weights have no ticks.
	TickMul, TickDiv float64
	// Ticks are those of the arcs of Host, or nil: they are on the device then as well.
	Ticks []int64
	// Progress is told how many sources are done. It is never nil.
	Progress func(done int)
	// depth is what DepthOf says of depthOf, once known.
	depth   order.Depth
	depthOf *export.Graph
	// ordering is nil, or an order by weights that was begun on ahead of the run.
	ordering *order.ByWeights
}

// depthOfHost is how deep Host is, found out once.
func (j *Job) depthOfHost() order.Depth {
	if j.depthOf != j.Host {
		j.depthOf, j.depth = j.Host, order.DepthOf(j.Host)
	}
	return j.depth
}

// deep says whether Host is deep.
func (j *Job) deep() bool { return j.depthOfHost().Deep }

// Result is what Run has to say besides the scores.
type Result struct {
	Totals kernels.Totals
	// Ties as in kernels.Scores.
	Ties string
	// Preprocess is the part of the time, in seconds, that does not depend on the number of sources.
	Preprocess float64
	// Note is one line on what was done and why; "" for nothing to say.
	Note string
	// Profile is nil unless it was asked for.
	Profile *profile.Profile
}
