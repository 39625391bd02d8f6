// Package protocol is what linchpin and its worker process say to each other: orders, events, and the reasons of
// failures, one line of JSON each. It starts no process and computes nothing; both ends import it.
package protocol

import (
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// ProtocolVersion is the version of what linchpin and its worker say to one another. It changes with every change of
// Order, Event, or the files that they name.
//
// linchpin starts the worker with -events 3. The worker sends hello on file descriptor 3, linchpin an Order on standard
// input, and the worker answers with events until a last one: devices, result or error. Each is one line of JSON.
// Graph, sources and scores go through files. After devices and result the worker takes another Order; after error it
// ends. End of standard input means cancel, and the end. What the worker prints is kept for error messages and never
// read as an answer.
const ProtocolVersion = 14

// MaxLine is the longest line that either side accepts, in bytes.
const MaxLine = 64 << 10

// Kinds of Order.
const (
	OrderDevices = "devices"
	// OrderOpen opens one device for the orders that follow, and asks what it is.
	OrderOpen    = "open"
	OrderCompute = "compute"
	// OrderDistances asks for rows of distances, or for what a DistanceSummary is made of.
	OrderDistances = "distances"
	// OrderAdaptive asks for an adaptive sample of betweenness; see adaptive.Sample.
	OrderAdaptive = "adaptive"
	// OrderSample asks for a sample with a bound, of pairs or of sources; see samples.OfPairs and samples.OfSources.
	OrderSample = "sample"
)

// Order is what linchpin wants of a worker.
type Order struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	// Device is an index among the visible devices.
	Device int `json:"device"`
	// Snapshot is the path of a snapshot file, Graph the Fingerprint of the graph that must be in it. Sources names a file
	// of int32 node indices, little-endian; "" for all.
	Snapshot string `json:"snapshot,omitempty"`
	Graph    uint32 `json:"graph,omitempty"`
	Sources  string `json:"sources,omitempty"`
	// Shares names a file of kernels.Request.Shares, float64, little-endian; "" for none.
	Shares string `json:"shares,omitempty"`
	// Journal and JournalOf are those of kernels.Request: the worker leaves the cuts of communities there.
	Journal   string `json:"journal,omitempty"`
	JournalOf string `json:"journalOf,omitempty"`
	// Scores is the path of a file to map and fill with float64, little-endian, of the right length already. Of scores:
	// nodes, then edges, where wanted. Of distances: a row of all nodes a source, +Inf for none; for a summary the
	// greatest distance, then how many pairs lie 0, 1, ... n-1 hops apart. Of an adaptive sample: the scores of nodes,
	// then the number of sources of each. Of a sample with a bound: nodes, then edges, where wanted, and then their bounds
	// if Accuracy asks for Each.
	Scores  string         `json:"scores,omitempty"`
	Measure string         `json:"measure,omitempty"`
	Params  kernels.Params `json:"params"`
	Nodes   bool           `json:"nodes,omitempty"`
	Edges   bool           `json:"edges,omitempty"`
	Scale   float64        `json:"scale,omitempty"`
	// Within is the greatest distance of a pair that counts; 0 for any.
	Within float64 `json:"within,omitempty"`
	// Chosen is which other pairs count, and how much; nil for all, once each.
	Chosen *Chosen `json:"chosen,omitempty"`
	// Strategy is a name or "auto".
	Strategy string `json:"strategy,omitempty"`
	Single   bool   `json:"single,omitempty"`
	// Summary asks for the summary of distances.
	Summary bool `json:"summary,omitempty"`
	// C is that of adaptive.Sample; Wanted names a file of its nodes, as Sources; "" for all.
	C      float64 `json:"c,omitempty"`
	Wanted string  `json:"wanted,omitempty"`
	// Accuracy is that of a sample with a bound, and Most the work, in arcs of pairs or in sources, from which on exact
	// scores are to be computed. BySources says that it is one of sources.
	Accuracy  *kernels.Accuracy `json:"accuracy,omitempty"`
	Most      float64           `json:"most,omitempty"`
	BySources bool              `json:"bySources,omitempty"`
	// Bucket is Task.Bucket.
	Bucket float64 `json:"bucket,omitempty"`
	// Profile is Task.Profile.
	Profile bool `json:"profile,omitempty"`
	// Reduce is kernels.Request.Reduce.
	Reduce string `json:"reduce,omitempty"`
	// Common is what all devices that share a run have, so that each of them plans the same run; nil where one computes.
	Common *gpu.Info `json:"common,omitempty"`
	// Shard asks for a part of a run: its partial result instead of scores.
	Shard *Shard `json:"shard,omitempty"`
	// Joined is the path of the partial result of all shards of a run, of which the scores are to be made. Way is that of
	// the shards.
	Joined string `json:"joined,omitempty"`
	Way    int    `json:"way,omitempty"`
	// Measured and Calibration are what the ways were ranked by: features of the graph from these sources, and the rates
	// of the device. nil where nothing was ranked, or no device was known.
	Measured    *plan.Measured    `json:"measured,omitempty"`
	Calibration *plan.Calibration `json:"calibration,omitempty"`
	// Ranges asks for the scores within several ranges, ascending, in one pass: nodes and edges of the first range, then
	// of the next. Within is the greatest. nil for one range, or none.
	Ranges []float64 `json:"ranges,omitempty"`
}

// Chosen is a choice of pairs, as kernels.Pairs has it.
type Chosen struct {
	// Digest identifies the choice: kernels.Pairs.Digest.
	Digest string `json:"digest"`
	// Targets names a file of the nodes that paths end in, as Order.Sources; "" for all.
	Targets string `json:"targets,omitempty"`
	// Demand reports whether pairs count by masses. SourceMasses and TargetMasses name files of these, float64,
	// little-endian; "" for 1.
	Demand       bool   `json:"demand,omitempty"`
	SourceMasses string `json:"sourceMasses,omitempty"`
	TargetMasses string `json:"targetMasses,omitempty"`
	// Trips names files of listed pairs: their sources and targets, as Order.Sources, and what they count, as masses; nil
	// for no list.
	Trips *Trips `json:"trips,omitempty"`
}

// Trips are files of as many numbers each, in the order of the sources.
type Trips struct {
	Sources string `json:"sources"`
	Targets string `json:"targets"`
	Amounts string `json:"amounts"`
}

// Shard is a part of a run that several orders share.
type Shard struct {
	Part kernels.Shard `json:"part"`
	// Partial is the path of a file to write: the partial result, as kernels.Partial has it. The sources that are left go
	// to a file of this name with LeftSuffix.
	Partial string `json:"partial"`
	Step    Step   `json:"step"`
}

// LeftSuffix follows the name of a partial result in that of its file of sources left: int32, little-endian.
const LeftSuffix = ".left"

// Step is one of those that a run may take. All shards do one before any does the next; most runs take the first alone.
type Step struct {
	// Engine is 0 for the engine of the way, then 1, 2 ... for those that do what it leaves, and OnCPU for the CPU. Pass
	// is one of the engine's.
	Engine int `json:"engine,omitempty"`
	Pass   int `json:"pass,omitempty"`
	// Sources names a file of those that the engine gets, as Order.Sources; "" for those of the way. Only names one of
	// those that the engine's passes before this one left in all shards; "" for all.
	Sources string `json:"sources,omitempty"`
	Only    string `json:"only,omitempty"`
}

// OnCPU is the engine of sources that only 128-bit integers tell apart.
const OnCPU = -1

// Kinds of Event.
const (
	EventHello    = "hello"
	EventBeat     = "beat" // nothing new; the worker is alive
	EventDevices  = "devices"
	EventPlanned  = "planned"
	EventProgress = "progress"
	EventResult   = "result"
	EventError    = "error"
)

// Event is what a worker says. Only the part of its kind is set.
type Event struct {
	Event    string     `json:"event"`
	Version  int        `json:"version,omitempty"` // hello
	Devices  []gpu.Info `json:"devices,omitempty"`
	Planned  *Planned   `json:"planned,omitempty"`
	Progress *Progress  `json:"progress,omitempty"`
	Result   *Result    `json:"result,omitempty"`
	Reason   Reason     `json:"reason,omitempty"` // error
	Detail   string     `json:"detail,omitempty"` // error
	// About is the error itself where it names nodes: the worker knows only their indices.
	About *export.NodesError `json:"about,omitempty"`
}

// Planned is what a worker is about to do.
type Planned struct {
	Device   string `json:"device"`
	Strategy string `json:"strategy"`
	// Reason is one line on why this strategy.
	Reason string `json:"reason"`
	// HostBytes and DeviceBytes bound the memory it takes, the uploaded graph included.
	HostBytes   int64 `json:"hostBytes"`
	DeviceBytes int64 `json:"deviceBytes"`
	Blocks      int   `json:"blocks"`
}

// Progress counts sources.
type Progress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Result is what a worker has to say besides the scores.
type Result struct {
	Pairs      int64   `json:"pairs"`
	Distance   float64 `json:"distance"`
	NoDistance bool    `json:"noDistance,omitempty"`
	// Demand and DemandDistance are those of kernels.Totals.
	Demand         float64 `json:"demand,omitempty"`
	DemandDistance float64 `json:"demandDistance,omitempty"`
	Ties           string  `json:"ties,omitempty"`
	// Single says that float32 was allowed, and not given up.
	Single     bool    `json:"single,omitempty"`
	Preprocess float64 `json:"preprocess"`
	Compute    float64 `json:"compute"`
	PeakBytes  int64   `json:"peakBytes"`
	// Launched is when the worker launched its first kernel, in Unix nanoseconds; 0 when that was for an earlier order.
	Launched int64  `json:"launched,omitempty"`
	Note     string `json:"note,omitempty"`
	// Convergence says how an iteration ended; nil where nothing iterates.
	Convergence *kernels.Convergence `json:"convergence,omitempty"`
	// Reduction says what came of Order.Reduce.
	Reduction *kernels.Reduction `json:"reduction,omitempty"`
	// Profile is there where Order.Profile asked for it.
	Profile *profile.Profile `json:"profile,omitempty"`
	// Sampled describes a sample with a bound.
	Sampled *Sampled `json:"sampled,omitempty"`
	// Left says of a shard how many sources it leaves to the next step; Pass and Doubtful, which that is. See
	// device.Result.
	Left     int  `json:"left,omitempty"`
	Pass     int  `json:"pass,omitempty"`
	Doubtful bool `json:"doubtful,omitempty"`
	// Plain says of a shard that kernels.Partial.Finish makes the scores: the graph is searched as it is.
	Plain bool `json:"plain,omitempty"`
	// Blocks is how many thread blocks computed a shard, if that shows in the last bits of its sums.
	Blocks int `json:"blocks,omitempty"`
	// Ranges are the totals of each of Order.Ranges.
	Ranges []RangeTotals `json:"ranges,omitempty"`
}

// RangeTotals are the pairs within a range, and the sum of their distances.
type RangeTotals struct {
	Pairs    int64   `json:"pairs"`
	Distance float64 `json:"distance"`
}

// Sampled describes a sample with a bound; see kernels.Estimate. Where it has neither pairs nor sources, there are no
// scores, and Why gives the reason.
type Sampled struct {
	Pairs   int64   `json:"pairs"`
	Sources int     `json:"sources"`
	Bound   float64 `json:"bound"`
	Checks  int     `json:"checks"`
	Why     string  `json:"why,omitempty"`
}

// ScoreBytes is the length of the file of scores that an order asks for, from this many sources.
func ScoreBytes(g *export.Graph, o Order, sources int) int64 {
	n := int64(g.N())
	switch {
	case o.Kind == OrderDistances && o.Summary:
		return 8 * (1 + n)
	case o.Kind == OrderDistances:
		return 8 * n * int64(sources)
	case o.Kind == OrderAdaptive:
		return 16 * n
	case o.Shard != nil:
		return 0
	}
	var count int64
	if o.Nodes {
		count += n
	}
	if o.Edges {
		count += int64(g.M())
	}
	if o.Kind == OrderSample && o.Accuracy.Each {
		count *= 2
	}
	return 8 * count * int64(max(1, len(o.Ranges)))
}
