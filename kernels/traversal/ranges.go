package traversal

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Several ranges take one search per source, to the greatest of them, and a backward pass per range. Each has sums and
// totals of its own, with the bits of a run with that range alone.

// acceptsRanges reports whether the strategy computes several ranges in one pass, if it computes one of them.
func (e Engine) acceptsRanges(w device.Want) bool {
	return !w.Folded && !w.Seeks() && !w.Chooses() && (e.sharing == "node" || e.sharing == "warp") &&
		(w.Kind() == kernels.Dependencies || w.Kind() == kernels.PathCounts || w.Folds())
}

// rangeBuffers lists what several ranges need in addition. Where rows are in cells, shares lie by node, so counts stay
// without room for shares.
func (l layout) rangeBuffers(a *arrays) device.Buffers {
	if l.ranges == 1 {
		return nil
	}
	list := device.Buffers{{Name: "last levels of ranges", Bytes: 8 * int64(l.ranges), Into: &a.limits}}
	if l.want.Weighted {
		list = device.Buffers{
			{Name: "greatest distances of ranges", Bytes: 8 * int64(l.ranges), Into: &a.limits},
			{Name: "units of distances of ranges", Bytes: 8 * int64(l.ranges), Into: &a.wholes},
		}
	}
	if l.want.LevelsOnly() || l.cells.quads > 0 {
		return list
	}
	return append(list, device.Buffer{
		Name: "shares of a range", Bytes: f64.bytes * l.nodes() * int64(l.shape.blocks), Into: &a.sharesOfRange,
	})
}

// putRanges copies to the device where each range ends.
func (r *run) putRanges() {
	c, a := r.calls, &r.arrays
	if a.limits == 0 || c.Err != nil {
		return
	}
	limits := r.job.LevelsOfRanges()
	if r.job.Weighted {
		wholes := make([]float64, len(limits))
		for i, within := range r.job.Want.Ranges {
			limits[i], wholes[i] = r.metric.Farthest(within, r.job.Graph.N)
		}
		c.Do(func() error { return c.Device.CopyIn(a.wholes, device.BytesOf(wholes)) })
	}
	c.Do(func() error { return c.Device.CopyIn(a.limits, device.BytesOf(limits)) })
}

// eachAlone ends a run of several ranges if sources are left for wider numbers. They may fit float64 within the smaller
// ranges, and are added in another order then.
func (r *run) eachAlone(left int) {
	if r.layout.ranges > 1 && left > 0 && r.calls.Err == nil {
		r.calls.Err = &device.Unsuited{Why: fmt.Sprintf("counts of paths from %d sources pass float64", left)}
	}
}
