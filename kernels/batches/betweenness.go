package batches

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// Betweenness is a prepared run of betweenness by hops: all but the search, which engines do in ways of their own.
type Betweenness struct {
	// Takes is what the run takes.
	Takes device.Plan
	// Order is that of the nodes.
	Order ByHops
	// Search makes the search of a run, which puts its graph into the order of batches before it asks for sources.
	Search func(r *Run) Search
}

// Search is how an engine searches.
type Search interface {
	// Allocate allocates the arrays of the search, before there is an order.
	Allocate() Found
	// Sources are those to search from, by their new numbers in the order of batches, and the nodes that are left in any
	// case. Both follow from all sources of the job, whatever its shard.
	Sources() (from, apart []int32)
	// Padded fills batches of so many lanes with negative numbers where some of the sources must not share one. Batches
	// are in the order in which they are begun.
	Padded(sources []int32, lanes int) []int32
	// Launch is that of a pass, without progress; counting for the kernel that counts what a profile needs.
	Launch(pass int, counting bool) Launch
	// Profile is what the blocks counted in so many seconds.
	Profile(numbers []int64, seconds float64) *profile.Profile
	// Note is one line on the search, which left so many sources.
	Note(left int) string
}

// Found is where a search adds up: exact sums of nodes and of arcs, 0 where they are not wanted, and totals of so many
// teams.
type Found struct {
	Nodes, Arcs, Totals gpu.Ptr
	Teams               int
}

// The passes of a run. Sources whose counts do not fit one are left to the next, and those of the last to another
// engine.
const (
	SinglePass = iota
	DoublePass
	passes
)

// Run is one run of betweenness by hops.
type Run struct {
	Calls *device.Calls
	Job   *device.Job
	Graph *Ordered
	// Masses are those of the job in the order of the graph, Counters what the kernels of a profile count in; 0 for none.
	Masses, Counters gpu.Ptr

	search  Search
	profile *profile.Profile
}

// Plan returns what the run takes.
func (b *Betweenness) Plan() device.Plan { return b.Takes }

// Begin orders the nodes on threads of their own; see device.Beginner.
func (b *Betweenness) Begin(j *device.Job) (wait func()) { return b.Order.Begin(j) }

// Run computes the job; see device.Prepared.
func (b *Betweenness) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	start := time.Now()
	r := &Run{Calls: &device.Calls{Ctx: ctx, Device: memory}, Job: j}
	r.search = b.Search(r)
	found := r.search.Allocate() // while nodes are ordered
	r.ready()
	r.Graph = b.Order.Put(r.Calls, j, false)
	r.Masses = r.Graph.Moved(j.Masses)
	from, apart := r.search.Sources()
	r.Calls.Sync()
	result := device.Result{Preprocess: time.Since(start).Seconds()}
	r.passes(from, &result)
	result.Left = append(apart, result.Left...)
	values := j.Room(result.Left)
	r.Graph.AddNodes(j.Partial.Nodes, found.Nodes, values.Nodes)
	r.Graph.AddEdges(j.Partial.Edges, found.Arcs, values.Edges)
	AddTotals(r.Calls, j.Partial, found.Totals, found.Teams)
	result.Profile = r.profile
	result.Note = r.search.Note(len(result.Left))
	return result, r.Calls.Err
}

// ready has the device load the kernels of the first pass, while nodes are ordered.
func (r *Run) ready() {
	l := r.search.Launch(r.firstPass(), r.Job.Profile)
	Ready(r.Calls, r.Job.Graph.N)
	r.Calls.Ready(l.Kernel, l.Shape)
}

// firstPass is the pass that the job asks for.
func (r *Run) firstPass() int {
	if r.Job.Pass == SinglePass && !r.Job.Single {
		return DoublePass
	}
	return r.Job.Pass
}

// passes runs the job's passes over its part of the sources, whole batches of it. A part of a run ends with its first
// pass, since the next one batches what all parts left.
func (r *Run) passes(left []int32, result *device.Result) {
	j := r.Job
	first, done := r.firstPass(), 0
	for pass := first; pass < passes && len(left) > 0; pass++ {
		if pass > first && !j.Shard.Whole() {
			result.Pass = pass
			break
		}
		lanes := r.search.Launch(pass, false).Lanes
		batch := PartOf(j.Shard, r.search.Padded(left, lanes), lanes)
		all := left
		if left = r.pass(pass, batch, done); len(left) > 0 {
			left = order.Arrange(left, all, j.Host.N())
		}
		done += countSources(batch) - len(left)
	}
	result.Left = r.Graph.Old(left)
}

// pass runs padded sources, and returns those that failed. done sources are done before.
func (r *Run) pass(pass int, sources []int32, done int) (left []int32) {
	if pass != SinglePass || !r.Job.Profile {
		return r.launch(r.search.Launch(pass, false), sources, done)
	}
	l := r.search.Launch(pass, true)
	left, numbers, seconds := Counted(r.Calls, l.Shape.Grid, &r.Counters, func() []int32 {
		return r.launch(l, sources, done)
	})
	r.profile = r.search.Profile(numbers, seconds)
	return left
}

func (r *Run) launch(l Launch, sources []int32, done int) []int32 {
	most := countSources(sources)
	l.Progress = func(count int) { r.Job.Progress(done + min(count, most)) } // without what pads
	return l.Run(r.Calls, sources)
}

// countSources is the number of sources among padded ones.
func countSources(padded []int32) (count int) {
	for _, v := range padded {
		if v >= 0 {
			count++
		}
	}
	return count
}

// FarthestFirst orders whole batches by how far apart their sources lie, the farthest first. A batch of such sources
// takes up to ten times as long as another, and the device would wait for one that begins last.
func FarthestFirst(sources []int32, lanes int, apart func(batch []int32) int) []int32 {
	type batch struct {
		sources []int32
		apart   int
	}
	whole := len(sources) / lanes * lanes
	var all []batch
	for some := range slices.Chunk(sources[:whole], lanes) {
		all = append(all, batch{some, apart(some)})
	}
	slices.SortStableFunc(all, func(a, b batch) int { return cmp.Compare(b.apart, a.apart) })
	out := make([]int32, 0, len(sources))
	for _, b := range all {
		out = append(out, b.sources...)
	}
	return append(out, sources[whole:]...)
}

// ByNumbers returns the greatest source of a batch minus the least. Entries of -1 fill the batch, and do not count.
func ByNumbers(batch []int32) int {
	least, most := slices.Max(batch), slices.Max(batch)
	for _, v := range batch {
		if v >= 0 {
			least = min(least, v)
		}
	}
	return int(most - least)
}

// PartOf is the part of sources that is a shard's, in whole batches of so many lanes: every so-many-th batch, because
// what a batch takes depends on its place.
func PartOf(s device.Shard, sources []int32, lanes int) []int32 {
	if s.Whole() {
		return sources
	}
	var out []int32
	for at := s.Index * lanes; at < len(sources); at += s.Of * lanes {
		out = append(out, sources[at:min(at+lanes, len(sources))]...)
	}
	return out
}
