package hops

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// run is one run of the engine.
type run struct {
	calls   *device.Calls
	job     *device.Job
	shape   shape
	graph   *batches.Ordered
	out, in side
	arrays  arrays
	// sources are those of the job's shard, by their new numbers, and skipped how many are done without a search.
	sources []int32
	skipped int
}

// findSources takes the shard's batches of the sources that an arc leaves. The first shard has the others.
func (r *run) findSources() {
	all := r.leaving()
	if r.graph.ByBalls {
		all = r.graph.Alike(all, int(r.shape.team.lanes))
	}
	r.sources = batches.PartOf(r.job.Shard, all, int(r.shape.team.lanes))
	if r.job.Shard.Index == 0 {
		r.skipped = len(r.job.Sources) - len(all)
	}
}

// one is what an inverse of 1 counts as.
func (r *run) one() float64 { return math.Ldexp(1, r.point()) }

func (r *run) point() int {
	return r.shape.numbers.point(r.job.Partial.Scale(), len(r.job.Sources))
}

// arguments fills Hops of hops.cuh. Deep graphs never have a level to sweep for.
func (r *run) arguments() gpu.Ptr {
	a, s, share, levels := r.arrays, r.shape, int64(sweepShare), r.job.Levels()
	if s.deep {
		share = 0
	}
	var laneWeights gpu.Ptr
	var bits int64
	if s.kind == weights {
		levels = r.job.Radius()
		laneWeights, bits = r.laneWeights(r.sources)
	}
	sources, scale := a.sought.sources, r.job.Partial.Scale()
	if s.kind != lanes {
		sources = device.Upload(r.calls, r.sources)
	}
	hubs := r.in.hubs()
	return device.Put(r.calls, hopsArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		directed:   device.One(r.job.Host.Directed),
		out:        r.out.arguments(a.out),
		in:         r.in.arguments(a.in),
		hubs:       device.Upload(r.calls, hubs),
		hubCount:   int64(len(hubs)),
		sources:    sources,
		masks:      a.masks,
		stamps:     a.stamps,
		lists:      a.lists,
		nodes:      a.nodes.sums,
		nodeOver:   a.nodes.over,
		nodeCounts: a.nodes.counts,
		one:        r.one(),
		totals:     a.totals,
		teams:      a.shared,
		blocks:     int64(s.team.blocks),
		fold:       int64(s.numbers.fold),
		sweepShare: share,
		plot:       a.plot,
		levels:     levels,
		weights:    laneWeights,
		bits:       bits,
		laneSums:   a.sought.sums,
		laneCounts: a.sought.counts,
		unit:       scale.Unit,
		fine:       scale.Fine,
		pairs:      a.pairs.ends,
		pairCount:  a.pairs.count,
		pairFolds:  a.pairs.folds,
	})
}

// search searches from the first count sources of the arguments.
func (r *run) search(args gpu.Ptr, count int, progress func(done int)) {
	c, s := r.calls, r.shape
	shape := gpu.Shape{Grid: s.team.teams * s.team.blocks, Block: hopThreads, Cooperative: s.team.blocks > 1}
	c.Do(func() error {
		return device.Chunks(c, count, int(s.team.lanes)*s.team.teams, progress, func(first, count int) error {
			if err := c.Device.Memset(r.arrays.shared, 0, int64(s.team.teams)*batches.TeamBytes); err != nil {
				return err
			}
			return c.Device.Launch(kernelOf(s.team.lanes, s.kind), shape, args, int64(first), int64(first+count))
		})
	})
}
