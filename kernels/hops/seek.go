package hops

import (
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// sought are the arrays of a search for the highest scores: the nodes that are searched from, the sum of distances of
// each, and their number.
type sought struct{ sources, sums, counts gpu.Ptr }

// mostSought is how many sources these have room for.
func (s shape) mostSought() int { return int(s.team.lanes) * max(s.team.teams, soughtBatches) }

// buffers lists them.
func (a *sought) buffers(most int64) device.Buffers {
	return device.Buffers{
		{Name: "nodes to search from", Bytes: 4 * most, Into: &a.sources},
		{Name: "sums of nodes to search from", Bytes: device.WordBytes * most, Into: &a.sums},
		{Name: "counts of nodes to search from", Bytes: 4 * most, Into: &a.counts},
	}
}

// seek has the job's seeker find the highest scores. It returns from how many nodes it searched.
func (r *run) seek(args gpu.Ptr) (searched int) {
	r.job.Partial.Nodes.Fill(r.job.Host.N())
	r.calls.Do(func() error {
		return r.job.Seeker.Find(r.calls.Ctx, r.job.Partial, int(r.shape.team.lanes), func(nodes []int32) error {
			nodes = r.reached(nodes)
			for some := range slices.Chunk(nodes, r.shape.mostSought()) {
				r.foldTo(args, some)
			}
			searched += len(nodes)
			return r.calls.Err
		})
	})
	return searched
}

// reached are the new numbers, in order, of those nodes that some arc enters. The others have nothing to add up.
func (r *run) reached(nodes []int32) []int32 {
	var out []int32
	place, begins := r.graph.Place(), r.out.rows.Begins()
	for _, v := range nodes {
		if at := place[v]; begins[at] < begins[at+1] {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}

// foldTo folds the distances to some nodes, by their new numbers.
func (r *run) foldTo(args gpu.Ptr, nodes []int32) {
	c, a, count, p := r.calls, r.arrays.sought, int64(len(nodes)), r.job.Partial
	c.Do(func() error { return c.Device.CopyIn(a.sources, gpu.Bytes(nodes)) })
	c.Clear(a.sums, device.WordBytes*count)
	c.Clear(a.counts, 4*count)
	r.search(args, len(nodes), func(int) {})
	sums, counts := c.Words(a.sums, count), make([]uint32, count)
	if device.Download(c, counts, a.counts); c.Err != nil {
		return
	}
	for i, v := range r.graph.Old(nodes) {
		p.Nodes.Words[v].Add(sums[i])
		p.NodeCounts[v] += int64(counts[i])
	}
}

// Begin begins to bound scores; see device.Beginner.
func (p *prepared) Begin(j *device.Job) (end func()) {
	if p.shape.kind != lanes || j.Shard.Index > 0 {
		return func() {}
	}
	return j.Seeker.Begin()
}
