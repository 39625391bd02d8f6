// Package engine decides where a measure is computed: on a device, through a worker process, or on the CPU, and says
// why.
package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/engine/ranges"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// Task is one computation.
type Task struct {
	// Measure is a name in the table of kernels.
	Measure string
	Request kernels.Request
	// Snapshot is the graph in memory; Path is the same on disk, for a worker to map ("" when there is none yet).
	Snapshot *export.Snapshot
	Path     string
	Device   Policy
	// Strategy is a name of the measure's table, or "auto".
	Strategy string
	// Precision is one of kernels.Precisions; "" is the default.
	Precision string
	// Bucket, for measurements, is the width of buckets of strategy batched by weights, as so many times the mean weight
	// over the mean degree; 0 for the strategy's own.
	Bucket float64
	// Shards is into how many the run is cut; 0 leaves that to the plan: one, unless the policy has several devices share
	// it. Shards on devices share those of the machine, or of the policy. Scores do not depend on it.
	Shards int
	// Nodes asks for the nodes of a fleet: AnyNodes, or at least so many; 0 for this machine alone. An engine of this
	// machine computes all by itself.
	Nodes int
	// Profile, for measurements, asks for Outcome.Profile. It is for node scores of betweenness, by batched in single
	// precision on the graph as it is.
	Profile bool
	// Way, for Part, is how other parts of the run were computed; nil to choose.
	Way *parts.Way
	// Sample, for Rank, is the accuracy of a sample by weights; nil for exact scores. The ways are then those to search
	// from as many sources as it takes at least.
	Sample *kernels.Accuracy
	// Ranking is what Rank returned for the same task, nil to have it made. It is used once.
	Ranking *Ranking

	// ranges are those that a device computes in one pass; nil for the request alone.
	ranges ranges.All
}

// AnyNodes asks for those nodes of a fleet that are there, if any.
const AnyNodes = -1

// Outcome is the result of a Task, with how it came about.
type Outcome struct {
	Scores *kernels.Scores
	// Device is "cpu" or the name of the device; Strategy the one that the device took, "" on the CPU, which has no
	// choice.
	Device, Strategy string
	// Reason is one line for a person on why this device and strategy. Fallback is what kept a device that was allowed
	// from computing, for programs; "" when nothing did.
	Reason   string
	Fallback protocol.Reason
	// Remark is what a person should be told unasked: of a device that failed, and of settings without effect. A machine
	// without a GPU is not news.
	Remark string
	// Seconds of preprocessing and of all computing, which includes preprocessing.
	Preprocess, Compute float64
	// Start is the seconds from the start of a worker to its first kernel; 0 for the CPU, and for a worker that was there.
	Start float64
	// Elapsed is the seconds of all of the call, with the way to a device and back.
	Elapsed float64
	// Shards is into how many the run was cut, Devices how many devices shared it; 0 for one.
	Shards, Devices int
	// Times are those of the shards of a device, or of several, in their order, of the last step that all took.
	Times []ShardTime
	// Opening is the seconds until the devices of a run in shards were open, Joining those from its last shard to the
	// scores.
	Opening, Joining float64
	// PeakDevice is the most device memory taken, in bytes.
	PeakDevice int64
	// Profile is there where Task.Profile asked for it, and a device computed.
	Profile *profile.Profile
	// Ranking is the one that was chosen by; nil where a GPU was demanded.
	Ranking *Ranking
	// Sampled is what a worker reports about a sample with a bound; nil for all else.
	Sampled *protocol.Sampled
	// Each has the outcomes of several ranges that a device computed in one pass, by their place among the requests that
	// share it, and Totals what the worker counted within each range, ascending. nil for what Compute returns.
	Each   []*Outcome
	Totals []protocol.RangeTotals
}

// ShardTime says which device did a shard, and in how many seconds, of which so many went before the searches.
type ShardTime struct {
	Device              int
	Seconds, Preprocess float64
}

// Parts is into how many shards the run was cut, as records have it; 0 for one that was not.
func (o *Outcome) Parts() int { return o.Shards }

// Engine computes tasks. It may be used by several goroutines.
type Engine struct {
	device deviceRunner
	book   rateBook
}

// deviceRunner computes on a device. Its errors carry a Reason, or say what is wrong with the task itself.
type deviceRunner interface {
	compute(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error)
	// run runs an order of another kind than compute, and returns the numbers that it asks for. wanted
	// is for Order.Wanted.
	run(ctx context.Context, t Task, o protocol.Order, wanted []int32) (*Outcome, []float64, error)
	// ready returns nil when there is a usable device.
	ready(ctx context.Context) error
	// devices returns the devices, as they were when they were first asked for. warm reports whether a worker holds one.
	devices(ctx context.Context) ([]DeviceInfo, error)
	warm() bool
	// shards begins a run in shards of an order, which ends with close.
	shards(ctx context.Context, t Task, o protocol.Order) (*shardedRun, error)
	// session returns another session on the devices, for a calibration; nil where there is none.
	session() *Session
}

// NewEngine returns an engine that starts the worker that client.Find finds. It spreads tasks over so many devices.
func NewEngine(devices int) *Engine { return &Engine{device: newMachine(devices)} }

// Compute runs the task where its policy allows. Under GPU the error is *Unavailable or *Failed; a task that nothing
// could compute (unknown measure or strategy, bad options) fails under every policy. The scores have passed
// check.Scores.
func (e *Engine) Compute(ctx context.Context, t Task) (*Outcome, error) {
	begun := time.Now()
	m, err := checkTask(t)
	if err != nil {
		return nil, err
	}
	out, err := e.compute(ctx, m, t)
	if err != nil {
		return nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	if out.Elapsed = time.Since(begun).Seconds(); out.Scores != nil {
		out.remarkReduction(t.Request.Reduce)
	}
	return out, nil
}

// compute is Compute, of a task that was checked.
func (e *Engine) compute(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error) {
	if t.Device == CPU {
		return computeCPU(ctx, m, t, askedForCPU())
	}
	if len(m.StrategiesFor(t.Request.Weighted)) == 0 {
		if t.Device.Demands() {
			if err := e.device.ready(ctx); err != nil {
				return nil, err
			}
		}
		name := m.Name
		if m.OnDevices() {
			name += " by weights"
		}
		return computeCPU(ctx, m, t, because{reason: name + " is always computed on the CPU", expected: true})
	}
	if err := onlyCPU(t.Request); err != nil {
		if t.Device.Demands() {
			return nil, err
		}
		return computeCPU(ctx, m, t,
			because{reason: whyOnlyCPU(t.Request), fallback: protocol.NotOnGPU, expected: !DriverLoaded()})
	}
	r := t.Ranking
	if r == nil && (!t.Device.Demands() || t.Device.Places(policy.MostDevices) > 1 || ranges.Of(t.Request) != nil) {
		r = e.rank(ctx, m, t, freeMemory())
	}
	t.Ranking = r
	if r != nil && r.Missing != nil {
		return fallBack(ctx, m, t, r.Missing)
	}
	if r != nil && !t.Device.Demands() && !named(t) {
		r.settle(ctx, m, t, freeMemory())
		if why, prefers := r.choice.PrefersCPU(r.Ways); prefers {
			return computeCPU(ctx, m, t, because{reason: why})
		}
	}
	t.Shards = r.shards(t)
	if r != nil && r.OnePass {
		return e.computeRanges(ctx, m, t)
	}
	out, err := e.device.compute(ctx, m, t)
	if err != nil {
		return fallBack(ctx, m, t, err)
	}
	out.Ranking = r
	return out, nil
}

// computeRanges computes all ranges that share a pass with that of the task on a device, unless another task of them
// did. Where the device does not, each range has a pass of its own.
func (e *Engine) computeRanges(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error) {
	first, all := false, t
	if all.ranges = ranges.Of(t.Request); all.ranges != nil {
		all.Request = all.ranges.Widest(t.Request)
	}
	out, err := ranges.Take(t.Request, func() ([]*Outcome, error) {
		first = true
		out, err := e.device.compute(ctx, m, all)
		if err != nil {
			return nil, err
		}
		return out.Each, nil
	})
	if err != nil {
		t.Ranking = nil
		alone, failed := e.compute(ctx, m, t)
		if failed == nil {
			alone.Reason += "; each range in a pass of its own: " + err.Error()
		}
		return alone, failed
	}
	if out.Ranking = t.Ranking; !first {
		out.Preprocess, out.Compute, out.Start = 0, 0, 0
	}
	return out, nil
}

// onlyCPU is the error of a request that no engine of a device computes; nil for one that some may.
func onlyCPU(r kernels.Request) error {
	if why := whyOnlyCPU(r); why != "" {
		return refuse(protocol.NotOnGPU, "%s", why)
	}
	return nil
}

// whyOnlyCPU says why no engine of a device computes a request; "" where some may.
func whyOnlyCPU(r kernels.Request) string {
	if r.Top != nil && r.Weighted {
		return "top by weights is computed on the CPU"
	}
	return ""
}

// fallBack computes on the CPU what a device did not, where the policy lets it; otherwise the error stands.
func fallBack(ctx context.Context, m kernels.Measure, t Task, err error) (*Outcome, error) {
	reason, back := fallback(ctx, t.Device, err)
	if !back {
		return nil, err
	}
	return computeCPU(ctx, m, t, reason)
}

// checkTask finds the measure and refuses what neither device could compute.
func checkTask(t Task) (kernels.Measure, error) {
	m, ok := kernels.Lookup(t.Measure)
	if !ok {
		return m, fmt.Errorf("unknown measure %q", t.Measure)
	}
	if err := m.Check(t.Request); err != nil {
		return m, err
	}
	if _, err := policy.Parse(string(t.Device)); err != nil {
		return m, err
	}
	known := m.StrategiesFor(t.Request.Weighted)
	switch {
	case t.Snapshot == nil || t.Snapshot.Graph == nil:
		return m, fmt.Errorf("%s: there is no graph", m.Name)
	case t.Precision != "" && !slices.Contains(kernels.Precisions(), t.Precision):
		return m, fmt.Errorf("precision %q; a precision is %s", t.Precision, strings.Join(kernels.Precisions(), " or "))
	case named(t) && !slices.Contains(known, t.Strategy):
		return m, fmt.Errorf("%s has no strategy %q; it has %s", m.Name, t.Strategy,
			strings.Join(append([]string{"auto"}, known...), ", "))
	case t.Shards < 0:
		return m, fmt.Errorf("%d shards; 0 leaves the number to the plan", t.Shards)
	case t.Profile && !profiled(m, t):
		return m,
			errors.New("profiles are of node scores of betweenness, by strategy batched in single precision without reductions")
	}
	return m, nil
}

// computeCPU computes on the CPU, with the plan of reductions that the ranking made, if any.
func computeCPU(ctx context.Context, m kernels.Measure, t Task, why because) (*Outcome, error) {
	p := newParted(m, t)
	shards := p.ranking.shards(t)
	scores, err := cpu.InShards(ctx, m, t.Snapshot.Graph, p.Request, p.ranking.take(), shards)
	if err != nil {
		return nil, err
	}
	return p.outcome(scores, why, shards), checkOnCPU(m, t, scores)
}
