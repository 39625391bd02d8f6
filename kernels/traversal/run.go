package traversal

import (
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// run is one run of an engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	layout layout
	arrays arrays
	// graph is the graph as searches see it.
	graph *device.Graph
	// sourceMasses and targetMasses are how much nodes count as ends of pairs; 0 where each counts once.
	sourceMasses, targetMasses gpu.Ptr
	trips                      trips

	metric device.Metric
	// lightest and lightestIn are the least weights of an arc that leaves, and that enters, each node.
	lightest, lightestIn gpu.Ptr
	begun                time.Time
	result               device.Result
}

// compute computes what the job wants.
func (r *run) compute() {
	switch w := r.job.Want; {
	case w.Folds():
		r.folds()
	case w.Measure == device.Distances:
		r.distances()
	case w.Measure == device.Adaptive:
		r.adaptive()
	case w.Measure == device.Pairs:
		r.pairs()
	case w.Measure == device.Sources:
		r.sources()
	case w.Kind() == kernels.PathCounts:
		r.stress()
	default:
		r.dependencies()
	}
}

// take takes what every measure needs.
func (r *run) take() {
	c := r.calls
	r.layout.buffers(&r.arrays).Take(c)
	if a := &r.arrays; a.countsOfNodes != 0 {
		a.places = a.countsOfNodes
		if a.leads == 0 {
			a.leads = a.countsOfNodes.At(4 * r.layout.nodes() * int64(r.layout.shape.blocks))
		}
	}
	r.renumber()
	r.weigh()
	if r.job.Weighted && c.Err == nil {
		r.metric = device.NewMetric(c, r.job)
		r.lightest, r.lightestIn = r.metric.LightestArcs(c, r.job.Graph)
	}
	r.putRanges()
}

// writeRanges has the device write where the arcs of every node begin and end, for searches by hops.
func (r *run) writeRanges() {
	for _, x := range []struct {
		graph *device.Graph
		into  gpu.Ptr
	}{{r.job.Graph, r.arrays.outRanges}, {r.job.Graph.In, r.arrays.inRanges}} {
		if x.into != 0 {
			r.calls.Launch(kernelArcRanges, device.ForEach(x.graph.N), x.graph.Offsets, x.graph.N, x.into)
		}
	}
}

// ready marks the end of what does not depend on the number of sources.
func (r *run) ready() {
	r.calls.Sync()
	r.result.Preprocess = time.Since(r.begun).Seconds()
}

// sequence is the sources of the run's first pass, in the order of the job's sources. Those without a pair that counts
// are left out.
func (r *run) sequence() []int32 {
	if r.job.Only != nil {
		return order.Arrange(r.job.Only, r.job.Sources, r.job.Host.N())
	}
	if !r.job.Demand {
		return r.job.Sources
	}
	d := r.job.Request.Pairs.Demand
	return slices.DeleteFunc(slices.Clone(r.job.Sources), func(s int32) bool {
		return d.Sources != nil && d.Sources[s] == 0 || d.Trips != nil && d.Trips.Offsets[s] == d.Trips.Offsets[s+1]
	})
}

// spread returns some of the job's sources in an order in which each atom has them from all over the job's, so that
// shards take about the same time. It does not depend on the order they come in.
func (r *run) spread(sources []int32) []int32 {
	sources = order.Arrange(sources, r.job.Sources, r.job.Host.N())
	out := make([]int32, 0, len(sources))
	for first := range mostAtoms {
		for i := first; i < len(sources); i += mostAtoms {
			out = append(out, sources[i])
		}
	}
	return out
}

// addTotals adds the totals of the blocks to those of the job.
func (r *run) addTotals() {
	blocks, each := r.layout.shape.blocks, r.job.Each()
	r.addDemands()
	if !r.job.Weighted {
		for i, of := range each {
			batches.AddTotals(r.calls, of.Partial, r.arrays.totals.At(16*int64(i*blocks)), blocks)
		}
		return
	}
	pairs, lengths := make([]int64, blocks*len(each)), make([]float64, blocks*len(each))
	device.Download(r.calls, pairs, r.arrays.totals)
	device.Download(r.calls, lengths, r.arrays.lengths)
	if r.calls.Err != nil {
		return
	}
	for i, of := range each {
		of.Partial.AddTotals(pairs[i*blocks:(i+1)*blocks], lengths[i*blocks:(i+1)*blocks])
	}
}

func (r *run) clearTotals() {
	r.calls.Clear(r.arrays.totals, 16*int64(r.layout.shape.blocks*r.layout.ranges))
	r.calls.Clear(r.arrays.lengths, 8*int64(r.layout.shape.blocks*r.layout.ranges))
	if r.arrays.demands != 0 {
		r.calls.Clear(r.arrays.demands, 16*int64(r.layout.shape.blocks))
	}
}

// lostArc reports an arc that does not lengthen a path.
func (r *run) lostArc() {
	if r.calls.Err != nil || !r.job.Weighted {
		return
	}
	var arc [1]int64
	if device.Download(r.calls, arc[:], r.arrays.lost); r.calls.Err == nil && arc[0] != 0 {
		r.calls.Err = r.metric.Lost(r.job, arc[0]-1)
	}
}
